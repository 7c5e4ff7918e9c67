import TraceRecords

/// The tightest loop of reading: lines that differ from earlier ones only in clock, fraction, zone and message, as nine
/// of ten lines do. Unsafe on purpose: every access lies before `count`, which is checked first.
struct RepeatLane {
    /// The lines that were taken, the last of which may still be continued.
    struct Taken {
        var count = 0
        /// First byte of the first and of the last line.
        var start = 0
        var lastStart = 0
        /// The earliest and latest time of all lines but the last.
        var earliest: Int64?
        var latest: Int64?
        var usesAssumedZone = false
        /// Local time and zone of the last line.
        var lastLocal: Int64 = 0
        var lastZone = RawTime.noZone
    }

    /// Seconds that the times of a stretch are ahead of UTC; the context is asked once a minute.
    private struct Offset {
        let stated: Int64?
        private var minute = Int64.min
        private var seconds: Int64 = 0

        init(stated: Int64?) { self.stated = stated }

        @inline(__always)
        mutating func at(_ local: Int64, zone: Int32, _ context: inout TimeContext, _ taken: inout Taken) -> Int64 {
            if zone != RawTime.noZone {
                minute = Int64.min
                return Int64(zone)
            }
            taken.usesAssumedZone = true
            if let stated { return stated }
            if local / 60 != minute {
                minute = local / 60
                seconds = context.offset(atLocal: local)
            }
            return seconds
        }
    }

    let day: DayPrefix
    let fraction: TimePattern.Presence
    let zone: TimePattern.Presence
    let headers: HeaderMemory

    /// Takes lines from `start` on as long as they repeat, and stops before the first one that doesn't or isn't complete.
    ///
    /// - Parameters:
    ///   - stated: seconds that times without a zone are ahead of UTC; `nil`: the context knows.
    ///   - line: number of the line before the first one.
    /// - Returns: where the next line begins.
    func take(
        _ base: UnsafePointer<UInt8>, from start: Int, _ count: Int, line: Int64, stated: Int64?, entryBytes: Int,
        into entries: inout [Entry], _ context: inout TimeContext, _ taken: inout Taken
    ) -> Int {
        var list = entries
        entries = []
        defer { entries = list }
        taken = Taken(start: start, lastStart: start)
        var line = line
        var at = start
        var slot = headers.last
        var (earliest, latest) = (Int64.max, Int64.min)
        var previous: Int64?
        var offset = Offset(stated: stated)
        while at < count, let end = Bytes.find(0x0A, base, at, count) {
            let p = base + at
            var length = end &- at
            if length > 0, p[length &- 1] == 0x0D { length &-= 1 }
            guard length >= day.length &+ 8, length >= 16, length <= entryBytes, day.begins(p),
                let clock = ClockText.seconds(p + day.length)
            else { break }
            var time = RawTime()
            guard let timeLength = TimeReader.rest(p, length, from: day.length &+ 6, fraction, zone, &time),
                let header = headers.find(p + timeLength, length &- timeLength, after: slot)
            else { break }
            slot = header
            let local = day.seconds &+ clock
            let seconds = local &- offset.at(local, zone: time.zone, &context, &taken)
            guard let nanoseconds = TimeLimits.nanoseconds(seconds, Int64(time.nanoseconds)) else { break }
            line &+= 1
            let message = timeLength &+ headers.lengths[slot]
            let shift = Int32(truncatingIfNeeded: at &+ timeLength)
            list.append(headers.entries[slot])
            // Changed where it is: a copy changed on the stack costs more than everything else.
            list.withUnsafeMutableBufferPointer { list in
                let last = list.count &- 1
                list[last].line = line
                list[last].time = nanoseconds
                list[last].process.offset &+= shift
                list[last].device.offset &+= shift
                list[last].subsystem.offset &+= shift
                list[last].message = ByteRange(offset: at &+ message, length: length &- message)
            }
            if let previous {
                earliest = min(earliest, previous)
                latest = max(latest, previous)
            }
            previous = nanoseconds
            taken.lastLocal = local
            taken.lastZone = time.zone
            taken.lastStart = at
            at = end &+ 1
        }
        taken.count = list.count
        if earliest <= latest { (taken.earliest, taken.latest) = (earliest, latest) }
        return at
    }
}

/// The bytes of a time before its clock, and the local time at which their day begins.
struct DayPrefix {
    /// Bytes that are compared, at most.
    static let longest = 16

    let length: Int
    let seconds: Int64
    private let words: (UInt64, UInt64)
    private let masks: (UInt64, UInt64)

    /// - Parameter p: the first of at least ``longest`` bytes.
    init(_ p: UnsafePointer<UInt8>, length: Int, seconds: Int64) {
        self.length = length
        self.seconds = seconds
        func mask(_ bytes: Int) -> UInt64 { bytes >= 8 ? .max : bytes <= 0 ? 0 : (1 << UInt64(bytes * 8)) - 1 }
        masks = (mask(length), mask(length - 8))
        let loaded = Self.load(p)
        words = (loaded.0 & masks.0, loaded.1 & masks.1)
    }

    /// Whether the line of at least ``longest`` bytes begins with the prefix.
    @inline(__always)
    func begins(_ p: UnsafePointer<UInt8>) -> Bool {
        let loaded = Self.load(p)
        return (loaded.0 & masks.0) ^ words.0 | (loaded.1 & masks.1) ^ words.1 == 0
    }

    @inline(__always)
    private static func load(_ p: UnsafePointer<UInt8>) -> (UInt64, UInt64) {
        let raw = UnsafeRawPointer(p)
        return (
            UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self)),
            UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }
}

/// A clock of the form `HH:mm:ss`.
enum ClockText {
    /// The seconds since midnight; `nil` where the eight bytes are not such a clock.
    @inline(__always)
    static func seconds(_ p: UnsafePointer<UInt8>) -> Int64? {
        // All eight bytes at once: zeros and colons are taken away, so that digits are left in six of the bytes.
        let digits = UInt64(littleEndian: UnsafeRawPointer(p).loadUnaligned(as: UInt64.self)) ^ 0x3030_3A30_303A_3030
        let isOff = (digits | (digits &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080
        guard isOff | (digits & 0x0000_FF00_00FF_0000) == 0 else { return nil }
        let pairs = digits &* 10 &+ digits >> 8
        let (hour, minute, second) = (pairs & 0xFF, pairs >> 24 & 0xFF, pairs >> 48 & 0xFF)
        guard hour < 24, minute < 60, second <= 60 else { return nil }
        return Int64(hour &* 3600 &+ minute &* 60 &+ second)
    }
}

/// The bytes between time and message of the last lines of a layout, and what they mean: threads and processes take turns.
struct HeaderMemory {
    /// Bytes of a header that are remembered, at most; and how many headers are.
    static let longest = 128
    private static let mostHeaders = 8

    private(set) var lengths: [Int]
    /// The entries of the headers; their ranges count from the header's first byte.
    private(set) var entries: [Entry]
    private(set) var matches: [LineMatch]
    private var bytes: [UInt8]
    private(set) var last = 0
    private var oldest = 0

    init() {
        lengths = Array(repeating: 0, count: Self.mostHeaders)
        entries = Array(repeating: Entry(line: 0), count: Self.mostHeaders)
        matches = Array(repeating: LineMatch(), count: Self.mostHeaders)
        bytes = Array(repeating: 0, count: Self.mostHeaders * Self.longest)
    }

    /// Remembers the header of a line, in place of the oldest one.
    mutating func remember(_ p: UnsafePointer<UInt8>, _ length: Int, _ match: LineMatch) {
        let slot = oldest
        oldest = (slot + 1) % Self.mostHeaders
        last = slot
        lengths[slot] = length
        matches[slot] = match
        entries[slot] = match.entry(line: 0, shift: 0)
        for index in 0..<length { bytes[slot * Self.longest + index] = p[index] }
    }

    /// The header that the bytes begin with; the one that was found last is tried first.
    @inline(__always)
    func find(_ p: UnsafePointer<UInt8>, _ count: Int, after last: Int) -> Int? {
        if repeats(last, p, count) { return last }
        for slot in 0..<Self.mostHeaders where repeats(slot, p, count) { return slot }
        return nil
    }

    @inline(__always)
    private func repeats(_ slot: Int, _ p: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        let length = lengths[slot]
        guard length > 0, count >= length else { return false }
        return bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return false }
            return Self.areEqual(UnsafeRawPointer(p), base + slot &* Self.longest, length)
        }
    }

    /// Compares word by word; the last words may overlap.
    @inline(__always)
    private static func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Bool {
        guard count >= 8 else { return Bytes.areEqual(a, b, count) }
        var at = 0
        var difference: UInt64 = 0
        while at < count {
            let place = min(at, count &- 8)
            difference |=
                a.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                ^ b.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            at &+= 8
        }
        return difference == 0
    }
}
