import TraceRecords
import TraceStore

/// Sources of a log that are forgotten, and what the others take up instead of what they left to them.
struct Loss {
    let sources: Set<Int32>
    private let names: Inheritance?
    private let devices: DeviceInheritance?
    /// The sources whose reading goes on with something else now; of one that comes twice the last counts.
    let changed: [SourceRecord]

    /// - Parameters:
    ///   - source: the source that goes.
    ///   - sources: all sources of its log, it included.
    init(of source: Int32, among sources: [SourceRecord]) {
        self.sources = [source]
        names = Inheritance(of: source, among: sources)
        let renamed = Dictionary(uniqueKeysWithValues: (names?.changed ?? []).map { ($0.id, $0) })
        devices = DeviceInheritance(of: source, among: sources.map { renamed[$0.id] ?? $0 })
        changed = (names?.changed ?? []) + (devices?.changed ?? [])
    }

    /// - Parameter tail: the last sources of a log, behind which nothing is left that could take up anything.
    init(ofTail tail: Set<Int32>) {
        sources = tail
        (names, devices, changed) = (nil, nil, [])
    }

    /// The fact with the process and the device that it is of now.
    func applied(to fact: StoredFact) -> StoredFact {
        let named = names?.applied(to: fact) ?? fact
        return devices?.applied(to: named) ?? named
    }
}
