/// The colours of all pictures by their meaning, each for a light and a dark background.
///
/// The colours of edges follow Okabe and Ito, which all kinds of colour blindness can distinguish; every kind of edge
/// also has its own dash. Text colours keep a contrast of 4.5 to 1.
enum Ink: String, Sendable, CaseIterable {
    case paper, panel, frame, text, muted, faint
    case state, stateFrame, ghost
    case documented, undocumented, never, silent
    case error, warning, info
    case heat0, heat1, heat2, heat3, heat4, heat5
    case toneActive, toneTransit, toneBackground, toneSuspended, toneOutside, onActive, onTone
    case series0, series1, series2, series3, series4, series5

    /// The steps of a scale, from low to high.
    static let shades: [Ink] = [.heat0, .heat1, .heat2, .heat3, .heat4, .heat5]

    /// What B has more of, or less of, than A.
    static let (more, less) = (Ink.series1, Ink.series0)

    /// The colour of the worst of some findings; `nil` when there are none.
    static func worst(of severities: some Collection<String>) -> Ink? {
        if severities.isEmpty { return nil }
        return severities.contains("error") ? .error : severities.contains("warning") ? .warning : .info
    }

    /// Hexadecimal colour on a light and on a dark background.
    var colours: (light: String, dark: String) {
        switch self {
        case .paper: ("#ffffff", "#12161c")
        case .panel: ("#f7f8fa", "#1a2029")
        case .frame: ("#dfe3e8", "#333c48")
        case .text: ("#1b1f24", "#eceff3")
        case .muted: ("#57606a", "#a5b0bd")
        case .faint: ("#c9d0d8", "#465160")
        case .state: ("#ffffff", "#252d38")
        case .stateFrame: ("#3b4654", "#b4c0ce")
        case .ghost: ("#6b7580", "#8793a1")
        case .documented: ("#0a6cae", "#5cb6f0")
        case .undocumented: ("#c24e00", "#ff9a4d")
        case .never: ("#6b7580", "#8793a1")
        case .silent: ("#8a3b80", "#dc9ad2")
        case .error: ("#b42318", "#ff8a80")
        case .warning: ("#8f5b00", "#f0c04c")
        case .info: ("#0a6cae", "#5cb6f0")
        case .heat0: ("#ffffff", "#252d38")
        case .heat1: ("#edf4fa", "#1e2f3f")
        case .heat2: ("#dceaf5", "#1d374d")
        case .heat3: ("#c8dff0", "#1c405c")
        case .heat4: ("#b2d3ea", "#1b4a6c")
        case .heat5: ("#9ac6e4", "#1a547c")
        case .toneActive: ("#0a6cae", "#3f9fdc")
        case .toneTransit: ("#f2b84b", "#c98e1d")
        case .toneBackground: ("#aab6c2", "#66727f")
        case .toneSuspended: ("#d9dfe5", "#414b57")
        case .toneOutside: ("#eef1f4", "#2a323c")
        case .onActive: ("#ffffff", "#0b1016")
        case .onTone: ("#1b1f24", "#eceff3")
        case .series0: ("#0a6cae", "#5cb6f0")
        case .series1: ("#c24e00", "#ff9a4d")
        case .series2: ("#00795a", "#3fcf9f")
        case .series3: ("#8a3b80", "#dc9ad2")
        case .series4: ("#8f6a00", "#e5c04a")
        case .series5: ("#57606a", "#a5b0bd")
        }
    }
}

/// The typefaces of all pictures. Each is a list of fonts; the first installed one is used.
enum Typeface: String, Sendable, CaseIterable {
    case text, bold, code

    /// The value of `font-family`.
    var families: String {
        switch self {
        case .text, .bold:
            "'Inter', 'Helvetica Neue', 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', 'PingFang SC', 'PingFang TC', "
                + "'Noto Sans CJK SC', 'Microsoft YaHei', 'DejaVu Sans', sans-serif"
        case .code:
            "'SF Mono', Menlo, 'DejaVu Sans Mono', Consolas, 'Noto Sans Mono CJK SC', monospace"
        }
    }

    /// The font for formats that name only one (PNG, PDF).
    var printFamily: String { self == .code ? "DejaVu Sans Mono" : "Helvetica" }
}
