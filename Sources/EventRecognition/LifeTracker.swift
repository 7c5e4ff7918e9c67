import TraceRecords

/// Merges the lines of processes that are no events into spans, a bounded number of them at a time.
///
/// The spans stand in sets by process: a process is looked for in one set only, and the span that was touched longest ago
/// leaves a full set first. Which spans come out, and where, depends on the lines alone.
struct LifeTracker {
    private static let sets = 64
    private static let ways = 4

    private struct Slot {
        var span = LifeSpan(
            process: .none, pid: nil, device: .none, from: nil, until: nil, firstLine: 0, lastLine: 0)
        var isOpen = false
    }

    private var slots = [Slot](repeating: Slot(), count: sets * ways)
    private(set) var openCount = 0

    /// Notes a line. A span that it ends, or that must leave for it, goes to `facts`.
    mutating func note(
        process: Symbol, pid: Int32?, device: Symbol, time: Int64?, firstLine: Int64, lastLine: Int64,
        into facts: inout [FactBatch.Fact]
    ) {
        let base = Self.set(process, pid) * Self.ways
        var free = base
        var oldest = Int64.max
        for index in base..<base + Self.ways {
            guard slots[index].isOpen else {
                if oldest >= 0 {
                    free = index
                    oldest = -1
                }
                continue
            }
            if slots[index].span.process == process, slots[index].span.pid == pid {
                if extends(slots[index].span, to: time) {
                    extend(&slots[index].span, to: time, lastLine)
                    return
                }
                free = index
                break
            }
            if slots[index].span.lastLine < oldest {
                oldest = slots[index].span.lastLine
                free = index
            }
        }
        if slots[free].isOpen { close(free, into: &facts) }
        slots[free] = Slot(
            span: LifeSpan(
                process: process, pid: pid, device: device, from: time, until: time, firstLine: firstLine,
                lastLine: lastLine),
            isOpen: true)
        openCount += 1
    }

    /// Ends the span of a process, because an event of it follows.
    @inline(__always)
    mutating func end(process: Symbol, pid: Int32?, into facts: inout [FactBatch.Fact]) {
        guard openCount > 0 else { return }
        let base = Self.set(process, pid) * Self.ways
        for index in base..<base + Self.ways
        where slots[index].isOpen && slots[index].span.process == process && slots[index].span.pid == pid {
            close(index, into: &facts)
        }
    }

    /// Ends every span that an event about another process may concern: those with its pid; all when it has none.
    mutating func end(about pid: Int32?, into facts: inout [FactBatch.Fact]) {
        closeAll(into: &facts) { pid == nil || $0.pid == pid || $0.pid == nil }
    }

    /// Ends all spans.
    mutating func endAll(into facts: inout [FactBatch.Fact]) {
        closeAll(into: &facts) { _ in true }
    }

    private mutating func closeAll(into facts: inout [FactBatch.Fact], where isMeant: (LifeSpan) -> Bool) {
        guard openCount > 0 else { return }
        let meant = slots.indices.filter { slots[$0].isOpen && isMeant(slots[$0].span) }
        for index in meant.sorted(by: { slots[$0].span.lastLine < slots[$1].span.lastLine }) {
            close(index, into: &facts)
        }
    }

    private mutating func close(_ index: Int, into facts: inout [FactBatch.Fact]) {
        facts.append(.life(slots[index].span))
        slots[index].isOpen = false
        openCount -= 1
    }

    private func extends(_ span: LifeSpan, to time: Int64?) -> Bool {
        guard let time, let until = span.until else { return true }
        let (gap, overflow) = time.subtractingReportingOverflow(until)
        return !overflow && gap <= LifeSpan.resolution && gap >= -LifeSpan.resolution
    }

    private func extend(_ span: inout LifeSpan, to time: Int64?, _ line: Int64) {
        span.lastLine = line
        guard let time else { return }
        span.from = span.from.map { min($0, time) } ?? time
        span.until = span.until.map { max($0, time) } ?? time
    }

    @inline(__always)
    private static func set(_ process: Symbol, _ pid: Int32?) -> Int {
        let mixed = (process.id &* 0x9E37_79B1) ^ (UInt32(bitPattern: pid ?? -1) &* 0x85EB_CA6B)
        return Int((mixed &* 0xC2B2_AE35) >> 26)
    }
}
