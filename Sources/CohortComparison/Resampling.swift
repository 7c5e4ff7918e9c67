/// Random numbers that are the same on every platform: SplitMix64.
package struct RandomNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The seed is mixed first: the sequences of neighbouring seeds would otherwise be parts of each other.
    package init(seed: UInt64) { state = Self.mixed(Self.mixed(seed ^ 0x6A09_E667_F3BC_C908)) }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, but not including, a limit below 2^32.
    package mutating func below(_ limit: Int) -> Int {
        Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(truncatingIfNeeded: limit)) >> 32)
    }

    /// A number from 0 up to, but not including, 1.
    package mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Moves a random choice of elements to the front, in a random order.
    mutating func choose(_ count: Int, from elements: inout [Int]) {
        for place in 0..<count {
            elements.swapAt(place, place + below(elements.count - place))
        }
    }
}

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
    private static func contrast(_ row: Int, _ totals: [[Moments]]) -> (difference: Double, error: Double)? {
        let (a, b) = (totals[0][row], totals[1][row])
        guard a.units > 1, b.units > 1, a.x > 0, b.x > 0 else { return nil }
        let variance = a.variance + b.variance
        return variance.isFinite && variance > 0 ? (b.ratio - a.ratio, variance.squareRoot()) : nil
    }
}

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
        let pooled = table.total(of: 0..<table.units)
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
                let size =
                    Contrast(pooled[row] - drawn[row], drawn[row], pooled: pooled[row])?.statistic().magnitude ?? 0
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

/// The sums over units that decide the ratio of a measurement and its standard error.
struct Moments: Sendable {
    /// Of numerators and denominators, of their squares and products, and the number of units with data; two are unused.
    var sums: SIMD8<Double> = .zero

    var y: Double { sums[0] }
    var x: Double { sums[1] }
    var yy: Double { sums[2] }
    var xy: Double { sums[3] }
    var xx: Double { sums[4] }
    var units: Double { sums[5] }

    static func - (a: Moments, b: Moments) -> Moments { Moments(sums: a.sums - b.sums) }
    static func + (a: Moments, b: Moments) -> Moments { Moments(sums: a.sums + b.sums) }

    /// Sum over sum.
    var ratio: Double { y / x }

    /// Sum of the squared residuals of the units around the ratio.
    var residual: Double { max(0, yy - 2 * ratio * xy + ratio * ratio * xx) }

    /// Variance of the ratio, from the differences between units (Taylor expansion).
    var variance: Double { residual / (x * x) * units / (units - 1) }
}

/// The moments of several measurements for each unit, one unit after another: what resampling adds up.
struct MomentTable: Sendable {
    private let values: [Moments]
    let units: Int
    let rows: Int

    /// - Parameter sums: numerators and denominators by unit, of each measurement.
    init(_ sums: [(numerators: [Double], denominators: [Double])], units: Int) {
        self.units = units
        rows = sums.count
        values = (0..<units).flatMap { unit in
            sums.map { sum in
                let (y, x) = (sum.numerators[unit], sum.denominators[unit])
                return Moments(sums: [y, x, y * y, x * y, x * x, x > 0 ? 1 : 0, 0, 0])
            }
        }
    }

    /// Adds up some units, for each measurement: the innermost loop of all resampling.
    func total(of units: some Sequence<Int>) -> [Moments] {
        var total = [Moments](repeating: Moments(), count: rows)
        for unit in units {
            for row in 0..<rows { total[row].sums += values[unit * rows + row].sums }
        }
        return total
    }
}

/// The difference of a measurement between two groups of units.
struct Contrast: Sendable {
    /// B minus A.
    var difference: Double
    var standardError: Double

    /// The fewest units with data in each group: a standard error needs two.
    private static let fewestUnits = 2.0
    /// The least variance, as a part of that of the pooled units. Groups of a few units may be alike by chance; without
    /// this floor their tiny standard error would decide everything.
    private static let floor = 0.5

    /// - Returns: `nil` when a group has too few units with data, or nothing varies.
    init?(_ a: Moments, _ b: Moments, pooled: Moments) {
        guard a.units >= Self.fewestUnits, b.units >= Self.fewestUnits, a.x > 0, b.x > 0 else { return nil }
        let common = pooled.residual / pooled.units * (a.units / (a.x * a.x) + b.units / (b.x * b.x))
        let variance = max(a.variance + b.variance, Self.floor * common)
        guard variance > 0 else { return nil }
        difference = b.ratio - a.ratio
        standardError = variance.squareRoot()
    }

    /// The difference in standard errors, less what is too small to matter.
    func statistic(ignoring margin: Double = 0) -> Double {
        let excess = max(0, difference.magnitude - margin) / standardError
        return difference < 0 ? -excess : excess
    }
}
