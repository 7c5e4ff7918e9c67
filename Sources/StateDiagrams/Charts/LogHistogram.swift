import Foundation

/// Counts of durations in bins whose width grows with the duration: six bins from one power of ten to the next.
///
/// It takes any number of durations in little room; adding is all that a reader of a large table has to do.
package struct LogHistogram: Sendable, Hashable, Codable {
    /// Bins of one power of ten.
    static let perDecade = 6

    /// Counts by number of the bin; bin `b` begins at 10^(b/6) ns.
    private(set) var bins: [Int: Int] = [:]
    /// All durations together.
    package private(set) var count = 0

    package init() {}

    package init(_ durations: some Sequence<Int64>) {
        for duration in durations { add(duration) }
    }

    /// Takes a duration in nanoseconds in; what is below a nanosecond counts as one.
    package mutating func add(_ nanoseconds: Int64, times: Int = 1) {
        guard times > 0 else { return }
        // A little is added so that 10 ms lies at the begin of its bin and not, by rounding, at the end of the last.
        let place = log10(Double(max(nanoseconds, 1))) * Double(Self.perDecade) + 1e-9
        bins[Int(place.rounded(.down)), default: 0] += times
        count += times
    }

    /// Number of the first and last bin that is not empty. Stays without any length lie far below all others: they do
    /// not stretch the scale, and stand at its begin.
    var range: ClosedRange<Int>? {
        let long = bins.keys.filter { $0 > 0 }
        guard let first = long.min() ?? bins.keys.min(), let last = bins.keys.max() else { return nil }
        return (bins[0] != nil && first > 0 ? first - 2 : first)...last
    }
}
