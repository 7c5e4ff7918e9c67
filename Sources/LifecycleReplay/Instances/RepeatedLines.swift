/// The last few thousand timed events, to recognise a block of lines that was written or pasted twice.
///
/// A copy carries the time of its original. Within one tick of the clock order decides, so that a line alone proves nothing:
/// it must step back in time to an equal line, and what follows must be what followed there.
struct RepeatedLines {
    /// How far back a copy is recognised, in events of the log.
    static let reach = 4096

    /// Hashes of the events, the oldest at `next` once there are ``reach`` of them.
    var keys: [UInt64] = []
    var next = 0
    /// Time of the event before, copy or not; and the latest of all.
    var last = Time.none
    var latest = Time.none
    /// How many events ago the line came that the present block repeats next; 0 while no block is repeated.
    var distance = 0

    /// Looks at an event, and keeps it in mind unless it is a copy.
    ///
    /// - Returns: whether it is a copy.
    @inline(__always)
    mutating func isCopy(_ key: UInt64, at time: Int64) -> Bool {
        guard time != Time.none else { return false }
        if distance != 0 || time < last, repeats(key, at: time) {
            last = time
            return true
        }
        distance = 0
        last = time
        if time > latest { latest = time }
        if keys.count < Self.reach {
            keys.append(key)
        } else {
            keys[next] = key
            next = (next + 1) & (Self.reach - 1)
        }
        return false
    }

    private mutating func repeats(_ key: UInt64, at time: Int64) -> Bool {
        if distance != 0, keys[place(distance)] == key {
            // Copies are not kept, so the original of the next line is one event nearer.
            distance -= 1
            return true
        }
        guard time < last, time < latest else { return false }
        for back in 1..<max(keys.count + 1, 1) where keys[place(back)] == key {
            distance = back - 1
            return true
        }
        return false
    }

    /// Place of the event that came so many events ago.
    @inline(__always)
    private func place(_ back: Int) -> Int {
        (next + keys.count - back) % keys.count
    }
}
