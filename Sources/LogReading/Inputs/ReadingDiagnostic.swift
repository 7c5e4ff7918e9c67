/// Something about an input that a person should know, and that did not stop the reading.
package struct ReadingDiagnostic: Sendable, Hashable, CustomStringConvertible {
    /// How serious it is.
    package enum Severity: String, Sendable {
        /// Worth knowing (a hidden folder was skipped).
        case notice
        /// Something was left out that may matter.
        case warning
        /// A path that was named cannot be read: the exit code is 2.
        case error
    }

    package var severity: Severity
    /// The path, as shown to people.
    package var path: String
    /// Line of the source, where there is one to name.
    package var line: Int64?
    /// What happened, why, and how to mend it.
    package var message: String

    package var description: String {
        line.map { "\(path):\($0): \(message)" } ?? "\(path): \(message)"
    }

    package init(_ severity: Severity, path: String, line: Int64? = nil, message: String) {
        self.severity = severity
        self.path = path
        self.line = line
        self.message = message
    }
}
