/// A run of bytes inside the storage of one ``EntryBatch``.
///
/// Stages pass positions instead of copies, so that a log line never becomes a `String` unless somebody needs to
/// read it.
public struct ByteRange: Sendable, Hashable {
    /// Offset of the first byte in the batch's storage.
    public var offset: Int32
    /// Number of bytes; 0 means "not there".
    public var length: Int32

    public init(offset: Int, length: Int) {
        self.offset = Int32(truncatingIfNeeded: offset)
        self.length = Int32(truncatingIfNeeded: length)
    }

    /// The range of a field that the line did not have.
    public static let none = ByteRange(offset: 0, length: 0)

    /// Whether the field was not there, or empty.
    public var isEmpty: Bool { length == 0 }

    /// The range as array indices. Where nothing is there, the offset means nothing and may lie outside.
    public var indices: Range<Int> {
        let start = isEmpty ? 0 : Int(offset)
        return start..<start + Int(length)
    }
}
