import TraceRecords

/// What is added to local time to get UTC, for logs that do not state their zone.
package protocol ZoneRule: Sendable {
    /// The zone as the user named it.
    var name: String { get }
    /// Seconds that local time is ahead of UTC, at a local time given in seconds since 1970.
    func offset(atLocal seconds: Int64) -> Int64
    /// The same for local times that pass twice, because clocks were set back: the offsets of both passes, which are
    /// equal for all other times.
    func offsets(atLocal seconds: Int64) -> (first: Int64, second: Int64)
    /// Whether a local time never was, because clocks were set forward over it.
    func skips(local seconds: Int64) -> Bool
}

extension ZoneRule {
    package func offsets(atLocal seconds: Int64) -> (first: Int64, second: Int64) {
        let offset = offset(atLocal: seconds)
        return (offset, offset)
    }

    package func skips(local seconds: Int64) -> Bool { false }
}

/// A zone that is always the same number of seconds ahead of UTC.
package struct FixedZone: ZoneRule, Hashable {
    package let name: String
    /// Seconds ahead of UTC.
    package let seconds: Int64

    /// Coordinated universal time: the default, so that digits stay as they are printed.
    package static let utc = FixedZone(name: "UTC", seconds: 0)

    /// `UTC`, or an offset as ISO 8601 writes it: `+0100`, `-05:30`.
    package init?(written text: String) {
        guard text != "UTC", text != "Z" else {
            self = .utc
            return
        }
        let digits = text.dropFirst().filter { $0 != ":" }.utf8.map { Int64($0) - 48 }
        guard let sign = text.first, sign == "+" || sign == "-", digits.count == 4,
            digits.allSatisfy({ (0...9).contains($0) })
        else { return nil }
        let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        guard hours < 24, minutes < 60 else { return nil }
        self.init(name: text, seconds: (sign == "+" ? 1 : -1) * (hours * 3600 + minutes * 60))
    }

    package func offset(atLocal seconds: Int64) -> Int64 { self.seconds }
}

/// A zone of the tz database (`Europe/Berlin`), read from the files that every system has.
package struct ZoneFile: ZoneRule {
    package let name: String
    /// UTC times, in seconds since 1970, from which on the offset of the same index holds.
    private let transitions: [Int64]
    private let offsets: [Int64]
    /// The offset before the first transition.
    private let first: Int64
    /// What holds after the last one.
    private let rule: ZoneFooter?

    /// Folders in which systems keep the database.
    private static let folders = ["/usr/share/zoneinfo", "/var/db/timezone/zoneinfo", "/usr/lib/zoneinfo"]

    /// The rule for a zone as a user names it: `UTC`, `+0200`, `-05:30`, or a name of the tz database.
    ///
    /// - Throws: ``ReadingError`` for an unknown zone, or without a database to look it up in.
    package static func zone(named name: String) throws(ReadingError) -> any ZoneRule {
        if ["UTC", "GMT", "Z", "utc"].contains(name) { return FixedZone.utc }
        if let seconds = fixedOffset(name) { return FixedZone(name: name, seconds: seconds) }
        let isPlain = name.utf8.allSatisfy {
            ($0 | 0x20) &- 97 < 26 || $0 &- 48 < 10 || "/_+-".utf8.contains($0)
        }
        if isPlain, !name.isEmpty, !name.hasPrefix("/") {
            for folder in folders {
                guard let stream = try? FileStream(path: "\(folder)/\(name)"), !stream.isLive,
                    let bytes = try? StreamOpener.beginning(of: stream, size: 256 << 10),
                    let zone = ZoneFile(name: name, bytes)
                else { continue }
                return zone
            }
        }
        throw ReadingError(
            code: .unknown, path: "",
            message: """
                unknown time zone '\(name)'; give an offset such as +0200, or a name such as Europe/Berlin \
                (names need the tz database, the package tzdata)
                """)
    }

    /// `+02`, `+0200`, `-05:30`: seconds ahead of UTC.
    private static func fixedOffset(_ text: String) -> Int64? {
        var rest = Substring(text)
        for prefix in ["UTC", "GMT"] where rest.hasPrefix(prefix) { rest.removeFirst(3) }
        guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
        let digits = rest.dropFirst().filter { $0 != ":" }
        guard digits.utf8.allSatisfy({ $0 &- 48 < 10 }), digits.count == 2 || digits.count == 4,
            let number = Int64(digits)
        else { return nil }
        let (hours, minutes) = digits.count == 2 ? (number, 0) : (number / 100, number % 100)
        guard hours <= 18, minutes < 60 else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    /// Reads a TZif file (RFC 9636), of version 2 or later; `nil` when it is none.
    init?(name: String, _ bytes: [UInt8]) {
        self.name = name
        guard let old = Header(bytes, at: 0), old.version >= 2 else { return nil }
        let start = Header.size + old.bodySize(timeSize: 4)
        guard let header = Header(bytes, at: start), bytes.count >= start + Header.size + header.bodySize(timeSize: 8)
        else { return nil }
        var at = start + Header.size
        transitions = (0..<header.times).map { Self.number(bytes, at + $0 * 8, 8) }
        at += header.times * 8
        let kinds = (0..<header.times).map { Int(bytes[at + $0]) }
        at += header.times
        let kindOffsets = (0..<header.kinds).map { Self.number(bytes, at + $0 * 6, 4) }
        guard !kindOffsets.isEmpty, kinds.allSatisfy({ $0 < kindOffsets.count }) else { return nil }
        offsets = kinds.map { kindOffsets[$0] }
        first = kindOffsets[0]
        at = start + Header.size + header.bodySize(timeSize: 8)
        let footer = bytes[min(at + 1, bytes.count)...].prefix { $0 != 0x0A }
        rule = ZoneFooter(String(decoding: footer, as: UTF8.self))
    }

    package func offset(atLocal seconds: Int64) -> Int64 { offsets(atLocal: seconds).first }

    package func skips(local seconds: Int64) -> Bool {
        let offset = offsets(atLocal: seconds).first
        return self.offset(atUTC: seconds - offset) != offset
    }

    package func offsets(atLocal seconds: Int64) -> (first: Int64, second: Int64) {
        // Local times exist twice when clocks go back, and not at all when they go forward (the offset before the gap
        // is taken).
        let guess = offset(atUTC: seconds - first)
        let early = offset(atUTC: seconds - guess - 86_400)
        let late = offset(atUTC: seconds - guess + 86_400)
        let isEarly = offset(atUTC: seconds - early) == early
        let isLate = offset(atUTC: seconds - late) == late
        return (isEarly || !isLate ? early : late, isLate ? late : early)
    }

    /// Seconds ahead of UTC at a UTC time.
    func offset(atUTC seconds: Int64) -> Int64 {
        guard let last = transitions.last, seconds < last else {
            if let rule { return rule.offset(atUTC: seconds) }
            return offsets.last ?? first
        }
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : offsets[low - 1]
    }

    private static func number(_ bytes: [UInt8], _ at: Int, _ width: Int) -> Int64 {
        var value: Int64 = bytes[at] & 0x80 == 0 ? 0 : -1
        for index in at..<at + width { value = value << 8 | Int64(bytes[index]) }
        return value
    }

    private struct Header {
        static let size = 44
        var version = 1
        var utFlags = 0
        var standardFlags = 0
        var leaps = 0
        var times = 0
        var kinds = 0
        var characters = 0

        init?(_ bytes: [UInt8], at start: Int) {
            guard bytes.count >= start + Self.size, bytes[start..<start + 4].elementsEqual("TZif".utf8) else {
                return nil
            }
            version = bytes[start + 4] == 0 ? 1 : Int(bytes[start + 4]) - 48
            let counts = (0..<6).map { Int(ZoneFile.number(bytes, start + 20 + $0 * 4, 4)) }
            guard counts.allSatisfy({ (0...100_000).contains($0) }) else { return nil }
            (utFlags, standardFlags, leaps) = (counts[0], counts[1], counts[2])
            (times, kinds, characters) = (counts[3], counts[4], counts[5])
            guard bytes.count >= start + Self.size + bodySize(timeSize: version >= 2 && start > 0 ? 8 : 4) else {
                return nil
            }
        }

        func bodySize(timeSize: Int) -> Int {
            times * timeSize + times + kinds * 6 + characters + leaps * (timeSize + 4) + standardFlags + utFlags
        }
    }
}

/// The rule that holds after the last transition of a zone file, as a POSIX text (`CET-1CEST,M3.5.0,M10.5.0/3`).
struct ZoneFooter: Sendable {
    /// The day and second of a year at which the clock changes: the `week`th `weekday` of a month (5: the last).
    private struct Change {
        var month: Int
        var week: Int
        var weekday: Int
        var second: Int64
    }

    private var standard: Int64 = 0
    private var summer: Int64 = 0
    private var start: Change?
    private var end: Change?

    /// Reads a rule; `nil` for the forms that no present zone uses.
    init?(_ text: String) {
        var rest = Substring(text)
        guard Self.skipName(&rest), let offset = Self.offset(&rest) else { return nil }
        standard = -offset
        guard !rest.isEmpty else { return }
        guard Self.skipName(&rest) else { return nil }
        summer = standard + 3600
        if let first = rest.first, first != "," {
            guard let offset = Self.offset(&rest) else { return nil }
            summer = -offset
        }
        let parts = rest.split(separator: ",")
        guard parts.count == 2, let start = Self.change(parts[0]), let end = Self.change(parts[1]) else { return nil }
        self.start = start
        self.end = end
    }

    func offset(atUTC seconds: Int64) -> Int64 {
        guard let start, let end else { return standard }
        let local = seconds + standard
        let day = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
        let year = CivilDate.date(days: day).year
        let from = Self.second(of: start, year) - standard
        let until = Self.second(of: end, year) - summer
        let isSummer = from < until ? (from..<until).contains(seconds) : !(until..<from).contains(seconds)
        return isSummer ? summer : standard
    }

    private static func second(of change: Change, _ year: Int) -> Int64 {
        let first = CivilDate.days(year: year, month: change.month, day: 1)
        // 1970-01-01 was a Thursday.
        let weekday = Int((first % 7 + 11) % 7)
        var day = (change.weekday - weekday + 7) % 7 + (change.week - 1) * 7
        if day >= CivilDate.length(ofMonth: change.month, year: year) { day -= 7 }
        return (first + Int64(day)) * 86_400 + change.second
    }

    private static func skipName(_ rest: inout Substring) -> Bool {
        if rest.first == "<" {
            guard let end = rest.firstIndex(of: ">") else { return false }
            rest = rest[rest.index(after: end)...]
            return true
        }
        let name = rest.prefix { $0.isLetter }
        rest = rest[name.endIndex...]
        return name.count >= 3
    }

    /// `[+-]hh[:mm[:ss]]` in seconds.
    private static func offset(_ rest: inout Substring) -> Int64? {
        let text = rest.prefix { $0.isNumber || $0 == ":" || $0 == "+" || $0 == "-" }
        rest = rest[text.endIndex...]
        var body = text
        let isNegative = body.first == "-"
        if isNegative || body.first == "+" { body.removeFirst() }
        var seconds: Int64 = 0
        var unit: Int64 = 3600
        for part in body.split(separator: ":") {
            guard let value = Int64(part) else { return nil }
            seconds += value * unit
            unit /= 60
        }
        return body.isEmpty ? nil : (isNegative ? -seconds : seconds)
    }

    /// `Mm.w.d[/time]`.
    private static func change(_ text: Substring) -> Change? {
        let halves = text.split(separator: "/")
        guard let date = halves.first, date.first == "M" else { return nil }
        let numbers = date.dropFirst().split(separator: ".").compactMap { Int($0) }
        guard numbers.count == 3, (1...12).contains(numbers[0]), (1...5).contains(numbers[1]),
            (0...6).contains(numbers[2])
        else { return nil }
        var second: Int64 = 7200
        if halves.count > 1 {
            var time = halves[1]
            guard let value = offset(&time) else { return nil }
            second = value
        }
        return Change(month: numbers[0], week: numbers[1], weekday: numbers[2], second: second)
    }
}
