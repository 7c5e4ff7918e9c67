/// Times as people read them.
package enum TimeText {
    /// ISO 8601 in UTC, with as many digits of the fraction as the time has (none, or 1 to 9).
    package static func iso(_ nanoseconds: Int64) -> String {
        let second: Int64 = 1_000_000_000
        var seconds = nanoseconds / second
        var fraction = nanoseconds % second
        if fraction < 0 {
            fraction += second
            seconds -= 1
        }
        var days = seconds / 86_400
        var clock = seconds % 86_400
        if clock < 0 {
            clock += 86_400
            days -= 1
        }
        let date = CivilDate.date(days: days)
        var text = "\(Self.date(date))T"
        text += "\(pad(Int(clock / 3600), 2)):\(pad(Int(clock / 60 % 60), 2)):\(pad(Int(clock % 60), 2))"
        if fraction > 0 {
            var digits = pad(Int(fraction), 9)
            while digits.last == "0" { digits.removeLast() }
            text += ".\(digits)"
        }
        return text + "Z"
    }

    /// A date as ISO 8601 writes it.
    static func date(_ date: (year: Int, month: Int, day: Int)) -> String {
        "\(pad(date.year, 4))-\(pad(date.month, 2))-\(pad(date.day, 2))"
    }

    static func pad(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
