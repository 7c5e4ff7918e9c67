/// A dialect or alias file that cannot be used.
package struct DialectError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Name of the file.
    package var file: String
    /// Line in it, counted from 1; `nil` when the file as a whole is meant.
    package var line: Int?
    /// What is wrong, and how to mend it.
    package var message: String

    package init(file: String, line: Int? = nil, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    package var description: String {
        line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
    }
}
