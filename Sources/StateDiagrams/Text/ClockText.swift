/// Points in time for people, in UTC, without a calendar library: equal on every machine.
package enum ClockText {
    /// Year, month and day of a time.
    static func date(_ nanoseconds: Int64) -> String {
        let (year, month, day) = civil(daysSince1970: floorDivide(nanoseconds, 86_400_000_000_000))
        return "\(year)-\(two(month))-\(two(day))"
    }

    /// Hours and minutes; with seconds and fractions when `step`, the distance of two ticks, is that small.
    static func time(_ nanoseconds: Int64, step: Int64) -> String {
        let second = floorDivide(nanoseconds, 1_000_000_000)
        let ofDay = Int(second - floorDivide(second, 86_400) * 86_400)
        var text = "\(two(ofDay / 3_600)):\(two(ofDay / 60 % 60))"
        if step < 60_000_000_000 { text += ":\(two(ofDay % 60))" }
        if step < 1_000_000_000 {
            let milli = Int((nanoseconds - second * 1_000_000_000) / 1_000_000)
            text += "." + (milli < 100 ? "0" : "") + two(milli)
        }
        return text
    }

    /// Date and time to the second: `2026-03-14 08:02:11`.
    package static func full(_ nanoseconds: Int64) -> String {
        date(nanoseconds) + " " + time(nanoseconds, step: 1_000_000_000)
    }

    /// Proleptic Gregorian date of a day number, after Howard Hinnant's `civil_from_days`.
    private static func civil(daysSince1970 days: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = Int(shifted - era * 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func floorDivide(_ value: Int64, _ by: Int64) -> Int64 {
        value >= 0 ? value / by : -((-value + by - 1) / by)
    }

    private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : String(value) }
}
