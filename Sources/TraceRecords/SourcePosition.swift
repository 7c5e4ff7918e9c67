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

    public init() {}
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
