/// Days of the Gregorian calendar, counted without any library: the hot path needs nothing more.
package enum CivilDate {
    /// Days from 1970-01-01 to a date of the proleptic Gregorian calendar. The date must be valid.
    package static func days(year: Int, month: Int, day: Int) -> Int64 {
        // Years begin in March here, so that the leap day is the last day of its year.
        let y = Int64(month <= 2 ? year - 1 : year)
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let monthFromMarch = Int64((month + 9) % 12)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The date that lies `days` days after 1970-01-01.
    package static func date(days: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        let month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        return (Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0), month, day)
    }

    /// Whether the calendar has this date.
    package static func isValid(year: Int, month: Int, day: Int) -> Bool {
        guard (1...12).contains(month), day >= 1 else { return false }
        return day <= length(ofMonth: month, year: year)
    }

    /// Number of days of a month.
    package static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Whether a year has a 29 February.
    package static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }
}

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
