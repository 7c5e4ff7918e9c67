import TraceRecords

/// Times of MetricKit payloads: `2020-10-24 22:59:00 +0000`, with or without a zone; without one they are taken as UTC.
enum PayloadTime {
    /// Nanoseconds since 1970 UTC; `nil` when the text is no such time.
    static func nanoseconds(_ text: String) -> Int64? {
        let utf8 = Array(text.utf8)
        guard utf8.count >= 19, let year = number(utf8[0..<4]), let month = number(utf8[5..<7]),
            let day = number(utf8[8..<10]), let hour = number(utf8[11..<13]), let minute = number(utf8[14..<16]),
            let second = number(utf8[17..<19]), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        var seconds = days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second
        if let sign = utf8[19...].firstIndex(where: { $0 == 0x2B || $0 == 0x2D }) {
            let zone = utf8[(sign + 1)...].filter(ByteClass.isDigit)
            guard zone.count == 4, let hours = number(zone[0..<2]), let minutes = number(zone[2..<4]) else {
                return nil
            }
            seconds -= (utf8[sign] == 0x2B ? 1 : -1) * (hours * 3600 + minutes * 60)
        }
        return TimeLimits.nanoseconds(seconds)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var number: Int64 = 0
        for digit in digits {
            guard ByteClass.isDigit(digit) else { return nil }
            number = number * 10 + Int64(digit & 0xF)
        }
        return number
    }

    /// Days since 1970-01-01 of the Gregorian calendar.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        // The year begins in March, so that the leap day is its last.
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
