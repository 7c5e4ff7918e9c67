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
