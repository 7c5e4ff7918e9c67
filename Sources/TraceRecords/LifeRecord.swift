/// A ``LifeSpan`` with the run that it belongs to: the other kind of stored fact.
public struct LifeRecord: Sendable, Hashable {
    public var run: Int64
    /// Number of the source that the lines are in.
    public var source: Int32
    public var from: Int64?
    public var until: Int64?
    public var firstLine: Int64
    public var lastLine: Int64
    /// How the lines name their process.
    public var naming: Naming
    /// The name and the device in the lines, where the first line of the run that names one has another.
    public var otherName: String?
    public var otherDevice: String?

    public init(
        run: Int64, source: Int32, from: Int64?, until: Int64?, firstLine: Int64, lastLine: Int64, naming: Naming = [],
        otherName: String? = nil, otherDevice: String? = nil
    ) {
        self.run = run
        self.source = source
        self.from = from
        self.until = until
        self.firstLine = firstLine
        self.lastLine = lastLine
        self.naming = naming
        self.otherName = otherName
        self.otherDevice = otherDevice
    }
}

extension [LifeRecord] {
    /// Joins neighbours until at most so many stretches are left, those with the shortest silence between them first:
    /// what is left has the longest silences, however the stretches came together.
    public mutating func keepLongestSilences(_ most: Int) {
        while count > most {
            let shortest = indices.dropFirst().min { silence(before: $0) < silence(before: $1) } ?? endIndex - 1
            let earlier = remove(at: shortest - 1)
            self[shortest - 1].from = earlier.from
            if earlier.source == self[shortest - 1].source { self[shortest - 1].firstLine = earlier.firstLine }
        }
    }

    /// Joins the pieces of stretches that were cut.
    public mutating func joinPieces() {
        var result: [LifeRecord] = []
        result.reserveCapacity(count)
        for life in self {
            if let last = result.last, last.run == life.run, last.source == life.source, last.until == life.from,
                last.firstLine == life.firstLine, last.lastLine == life.lastLine
            {
                result[result.count - 1].until = life.until
            } else {
                result.append(life)
            }
        }
        self = result
    }

    private func silence(before place: Int) -> Int64 {
        guard let from = self[place].from, let until = self[place - 1].until else { return .min }
        return from &- until
    }
}
