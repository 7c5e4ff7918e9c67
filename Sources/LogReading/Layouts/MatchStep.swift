/// One step of a compiled pattern. Plain, for the hot path.
enum MatchStep: Sendable {
    /// A field that is kept, or skipped.
    enum Field: UInt8, Sendable {
        case skip, process, device, subsystem, level, message, pid
    }

    /// Fixed bytes, a range of the pattern's pool. `orEnd`: a blank at its end may be missing at the line's end.
    case literal(start: Int32, count: Int32, orEnd: Bool)
    /// Blanks and tabs, at least so many.
    case blanks(minimum: Int32)
    /// The time of the layout.
    case time
    /// `[ +350 ms]`-like interval: digits that count milliseconds.
    case milliseconds
    /// An interval of nothing, where the layout leaves it out.
    case noInterval
    /// The shortest text, not empty, after which the rest matches. It can only end before one of two bytes
    /// (the first bytes of what follows), or anywhere when `anywhere` is set. A `name` holds no brackets, quotes or
    /// colons and does not begin or end with a blank.
    case text(Field, name: Bool, maximum: Int32, stop: UInt8, otherStop: UInt8, anywhere: Bool)
    /// Decimal digits.
    case digits(Field)
    /// Hexadecimal digits, with or without 0x.
    case hex
    /// Everything up to a blank, not empty.
    case word(Field)
    /// One of some words: a range of the pattern's words.
    case choice(Field, first: Int32, count: Int32)
    /// Steps up to `otherwise` are tried, then left out.
    case group(otherwise: Int32)
    /// Everything up to the end of the line.
    case rest(Field)
}
