import EventRecognition
import TraceRecords
import TraceStore

/// What lines that do not say of which process they are take up from the source before theirs, when that one is
/// forgotten.
///
/// A rotation may begin with such lines: they were of the process that wrote the last line of the forgotten source, and
/// are now of the one that wrote the last line of the source before it. A line that says its id alone takes up the name.
struct Inheritance {
    /// What the first lines of a source take up.
    private struct Inherited {
        /// What the source before left, and what it leaves now.
        var old: RecognitionContext
        var new: RecognitionContext
        /// The first line with a name of its own, and the first one with a name or an id.
        var namesProcessAt: Int64
        var namesPidAt: Int64
    }

    private var heirs: [Int32: Inherited] = [:]
    /// The sources whose reading goes on with something else now.
    private(set) var changed: [SourceRecord] = []

    /// - Parameters:
    ///   - forgotten: the source that goes.
    ///   - sources: all sources of its log.
    init?(of forgotten: Int32, among sources: [SourceRecord]) {
        let order = sources.inOrderOfLog
        guard let place = order.firstIndex(where: { $0.id == forgotten }),
            var old = ResumePoint(text: order[place].resume)?.legacy.context
        else { return nil }
        var new = place > 0 ? ResumePoint(text: order[place - 1].resume)?.legacy.context ?? .init() : .init()
        for var record in order[(place + 1)...] {
            guard (old.process, old.pid) != (new.process, new.pid), var point = ResumePoint(text: record.resume),
                point.leansOnPredecessor, let named = point.namesProcessAt
            else { break }
            let heir = Inherited(
                old: old, new: new, namesProcessAt: named, namesPidAt: point.namesPidAt ?? named)
            heirs[record.id] = heir
            old = point.legacy.context
            Self.adjust(&point.context, by: heir, at: point.position.counts.lines)
            Self.adjust(&point.legacy.context, by: heir, at: .max - 1)
            new = point.legacy.context
            record.resume = point.text
            changed.append(record)
        }
        if heirs.isEmpty { return nil }
    }

    /// What is remembered behind a line, after another source.
    private static func adjust(_ context: inout RecognitionContext, by heir: Inherited, at line: Int64) {
        if heir.namesProcessAt > line { context.process = heir.new.process }
        if heir.namesPidAt > line { context.pid = heir.new.pid }
    }

    /// The fact with the process that it is of now.
    func applied(to fact: StoredFact) -> StoredFact {
        guard let heir = heirs[fact.source], fact.firstLine < heir.namesProcessAt else { return fact }
        let naming = fact.naming
        let saysPid = fact.firstLine >= heir.namesPidAt
        guard !naming.contains(.byBundle), fact.name == heir.old.process,
            saysPid || (naming.contains(.withoutPid) ? nil : fact.run.pid) == heir.old.pid
        else { return fact }
        var fact = fact
        fact.run.app = heir.new.process
        fact.name = heir.new.process
        var named = naming.subtracting(.withoutName)
        if heir.new.process == nil { named.insert(.withoutName) }
        if !saysPid {
            fact.run.pid = heir.new.pid
            named.remove(.withoutPid)
            if heir.new.pid == nil { named.insert(.withoutPid) }
        }
        switch fact.content {
        case .event(let step, let instance, var kind, let time, let message):
            kind.naming = named
            fact.content = .event(step: step, instance: instance, kind: kind, time: time, message: message)
        case .life(var life):
            life.naming = named
            fact.content = .life(life)
        }
        return fact
    }
}
