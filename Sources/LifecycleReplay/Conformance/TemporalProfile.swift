/// How long it usually takes from one callback to the next, and which times are out of the usual.
///
/// A time is an outlier when it differs from the median by more than `zeta` times the scaled median absolute deviation
/// (1.4826 MAD, the standard deviation of a normal distribution), and from the mean by more than `zeta` standard
/// deviations where the robust measure is zero.
package struct TemporalProfile: Sendable {
    /// The usual time of a pair, in nanoseconds.
    package struct Usual: Sendable, Hashable {
        package var count: Int
        package var mean: Double
        package var deviation: Double
        package var median: Double
        /// 1.4826 times the median absolute deviation.
        package var robustDeviation: Double
    }

    private var times: [Footprints.Pair: [Int64]] = [:]
    private var usual: [Footprints.Pair: Usual] = [:]
    /// How many deviations a time may be off.
    package let zeta: Double

    package init(zeta: Double = 6) { self.zeta = zeta }

    /// Adds an observed time between two callbacks that follow each other directly. Negative times are left out: the
    /// clock is a finding of its own.
    package mutating func add(_ nanoseconds: Int64, _ pair: Footprints.Pair) { add([nanoseconds], pair) }

    /// Adds several such times.
    package mutating func add(_ nanoseconds: [Int64], _ pair: Footprints.Pair) {
        times[pair, default: []] += nanoseconds.filter { $0 >= 0 }
        usual[pair] = nil
    }

    /// The pairs that occurred, in alphabetical order.
    package var pairs: [Footprints.Pair] { times.keys.sorted { ($0.first, $0.second) < ($1.first, $1.second) } }

    /// How many of a pair's times are out of the usual.
    package mutating func outliers(_ pair: Footprints.Pair) -> Int {
        guard let usual = usual(pair) else { return 0 }
        return (times[pair] ?? []).count { isOutlier($0, usual) }
    }

    /// The usual time of a pair; `nil` when it never occurred.
    package mutating func usual(_ pair: Footprints.Pair) -> Usual? {
        if let known = usual[pair] { return known }
        guard let observed = times[pair], !observed.isEmpty else { return nil }
        let sorted = observed.sorted().map(Double.init)
        let mean = sorted.reduce(0, +) / Double(sorted.count)
        let variance = sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(sorted.count - 1, 1))
        let median = Self.median(sorted)
        let deviations = sorted.map { abs($0 - median) }.sorted()
        let found = Usual(
            count: sorted.count, mean: mean, deviation: variance.squareRoot(), median: median,
            robustDeviation: 1.4826 * Self.median(deviations))
        usual[pair] = found
        return found
    }

    /// Whether a time is out of the usual.
    package mutating func isOutlier(_ nanoseconds: Int64, _ pair: Footprints.Pair) -> Bool {
        usual(pair).map { isOutlier(nanoseconds, $0) } ?? false
    }

    private func isOutlier(_ nanoseconds: Int64, _ usual: Usual) -> Bool {
        let time = Double(nanoseconds)
        if usual.robustDeviation > 0 { return abs(time - usual.median) > zeta * usual.robustDeviation }
        return usual.deviation > 0 && abs(time - usual.mean) > zeta * usual.deviation
    }

    private static func median(_ sorted: [Double]) -> Double {
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
