import TraceRecords

/// The last few thousand events, to recognise a line that was written or pasted twice.
///
/// A copy carries the time of its original, so an event later than everything before it needs no look back.
struct CopyWindow {
    /// How far back a copy is recognised, in events of the log.
    static let reach = 4096

    /// The instance that a line belongs to, and the run, as it must be when a copy comes.
    struct Original {
        var instance: Int64
        /// Slot and serial number of the run.
        var run: Int32
        var serial: Int64
    }

    /// A line whose run is not at hand takes its place in the window, but has no ``original``.
    private struct Entry {
        var line: CopyKey
        var time: Int64
        /// Place of the next older entry of the same bucket; -1 at the end.
        var older: Int32 = -1
        var original: Original?
    }

    private var entries: [Entry] = []
    /// Place of the newest entry of each bucket; -1 where there is none.
    private var buckets: [Int32] = Array(repeating: -1, count: CopyWindow.reach)
    private var next = 0
    private var latest = Time.none

    /// What an equal line belongs to; `nil` for a line that is new.
    func original(of key: UInt64, at time: Int64) -> Original? {
        guard time <= latest else { return nil }
        var place = buckets[Self.bucket(key, time)]
        while place >= 0 {
            let entry = entries[Int(place)]
            if entry.line.key == key && entry.time == time { return entry.original }
            place = entry.older
        }
        return nil
    }

    mutating func add(_ line: CopyKey, at time: Int64, _ original: Original) {
        let place = makeRoom(Entry(line: line, time: time, original: original))
        let bucket = Self.bucket(line.key, time)
        entries[place].older = buckets[bucket]
        buckets[bucket] = Int32(place)
        latest = max(latest, time)
    }

    /// Adds a line of a run that is not at hand.
    mutating func skip(_ line: CopyKey) { _ = makeRoom(Entry(line: line, time: Time.none)) }

    /// The lines of a source that are in the window, in the order in which they came.
    func lines(of source: Int32) -> [CopyKey] {
        (entries[next...] + entries[..<next]).lazy.map(\.line).filter { $0.source == source }
    }

    /// Puts an entry in the place of the oldest one.
    private mutating func makeRoom(_ entry: Entry) -> Int {
        guard entries.count == Self.reach else {
            entries.append(entry)
            return entries.count - 1
        }
        let place = next
        unlink(place)
        entries[place] = entry
        next = (next + 1) & (Self.reach - 1)
        return place
    }

    private mutating func unlink(_ place: Int) {
        let entry = entries[place]
        guard entry.time != Time.none else { return }
        let bucket = Self.bucket(entry.line.key, entry.time)
        var newer = Int(buckets[bucket])
        guard newer != place else {
            buckets[bucket] = entry.older
            return
        }
        while Int(entries[newer].older) != place { newer = Int(entries[newer].older) }
        entries[newer].older = entry.older
    }

    @inline(__always)
    private static func bucket(_ key: UInt64, _ time: Int64) -> Int {
        let mixed = (key ^ UInt64(bitPattern: time)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 40) & (reach - 1)
    }
}
