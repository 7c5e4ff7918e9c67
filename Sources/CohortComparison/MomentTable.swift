/// The sums that decide the ratio of a measurement and its standard error.
struct Moments: Sendable {
    /// Sums over units: of numerators and denominators, of their squares and products, and the number of units with data.
    var y: Double
    var x: Double
    var yy: Double
    var xy: Double
    var xx: Double
    var units: Double

    static let count = 6

    static func - (a: Moments, b: Moments) -> Moments {
        Moments(
            y: a.y - b.y, x: a.x - b.x, yy: a.yy - b.yy, xy: a.xy - b.xy, xx: a.xx - b.xx, units: a.units - b.units)
    }

    static func + (a: Moments, b: Moments) -> Moments {
        Moments(
            y: a.y + b.y, x: a.x + b.x, yy: a.yy + b.yy, xy: a.xy + b.xy, xx: a.xx + b.xx, units: a.units + b.units)
    }

    /// Sum over sum.
    var ratio: Double { y / x }

    /// Sum of the squared residuals of the units around the ratio.
    var residual: Double { max(0, yy - 2 * ratio * xy + ratio * ratio * xx) }

    /// Variance of the ratio, from the differences between units (Taylor expansion).
    var variance: Double { residual / (x * x) * units / (units - 1) }
}

/// The moments of several measurements for each unit, one unit after another: what resampling adds up.
struct MomentTable: Sendable {
    private let values: [Double]
    private let width: Int
    let units: Int
    let rows: Int

    /// - Parameter sums: numerators and denominators by unit, of each measurement.
    init(_ sums: [(numerators: [Double], denominators: [Double])], units: Int) {
        var values: [Double] = []
        values.reserveCapacity(sums.count * units * Moments.count)
        for unit in 0..<units {
            for sum in sums {
                let (y, x) = (sum.numerators[unit], sum.denominators[unit])
                values += [y, x, y * y, x * y, x * x, x > 0 ? 1 : 0]
            }
        }
        self.values = values
        self.units = units
        rows = sums.count
        width = sums.count * Moments.count
    }

    /// Adds up some units.
    func total(of units: some Sequence<Int>) -> [Double] {
        var total = [Double](repeating: 0, count: width)
        add(units, to: &total)
        return total
    }

    /// The innermost loop of all resampling: pointers, because the checks of an index would take most of the time.
    private func add(_ units: some Sequence<Int>, to total: inout [Double]) {
        values.withUnsafeBufferPointer { values in
            total.withUnsafeMutableBufferPointer { total in
                for unit in units {
                    let row = UnsafeBufferPointer(rebasing: values[unit * width..<(unit + 1) * width])
                    for index in 0..<width { total[index] += row[index] }
                }
            }
        }
    }

    static func moments(_ row: Int, in total: [Double]) -> Moments {
        let first = row * Moments.count
        return Moments(
            y: total[first], x: total[first + 1], yy: total[first + 2], xy: total[first + 3], xx: total[first + 4],
            units: total[first + 5])
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
