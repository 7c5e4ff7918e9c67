/// The last few thousand events, to recognise a line that was written or pasted twice.
///
/// A copy carries the time of its original, so an event later than everything before it needs no look back.
struct CopyWindow {
    /// How far back a copy is recognised, in events of the log.
    static let reach = 4096

    private struct Entry {
        var key: UInt64 = 0
        var time = Time.none
        var instance: Int64 = 0
        /// Place of the next older entry of the same bucket; -1 at the end.
        var older: Int32 = -1
    }

    private var entries: [Entry] = Array(repeating: Entry(), count: CopyWindow.reach)
    /// Place of the newest entry of each bucket; -1 where there is none.
    private var buckets: [Int32] = Array(repeating: -1, count: CopyWindow.reach)
    private var next = 0
    private var latest = Time.none

    /// The row id of the instance that an equal line belongs to; `nil` for a line that is new.
    func original(of key: UInt64, at time: Int64) -> Int64? {
        guard time <= latest else { return nil }
        var place = buckets[Self.bucket(key, time)]
        while place >= 0 {
            let entry = entries[Int(place)]
            if entry.key == key && entry.time == time { return entry.instance }
            place = entry.older
        }
        return nil
    }

    mutating func add(_ key: UInt64, at time: Int64, instance: Int64) {
        forgetOldest()
        let bucket = Self.bucket(key, time)
        entries[next] = Entry(key: key, time: time, instance: instance, older: buckets[bucket])
        buckets[bucket] = Int32(next)
        next = (next + 1) & (CopyWindow.reach - 1)
        latest = max(latest, time)
    }

    /// Takes the entry whose place is needed out of its bucket, where it is the oldest.
    private mutating func forgetOldest() {
        let oldest = entries[next]
        guard oldest.time != Time.none else { return }
        let bucket = Self.bucket(oldest.key, oldest.time)
        var place = Int(buckets[bucket])
        guard place != next else {
            buckets[bucket] = -1
            return
        }
        while Int(entries[place].older) != next { place = Int(entries[place].older) }
        entries[place].older = -1
    }

    @inline(__always)
    private static func bucket(_ key: UInt64, _ time: Int64) -> Int {
        let mixed = (key ^ UInt64(bitPattern: time)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 40) & (reach - 1)
    }
}
