/// The first line of a source that names its device: the lines before it are of the device that the source before left.
package struct NamedDevice: Sendable, Hashable, Codable {
    package var line: Int64
    /// The name as people read it.
    package var name: String

    package init(line: Int64, name: String) {
        self.line = line
        self.name = name
    }
}
