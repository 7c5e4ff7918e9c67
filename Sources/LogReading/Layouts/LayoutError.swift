/// A layout file that cannot be used.
package struct LayoutError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The layout file.
    package var file: String
    /// Line of the file, counted from 1; `nil` when no line is to blame.
    package var line: Int?
    /// What is wrong, and how to mend it.
    package var message: String

    package var description: String {
        line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
    }
}
