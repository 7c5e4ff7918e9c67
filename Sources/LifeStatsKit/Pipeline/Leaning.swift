import TraceRecords

/// Finds out whether a source begins with lines that leave out their process: whose they are, the source before tells.
struct Leaning {
    private(set) var isFound: Bool
    private var isDecided: Bool

    /// - Parameter point: where the reading of the source goes on; `nil` when it begins.
    init(_ point: ResumePoint?) {
        isFound = point?.leansOnPredecessor ?? false
        isDecided = point.map { $0.position.counts.entry > 0 } ?? false
    }

    /// Looks at what comes next.
    mutating func note(_ batch: EntryBatch) {
        guard !isDecided, let first = batch.entries.first else { return }
        isFound = first.process.isEmpty
        isDecided = true
    }
}
