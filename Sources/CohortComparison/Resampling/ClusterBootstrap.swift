/// Intervals of differences, by drawing whole units with replacement, so that the visits of a unit stay together.
///
/// Each draw gives the error of the difference in its own standard errors (the bootstrap-t of Efron, 1979), which keeps
/// its promise with few units and long tails, where the percentiles of the differences are too narrow.
struct ClusterBootstrap: Sendable {
    /// The 95 % interval of each measurement; `nil` where there is too little data.
    private(set) var intervals: [ClosedRange<Double>?]

    static let draws = 1_999
    private static let tail = 0.025
    /// A draw may repeat a few units that are alike; its standard error is at least this part of the observed one.
    private static let floor = 0.5

    init(_ table: MomentTable, isInB: [Bool], seed: UInt64) {
        let groups = [false, true].map { isB in isInB.indices.filter { isInB[$0] == isB } }
        let observed = groups.map { table.total(of: $0) }
        var random = RandomNumbers(seed: seed)
        var errors = [[Double]](repeating: [], count: table.rows)
        let contrasts = (0..<table.rows).map { Self.contrast($0, observed) }
        for _ in 0..<Self.draws {
            let drawn = groups.map { group in
                table.total(of: group.indices.map { _ in group[random.below(group.count)] })
            }
            for row in 0..<table.rows {
                guard let contrast = contrasts[row], let other = Self.contrast(row, drawn) else { continue }
                let error = max(other.error, Self.floor * contrast.error)
                errors[row].append((other.difference - contrast.difference) / error)
            }
        }
        intervals = contrasts.indices.map { row in
            guard let contrast = contrasts[row], errors[row].count > Self.draws / 2 else { return nil }
            let sorted = errors[row].sorted()
            let low = sorted[Int(Double(sorted.count - 1) * Self.tail)]
            let high = sorted[Int(Double(sorted.count - 1) * (1 - Self.tail) + 0.5)]
            return contrast.difference - high * contrast.error...contrast.difference - low * contrast.error
        }
    }

    /// The difference between the groups, and its standard error, which may be zero in a draw.
    private static func contrast(_ row: Int, _ totals: [[Double]]) -> (difference: Double, error: Double)? {
        let (a, b) = (MomentTable.moments(row, in: totals[0]), MomentTable.moments(row, in: totals[1]))
        guard a.units > 1, b.units > 1, a.x > 0, b.x > 0 else { return nil }
        let variance = a.variance + b.variance
        return variance.isFinite && variance > 0 ? (b.ratio - a.ratio, variance.squareRoot()) : nil
    }
}
