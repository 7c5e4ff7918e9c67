import TraceRecords

/// Finds out whether a source begins with lines that leave out their process or their device: whose they are, the source
/// before tells. One that holds no entry yet may come to begin so.
struct Leaning {
    private(set) var isFound: Bool
    /// The first line that names its process; the largest number while there is none.
    private(set) var namesProcessAt: Int64
    /// The first line that says whose it is by a name or an id, likewise.
    private(set) var namesPidAt: Int64
    /// Whether it is to be read again, because the source before is another one than when it was begun.
    let isStale: Bool
    private var isDecided: Bool
    /// Whether the person said the device of the source, so that its lines need not tell it.
    private let isDeviceGiven: Bool

    /// - Parameter point: where the reading of the source goes on; `nil` when it begins.
    init(_ point: ResumePoint?, isDeviceGiven: Bool) {
        self.isDeviceGiven = isDeviceGiven
        isStale = point?.isStale ?? false
        isDecided = point.map { $0.position.counts.entry > 0 } ?? false
        isFound = !isDecided || point?.leansOnPredecessor == true
        // A line behind the position is read again.
        let stable = point?.position.counts.lines ?? 0
        func known(_ line: Int64?) -> Int64 { line.map { $0 <= stable ? $0 : .max } ?? .max }
        namesProcessAt = known(point?.namesProcessAt)
        namesPidAt = known(point?.namesPidAt ?? point?.namesProcessAt)
    }

    /// Looks at what comes next.
    mutating func note(_ batch: EntryBatch) {
        if !isDecided, let first = batch.entries.first {
            isFound = first.process.isEmpty || first.device.isEmpty && !isDeviceGiven
            isDecided = true
        }
        // An entry that was provisional comes again, and may be another one.
        guard let first = batch.entries.first?.line, first <= namesProcessAt else { return }
        namesProcessAt = batch.entries.first { !$0.process.isEmpty }?.line ?? Int64.max
        guard first <= namesPidAt else { return }
        namesPidAt = batch.entries.first { !$0.process.isEmpty || $0.pid != nil }?.line ?? Int64.max
    }
}
