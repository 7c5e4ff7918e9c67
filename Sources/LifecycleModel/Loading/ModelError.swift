/// Why a model file can't be used: what, where and how to mend it.
package struct ModelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// File that it is about, as the caller named it.
    package var file: String
    /// Line, counted from 1; 0 when it is about the whole file.
    package var line: Int
    /// What is wrong and how to mend it, as one sentence.
    package var message: String

    package init(file: String, line: Int, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    package var description: String { line > 0 ? "\(file):\(line): \(message)" : "\(file): \(message)" }
}
