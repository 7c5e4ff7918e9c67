/// What one step of reading yields: entries in the order of the file, the bytes they point into, and where the
/// reading stands after them.
public struct EntryBatch: Sendable {
    /// The storage that the ranges of ``entries`` refer to.
    public var bytes: [UInt8]
    /// The entries, in the order of the source.
    public var entries: [Entry]
    /// Lines that could not be read.
    public var rejects: [Reject]
    /// Where the next batch begins: everything before it is accounted for.
    public var position: SourcePosition

    public init(
        bytes: [UInt8] = [], entries: [Entry] = [], rejects: [Reject] = [], position: SourcePosition = SourcePosition()
    ) {
        self.bytes = bytes
        self.entries = entries
        self.rejects = rejects
        self.position = position
    }

    /// The text of a field, repaired where it is not UTF-8. For people and tests, not for the hot path.
    public func text(_ range: ByteRange) -> String {
        String(decoding: bytes[range.indices], as: UTF8.self)
    }
}
