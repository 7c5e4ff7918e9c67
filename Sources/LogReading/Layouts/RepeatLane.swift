import TraceRecords

/// What the last lines of a log have in common: the time up to the minute, and the headers that took turns. Copied
/// out of a matcher, so that the tightest loop reads nothing else.
struct RepeatLane {
    /// A header, and the entry that it means; its ranges count from the header's first byte.
    struct Header {
        var length = 0
        var entry = Entry(line: 0)
    }

    /// Bytes of a header that are compared, at most.
    static let longestHeader = 128

    /// The time up to the minute: its bytes as three overlapping words, and what they mean.
    var words: (UInt64, UInt64, UInt64)
    var minuteLength: Int
    var minuteSeconds: Int64
    var fraction: TimePattern.Presence
    var zone: TimePattern.Presence
    var headers: [Header]
    /// The bytes of all headers, ``longestHeader`` apart.
    var headerBytes: [UInt8]
    var lastHeader: Int
}
