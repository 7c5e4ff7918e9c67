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
