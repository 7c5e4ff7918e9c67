/// How a layout writes its time, compiled from a text such as `yyyy-MM-dd HH:mm:ss.S[Z]`.
///
/// The part before the seconds is a list of components; seconds, fraction and zone are flags, because every layout
/// writes them last.
struct TimePattern: Sendable, Hashable {
    /// One component of the part before the seconds.
    enum Part: Sendable, Hashable {
        case literal(UInt8)
        case year, month, monthName, day, paddedDay, hour, minute
    }

    /// Whether something must, may or must not be there.
    enum Presence: Sendable, Hashable {
        case never, optional, always
    }

    /// What comes before the seconds.
    var parts: [Part]
    /// Whether there are seconds; without them the time ends with ``parts``.
    var hasSeconds: Bool
    /// Whether the seconds have a fraction, written after `.`, `,` or `:`.
    var fraction: Presence
    /// Whether a zone follows: `Z`, `+hhmm`, `+hh:mm`, ` +hhmm`, ` (UTC)`.
    var zone: Presence
    /// Whether the year, the day and the hour are written.
    var hasYear: Bool
    var hasDay: Bool
    var hasClock: Bool
    /// Whether the clock is written as `HH:mm:ss`, after everything else.
    var endsWithClock: Bool

    /// Compiles a pattern. Letters: `yyyy`, `MM`, `Mon` (English short name), `dd`, `d` (one digit, two, or blank and
    /// digit), `HH`, `mm`, `ss`, `.S` (fraction), `Z` (zone); square brackets make fraction or zone optional;
    /// everything else means itself.
    ///
    /// - Throws: ``LayoutProblem`` when the pattern has no part of a time, or goes on after the seconds with
    ///   something other than fraction and zone.
    init(_ text: String) throws(LayoutProblem) {
        parts = []
        hasSeconds = false
        fraction = .never
        zone = .never
        var rest = Substring(text)
        func take(_ token: String) -> Bool {
            guard rest.hasPrefix(token) else { return false }
            rest.removeFirst(token.count)
            return true
        }
        while !rest.isEmpty {
            if hasSeconds {
                if take("[.S]") {
                    fraction = .optional
                } else if take(".S") {
                    fraction = .always
                } else if take("[Z]") {
                    zone = .optional
                } else if take("Z") {
                    zone = .always
                } else {
                    throw LayoutProblem(
                        "the time '\(text)' goes on with '\(rest)' after the seconds; only .S and Z may")
                }
            } else if take("yyyy") {
                parts.append(.year)
            } else if take("Mon") {
                parts.append(.monthName)
            } else if take("MM") {
                parts.append(.month)
            } else if take("dd") {
                parts.append(.day)
            } else if take("HH") {
                parts.append(.hour)
            } else if take("mm") {
                parts.append(.minute)
            } else if take("ss") {
                hasSeconds = true
            } else if take("d") {
                parts.append(.paddedDay)
            } else {
                let character = rest.removeFirst()
                for byte in String(character).utf8 { parts.append(.literal(byte)) }
            }
        }
        hasYear = parts.contains(.year)
        hasDay = parts.contains(.day) || parts.contains(.paddedDay)
        hasClock = parts.contains(.hour) && parts.contains(.minute) && hasSeconds
        let colon = Part.literal(UInt8(ascii: ":"))
        endsWithClock = hasSeconds && parts.suffix(4).elementsEqual([.hour, colon, .minute, colon])
        guard hasClock || hasDay else { throw LayoutProblem("the time '\(text)' has neither a date nor a clock") }
        guard !hasYear || hasDay else { throw LayoutProblem("the time '\(text)' has a year but no day") }
    }
}

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
        /// A date without a clock.
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
