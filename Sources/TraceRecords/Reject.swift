/// A line that could not be read, kept so that a person can see what and why.
public struct Reject: Sendable, Hashable {
    /// Line of the source, counted from 1.
    public var line: Int64
    /// Offset of the line's first byte in the (decompressed) source.
    public var byteOffset: Int64
    /// Why, in plain words.
    public var reason: String
    /// The beginning of the line (at most 200 bytes), repaired where it is not UTF-8.
    public var text: String

    public init(line: Int64, byteOffset: Int64, reason: String, text: String) {
        self.line = line
        self.byteOffset = byteOffset
        self.reason = reason
        self.text = text
    }
}
