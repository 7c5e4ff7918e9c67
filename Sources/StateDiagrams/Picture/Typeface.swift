/// The typefaces of all pictures. Each is a list of fonts of which the first that is installed is taken.
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

    /// The font asked for where only one can be named (PNG, PDF).
    var printFamily: String { self == .code ? "DejaVu Sans Mono" : "Helvetica" }
}
