import EventRecognition
import TraceRecords
import TraceStore

/// Which device the facts of a log are of when one of its sources is forgotten.
///
/// Lines before the first one of their source that names a device take up that of the source before, which may be the
/// forgotten one.
struct DeviceInheritance {
    /// What is known of the devices of one source.
    private struct Known {
        /// The device that the person said.
        var given: String?
        /// The device that the source before leaves now.
        var inherited: String?
        var named: NamedDevice?
    }

    private var known: [Int32: Known] = [:]
    /// The sources whose reading goes on with something else now.
    private(set) var changed: [SourceRecord] = []

    /// - Parameters:
    ///   - forgotten: the source that goes.
    ///   - sources: all sources of its log, it included.
    init?(of forgotten: Int32, among sources: [SourceRecord]) {
        let order = sources.inOrderOfLog
        guard let place = order.firstIndex(where: { $0.id == forgotten }),
            let left = ResumePoint(text: order[place].resume)
        else { return nil }
        var before = place > 0 ? ResumePoint(text: order[place - 1].resume)?.legacy.context ?? .init() : .init()
        guard left.legacy.context.deviceName != before.deviceName else { return nil }
        for record in order[(place + 1)...] {
            guard let point = ResumePoint(text: record.resume) else { break }
            known[record.id] = Known(
                given: point.wishes?.namesDevice == true ? record.device : nil, inherited: before.deviceName,
                named: point.firstDevice)
            let now = Self.adjusted(record, point, after: before)
            if let now { changed.append(now) }
            before = ResumePoint(text: now?.resume)?.legacy.context ?? point.legacy.context
        }
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
        guard let source = known[fact.source], source.given == nil, fact.firstLine < source.named?.line ?? .max else {
            return fact
        }
        var fact = fact
        fact.device = source.inherited
        return fact
    }
}
