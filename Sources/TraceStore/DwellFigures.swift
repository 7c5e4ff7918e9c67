/// What there is to say of some dwells.
package struct DwellFigures: Sendable, Hashable {
    /// Number of dwells that are known.
    package var count: Int64 = 0
    /// Their sum in nanoseconds; `nil` without any.
    package var total: Double?
    /// The quantiles that were asked for, in nanoseconds, R type 7; `nil` without any dwell.
    package var quantiles: [Double?]

    package init(count: Int64, total: Double?, quantiles: [Double?]) {
        self.count = count
        self.total = total
        self.quantiles = quantiles
    }

    /// The figures of dwells that are at hand.
    package init(_ dwells: [Int64], shares: [Double]) {
        let sorted = dwells.sorted().map(Double.init)
        count = Int64(sorted.count)
        total = sorted.isEmpty ? nil : sorted.reduce(0, +)
        quantiles = shares.map { sorted.isEmpty ? nil : Quantile.r7(sorted, $0) }
    }
}
