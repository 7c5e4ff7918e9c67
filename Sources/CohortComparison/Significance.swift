import Foundation

/// The standard normal distribution.
enum Normal {
    /// Probability of a value above this one.
    static func upperTail(_ value: Double) -> Double { erfc(value / 2.0.squareRoot()) / 2 }

    /// The value with this probability below it: bisection, which needs no tables and is exact to the last digits.
    static func quantile(_ probability: Double) -> Double {
        guard probability > 0, probability < 1 else { return probability <= 0 ? -.infinity : .infinity }
        guard probability > 0.5 else { return probability == 0.5 ? 0 : -quantile(1 - probability) }
        return above(1 - probability)
    }

    /// The value with this probability above it, for small ones.
    static func above(_ tail: Double) -> Double {
        guard tail > 0 else { return .infinity }
        var (low, high) = (-40.0, 40.0)
        while high - low > 1e-13 {
            let middle = (low + high) / 2
            if upperTail(middle) > tail { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    /// The quantile of Student's distribution, by the expansion of Cornish and Fisher: within 0.5 % from five degrees of
    /// freedom on.
    static func studentQuantile(_ probability: Double, degrees: Int) -> Double {
        let z = quantile(probability)
        let (square, n) = (z * z, Double(degrees))
        return z
            * (1 + (square + 1) / (4 * n) + ((5 * square + 16) * square + 3) / (96 * n * n)
                + (((3 * square + 19) * square + 17) * square - 15) / (384 * n * n * n))
    }
}

/// The share of false discoveries after Benjamini and Hochberg (1995).
enum FalseDiscovery {
    /// The smallest share of false discoveries at which each test would be among the discoveries.
    static func adjusted(_ p: [Double]) -> [Double] {
        var q = [Double](repeating: 1, count: p.count)
        var least = 1.0
        for (place, index) in p.indices.sorted(by: { p[$0] < p[$1] }).enumerated().reversed() {
            least = min(least, p[index] * Double(p.count) / Double(place + 1))
            q[index] = least
        }
        return q
    }
}

/// How the chance of a false alarm is divided among several looks at growing data.
enum AlphaSpending {
    /// What all looks up to this one may spend: the function of Lan and DeMets (1983) that is like O'Brien and Fleming's
    /// boundaries. Early looks get almost nothing, the last ones almost all.
    static func spent(alpha: Double, look: Int, of looks: Int) -> Double {
        guard look > 0 else { return 0 }
        guard look < looks else { return alpha }
        let time = Double(look) / Double(looks)
        return 2 * Normal.upperTail(Normal.above(alpha / 2) / time.squareRoot())
    }

    /// What one look may spend: the level of its test. The levels add up to alpha, so that the chance of any false alarm
    /// is at most alpha however the looks depend on each other.
    static func level(alpha: Double, look: Int, of looks: Int) -> Double {
        spent(alpha: alpha, look: look, of: looks) - spent(alpha: alpha, look: look - 1, of: looks)
    }
}
