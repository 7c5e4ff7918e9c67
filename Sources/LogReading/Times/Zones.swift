import Foundation
import TraceRecords

/// What is added to local time to get UTC, for logs that do not state their zone.
package protocol ZoneRule: Sendable {
    /// The zone as the user named it.
    var name: String { get }
    /// Seconds that local time is ahead of UTC, at a local time given in seconds since 1970.
    func offset(atLocal seconds: Int64) -> Int64
    /// The same for local times that pass twice because clocks were set back; both offsets are equal for all others.
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

    init(name: String, seconds: Int64) { (self.name, self.seconds) = (name, seconds) }

    /// Coordinated universal time: the default, so that digits stay as they are printed.
    package static let utc = FixedZone(name: "UTC", seconds: 0)

    /// `UTC`, `GMT`, `Z`, or an offset, also after these: `+02`, `+0200`, `-05:30`.
    package init?(written text: String) {
        var rest = Substring(text)
        for prefix in ["UTC", "utc", "GMT", "Z"] where rest.hasPrefix(prefix) {
            rest.removeFirst(prefix.count)
            break
        }
        guard !rest.isEmpty || text.isEmpty else {
            self = .utc
            return
        }
        let digits = rest.dropFirst().filter { $0 != ":" }
        guard let sign = rest.first, sign == "+" || sign == "-", digits.utf8.allSatisfy({ $0 &- 48 < 10 }),
            digits.count == 2 || digits.count == 4, let number = Int64(digits)
        else { return nil }
        let (hours, minutes) = digits.count == 2 ? (number, 0) : (number / 100, number % 100)
        guard hours <= 18, minutes < 60 else { return nil }
        self.init(name: text, seconds: (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60))
    }

    package func offset(atLocal seconds: Int64) -> Int64 { self.seconds }
}

/// A zone of the tz database (`Europe/Berlin`). Foundation is asked once for all its changes of the clock, because asking it
/// for every line would take longer than reading the line.
package struct NamedZone: ZoneRule {
    package let name: String
    /// UTC times, in seconds since 1970, from which on the offset of the same index holds.
    private var transitions: [Int64] = []
    private var offsets: [Int64] = []
    /// The offset before the first transition.
    private let first: Int64

    /// The rule for a zone as a user names it: `UTC`, `+0200`, `-05:30`, or a name of the tz database.
    ///
    /// - Throws: ``ReadingError`` for an unknown zone.
    package static func zone(named name: String) throws(ReadingError) -> any ZoneRule {
        if let fixed = FixedZone(written: name) { return fixed }
        if name.first?.isLetter == true, let zone = TimeZone(identifier: name) { return NamedZone(name, zone) }
        throw ReadingError(
            code: .unknown, path: "",
            message: "unknown time zone '\(name)'; give an offset such as +0200, or a name such as Europe/Berlin")
    }

    private init(_ name: String, _ zone: TimeZone) {
        self.name = name
        var date = Date(timeIntervalSince1970: Double(TimeLimits.seconds.lowerBound))
        first = Int64(zone.secondsFromGMT(for: date))
        while let next = zone.nextDaylightSavingTimeTransition(after: date),
            TimeLimits.seconds.contains(Int64(next.timeIntervalSince1970))
        {
            transitions.append(Int64(next.timeIntervalSince1970))
            offsets.append(Int64(zone.secondsFromGMT(for: next)))
            date = next
        }
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
    private func offset(atUTC seconds: Int64) -> Int64 {
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : offsets[low - 1]
    }
}
