/// Writes many times as `2026-05-12T08:00:00.123456789Z`, the form of the ISO 8601 columns of the public views. The text
/// of the date is kept from one time to the next.
package struct TimestampText {
    private var bytes = Array("0000-00-00T00:00:00.000000000Z".utf8)
    private var day = Int64.min

    package init() {}

    /// Hands over the UTF-8 of a time in nanoseconds since 1970 UTC.
    package mutating func with<T>(_ nanoseconds: Int64, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        let length: Int64 = 86_400_000_000_000
        let time = nanoseconds % length
        let rest = time < 0 ? time + length : time
        let whole = (nanoseconds - time) / length - (time < 0 ? 1 : 0)
        if whole != day {
            day = whole
            bytes.replaceSubrange(0..<10, with: CivilTime.date(nanoseconds: nanoseconds).utf8)
        }
        let (seconds, fraction) = rest.quotientAndRemainder(dividingBy: 1_000_000_000)
        write(seconds / 3_600, digits: 2, at: 11)
        write(seconds / 60 % 60, digits: 2, at: 14)
        write(seconds % 60, digits: 2, at: 17)
        write(fraction, digits: 9, at: 20)
        return try bytes.withUnsafeBytes(body)
    }

    private mutating func write(_ value: Int64, digits: Int, at start: Int) {
        var rest = value
        for place in (start..<start + digits).reversed() {
            bytes[place] = UInt8(truncatingIfNeeded: 48 + rest % 10)
            rest /= 10
        }
    }
}
