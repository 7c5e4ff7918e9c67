import TraceRecords

/// How a layout writes its time, compiled from a text such as `yyyy-MM-dd HH:mm:ss.S[Z]`.
///
/// The part before the seconds is a list; seconds, fraction and zone are flags, because every layout ends with them.
struct TimePattern: Sendable, Hashable {
    /// One component of the part before the seconds.
    enum Part: Sendable, Hashable {
        case literal(UInt8)
        case year, shortYear, month, anyMonth, monthName, day, paddedDay, hour, halfDayHour, minute
    }

    /// What follows seconds, fraction and zone.
    enum Suffix: Sendable, Hashable {
        case none, halfDay, year
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
    /// What follows: `AM` or `PM`, or the year.
    var suffix = Suffix.none
    /// Whether the time is one number, of seconds with or without a fraction, milli- or microseconds since 1970.
    let isNumber: Bool
    /// Whether the year (before the clock), the day and the hour are written.
    var hasYear: Bool
    var hasDay: Bool
    var hasClock: Bool
    /// Whether the clock is written as `HH:mm:ss`, after everything else.
    var endsWithClock: Bool

    /// Compiles a pattern, whose letters ``LayoutLanguage/times`` explains; square brackets make fraction or zone optional;
    /// everything else means itself.
    ///
    /// - Throws: ``LayoutProblem`` when the pattern has no part of a time, or goes on after the seconds with
    ///   something other than fraction and zone.
    init(_ text: String) throws(LayoutProblem) {
        parts = []
        hasSeconds = false
        fraction = .never
        zone = .never
        isNumber = text == "number"
        var rest = isNumber ? "" : Substring(text)
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
                } else if rest == " PM" || rest == " yyyy" {
                    suffix = take(" PM") ? .halfDay : .year
                    rest = ""
                } else {
                    throw LayoutProblem(
                        "the time '\(text)' continues with '\(rest)' after the seconds; only .S, Z, and at the end PM or "
                            + "yyyy may follow")
                }
            } else if let (token, part) = Self.tokens.first(where: { rest.hasPrefix($0.token) }) {
                rest.removeFirst(token.count)
                parts.append(part)
                if part == .anyMonth { parts.append(.literal(UInt8(ascii: "/"))) }
            } else if take("ss") {
                hasSeconds = true
            } else {
                let character = rest.removeFirst()
                for byte in String(character).utf8 { parts.append(.literal(byte)) }
            }
        }
        hasYear = parts.contains(.year) || parts.contains(.shortYear)
        hasDay = parts.contains(.day) || parts.contains(.paddedDay)
        let isHalfDay = parts.contains(.halfDayHour)
        hasClock = (parts.contains(.hour) || isHalfDay) && parts.contains(.minute) && hasSeconds
        let colon = Part.literal(UInt8(ascii: ":"))
        endsWithClock =
            hasSeconds && suffix == .none && parts.suffix(4).elementsEqual([.hour, colon, .minute, colon])
        guard isHalfDay == (suffix == .halfDay) else { throw LayoutProblem("'hh' in '\(text)' needs ' PM' at the end") }
        guard hasClock || hasDay || isNumber else {
            throw LayoutProblem("the time '\(text)' has neither a date nor a clock")
        }
        guard !hasYear || hasDay else { throw LayoutProblem("the time '\(text)' has a year but no day") }
    }

    /// Those before the seconds; of several with the same beginning the longest first.
    private static let tokens: [(token: String, part: Part)] = [
        ("yyyy", .year), ("yy", .shortYear), ("Mon", .monthName), ("MM", .month), ("M/", .anyMonth), ("dd", .day),
        ("HH", .hour), ("hh", .halfDayHour), ("mm", .minute), ("d", .paddedDay),
    ]
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

/// Reads the times of one ``TimePattern``. Hot path: one pass over the bytes, nothing allocated; the part up to the
/// minute is read again only when its bytes differ from the line before.
struct TimeReader {
    /// Whether the bytes are a time.
    enum Outcome {
        case time(length: Int)
        /// They are written like one, but no clock or calendar has it.
        case impossible
        case none
    }

    let pattern: TimePattern

    // The part before the seconds, as last read: three overlapping words, and the local time that they mean.
    private var length = -1
    private var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
    private var minute = RawTime()
    /// The bytes before the clock, where they are a whole date.
    private(set) var lastDay: DayPrefix?

    init(_ pattern: TimePattern) { self.pattern = pattern }

    /// Reads the time that begins at `p`.
    @inline(__always)
    mutating func read(_ p: UnsafePointer<UInt8>, _ count: Int, into time: inout RawTime) -> Outcome {
        var at = length
        if at >= 0, count >= at, Self.load(p, at) == words {
            time = minute
        } else {
            switch readMinute(p, count, into: &time) {
            case .time(let length): at = length
            case let other: return other
            }
        }
        return pattern.hasSeconds ? readRest(p, count, from: at, into: &time) : .time(length: at)
    }

    /// Three overlapping words that cover 8 to 24 bytes.
    @inline(__always)
    private static func load(_ p: UnsafePointer<UInt8>, _ count: Int) -> (UInt64, UInt64, UInt64) {
        let raw = UnsafeRawPointer(p)
        return (
            raw.loadUnaligned(as: UInt64.self),
            raw.loadUnaligned(fromByteOffset: min(8, count - 8), as: UInt64.self),
            raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        )
    }

    private mutating func readMinute(
        _ p: UnsafePointer<UInt8>, _ count: Int, into time: inout RawTime
    ) -> Outcome {
        if pattern.isNumber { return readNumber(p, count, into: &time) }
        var fields = Fields()
        guard let at = read(p, count, into: &fields) else { return .none }
        guard fields.hour < 24, fields.minute < 60 else { return .impossible }
        let clock = Int64(fields.hour * 3600 + fields.minute * 60)
        let (year, month, day) = (fields.year ?? 1972, fields.month, fields.day)
        guard !pattern.hasDay || CivilDate.isValid(year: year, month: month, day: day) else { return .impossible }
        time = RawTime()
        time.seconds = clock
        if !pattern.hasClock {
            time.kind = .dateOnly
        } else if !pattern.hasDay {
            time.kind = .noDate
        } else if !pattern.hasYear {
            time.kind = .noYear
            (time.month, time.day) = (Int8(month), Int8(day))
        } else {
            guard TimeLimits.years.contains(year) else { return .impossible }
            time.seconds += CivilDate.days(year: year, month: month, day: day) * 86_400
        }
        length = -1
        if (8...24).contains(at) {
            length = at
            words = Self.load(p, at)
            self.minute = time
        }
        lastDay = nil
        if pattern.endsWithClock, time.kind == .full, at - 6 <= DayPrefix.longest, count >= DayPrefix.longest {
            lastDay = DayPrefix(p, length: at - 6, seconds: time.seconds - clock)
        }
        return .time(length: at)
    }

    /// The numbers before the seconds.
    private struct Fields {
        var year: Int?
        var (month, day, hour, minute) = (1, 1, 0, 0)
    }

    /// Reads the numbers before the seconds; where they end, or `nil` when the bytes are not written like them.
    private func read(_ p: UnsafePointer<UInt8>, _ count: Int, into fields: inout Fields) -> Int? {
        var at = 0
        for part in pattern.parts {
            if case .literal(let byte) = part {
                guard at < count, p[at] == byte else { return nil }
                at += 1
                continue
            }
            if part == .monthName {
                guard let month = monthName(p, count, at) else { return nil }
                (fields.month, at) = (month, at + 3)
                continue
            }
            var width = part == .year ? 4 : 2
            if part == .paddedDay || part == .anyMonth || part == .halfDayHour {
                if part == .paddedDay, at < count, p[at] == UInt8(ascii: " ") { at += 1 }
                if digits(p, count, at, 2) == nil { width = 1 }
            }
            guard let value = digits(p, count, at, width) else { return nil }
            at += width
            switch part {
            case .year: fields.year = value
            case .shortYear: fields.year = 2000 + value
            case .month, .anyMonth: fields.month = value
            case .hour: fields.hour = value
            case .halfDayHour: fields.hour = 1...12 ~= value ? value % 12 : 24
            case .minute: fields.minute = value
            default: fields.day = value
            }
        }
        return at
    }

    /// Seconds, fraction and zone.
    @inline(__always)
    private func readRest(
        _ p: UnsafePointer<UInt8>, _ count: Int, from start: Int, into time: inout RawTime
    ) -> Outcome {
        var rest = RawTime()
        if let length = Self.rest(p, count, from: start, pattern.fraction, pattern.zone, &rest) {
            time.seconds &+= rest.seconds
            time.nanoseconds = rest.nanoseconds
            time.zone = rest.zone
            return pattern.suffix == .none ? .time(length: length) : readSuffix(p, count, from: length, into: &time)
        }
        guard let seconds = Self.digits(p, count, start, 2) else { return .none }
        if seconds > 60 { return .impossible }
        if let (zone, _) = Self.zone(p, count, start + 2), abs(zone) > 18 * 3600 { return .impossible }
        return .none
    }

    /// `AM` or `PM`, or the year.
    private func readSuffix(
        _ p: UnsafePointer<UInt8>, _ count: Int, from start: Int, into time: inout RawTime
    ) -> Outcome {
        var at = start
        if at < count, p[at] == UInt8(ascii: " ") { at += 1 }
        if pattern.suffix == .year {
            guard at > start, let year = digits(p, count, at, 4), 2000..<2100 ~= year, !isDigit(p, count, at + 4) else {
                return .none
            }
            guard CivilDate.isValid(year: year, month: Int(time.month), day: Int(time.day)) else { return .impossible }
            time.kind = .full
            time.seconds += CivilDate.days(year: year, month: Int(time.month), day: Int(time.day)) * 86_400
            return .time(length: at + 4)
        }
        // A narrow blank that does not break.
        if at == start, at + 3 <= count, Self.matches(p + at, "\u{202F}") { at += 3 }
        guard at + 2 <= count, p[at + 1] | 0x20 == UInt8(ascii: "m"), at + 2 == count || !isLetter(p[at + 2]) else {
            return .none
        }
        switch p[at] {
        case UInt8(ascii: "A"): break
        case UInt8(ascii: "P"): time.seconds += 43_200
        // Only Americans write the month first, and these letters large.
        case UInt8(ascii: "a") where !pattern.parts.contains(.anyMonth): break
        case UInt8(ascii: "p") where !pattern.parts.contains(.anyMonth): time.seconds += 43_200
        default: return .none
        }
        at += 2
        if pattern.zone != .never, let (zone, length) = Self.zone(p, count, at), abs(zone) <= 18 * 3600 {
            time.zone = zone
            at += length
        }
        return .time(length: at)
    }

    /// Seconds since 1970 of ten digits, with or without a fraction, or milli- or microseconds.
    private func readNumber(_ p: UnsafePointer<UInt8>, _ count: Int, into time: inout RawTime) -> Outcome {
        var at = 0
        while isDigit(p, count, at), at < 17 { at += 1 }
        guard [10, 13, 16].contains(at), p[0] == UInt8(ascii: "1") else { return .none }
        var digits = at
        if at == 10, at < count, p[at] == UInt8(ascii: ".") || p[at] == UInt8(ascii: ",") {
            at += 1
            while isDigit(p, count, at) { at += 1 }
            digits = min(at, 20)
        }
        time = RawTime()
        time.zone = 0
        var unit: Int64 = 1_000_000_000
        for place in 0..<digits where p[place] &- 48 < 10 {
            let digit = Int64(p[place] &- 48)
            if place < 10 {
                time.seconds = time.seconds * 10 + digit
            } else {
                unit /= 10
                time.nanoseconds += Int32(digit * unit)
            }
        }
        return .time(length: at)
    }

    private func isDigit(_ p: UnsafePointer<UInt8>, _ count: Int, _ at: Int) -> Bool {
        at < count && Self.isDigit(p[at])
    }

    private func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 97 < 26 }

    /// Seconds, fraction and zone, as ``RawTime/seconds``, ``RawTime/nanoseconds`` and ``RawTime/zone``: where they
    /// end, or `nil` when they are not there or do not exist.
    @inline(__always)
    static func rest(
        _ p: UnsafePointer<UInt8>, _ count: Int, from start: Int, _ fraction: TimePattern.Presence,
        _ zone: TimePattern.Presence, _ time: inout RawTime
    ) -> Int? {
        guard let seconds = digits(p, count, start, 2), seconds <= 60 else { return nil }
        time.seconds = Int64(seconds)
        var at = start &+ 2
        if fraction != .never {
            if at &+ 1 < count, isSeparator(p[at]), isDigit(p[at &+ 1]) {
                at &+= 1
                var value: Int32 = 0
                let limit = min(count, at &+ 9)
                let first = at
                while at < limit, isDigit(p[at]) {
                    value = value &* 10 &+ Int32(p[at] &- 48)
                    at &+= 1
                }
                time.nanoseconds = value &* scale(at &- first)
                while at < count, isDigit(p[at]) { at &+= 1 }
            } else if fraction == .always {
                return nil
            }
        }
        if zone != .never {
            if beginsZone(p, count, at), let (offset, length) = Self.zone(p, count, at) {
                guard abs(offset) <= 18 * 3600 else { return nil }
                time.zone = offset
                at &+= length
            } else if zone == .always {
                return nil
            }
        }
        return at
    }

    /// Nanoseconds of one unit of the last of so many digits.
    @inline(__always)
    private static func scale(_ digits: Int) -> Int32 {
        switch digits {
        case 3: 1_000_000
        case 6: 1000
        case 1: 100_000_000
        case 2: 10_000_000
        case 4: 100_000
        case 5: 10_000
        case 7: 100
        case 8: 10
        default: 1
        }
    }

    /// Whether the bytes may be a zone: most lines go on otherwise, and need no closer look.
    @inline(__always)
    private static func beginsZone(_ p: UnsafePointer<UInt8>, _ count: Int, _ at: Int) -> Bool {
        guard at < count else { return false }
        var byte = p[at]
        if byte == 0x20, at &+ 1 < count { byte = p[at &+ 1] }
        switch byte {
        case 0x2B, 0x2D, 0x28, 0x47, 0x55, 0x5A: return true
        default: return false
        }
    }

    /// `Z`, `+hhmm`, `+hh:mm`, the same after a blank, ` (UTC)`, ` UTC`, ` GMT`, ` GMT+hhmm`: seconds ahead of UTC, and the length.
    private static func zone(_ p: UnsafePointer<UInt8>, _ count: Int, _ start: Int) -> (Int32, Int)? {
        guard start < count else { return nil }
        var at = start
        if p[at] == UInt8(ascii: " ") { at += 1 }
        guard at < count else { return nil }
        switch p[at] {
        case UInt8(ascii: "Z") where at == start:
            return (0, 1)
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            let sign: Int32 = p[at] == UInt8(ascii: "-") ? -1 : 1
            guard let hours = digits(p, count, at + 1, 2) else { return nil }
            var next = at + 3
            if next < count, p[next] == UInt8(ascii: ":") { next += 1 }
            guard let minutes = digits(p, count, next, 2), minutes < 60 else { return nil }
            next += 2
            if next < count, isDigit(p[next]) { return nil }
            return (sign * Int32(hours * 3600 + minutes * 60), next - start)
        case UInt8(ascii: "("):
            guard count >= at + 5, matches(p + at + 1, "UTC)") else { return nil }
            return (0, at + 5 - start)
        case UInt8(ascii: "U") where at > start:
            guard count >= at + 3, matches(p + at, "UTC") else { return nil }
            return (0, at + 3 - start)
        case UInt8(ascii: "G") where at > start:
            // `GMT+0100`, as JavaScript prints it.
            guard count >= at + 3, matches(p + at, "GMT") else { return nil }
            guard at + 3 < count, p[at + 3] == UInt8(ascii: "+") || p[at + 3] == UInt8(ascii: "-"),
                let (offset, length) = zone(p, count, at + 3)
            else { return (0, at + 3 - start) }
            return (offset, at + 3 + length - start)
        default:
            return nil
        }
    }

    private static func matches(_ p: UnsafePointer<UInt8>, _ text: StaticString) -> Bool {
        for i in 0..<text.utf8CodeUnitCount where p[i] != text.utf8Start[i] { return false }
        return true
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

    @inline(__always)
    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
    }

    @inline(__always)
    private func digits(_ p: UnsafePointer<UInt8>, _ count: Int, _ at: Int, _ width: Int) -> Int? {
        Self.digits(p, count, at, width)
    }

    /// The number of exactly `width` digits at `at`.
    @inline(__always)
    private static func digits(_ p: UnsafePointer<UInt8>, _ count: Int, _ at: Int, _ width: Int) -> Int? {
        guard at &+ width <= count else { return nil }
        var value = 0
        for i in 0..<width {
            let digit = p[at &+ i] &- 48
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int(digit)
        }
        return value
    }

    private func monthName(_ p: UnsafePointer<UInt8>, _ count: Int, _ at: Int) -> Int? {
        guard at + 3 <= count else { return nil }
        let names: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"
        return (1...12).first { Bytes.areEqual(p + at, names.utf8Start + 3 * ($0 - 1), 3) }
    }
}
