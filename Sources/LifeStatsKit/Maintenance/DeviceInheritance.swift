import EventRecognition
import TraceRecords
import TraceStore

/// Which device the facts of a log are of when one of its sources is forgotten.
///
/// A run has the device that its first lines name, whatever source they stand in, and lines that name none take up the
/// device of the source before theirs: both may have come from the forgotten one.
struct DeviceInheritance {
    /// What is known of the devices of one source.
    private struct Known {
        /// The device that the person said.
        var given: String?
        /// The device that the source before leaves now.
        var inherited: String?
        var named: [NamedDevice]
    }

    /// The devices that the forgotten source may have told.
    private var doubtful: Set<String> = []
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
        doubtful = Set([left.legacy.context.deviceName, order[place].device].compactMap(\.self))
        doubtful.formUnion(left.devices?.map(\.name) ?? [])
        guard !doubtful.isEmpty else { return nil }
        var before = RecognitionContext()
        for (index, record) in order.enumerated() where index != place {
            guard let point = ResumePoint(text: record.resume) else {
                before = RecognitionContext()
                continue
            }
            known[record.id] = Known(
                given: point.wishes?.namesDevice == true ? record.device : nil, inherited: before.deviceName,
                named: point.devices ?? [])
            let now = index > place ? Self.adjusted(record, point, after: before) : nil
            if let now { changed.append(now) }
            before = ResumePoint(text: now?.resume)?.legacy.context ?? point.legacy.context
        }
    }

    /// A source as it is after another device; `nil` where it stays as it is.
    private static func adjusted(
        _ record: SourceRecord, _ point: ResumePoint, after before: RecognitionContext
    ) -> SourceRecord? {
        var (record, point, old) = (record, point, (record.device, record.resume))
        if point.devices == nil { point.legacy.context.device = before.device }
        if point.context.devices == nil { point.context.device = before.device }
        record.resume = point.text
        let named = point.devices ?? []
        if point.wishes?.namesDevice != true, !named.contains(where: { $0.name == record.device }) {
            record.device = before.deviceName ?? named.first?.name
        }
        return old == (record.device, record.resume) ? nil : record
    }

    /// The fact with the device that it is of now.
    func applied(to fact: StoredFact) -> StoredFact {
        guard let device = fact.run.device, doubtful.contains(device), let source = known[fact.source] else {
            return fact
        }
        let place = source.named.lastIndex { $0.line <= fact.firstLine }
        // Behind the last one that is kept there may be others.
        guard source.given != nil || place != NamedDevice.most - 1 else { return fact }
        var fact = fact
        fact.run.device = source.given ?? place.map { source.named[$0].name } ?? source.inherited
        return fact
    }
}
