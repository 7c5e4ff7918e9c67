/// A time as a line writes it, before anything is assumed about it. Plain, for the hot path.
struct RawTime {
    /// What the line leaves open.
    enum Kind {
        /// Date and clock are written.
        case full
        /// The clock alone: ``seconds`` counts from midnight.
        case noDate
        /// Month, day and clock: ``seconds`` counts from midnight.
        case noYear
        /// A date alone, which is no time.
        case dateOnly
        /// An interval since the line before, in ``nanoseconds`` and ``seconds``.
        case interval
    }

    static let noZone = Int32.min

    var kind = Kind.full
    var month: Int8 = 0
    var day: Int8 = 0
    /// Seconds since 1970 (local, if no zone is written), or since midnight.
    var seconds: Int64 = 0
    var nanoseconds: Int32 = 0
    /// Seconds that the written zone is ahead of UTC; ``noZone`` when none is written.
    var zone = RawTime.noZone
}
