#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The standard normal distribution.
package enum Normal {
    /// Probability of a value above this one.
    package static func upperTail(_ value: Double) -> Double { erfc(value / 2.0.squareRoot()) / 2 }

    /// The value with this probability below it: bisection, which needs no tables and is exact to the last digits.
    package static func quantile(_ probability: Double) -> Double {
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
