/// How the author of a simulated app logs callbacks.
enum Spelling: CaseIterable, Sendable {
    case objectiveC
    case swift
    case bare
    case tagged

    /// The message for a callback.
    func message(_ callback: String) -> String {
        let takesApplication = callback.hasSuffix("WithOptions")
        switch self {
        case .objectiveC: return "-[AppDelegate \(takesApplication ? "application:" : "")\(callback):]"
        case .swift: return takesApplication ? "application(_:\(callback):)" : "\(callback)(_:)"
        case .bare: return callback
        case .tagged: return "[Lifecycle] \(callback)"
        }
    }
}
