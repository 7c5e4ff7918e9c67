/// A fault that can be injected into a log of an app without scenes, by the class of deviation that it is.
package enum Fault: String, Sendable, Hashable, CaseIterable, Codable {
    /// A callback is not logged: resign-active before enter-background.
    case missingCallback = "missing-callback"
    /// A callback is logged a second time, a moment later.
    case duplicate
    /// The clock is set back by half a minute for one line.
    case clockRegression = "clock-regression"
}
