/// Something about a model that is wrong or doubtful, and where.
package struct ModelDiagnostic: Sendable, Hashable, CustomStringConvertible {
    /// How bad it is.
    package enum Level: String, Sendable, CaseIterable {
        /// The model can be used; what is said may not be what is meant.
        case warning
        /// The model cannot be used.
        case error
    }

    package var level: Level
    package var file: String
    /// Counted from 1; 0 where it is about the whole file.
    package var line: Int
    /// What is wrong and how to mend it.
    package var message: String

    package var description: String { "\(file)\(line > 0 ? ":\(line)" : ""): \(level.rawValue): \(message)" }
}
