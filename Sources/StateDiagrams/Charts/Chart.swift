/// The distribution charts, all in one style.
package enum Chart: Sendable, Hashable {
    case dwell(DwellHistogram)
    case survival(SurvivalCurve)
    case survivals(SurvivalSheet)
    case transitions(TransitionHeatMap)
    case daily(DailyActivity)
    case dotted(DottedChart)

    /// The chart as self-contained SVG; equal charts give equal bytes.
    ///
    /// - Parameter idPrefix: Prefix of every id, so that one page can contain several pictures.
    package func svg(language: PictureLanguage = .english, idPrefix: String = "c") -> String {
        SVGWriter.write(picture(language, idPrefix))
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

    /// Width of most charts: two fit beside each other on a page, and one on a phone.
    static let usualWidth = 560.0

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
