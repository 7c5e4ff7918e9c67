/// How much a broken rule matters, least first.
package enum RuleSeverity: String, Sendable, CaseIterable, Comparable {
    case info, warning, error

    package static func < (a: RuleSeverity, b: RuleSeverity) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .info: 0
        case .warning: 1
        case .error: 2
        }
    }
}
