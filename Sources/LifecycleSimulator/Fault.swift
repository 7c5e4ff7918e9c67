/// A fault that can be put into a log, by the class of deviation that it is.
package enum Fault: String, Sendable, Hashable, CaseIterable, Codable {
    /// A callback comes in a state from which no single missing one leads to where it is documented.
    case illegalTransition = "illegal-transition"
    /// A callback is not logged.
    case missingCallback = "missing-callback"
    /// A callback is logged a second time, a moment later.
    case duplicate
    /// Two lines of one time stand the wrong way round.
    case reorderedTie = "reordered-tie"
    /// The clock is set back for one line.
    case clockRegression = "clock-regression"
    /// The beginning of the log is cut off.
    case truncation
    /// A line names a callback that does not exist.
    case unknownCallback = "unknown-callback"
    /// Something takes longer than a documented limit.
    case limitOverrun = "limit-overrun"
    /// Every move is documented, but their order or their end breaks a rule.
    case ruleViolation = "rule-violation"
}
