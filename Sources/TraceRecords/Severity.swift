/// How much a finding matters, least first: the words of the column `findings.severity`.
public enum Severity: String, Sendable, Codable, CaseIterable, Comparable {
    case info, warning, error

    public static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .info: 0
        case .warning: 1
        case .error: 2
        }
    }
}
