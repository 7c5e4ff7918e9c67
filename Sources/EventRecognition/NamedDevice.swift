/// A line from which on the lines of a source are of a device that it names.
package struct NamedDevice: Sendable, Hashable, Codable {
    package var line: Int64
    /// The name as people read it.
    package var name: String

    package init(line: Int64, name: String) {
        self.line = line
        self.name = name
    }

    /// How many of them are kept of a source: one is usual, and a log that several devices write changes all the time.
    package static let most = 16
}
