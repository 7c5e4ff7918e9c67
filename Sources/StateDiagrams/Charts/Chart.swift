/// The distribution charts, all in one style.
package enum Chart: Sendable, Hashable, Codable {
    case dwell(DwellHistogram)
    case survival(SurvivalCurve)
    case transitions(TransitionHeatMap)
    case daily(DailyActivity)
    case dotted(DottedChart)

    /// The chart as SVG: one text, without anything outside it; equal charts give equal bytes.
    ///
    /// - Parameter idPrefix: Put before every id, so that several pictures can stand in one page.
    package func svg(language: PictureLanguage = .english, idPrefix: String = "c") -> String {
        SVGWriter.write(picture(language, idPrefix))
    }

    /// The chart as SVG, PNG, PDF or as JSON; DOT has no charts and gives SVG.
    package func bytes(
        _ format: PictureFormat, language: PictureLanguage = .english, idPrefix: String = "c"
    ) throws(DiagramError) -> [UInt8] {
        format == .json ? try JSONText.of(self) : try picture(language, idPrefix).bytes(format)
    }

    private func picture(_ language: PictureLanguage, _ idPrefix: String) -> Picture {
        let words = ChartWords.of(language)
        let frame =
            switch self {
            case .dwell(let chart): chart.frame(words)
            case .survival(let chart): chart.frame(words)
            case .transitions(let chart): chart.frame(words)
            case .daily(let chart): chart.frame(words)
            case .dotted(let chart): chart.frame(words)
            }
        return frame.picture(language, idPrefix: idPrefix)
    }
}
