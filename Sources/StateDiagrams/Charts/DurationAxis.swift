import Foundation

/// An axis of durations on a logarithmic scale.
struct DurationAxis {
    let from: Double
    let until: Double
    let left: Double
    let width: Double

    /// - Parameter bins: Bins of ``LogHistogram`` that must fit.
    init(bins: ClosedRange<Int>, left: Double, width: Double) {
        let step = 1 / Double(LogHistogram.perDecade)
        // At least two powers of ten, so that a single bin is no wall.
        let missing = max(0, 2 * LogHistogram.perDecade - bins.count)
        from = Double(bins.lowerBound - missing / 2) * step
        until = Double(bins.upperBound + 1 + (missing + 1) / 2) * step
        self.left = left
        self.width = width
    }

    /// Where a duration lies.
    func x(_ nanoseconds: Int64) -> Double { x(exponent: log10(Double(max(nanoseconds, 1)))) }

    /// Where a power of ten lies.
    func x(exponent: Double) -> Double { left + (exponent - from) / (until - from) * width }

    /// Durations that people count in.
    private static let marks: [Int64] =
        [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000]
        + [60, 600, 3_600, 21_600, 86_400, 604_800, 2_592_000, 31_536_000].map { $0 * 1_000_000_000 }

    /// Grid lines with their labels, from one height to another.
    ///
    /// - Parameter hasZero: Whether the mark of stays without any length stands at the begin.
    func grid(top: Double, bottom: Double, hasZero: Bool = false) -> [Picture.Shape] {
        var shapes: [Picture.Shape] = []
        var occupied = hasZero && from > 0 ? left + 14 : -Double.infinity
        for mark in Self.marks {
            let x = x(mark)
            guard x >= left - 0.5, x <= left + width + 0.5 else { continue }
            shapes.append(ChartFrame.line(Point(x: x, y: top), Point(x: x, y: bottom), ink: .frame))
            let text = DurationText.of(mark)
            let half = TextMeasure.width(text, size: 11, face: .text) / 2
            guard x - half > occupied + 6 else { continue }
            occupied = x + half
            shapes.append(.text(.init(x: x, y: bottom + 17, text: text, size: 11, anchor: .middle, ink: .muted)))
        }
        return shapes
    }

    /// The mark of stays without any length, at the begin of the scale, where they do not fit on it.
    func zero(bottom: Double) -> [Picture.Shape] {
        guard from > 0 else { return [] }
        return [
            .text(
                .init(x: left, y: bottom + 17, text: DurationText.of(0), size: 11, anchor: .middle, ink: .muted))
        ]
    }
}
