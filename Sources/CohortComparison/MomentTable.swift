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
