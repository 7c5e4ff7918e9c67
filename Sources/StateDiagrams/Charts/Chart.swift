import Foundation

/// The distribution charts, all in one style.
package enum Chart: Sendable, Hashable {
    case dwell(DwellHistogram)
    case survival(SurvivalCurve)
    case survivals(SurvivalSheet)
    case transitions(TransitionHeatMap)
    case daily(DailyActivity)
    case dotted(DottedChart)

    /// The chart as SVG; equal charts give equal bytes.
    ///
    /// - Parameters:
    ///   - idPrefix: Prefix of every id, so that one page can contain several pictures.
    ///   - isPart: Whether it is a part of a page with ``PictureStyle/page``; otherwise it is self-contained.
    package func svg(language: PictureLanguage = .english, idPrefix: String = "c", isPart: Bool = false) -> String {
        SVGWriter.write(picture(language, idPrefix), isPart: isPart)
    }

    /// The chart as a file: SVG, PNG or PDF.
    package func bytes(_ format: PictureFormat, language: PictureLanguage = .english) throws(DiagramError) -> [UInt8] {
        try picture(language, "c").bytes(format)
    }

    private var content: any ChartContent {
        switch self {
        case .dwell(let chart): chart
        case .survival(let chart): chart
        case .survivals(let chart): chart
        case .transitions(let chart): chart
        case .daily(let chart): chart
        case .dotted(let chart): chart
        }
    }

    private func picture(_ language: PictureLanguage, _ idPrefix: String) -> Picture {
        let content = content
        let panel = content.panel(Words(language))
        var sheet = PictureSheet(title: content.title, subtitle: content.subtitle, width: panel.width)
        let frame = Picture.Box(
            x: PictureSheet.margin, y: sheet.y, width: panel.width, height: panel.height, radius: 12, fill: .panel,
            stroke: .frame)
        let origin = Point(frame.x, frame.y)
        sheet.add([.box(frame)] + panel.shapes.map { $0.moved(by: origin) }, height: panel.height)
        sheet.close(legend: panel.legend, notes: panel.notes)
        return sheet.picture(description: panel.description, language: language, idPrefix: idPrefix)
    }
}

/// What a chart shows.
protocol ChartContent {
    var title: String { get }
    var subtitle: String { get }
    func panel(_ words: Words) -> ChartPanel
}

extension ChartContent {
    var subtitle: String { "" }
}

/// The panel of a chart, with its legend and notes.
struct ChartPanel {
    var width = usualWidth
    var height: Double
    /// The origin is the upper left corner of the panel.
    var shapes: [Picture.Shape]
    var legend: [PictureSheet.Entry] = []
    var notes: [String] = []
    /// The chart in sentences, for a screen reader.
    var description: String

    /// Width of most charts: one fits on a phone and beside a diagram, without shrinking.
    static let usualWidth = 390.0

    /// The panel of a chart without data.
    static func empty(_ words: Words) -> ChartPanel {
        let text = words[.nothing]
        return ChartPanel(height: 80, shapes: [.label(text, at: Point(24, 44), size: 13)], description: text)
    }

    /// A line as a sample for a legend.
    static func stroke(_ ink: Ink, width: Double, dash: [Double] = []) -> (Point) -> [Picture.Shape] {
        { [.line($0, $0 + Point(26, 0), ink: ink, width: width, dash: dash)] }
    }
}

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
    /// - Parameter hasZero: Whether the beginning of the axis is labelled 0, for visits without any length; two strokes
    ///   say that the scale begins after it.
    func grid(top: Double, bottom: Double, hasZero: Bool = false) -> [Picture.Shape] {
        var shapes: [Picture.Shape] = []
        var occupied = -Double.infinity
        if hasZero, from > 0 {
            let x = max(left + 14, x(exponent: from + 1.5 / Double(LogHistogram.perDecade)))
            occupied = x + 4
            shapes.append(.label(DurationText.of(0), at: Point(left, bottom + 17), anchor: .middle))
            shapes += [0.0, 4].map {
                .line(Point(x + $0 - 4, bottom + 18), Point(x + $0, bottom + 8), ink: .muted)
            }
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
