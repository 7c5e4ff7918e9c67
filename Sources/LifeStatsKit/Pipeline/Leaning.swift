import TraceRecords

/// Finds out whether a source begins with lines that leave out their process or their device: whose they are, the source
/// before tells. One that holds no entry yet may come to begin so.
struct Leaning {
    private(set) var isFound: Bool
    /// The first line that names its process; the largest number while there is none.
    private(set) var namesProcessAt: Int64
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
        let named = point?.namesProcessAt ?? Int64.max
        // A line behind the position is read again.
        namesProcessAt = named <= point?.position.counts.lines ?? 0 ? named : Int64.max
    }

    /// Looks at what comes next.
    mutating func note(_ batch: EntryBatch) {
        if !isDecided, let first = batch.entries.first {
            isFound = first.process.isEmpty || first.device.isEmpty && !isDeviceGiven
            isDecided = true
        }
        // An entry that was provisional comes again, and may be another one.
        guard batch.entries.first.map({ $0.line <= namesProcessAt }) ?? false else { return }
        namesProcessAt = batch.entries.first { !$0.process.isEmpty }?.line ?? Int64.max
    }
}
