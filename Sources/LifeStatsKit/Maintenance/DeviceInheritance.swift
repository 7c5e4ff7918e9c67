import EventRecognition
import TraceRecords
import TraceStore

/// Which device the facts of a log are of when one of its sources is forgotten.
///
/// Lines before the first one of their source that names a device take up that of the source before, which may be the
/// forgotten one.
struct DeviceInheritance {
    /// What the first lines of a source take up.
    private struct Inherited {
        /// The first line that names a device of its own.
        var end: Int64
        /// The device that the source before left, and the one that it leaves now.
        var old: String?
        var new: String?
    }

    private var inherited: [Int32: Inherited] = [:]
    /// The sources whose reading goes on with something else now.
    private(set) var changed: [SourceRecord] = []

    /// - Parameters:
    ///   - forgotten: the source that goes.
    ///   - sources: all sources of its log, it included.
    init?(of forgotten: Int32, among sources: [SourceRecord]) {
        let order = sources.inOrderOfLog
        guard let place = order.firstIndex(where: { $0.id == forgotten }),
            var old = ResumePoint(text: order[place].resume)?.legacy.context
        else { return nil }
        var new = place > 0 ? ResumePoint(text: order[place - 1].resume)?.legacy.context ?? .init() : .init()
        for record in order[(place + 1)...] {
            guard old.deviceName != new.deviceName, let point = ResumePoint(text: record.resume) else { break }
            // What the person says of a source, its lines take up from nowhere else.
            if point.wishes?.namesDevice != true {
                inherited[record.id] = Inherited(
                    end: point.firstDevice?.line ?? .max, old: old.deviceName, new: new.deviceName)
            }
            let now = Self.adjusted(record, point, after: new)
            if let now { changed.append(now) }
            old = point.legacy.context
            new = ResumePoint(text: now?.resume)?.legacy.context ?? old
        }
        if inherited.isEmpty && changed.isEmpty { return nil }
    }

    /// A source as it is after another device; `nil` where it stays as it is.
    private static func adjusted(
        _ record: SourceRecord, _ point: ResumePoint, after before: RecognitionContext
    ) -> SourceRecord? {
        var (record, point, old) = (record, point, (record.device, record.resume))
        if point.firstDevice == nil { point.legacy.context.device = before.device }
        if point.context.firstDevice == nil { point.context.device = before.device }
        record.resume = point.text
        if point.wishes?.namesDevice != true { record.device = point.firstDevice?.name ?? before.deviceName }
        return old == (record.device, record.resume) ? nil : record
    }

    /// The fact with the device that it is of now.
    func applied(to fact: StoredFact) -> StoredFact {
        guard let lines = inherited[fact.source], fact.firstLine < lines.end, fact.device == lines.old else {
            return fact
        }
        var fact = fact
        fact.device = lines.new
        // A process without a run has the device that is kept with its lines.
        if fact.run.id == 0, fact.run.device == lines.old { fact.run.device = lines.new }
        return fact
    }
}
