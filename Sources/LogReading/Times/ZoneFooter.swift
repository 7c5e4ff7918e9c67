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
