import TraceRecords

/// The keys that the store kept of the last events of a log's sources, until their facts have been read back.
struct StoredCopyKeys {
    private struct Place: Hashable {
        var source: Int32
        var line: Int64
    }

    private let keys: [CopyKey]
    /// Index of the first key of a line.
    private let places: [Place: Int]
    private var next = 0

    /// - Parameter keys: in the order of the log.
    init(_ keys: [CopyKey] = []) {
        self.keys = keys
        places = Dictionary(
            keys.enumerated().map { (Place(source: $1.source, line: $1.line), $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The key of a line that has not been taken.
    func key(source: Int32, line: Int64) -> UInt64? {
        place(source: source, line: line).map { keys[$0].key }
    }

    /// Takes the key of a line. Those before it, of lines that were not read back, keep their places in the window.
    mutating func take(source: Int32, line: Int64, passingOver window: inout CopyWindow) -> UInt64? {
        guard let place = place(source: source, line: line) else { return nil }
        pass(before: place, &window)
        next = place + 1
        return keys[place].key
    }

    private func place(source: Int32, line: Int64) -> Int? {
        guard let first = places[Place(source: source, line: line)] else { return nil }
        let place = max(first, next)
        guard keys.indices.contains(place), keys[place].source == source, keys[place].line == line else { return nil }
        return place
    }

    /// Passes over what is left of a source and of those before it.
    mutating func end(source: Int32, passingOver window: inout CopyWindow) {
        guard let last = keys.lastIndex(where: { $0.source == source }) else { return }
        pass(before: last + 1, &window)
    }

    private mutating func pass(before place: Int, _ window: inout CopyWindow) {
        while next < place {
            window.skip(keys[next])
            next += 1
        }
    }
}
