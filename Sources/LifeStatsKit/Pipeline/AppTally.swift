/// Runs by the name of their process, of which the most frequent count: a log can have any number of names.
struct AppTally {
    /// How many names are kept; beyond that the rarer half goes.
    static let namesKept = 4096

    private var runs: [String: Int] = [:]
    /// How many names there are at least; `nil` when all are kept.
    private(set) var leastCount: Int?

    /// The names that are kept, those with the most runs first.
    var names: [String] {
        runs.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }

    /// Counts a run.
    mutating func add(_ name: String) {
        runs[name, default: 0] += 1
        guard runs.count > Self.namesKept else { return }
        leastCount = runs.count
        for name in names.dropFirst(Self.namesKept / 2) { runs[name] = nil }
    }
}
