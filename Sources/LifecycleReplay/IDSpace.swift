import TraceRecords

/// Gives out row ids from blocks. A block that runs out of any kind of id goes on to the next one.
struct IDSpace: Codable {
    private(set) var sequence: BlockSequence
    /// Blocks taken since the last batch.
    private var taken: [Int64] = []
    private var steps: Int64 = 0
    private var runs: Int64 = 0
    private var instances: Int64 = 0
    private var others: Int64 = 0

    init(_ sequence: BlockSequence) { self.sequence = sequence }

    mutating func step() -> Int64 { give(\.steps) }
    mutating func run() -> Int64 { give(\.runs) }
    mutating func instance() -> Int64 { give(\.instances) }
    /// An id of a finding or of a suspension.
    mutating func other() -> Int64 { give(\.others) }

    private mutating func give(_ kind: WritableKeyPath<IDSpace, Int64>) -> Int64 {
        if taken.isEmpty || self[keyPath: kind] == Block.size - 1 {
            taken.append(sequence.take())
            (steps, runs, instances, others) = (0, 0, 0, 0)
        }
        self[keyPath: kind] += 1
        return taken[taken.count - 1] << 16 | self[keyPath: kind]
    }

    /// The blocks of a batch that ends here; the next id begins another block.
    mutating func endBatch() -> [Int64] {
        defer { taken = [] }
        return taken
    }
}
