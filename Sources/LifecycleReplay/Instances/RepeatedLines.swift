/// The last few thousand timed events, to recognise a block of lines that was written or pasted twice.
///
/// A copy carries the time of its original. Within one tick of the clock order decides, so that a line alone proves nothing:
/// it must step back in time to an equal line, and what follows must be what followed there. Of equal lines
/// there, each may be where the block began.
struct RepeatedLines {
    /// How far back a copy is recognised, in events of the log.
    static let reach = 4096

    /// Hashes of the events, the oldest at `next` once there are ``reach`` of them.
    var keys: [UInt64] = []
    var next = 0
    /// Time of the event before, copy or not; and the latest of all.
    var last = Time.none
    var latest = Time.none
    /// How many events ago the original of the event before came, for each place that the present block may repeat; empty
    /// while no block is repeated.
    var originals: [Int] = []

    /// Looks at an event, and keeps it in mind unless it is a copy.
    ///
    /// - Returns: whether it is a copy.
    @inline(__always)
    mutating func isCopy(_ key: UInt64, at time: Int64) -> Bool {
        guard time != Time.none else { return false }
        defer { last = time }
        if !originals.isEmpty || time < last, repeats(key, at: time) { return true }
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
        // Copies are not kept, so the original of the next line is one event nearer.
        originals = originals.compactMap { $0 > 1 && keys[place($0 - 1)] == key ? $0 - 1 : nil }
        if originals.isEmpty, time < last, time < latest {
            originals = (1..<keys.count + 1).filter { keys[place($0)] == key }
        }
        return !originals.isEmpty
    }

    /// Place of the event that came so many events ago.
    @inline(__always)
    private func place(_ back: Int) -> Int {
        (next + keys.count - back) % keys.count
    }
}
