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

    /// The range as array indices. Where the range is empty, the offset means nothing and may be out of bounds.
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
    /// The JSON object that the record is, where its message is a part of it; before it, what its layout names of instance
    /// and versions, under the keys of ``RecordKey``.
    public var record: ByteRange
    /// Whether its number shows that entries before it are lost.
    public var followsLoss = false

    public init(
        time: Int64? = nil, line: Int64, lineCount: Int32 = 1, pid: Int32? = nil, process: ByteRange = .none,
        device: ByteRange = .none, subsystem: ByteRange = .none, message: ByteRange = .none,
        record: ByteRange = .none
    ) {
        self.time = time
        self.line = line
        self.lineCount = lineCount
        self.pid = pid
        self.process = process
        self.device = device
        self.subsystem = subsystem
        self.message = message
        self.record = record
    }
}

/// The keys of what a layout names in a JSON record, beside the message. No logger has such keys.
package enum RecordKey {
    package static let instance = Array("#instance".utf8)
    package static let appVersion = Array("#app-version".utf8)
    package static let systemVersion = Array("#os-version".utf8)
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

/// How far a source has been read, so that reading can continue from there.
public struct SourcePosition: Sendable, Hashable, Codable {
    /// Bytes of the (decompressed) source that are accounted for.
    public var byteOffset: Int64 = 0
    /// The line accounting up to there.
    public var counts = LineCounts()
    /// Time of the earliest and latest entry so far, in nanoseconds since 1970 UTC.
    public var firstTime: Int64?
    public var lastTime: Int64?
    /// The clock there, for logs that leave out their date or year.
    public var clock = ClockMemory()
    /// The process named by an attribute of the object that is open around the records there.
    public var resource: String?

    public init() {}
}

/// The line accounting of a source. `lines` is always the sum of the other four.
public struct LineCounts: Sendable, Hashable, Codable {
    /// Physical lines read.
    public var lines: Int64 = 0
    /// Lines that start an entry.
    public var entry: Int64 = 0
    /// Lines that continue an entry.
    public var continuation: Int64 = 0
    /// Preludes, headers, footers, blank lines, bare copies of timed lines, text that belongs to no entry.
    public var other: Int64 = 0
    /// Lines that could not be read; each has a ``Reject``.
    public var rejected: Int64 = 0

    public init() {}

    /// Whether every line is accounted for exactly once.
    public var isBalanced: Bool { lines == entry + continuation + other + rejected }
}

/// The clock of a source whose lines leave out their date or year: what the line before said.
public struct ClockMemory: Sendable, Hashable, Codable {
    /// Day of the last line of a layout without a date, in days since 1970, and its second of the day.
    public var day: Int64?
    public var second: Int64?
    /// Year and month of the last line of a layout without a year.
    public var year: Int?
    public var month: Int?
    /// Local time of the last line with a whole date, in seconds since 1970, as long as no line without one followed it;
    /// and the seconds that its zone is ahead of UTC, where it names one.
    public var dated: Int64?
    public var datedZone: Int32?
    /// Whether day and year above follow from a dated line, and not from an assumption.
    public var followsDates: Bool?
    /// Local time, to the minute and in seconds since 1970, of the last line in or near an hour that passes twice because
    /// the zone's clocks are set back; and whether it was in the second pass.
    public var repeated: Int64?
    public var isSecondPass: Bool?
    /// Sum of all intervals of a layout that prints only intervals, in nanoseconds.
    public var elapsed: Int64 = 0
    /// What numbered entries with a monotonic clock have shown so far; `nil` for other logs.
    public var numbered: NumberedEntries?

    public init() {}
}

/// Entries that carry their number and a monotonic time (LifecycleLog): losses and steps of the clock are known.
public struct NumberedEntries: Sendable, Hashable, Codable {
    /// The smallest step of the clock; smaller differences come from a clock that is being corrected.
    private static let step: Int64 = 500_000_000

    /// The process whose entries are numbered, and the number of its last entry.
    private var launch: String?
    private var last: Int64?
    /// Entries that are missing between others.
    public private(set) var missing: Int64 = 0
    /// The boot of the device, and what to add to its monotonic time.
    private var boot: String?
    private var offset: Int64?
    /// Whether the clock was set.
    public private(set) var hasSteps = false

    public init() {}

    /// Takes the number of an entry. Returns whether it shows that entries before it are lost.
    public mutating func take(_ number: Int64, of launch: String) -> Bool {
        defer { (self.launch, last) = (launch, number) }
        guard launch == self.launch, let last, number > last + 1 else { return false }
        missing += number - last - 1
        return true
    }

    /// The time of an entry: as it is written, or by the monotonic clock once the other one was set.
    public mutating func time(_ time: Int64, monotonic: Int64, boot: String) -> Int64 {
        guard boot == self.boot, let offset else {
            (self.boot, offset) = (boot, time &- monotonic)
            return time
        }
        let steady = monotonic &+ offset
        guard abs(time &- steady) >= Self.step else {
            self.offset = time &- monotonic
            return time
        }
        hasSteps = true
        return steady
    }

    /// What a reader should know, in plain words.
    public var remarks: [String] {
        var remarks: [String] = []
        if missing > 0 {
            remarks.append("\(missing == 1 ? "1 entry is" : "\(missing) entries are") missing: numbers are skipped")
        }
        if hasSteps { remarks.append("the clock was set in between: times continue by the monotonic clock") }
        return remarks
    }
}

/// A line that could not be read, kept so that a user can see which and why.
public struct Reject: Sendable, Hashable {
    /// Line of the source, counted from 1.
    public var line: Int64
    /// Offset of the line's first byte in the (decompressed) source.
    public var byteOffset: Int64
    /// Why, in words.
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
