import TraceRecords

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The tightest loop of reading: lines that differ from the lines before only in seconds, fraction, zone and message.
/// Nine lines of ten are such. Unsafe on purpose: every access is bounded by `count`, which is checked before it.
extension EntryScanner {
    /// Takes lines from `start` on as long as they repeat; returns where the first line begins that does not, or that
    /// is not complete.
    mutating func takeRepeats(_ base: UnsafePointer<UInt8>, from start: Int, _ count: Int) -> Int {
        // After a line without a layout the next one is looked at more closely: it may say the same with a time.
        // Colour codes are taken out of a line before it is told.
        guard layoutOfLine == nil, !hasOpenBareLine, !undoesColours, let (layout, lane) = matcher.lane else {
            return start
        }
        // Within a minute the zone does not change.
        let isStated = zones[layout] != RawTime.noZone
        let assumed = isStated ? Int64(zones[layout]) : context.offset(atLocal: lane.minuteSeconds)
        let minute = lane.minuteLength
        var list = entries
        entries = []
        var line = counts.lines
        var at = start
        var lastStart = start
        var previous: Int64?
        var earliest = Int64.max
        var latest = Int64.min
        var usesAssumedZone = false
        var lastLocal: Int64 = 0
        var lastZone = RawTime.noZone
        lane.headers.withUnsafeBufferPointer { headers in
            lane.headerBytes.withUnsafeBufferPointer { bytes in
                guard let headerBase = bytes.baseAddress else { return }
                var slot = lane.lastHeader
                while at < count {
                    guard let found = memchr(base + at, 0x0A, count &- at) else { break }
                    let end = UnsafeRawPointer(found) - UnsafeRawPointer(base)
                    let p = base + at
                    var length = end &- at
                    if length > 0, p[length &- 1] == 0x0D { length &-= 1 }
                    guard length > minute &+ 2, length <= entryBytes, TimeReader.load(p, minute) == lane.words else {
                        break
                    }
                    var time = RawTime()
                    guard let timeLength = TimeReader.rest(p, length, from: minute, lane.fraction, lane.zone, &time)
                    else { break }
                    if !Self.repeats(headers[slot], headerBase, slot, p + timeLength, length &- timeLength) {
                        var other = 0
                        while other < headers.count,
                            !Self.repeats(headers[other], headerBase, other, p + timeLength, length &- timeLength)
                        { other &+= 1 }
                        guard other < headers.count else { break }
                        slot = other
                    }
                    line &+= 1
                    var entry = headers[slot].entry
                    entry.line = line
                    let shift = Int32(truncatingIfNeeded: at &+ timeLength)
                    entry.process.offset &+= shift
                    entry.device.offset &+= shift
                    entry.subsystem.offset &+= shift
                    let message = timeLength &+ headers[slot].length
                    entry.message = ByteRange(offset: at &+ message, length: length &- message)
                    var seconds = lane.minuteSeconds &+ time.seconds
                    lastLocal = seconds
                    lastZone = time.zone
                    if time.zone == RawTime.noZone {
                        seconds &-= assumed
                        usesAssumedZone = true
                    } else {
                        seconds &-= Int64(time.zone)
                    }
                    let nanoseconds = seconds &* 1_000_000_000 &+ Int64(time.nanoseconds)
                    entry.time = nanoseconds
                    if let previous {
                        earliest = min(earliest, previous)
                        latest = max(latest, previous)
                    }
                    previous = nanoseconds
                    list.append(entry)
                    lastStart = at
                    at = end &+ 1
                }
            }
        }
        let taken = line - counts.lines
        if taken > 0 {
            // The entry that was open before is the one in front of the taken ones.
            if isOpen { note(list[list.count - Int(taken) - 1].time) }
            if earliest <= latest {
                note(earliest)
                note(latest)
            }
            if usesAssumedZone { if isStated { lastZone = zones[layout] } else { context.assumedZone = true } }
            context.noteDated(lastLocal, zone: lastZone)
            reopen(at: lastStart, lines: taken, bytes: at - start, lastBytes: at - lastStart, layout: layout)
        }
        entries = list
        return at
    }

    @inline(__always)
    private static func repeats(
        _ header: RepeatLane.Header, _ bytes: UnsafePointer<UInt8>, _ slot: Int, _ p: UnsafePointer<UInt8>, _ count: Int
    ) -> Bool {
        header.length > 0 && count >= header.length
            && memcmp(p, bytes + slot &* RepeatLane.longestHeader, header.length) == 0
    }
}
