/// A run of bytes inside the storage of one ``EntryBatch``.
///
/// Stages pass positions instead of copies, so that a log line never becomes a `String` unless a user needs to
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

/// One parsed log record. Its texts are ranges into the ``EntryBatch`` that it came in.
///
/// A plain value without references: a batch of a million entries costs no reference counting.
public struct Entry: Sendable, Hashable {
    /// Nanoseconds since 1970 UTC; `nil` when the record carries no time.
    public var time: Int64?
    /// Line of the source on which the record starts, counted from 1.
    public var line: Int64
    /// Number of lines of the record: 1, plus its continuation lines.
    public var lineCount: Int32
    /// Process id; `nil` when the record carries none.
    public var pid: Int32?
    /// Name of the process that wrote the record.
    public var process: ByteRange
    /// Host or device name, where the format prints one.
    public var device: ByteRange
    /// Subsystem of the unified log, or the label of a logging library.
    public var subsystem: ByteRange
    /// The message, with its continuation lines.
    public var message: ByteRange

    public init(
        time: Int64? = nil, line: Int64, lineCount: Int32 = 1, pid: Int32? = nil, process: ByteRange = .none,
        device: ByteRange = .none, subsystem: ByteRange = .none, message: ByteRange = .none
    ) {
        self.time = time
        self.line = line
        self.lineCount = lineCount
        self.pid = pid
        self.process = process
        self.device = device
        self.subsystem = subsystem
        self.message = message
    }
}

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

    /// The text of a field, repaired where it is not UTF-8. For messages and tests, not for the hot path.
    public func text(_ range: ByteRange) -> String {
        String(decoding: bytes[range.indices], as: UTF8.self)
    }
}
