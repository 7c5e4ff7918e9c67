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
