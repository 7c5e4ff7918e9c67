/// Where the reading of a source stands, so that it can go on from there.
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
    /// The process that an attribute names of what is open around the records there.
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
    /// A step of the clock is at least so large; smaller differences are those of a clock that is being corrected.
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

    /// Takes the number of an entry.
    public mutating func take(_ number: Int64, of launch: String) {
        if launch == self.launch, let last, number > last + 1 { missing += number - last - 1 }
        (self.launch, last) = (launch, number)
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
        if hasSteps { remarks.append("the clock was set meanwhile; times go on by the monotonic clock") }
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
