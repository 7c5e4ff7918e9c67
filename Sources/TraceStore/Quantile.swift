/// Quantiles by R's type 7, the default of R, NumPy and spreadsheets.
package enum Quantile {
    /// The quantile of sorted values.
    ///
    /// - Parameters:
    ///   - sorted: values in ascending order, at least one.
    ///   - share: between 0 and 1.
    package static func r7(_ sorted: [Double], _ share: Double) -> Double {
        let place = Double(sorted.count - 1) * share
        let below = Int(place.rounded(.down))
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (place - Double(below)) * (sorted[above] - sorted[below])
    }
}
