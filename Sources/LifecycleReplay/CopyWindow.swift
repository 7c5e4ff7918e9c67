/// The last few thousand events, to recognise a line that was written or pasted twice.
///
/// A copy carries the time of its original, so an event later than everything before it needs no look back.
struct CopyWindow {
    /// How far back a copy is recognised, in events of the log.
    static let reach = 4096

    private var keys: [UInt64] = Array(repeating: 0, count: CopyWindow.reach)
    private var times: [Int64] = Array(repeating: Time.none, count: CopyWindow.reach)
    private var instances: [Int64] = Array(repeating: 0, count: CopyWindow.reach)
    private var next = 0
    private var latest = Time.none
    /// How many more events the window holds one that is out of order.
    private var disorder = 0

    /// The row id of the instance that an equal line belongs to; `nil` for a line that is new.
    func original(of key: UInt64, at time: Int64) -> Int64? {
        guard time <= latest else { return nil }
        for step in 1...CopyWindow.reach {
            let place = (next &- step) & (CopyWindow.reach - 1)
            if times[place] == Time.none || disorder == 0 && times[place] < time { return nil }
            if keys[place] == key && times[place] == time { return instances[place] }
        }
        return nil
    }

    mutating func add(_ key: UInt64, at time: Int64, instance: Int64) {
        keys[next] = key
        times[next] = time
        instances[next] = instance
        next = (next + 1) & (CopyWindow.reach - 1)
        if time >= latest {
            latest = time
            if disorder > 0 { disorder -= 1 }
        } else {
            disorder = CopyWindow.reach
        }
    }
}
