import TraceRecords

@testable import LogReading

/// Any pattern of a time, any zone, and any bytes read with them. A time that was read must be within what 64 bits of
/// nanoseconds hold, and its text as ISO 8601 must be read as the same time.
///
/// The first line is the pattern, the second the zone, the others are times.
public enum TimesProbe {
    private static let iso = try? TimePattern("yyyy-MM-ddTHH:mm:ss[.S][Z]")

    public static func run(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count == 3, let pattern = try? TimePattern(String(decoding: lines[0], as: UTF8.self)) else {
            return
        }
        let zone = try? NamedZone.zone(named: String(decoding: lines[1], as: UTF8.self))
        var context = TimeContext(options: ReadingOptions(timezone: zone ?? FixedZone.utc))
        var reader = TimeReader(pattern)
        for line in lines[2].split(separator: 0x0A) {
            guard let time = read(Array(line), &reader, &context) else { continue }
            guard let iso else { preconditionFailure("the pattern of ISO 8601 cannot be read") }
            var again = TimeReader(iso)
            var utc = TimeContext(options: ReadingOptions())
            let text = CivilTime.shortISO(time)
            precondition(read(Array(text.utf8), &again, &utc) == time, "\(text) must be read as \(time)")
        }
    }

    private static func read(_ line: [UInt8], _ reader: inout TimeReader, _ context: inout TimeContext) -> Int64? {
        line.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return nil }
            var raw = RawTime()
            guard case .time(let length) = reader.read(base, buffer.count, into: &raw) else { return nil }
            precondition(length <= buffer.count, "a time must not be longer than its line")
            return context.resolve(raw)
        }
    }
}
