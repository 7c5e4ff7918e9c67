import TraceRecords

/// Merges the lines of processes that are no events into spans, a bounded number of them at a time.
///
/// The spans stand in sets by process: a process is looked for in one set only, and the span that was touched longest ago
/// leaves a full set first. Lines with a time and lines without one are in different spans. Which spans come out, and
/// where, depends on the lines alone.
///
/// The first line of a process since the event of another one ended its spans is handed over at once, as a span of its
/// own: what processes are called, and which of them goes on, is then known where the line stands, and not only when the
/// stretch is over. How the rest is cut into spans changes nothing.
struct LifeTracker {
    private static let sets = 64
    private static let ways = 4
    /// Stands for a process id that the line does not tell.
    static let noPid = Int64.min

    private struct Slot {
        var process = Symbol.none
        var device = Symbol.none
        var pid = noPid
        var isOpen = false
        /// Whether all of its lines have been handed over: the process is known, and the next line begins another span.
        var isEmpty = false
        var isTimed = false
        var from: Int64 = 0
        var until: Int64 = 0
        var firstLine: Int64 = 0
        var lastLine: Int64 = 0

        var span: LifeSpan {
            LifeSpan(
                process: process, pid: Int32(exactly: pid), device: device, from: isTimed ? from : nil,
                until: isTimed ? until : nil, firstLine: firstLine, lastLine: lastLine)
        }
    }

    private var slots = [Slot](repeating: Slot(), count: sets * ways)
    /// One bit for each slot that is open.
    private var open = [UInt64](repeating: 0, count: sets * ways / 64)
    /// How many open slots have process ids that end in the same bits, and how many have a name but no process id.
    private var openByPid = [UInt16](repeating: 0, count: 1024)
    private var openByNameAlone = 0
    /// The slot of the line before, which is most often that of the next.
    private var recent = 0

    /// Notes a line. A span that it ends, or that must leave for it, goes to `facts`.
    @inline(__always)
    mutating func note(
        process: Symbol, pid: Int64, device: Symbol, time: Int64?, line: Int64, lineCount: Int32,
        into facts: inout [FactBatch.Fact]
    ) {
        let lastLine = line + Int64(lineCount) - 1
        if isOpen(recent, process, pid), let time, slots[recent].isTimed {
            let gap = time &- slots[recent].until
            if gap >= 0, gap <= LifeSpan.resolution, !slots[recent].isEmpty {
                slots[recent].until = time
                slots[recent].lastLine = lastLine
                return
            }
        }
        place(process, pid, device, time, line, lastLine, into: &facts)
    }

    @inline(__always)
    private func isOpen(_ index: Int, _ process: Symbol, _ pid: Int64) -> Bool {
        slots[index].process == process && slots[index].pid == pid && slots[index].isOpen
    }

    @inline(never)
    private mutating func place(
        _ process: Symbol, _ pid: Int64, _ device: Symbol, _ time: Int64?, _ line: Int64, _ lastLine: Int64,
        into facts: inout [FactBatch.Fact]
    ) {
        endOthers(named: process, pid, into: &facts)
        let base = Self.set(process, pid) * Self.ways
        var place = base
        var age = Int64.max
        var isKnown = false
        for index in base..<base + Self.ways {
            if isOpen(index, process, pid) {
                if !slots[index].isEmpty, extend(&slots[index], to: time, lastLine) {
                    recent = index
                    return
                }
                place = index
                isKnown = true
                break
            }
            let touched = slots[index].isOpen ? slots[index].lastLine : -1
            if touched < age {
                age = touched
                place = index
            }
        }
        if slots[place].isOpen { close(place, into: &facts) }
        slots[place] = Slot(
            process: process, device: device, pid: pid, isOpen: true, isTimed: time != nil, from: time ?? 0,
            until: time ?? 0, firstLine: line, lastLine: lastLine)
        recent = place
        open[place / 64] |= 1 << UInt64(place % 64)
        openByPid[Self.bucket(pid)] += 1
        if isByNameAlone(place) { openByNameAlone += 1 }
        if !isKnown { empty(place, into: &facts) }
    }

    /// Lines with a name but no process id belong to whichever process of the name wrote last: the two end each other.
    private mutating func endOthers(named process: Symbol, _ pid: Int64, into facts: inout [FactBatch.Fact]) {
        guard !process.isNone, openByNameAlone > 0 || pid == Self.noPid else { return }
        closeAll(into: &facts) { $0.process == process && ($0.pid == Self.noPid) != (pid == Self.noPid) }
    }

    private func isByNameAlone(_ index: Int) -> Bool {
        slots[index].pid == Self.noPid && !slots[index].process.isNone
    }

    /// Takes a line into a span; `false` when the span ended before it.
    private func extend(_ slot: inout Slot, to time: Int64?, _ lastLine: Int64) -> Bool {
        // When a line without a time was written is not known: it says nothing about the time of those next to it.
        guard slot.isTimed == (time != nil) else { return false }
        if let time {
            let (gap, overflow) = time.subtractingReportingOverflow(slot.until)
            if overflow || gap > LifeSpan.resolution || gap < -LifeSpan.resolution { return false }
            slot.until = max(slot.until, time)
        }
        slot.lastLine = lastLine
        return true
    }

    /// Ends the spans that the event of a process that follows may concern: its own, those of other processes with its
    /// name or its id, and that of lines with neither. To which run such an event belongs depends on what was written
    /// before it, and to which run lines with neither belong on the events before them.
    @inline(__always)
    mutating func end(process: Symbol, pid: Int64, into facts: inout [FactBatch.Fact]) {
        closeAll(into: &facts, keeping: (process, pid)) {
            $0.process == process || $0.pid == pid && pid != Self.noPid || $0.pid == Self.noPid && $0.process.isNone
        }
    }

    /// Ends every span that an event about another process may concern: those with its pid; all when it has none.
    mutating func end(about pid: Int64, into facts: inout [FactBatch.Fact]) {
        closeAll(into: &facts) { pid == Self.noPid || $0.pid == pid || $0.pid == Self.noPid }
    }

    /// Ends all spans.
    mutating func endAll(into facts: inout [FactBatch.Fact]) {
        closeAll(into: &facts) { _ in true }
    }

    /// - Parameter known: the process whose slot stays open, because the event tells as much of it as its lines do.
    @inline(__always)
    private mutating func closeAll(
        into facts: inout [FactBatch.Fact], keeping known: (process: Symbol, pid: Int64)? = nil,
        where isMeant: (Slot) -> Bool
    ) {
        var meant: [Int] = []
        for word in open.indices {
            var rest = open[word]
            while rest != 0 {
                let index = word * 64 + rest.trailingZeroBitCount
                rest &= rest - 1
                if isMeant(slots[index]) { meant.append(index) }
            }
        }
        if meant.count > 1 { meant.sort { slots[$0].lastLine < slots[$1].lastLine } }
        for index in meant {
            if let known, isOpen(index, known.process, known.pid) {
                empty(index, into: &facts)
            } else {
                close(index, into: &facts)
            }
        }
    }

    private mutating func empty(_ index: Int, into facts: inout [FactBatch.Fact]) {
        if !slots[index].isEmpty { handOver(index, into: &facts) }
        slots[index].isEmpty = true
    }

    private mutating func close(_ index: Int, into facts: inout [FactBatch.Fact]) {
        guard slots[index].isOpen else { return }
        empty(index, into: &facts)
        slots[index].isOpen = false
        open[index / 64] &= ~(1 << UInt64(index % 64))
        openByPid[Self.bucket(slots[index].pid)] -= 1
        if isByNameAlone(index) { openByNameAlone -= 1 }
    }

    /// Hands a span over, behind the open ones of its process id that ended before it: several processes can have had
    /// the id, and which of them a run of it is called after depends on who wrote first.
    private mutating func handOver(_ index: Int, into facts: inout [FactBatch.Fact]) {
        let span = slots[index]
        if span.pid != Self.noPid, openByPid[Self.bucket(span.pid)] > 1 {
            closeAll(into: &facts) { $0.pid == span.pid && $0.lastLine < span.lastLine }
        }
        facts.append(.life(span.span))
    }

    @inline(__always)
    private static func bucket(_ pid: Int64) -> Int { Int(truncatingIfNeeded: pid & 1023) }

    @inline(__always)
    private static func set(_ process: Symbol, _ pid: Int64) -> Int {
        let mixed = (process.id &* 0x9E37_79B1) ^ (UInt32(truncatingIfNeeded: pid) &* 0x85EB_CA6B)
        return Int((mixed &* 0xC2B2_AE35) >> 26)
    }
}
