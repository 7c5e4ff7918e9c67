/// Finds blocks of lines that are repeated in order: a log pasted twice, the overlap of two rotations.
///
/// A line that repeats an earlier one with its time steps back in time. So a line that is later than all before it needs no look
/// back, and lines of one clock tick are never taken for copies of each other: their order decides.
struct CopyDetector: Codable {
    /// How far back a copy is found, in events of the log.
    static let reach = 4096

    private var keys: [UInt64] = []
    /// Place of the oldest key once there are ``reach``.
    private var oldest = 0
    private var latest = Time.none
    /// Place of the key that the next line of the repeated block must have; -1 outside of one.
    private var expected = -1

    /// Notes a timed line, and says whether it is a copy.
    mutating func isCopy(_ key: UInt64, at time: Int64) -> Bool {
        if expected >= 0 {
            if expected < keys.count, expected != oldest || keys.count < Self.reach, keys[expected] == key {
                advance()
                return true
            }
            expected = -1
        }
        if time < latest, let place = keys.firstIndex(of: key) {
            expected = place
            advance()
            return true
        }
        latest = max(latest, time)
        if keys.count < Self.reach {
            keys.append(key)
        } else {
            keys[oldest] = key
            oldest = (oldest + 1) & (Self.reach - 1)
        }
        return false
    }

    private mutating func advance() {
        expected += 1
        if keys.count == Self.reach { expected &= Self.reach - 1 }
    }
}
