/// Whether two cohorts differ: what their labels show, against what random labels show.
///
/// If the cohorts are alike, the labels of the units are exchangeable, so the observed labels are one random division
/// among many. The largest difference of all measurements is compared with the largest one of each random division. That
/// takes account of the number of measurements and of how they depend on each other.
struct PermutationTest: Sendable {
    /// Probability that chance alone gives a difference as large, for each measurement by itself and among all.
    private(set) var p: [Double]
    private(set) var adjusted: [Double]
    /// The largest difference of each random division, in ascending order.
    private(set) var maxima: [Double]

    /// - Parameters:
    ///   - observed: the sizes of the differences, in standard errors.
    ///   - stoppingAbove: a level: as soon as `p` of the largest difference is certainly above it, the test may stop.
    init(
        _ table: MomentTable, isInB: [Bool], observed: [Double], permutations: Int, seed: UInt64,
        stoppingAbove level: Double? = nil
    ) {
        let total = table.total(of: 0..<table.units)
        let pooled = (0..<table.rows).map { MomentTable.moments($0, in: total) }
        var random = RandomNumbers(seed: seed)
        var units = Array(0..<table.units)
        // The smaller group is drawn, the other one is the rest. Which of them is called B decides only the sign.
        let smaller = min(isInB.count(where: \.self), isInB.count { !$0 })
        // A difference that random labels reach exactly counts as reached, whatever the rounding.
        let limits = observed.map { $0 * (1 - 1e-9) }
        let largest = limits.max() ?? 0
        var (reached, exceeded) = ([Int](repeating: 0, count: table.rows), 0)
        let most = level.map { Int($0 * Double(permutations + 1)) }
        maxima = []
        maxima.reserveCapacity(permutations)
        for _ in 0..<permutations {
            random.choose(smaller, from: &units)
            let drawn = table.total(of: units.prefix(smaller))
            var maximum = 0.0
            for row in 0..<table.rows {
                let group = MomentTable.moments(row, in: drawn)
                let rest = pooled[row] - group
                let size = Contrast(rest, group, pooled: pooled[row])?.statistic().magnitude ?? 0
                if size >= limits[row] { reached[row] += 1 }
                maximum = max(maximum, size)
            }
            maxima.append(maximum)
            exceeded += maximum >= largest ? 1 : 0
            if let most, exceeded >= max(1, most) { break }
        }
        maxima.sort()
        // The observed division is one of the possible ones.
        let all = Double(maxima.count + 1)
        p = reached.map { Double($0 + 1) / all }
        let sorted = maxima
        adjusted = limits.map { Double(sorted.count - Self.firstPlace(in: sorted, atLeast: $0) + 1) / all }
    }

    /// The size that a difference must reach to be significant at a level; `nil` when there were too few permutations.
    func criticalValue(level: Double) -> Double? {
        let above = Int(level * Double(maxima.count + 1) + 1e-9)
        return above >= 1 && above <= maxima.count ? maxima[maxima.count - above] : nil
    }

    private static func firstPlace(in sorted: [Double], atLeast value: Double) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
