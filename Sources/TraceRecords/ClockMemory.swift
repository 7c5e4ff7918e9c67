/// The clock of a source whose lines leave out their date or year: what the line before said.
public struct ClockMemory: Sendable, Hashable, Codable {
    /// Day of the last line of a layout without a date, in days since 1970, and its second of the day.
    public var day: Int64?
    public var second: Int64?
    /// Year and month of the last line of a layout without a year.
    public var year: Int?
    public var month: Int?
    /// Sum of all intervals of a layout that prints only intervals, in nanoseconds.
    public var elapsed: Int64 = 0

    public init() {}
}
