import TraceRecords
import TraceStore

/// A source that is forgotten, and what the others of its log take up instead of what it left to them.
struct Loss {
    let source: Int32
    private let names: Inheritance?
    private let devices: DeviceInheritance?
    /// The sources whose reading goes on with something else now; of one that comes twice the last counts.
    let changed: [SourceRecord]

    /// - Parameters:
    ///   - source: the source that goes.
    ///   - sources: all sources of its log, it included.
    init(of source: Int32, among sources: [SourceRecord]) {
        self.source = source
        names = Inheritance(of: source, among: sources)
        let renamed = Dictionary(uniqueKeysWithValues: (names?.changed ?? []).map { ($0.id, $0) })
        devices = DeviceInheritance(of: source, among: sources.map { renamed[$0.id] ?? $0 })
        changed = (names?.changed ?? []) + (devices?.changed ?? [])
    }

    /// The fact with the process and the device that it is of now.
    func applied(to fact: StoredFact) -> StoredFact {
        let named = names?.applied(to: fact) ?? fact
        return devices?.applied(to: named) ?? named
    }
}
