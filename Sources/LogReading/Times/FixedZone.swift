/// A zone that is always the same number of seconds ahead of UTC.
package struct FixedZone: ZoneRule, Hashable {
    package let name: String
    /// Seconds ahead of UTC.
    package let seconds: Int64

    package init(name: String, seconds: Int64) {
        self.name = name
        self.seconds = seconds
    }

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
