import TraceRecords

/// Merges the lines of processes that are not events into intervals, a bounded number of them at a time.
///
/// Lines with a time and lines without one are in different intervals. The first line of a process since the event of
/// another one ended its interval is handed over at once, as an interval of its own: what processes are called, and which
/// of them goes on, is then known at that line, and not only when the stretch is over. How the rest is cut into intervals
/// changes nothing.
struct ActivityTracker {
    /// The process id of a line that has none.
    static let noPid = Int64.min
    /// The most intervals that are open at a time. When there would be more, all are ended.
    static let mostOpen = 256

    /// What counts of a line.
    struct Line {
        var speaker: UInt32
        var process: UInt32
        var pid: Int64
        var time: Int64?
        var first: Int64
        var last: Int64
    }

    private struct Open {
        var speaker: UInt32
        var process: UInt32
        var pid: Int64
        /// Whether all of its lines have been handed over: the next line of the process begins another interval.
        var isEmpty = false
        var isOver = false
        var isTimed: Bool
        var from: Int64
        var until: Int64
        var firstLine: Int64
        var lastLine: Int64

        init(_ line: Line) {
            speaker = line.speaker
            process = line.process
            pid = line.pid
            isTimed = line.time != nil
            from = line.time ?? 0
            until = line.time ?? 0
            firstLine = line.first
            lastLine = line.last
        }

        var hasNameAlone: Bool { pid == noPid && process != 0 }

        var interval: ActivityInterval {
            ActivityInterval(
                speaker: speaker, from: isTimed ? from : nil, until: isTimed ? until : nil, firstLine: firstLine,
                lastLine: lastLine)
        }
    }

    private var open: [Open] = []
    /// The place in `open`, by speaker; -1 where it has none.
    private var placeOf: [Int32] = []
    /// How many open intervals have a name but no process id.
    private var namesAlone = 0
    /// The place of the line before, which is most often that of the next.
    private var recent = -1

    /// Notes a line. An interval that it ends goes to `facts`.
    @inline(__always)
    mutating func note(_ line: Line, into facts: inout [FactBatch.Fact]) {
        if recent >= 0, open[recent].speaker == line.speaker, open[recent].isTimed, !open[recent].isEmpty,
            let time = line.time
        {
            let gap = time &- open[recent].until
            if gap >= 0, gap <= ActivityInterval.resolution {
                open[recent].until = time
                open[recent].lastLine = line.last
                return
            }
        }
        place(line, into: &facts)
    }

    @inline(never)
    private mutating func place(_ line: Line, into facts: inout [FactBatch.Fact]) {
        endOthers(namedLike: line, into: &facts)
        if let place = place(of: line.speaker) {
            if !open[place].isEmpty {
                if extend(&open[place], to: line) {
                    recent = place
                    return
                }
                end(keeping: (line.process, line.pid), into: &facts) { $0.speaker == line.speaker }
            }
            // Ending others may have moved it.
            if let place = self.place(of: line.speaker) {
                open[place] = Open(line)
                recent = place
                return
            }
        }
        if open.count == Self.mostOpen { endAll(into: &facts) }
        while placeOf.count <= Int(line.speaker) { placeOf.append(-1) }
        placeOf[Int(line.speaker)] = Int32(open.count)
        open.append(Open(line))
        if open[open.count - 1].hasNameAlone { namesAlone += 1 }
        end(keeping: (line.process, line.pid), into: &facts) { $0.speaker == line.speaker }
        recent = place(of: line.speaker) ?? -1
    }

    private func place(of speaker: UInt32) -> Int? {
        guard Int(speaker) < placeOf.count, placeOf[Int(speaker)] >= 0 else { return nil }
        return Int(placeOf[Int(speaker)])
    }

    /// Lines with a name but no process id belong to whichever process of the name wrote last: the two end each other.
    private mutating func endOthers(namedLike line: Line, into facts: inout [FactBatch.Fact]) {
        let hasPid = line.pid != Self.noPid
        guard line.process != 0, namesAlone > 0 || !hasPid else { return }
        end(into: &facts) { $0.process == line.process && ($0.pid != Self.noPid) != hasPid }
    }

    /// Takes a line into an interval; `false` when the interval ended before it.
    private func extend(_ open: inout Open, to line: Line) -> Bool {
        // When a line without a time was written is not known: it says nothing about the time of those next to it.
        guard open.isTimed == (line.time != nil) else { return false }
        if let time = line.time {
            let (gap, overflow) = time.subtractingReportingOverflow(open.until)
            if overflow || gap > ActivityInterval.resolution || gap < -ActivityInterval.resolution { return false }
            open.until = max(open.until, time)
        }
        open.lastLine = line.last
        return true
    }

    /// Ends the intervals that the event of a process that follows may concern: its own, those of other processes with
    /// its name or its id, and that of lines with neither. To which run such an event belongs depends on what was written
    /// before it, and to which run lines with neither belong on the events before them.
    @inline(__always)
    mutating func end(process: UInt32, pid: Int64, into facts: inout [FactBatch.Fact]) {
        if open.isEmpty { return }
        end(keeping: (process, pid), into: &facts) {
            $0.process == process || $0.pid == pid && pid != Self.noPid || $0.pid == Self.noPid && $0.process == 0
        }
    }

    /// Ends every interval that an event about another process may concern: those with its pid; all when it has none.
    mutating func end(about pid: Int64, into facts: inout [FactBatch.Fact]) {
        end(into: &facts) { pid == Self.noPid || $0.pid == pid || $0.pid == Self.noPid }
    }

    /// Ends all intervals.
    mutating func endAll(into facts: inout [FactBatch.Fact]) {
        end(into: &facts) { _ in true }
        // The next speakers may have other numbers.
        placeOf.removeAll(keepingCapacity: true)
    }

    /// Hands intervals over in the order of their last lines, and those of the same process ids that ended before them:
    /// several processes can have had an id, and which of them a run of it is called after depends on who wrote first.
    ///
    /// - Parameter known: the process whose interval stays open, because the event shows as much of it as its lines do.
    @inline(__always)
    private mutating func end(
        keeping known: (process: UInt32, pid: Int64)? = nil, into facts: inout [FactBatch.Fact],
        where isMeant: (Open) -> Bool
    ) {
        func isKept(_ interval: Open) -> Bool {
            known.map { interval.process == $0.process && interval.pid == $0.pid } ?? false
        }
        let meant = open.indices.filter { isMeant(open[$0]) && !(open[$0].isEmpty && isKept(open[$0])) }
        if meant.isEmpty { return }
        for place in meant where !isKept(open[place]) { open[place].isOver = true }
        handOver(meant, into: &facts)
    }

    @inline(never)
    private mutating func handOver(_ meant: [Int], into facts: inout [FactBatch.Fact]) {
        var meant = meant
        for place in meant where open[place].pid != Self.noPid && !open[place].isEmpty {
            for other in open.indices
            where open[other].pid == open[place].pid && open[other].lastLine < open[place].lastLine
                && !meant.contains(other)
            {
                open[other].isOver = true
                meant.append(other)
            }
        }
        if meant.count > 1 { meant.sort { open[$0].lastLine < open[$1].lastLine } }
        for place in meant where !open[place].isEmpty {
            facts.append(.activity(open[place].interval))
            open[place].isEmpty = true
        }
        guard meant.contains(where: { open[$0].isOver }) else { return }
        for place in meant where open[place].isOver { placeOf[Int(open[place].speaker)] = -1 }
        open.removeAll(where: \.isOver)
        for place in open.indices { placeOf[Int(open[place].speaker)] = Int32(place) }
        namesAlone = open.count(where: \.hasNameAlone)
        recent = -1
    }
}
