import Foundation

/// Counts of durations in bins whose width grows with the duration: six bins from one power of ten to the next.
///
/// The memory does not grow with the number of durations.
package struct LogHistogram: Sendable, Hashable {
    /// Bins in one power of ten.
    static let perDecade = 6

    /// Counts by the number of the bin; bin `b` begins at 10^(b/6) ns.
    private(set) var bins: [Int: Int] = [:]
    /// Number of all durations.
    package private(set) var count = 0

    package init() {}

    package init(_ durations: some Sequence<Int64>) {
        for duration in durations { add(duration) }
    }

    /// Adds a duration in nanoseconds; a duration below one nanosecond counts as one.
    package mutating func add(_ nanoseconds: Int64, times: Int = 1) {
        guard times > 0 else { return }
        // The small constant puts 10 ms at the beginning of its bin; rounding might put it at the end of the bin before.
        let place = log10(Double(max(nanoseconds, 1))) * Double(Self.perDecade) + 1e-9
        bins[Int(place.rounded(.down)), default: 0] += times
        count += times
    }

    /// The first and last bin that a scale must show. Visits without any length lie far below all others; they do not
    /// stretch the scale but are drawn at its beginning.
    var range: ClosedRange<Int>? {
        let long = bins.keys.filter { $0 > 0 }
        guard let first = long.min() ?? bins.keys.min(), let last = bins.keys.max() else { return nil }
        return (bins[0] != nil && first > 0 ? first - 2 : first)...last
    }
}

/// An axis of durations on a logarithmic scale.
struct DurationAxis {
    let from: Double
    let until: Double
    let left: Double
    let width: Double

    /// - Parameter bins: Bins of ``LogHistogram`` that must fit.
    init(bins: ClosedRange<Int>, left: Double, width: Double) {
        let step = 1 / Double(LogHistogram.perDecade)
        // At least two powers of ten, so that a single bin does not fill the chart.
        let missing = max(0, 2 * LogHistogram.perDecade - bins.count)
        from = Double(bins.lowerBound - missing / 2) * step
        until = Double(bins.upperBound + 1 + (missing + 1) / 2) * step
        self.left = left
        self.width = width
    }

    /// The place of a duration; a shorter one than the axis shows is at its beginning.
    func x(_ nanoseconds: Int64) -> Double { max(left, x(exponent: log10(Double(max(nanoseconds, 1))))) }

    /// The place of a power of ten.
    func x(exponent: Double) -> Double { left + (exponent - from) / (until - from) * width }

    /// Round durations.
    private static let marks: [Int64] =
        [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000]
        + [60, 600, 3_600, 21_600, 86_400, 604_800, 2_592_000, 31_536_000].map { $0 * 1_000_000_000 }

    /// Grid lines with their labels.
    ///
    /// - Parameter hasZero: Whether the beginning of the axis is labelled 0, for visits without any length.
    func grid(top: Double, bottom: Double, hasZero: Bool = false) -> [Picture.Shape] {
        var shapes: [Picture.Shape] = []
        var occupied = -Double.infinity
        if hasZero, from > 0 {
            occupied = left + 14
            shapes.append(.label(DurationText.of(0), at: Point(left, bottom + 17), anchor: .middle))
        }
        for mark in Self.marks {
            let x = x(exponent: log10(Double(mark)))
            guard x >= left - 0.5, x <= left + width + 0.5 else { continue }
            shapes.append(.line(Point(x, top), Point(x, bottom), ink: .frame))
            let text = DurationText.of(mark)
            let half = TextMeasure.width(text, size: 11, face: .text) / 2
            guard x - half > occupied + 6 else { continue }
            occupied = x + half
            shapes.append(.label(text, at: Point(x, bottom + 17), anchor: .middle))
        }
        return shapes
    }
}
