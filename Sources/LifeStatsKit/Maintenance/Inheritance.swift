import EventRecognition
import TraceRecords
import TraceStore

/// What lines that name no process take up from the source before theirs, when that one is forgotten.
///
/// A rotation may begin with such lines: they were of the process that wrote the last line of the forgotten source, and
/// are now of the one that wrote the last line of the source before it.
struct Inheritance {
    private let old: RecognitionContext
    private let new: RecognitionContext
    /// The sources that took up what the forgotten one left, with the first line that names its process.
    private var heirs: [Int32: Int64] = [:]
    /// The sources whose reading goes on with something else now.
    private(set) var changed: [SourceRecord] = []

    /// - Parameters:
    ///   - forgotten: the source that goes.
    ///   - sources: all sources of its log.
    init?(of forgotten: Int32, among sources: [SourceRecord]) {
        let order = sources.inOrderOfLog
        guard let place = order.firstIndex(where: { $0.id == forgotten }),
            let left = ResumePoint(text: order[place].resume)?.legacy.context
        else { return nil }
        old = left
        new = place > 0 ? ResumePoint(text: order[place - 1].resume)?.legacy.context ?? .init() : .init()
        guard (old.process, old.pid) != (new.process, new.pid) else { return nil }
        for var record in order[(place + 1)...] {
            guard var point = ResumePoint(text: record.resume), point.leansOnPredecessor,
                let named = point.namesProcessAt
            else { break }
            heirs[record.id] = named
            guard named > point.position.counts.lines else { break }
            (point.context.process, point.context.pid) = (new.process, new.pid)
            if named == .max { (point.legacy.context.process, point.legacy.context.pid) = (new.process, new.pid) }
            record.resume = point.text
            changed.append(record)
            guard named == .max else { break }
        }
    }

    /// The fact with the process that it is of now.
    func applied(to fact: StoredFact) -> StoredFact {
        guard let named = heirs[fact.source], fact.firstLine < named else { return fact }
        var fact = fact
        switch fact.content {
        case .event(let step, let instance, var kind, let time, let message):
            guard isInherited(fact, kind.naming) else { return fact }
            kind.naming = renamed(kind.naming)
            fact.content = .event(step: step, instance: instance, kind: kind, time: time, message: message)
        case .life(var life):
            guard isInherited(fact, life.naming) else { return fact }
            life.naming = renamed(life.naming)
            fact.content = .life(life)
        }
        fact.run.app = new.process
        fact.name = new.process
        fact.run.pid = new.pid
        return fact
    }

    private func isInherited(_ fact: StoredFact, _ naming: Naming) -> Bool {
        !naming.contains(.byBundle) && fact.name == old.process
            && (naming.contains(.withoutPid) ? nil : fact.run.pid) == old.pid
    }

    private func renamed(_ old: Naming) -> Naming {
        var naming = old.intersection(.withoutDevice)
        if new.process == nil { naming.insert(.withoutName) }
        if new.pid == nil { naming.insert(.withoutPid) }
        return naming
    }
}
