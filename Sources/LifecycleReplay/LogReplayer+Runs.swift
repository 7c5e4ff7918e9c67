import LifecycleModel
import TraceRecords

/// Which run a line belongs to.
extension LogReplayer {
    /// The run of a process that is open or can be revived, if there is one.
    mutating func find(process: UInt32, pid: Int32, namesBundle: Bool) -> Int32? {
        if recent.slot >= 0, recent.process == process, recent.pid == pid, recent.namesBundle == namesBundle {
            return recent.slot
        }
        guard let slot = search(process: process, pid: pid, namesBundle: namesBundle) else { return nil }
        recent = RecentRun(process: process, pid: pid, namesBundle: namesBundle, slot: slot)
        return slot
    }

    private mutating func search(process: UInt32, pid: Int32, namesBundle: Bool) -> Int32? {
        if namesBundle {
            if pid != RunState.noPid, let slot = self.slot(ofPid: pid) {
                let run = runs[Int(slot)]
                // The store keeps one identifier for each run: a second one, of whoever has the pid now, tells nothing.
                if run.process != 0, !run.namedByBundle, run.bundle == 0 || run.bundle == process {
                    note(run.process, ofBundle: process)
                }
                return slot
            }
            let name = self.process(ofBundle: process, pid: pid)
            guard pid != RunState.noPid else { return lastToWrite(ofApp: name) }
            if let slot = slots[RunKey(process: name, pid: pid)] { return slot }
            // Some formats leave out the process ids, which the system's own lines tell nevertheless.
            guard let slot = lastToWrite(ofApp: name), runs[Int(slot)].pid == RunState.noPid,
                runs[Int(slot)].endReason == nil
            else { return nil }
            adopt(slot, process: name, pid: pid)
            return slot
        }
        if process == 0 {
            let last = lastSpoken
            guard pid != RunState.noPid else { return last >= 0 ? last : nil }
            if let slot = self.slot(ofPid: pid) { return slot }
            // A crash report may tell the end before the pid, and never name the process.
            guard last >= 0, runs[Int(last)].pid == RunState.noPid, runs[Int(last)].process == 0 else {
                return nil
            }
            adopt(last, process: 0, pid: pid)
            return last
        }
        if pid == RunState.noPid {
            if let slot = slots[RunKey(process: process, pid: pid)] ?? lastToWrite(ofApp: process) {
                // It has said itself what it is called, unless its process id still tells better.
                if runs[Int(slot)].pid == pid { runs[Int(slot)].namedByBundle = false }
                return slot
            }
            renameBundled(to: process)
            return lastToWrite(ofApp: process)
        }
        if let slot = slots[RunKey(process: process, pid: pid)] {
            // The process has said itself what it is called.
            runs[Int(slot)].namedByBundle = false
            return slot
        }
        // Evidence may have named the process by its bundle before it wrote a line itself; a line without a process
        // may have begun the run.
        if let slot = self.slot(ofPid: pid), runs[Int(slot)].namedByBundle || runs[Int(slot)].process == 0 {
            rename(slot, to: process)
            // What followed the run under the name of its bundle was of another process.
            revive(slot)
            return slot
        }
        renameBundled(to: process, withoutPid: true)
        // Lines that do not name their process, or its pid, belong to the one that is named next.
        let last = lastSpoken
        if last >= 0, runs[Int(last)].pid == RunState.noPid,
            runs[Int(last)].process == 0 || runs[Int(last)].process == process
        {
            adopt(last, process: process, pid: pid)
            runs[Int(last)].namedByBundle = false
            return last
        }
        return nil
    }

    /// The run of an app that began or wrote something last: lines about the app that name no process id belong to it.
    /// Stretches of life come when they are over, so what counts is where lines stand, not when they come.
    private func lastToWrite(ofApp process: UInt32) -> Int32? {
        guard var latest = firstOfApp[process] else { return nil }
        var other = runs[Int(latest)].nextOfApp
        while other >= 0 {
            if runs[Int(latest)].mentioned < runs[Int(other)].mentioned { latest = other }
            other = runs[Int(other)].nextOfApp
        }
        return latest
    }

    /// A line of the log is the first of a run, or its process wrote it.
    @inline(__always)
    mutating func mention(_ slot: Int32, line: Int64) {
        let line = LogPlace(source: sourcesSeen, line: line)
        if runs[Int(slot)].mentioned < line { runs[Int(slot)].mentioned = line }
    }

    mutating func rename(_ slot: Int32, to process: UInt32, namedByBundle: Bool = false) {
        unlink(slot)
        runs[Int(slot)].process = process
        runs[Int(slot)].namedByBundle = namedByBundle
        runs[Int(slot)].dirty = true
        // Its row will say so to a log that is read on.
        if runs[Int(slot)].bundle != 0 { note(process, ofBundle: runs[Int(slot)].bundle) }
        link(slot)
    }

    private mutating func adopt(_ slot: Int32, process: UInt32, pid: Int32) {
        unlink(slot)
        runs[Int(slot)].process = process
        runs[Int(slot)].pid = pid
        runs[Int(slot)].dirty = true
        link(slot)
    }

    /// Begins to track a process.
    mutating func track(_ speaker: ResolvedSpeaker) -> Int32 {
        let (process, pid, namesBundle) = (speaker.process, speaker.pid, speaker.namesBundle)
        let name = namesBundle ? self.process(ofBundle: process, pid: pid) : process
        serials += 1
        var run = RunState(serial: serials, source: source, process: name, device: speaker.device, pid: pid)
        run.namedByBundle = namesBundle && processOfBundle[process] == nil
        run.givenVersion = givenVersion
        let slot: Int32
        if let free = freeRuns.popLast() {
            slot = free
            runs[Int(slot)] = run
        } else {
            slot = Int32(runs.count)
            runs.append(run)
            runMemories.append(RuleMemory())
        }
        runMemories[Int(slot)].reset(cells: plan.rules.runCells)
        link(slot)
        prospects.append(slot, serial: serials)
        prospectCount += 1
        while prospectCount > Self.openRunsKept, let oldest = prospects.popFirst() {
            let place = Int(oldest.slot)
            if runs[place].serial == oldest.serial, runs[place].id == 0 { release(oldest.slot) }
        }
        recent = RecentRun(process: process, pid: pid, namesBundle: namesBundle, slot: slot)
        return slot
    }

    /// Gives a tracked process its row, because it has shown its first event.
    mutating func begin(_ slot: Int32, hash: UInt64, time: Int64) {
        let place = Int(slot)
        runs[place].id = ids.run()
        name(slot, hash: hash, time: time)
        prospectCount -= 1
        open.append(slot, serial: runs[place].serial)
        openCount += 1
        while openCount > Self.openRunsKept, let oldest = open.popFirst() {
            if runs[Int(oldest.slot)].serial == oldest.serial, oldest.slot != slot { close(oldest.slot) }
        }
        begunRuns += 1
        supersedeOthers(of: slot, at: time)
        closeLongEnded()
    }

    /// Takes what the first event of a run says for its key.
    mutating func name(_ slot: Int32, hash: UInt64, time: Int64) {
        runs[Int(slot)].contentHash = hash
        if time == Time.none {
            runs[Int(slot)].contentHash = Hashing.mix(hash, UInt64(truncatingIfNeeded: untimedRuns))
            untimedRuns += 1
        }
    }

    /// The runs of the same app that another one follows have ended, unless they show a line again.
    private mutating func supersedeOthers(of slot: Int32, at time: Int64) {
        let process = runs[Int(slot)].process
        guard process != 0 else { return }
        let seen = runs[Int(slot)].firstSeen
        var other = firstOfApp[process] ?? -1
        while other >= 0 {
            let place = Int(other)
            let following = runs[place].nextOfApp
            if other != slot, runs[place].id != 0 {
                runs[place].successors.append(
                    Successor(
                        source: runs[Int(slot)].lastSource, line: runs[Int(slot)].lastLine, seen: seen, time: time))
                runs[place].superseded = true
                runs[place].dirty = true
                retire(other)
            }
            other = following
        }
    }

    /// Puts an ended run among those that a late line can revive.
    mutating func retire(_ slot: Int32) {
        guard runs[Int(slot)].retirement == 0 else { return }
        serials += 1
        runs[Int(slot)].retirement = serials
        runs[Int(slot)].begunByRetirement = begunRuns
        ended.append(slot, serial: serials)
    }

    /// Takes a run that is not superseded any more from among the ended ones, unless a line told of its end.
    mutating func goesOn(_ slot: Int32) {
        if !runs[Int(slot)].superseded, runs[Int(slot)].endReason == nil { runs[Int(slot)].retirement = 0 }
    }

    /// Closes the ended runs that a late line comes too late for. What counts is how many runs have begun since: a log
    /// that is read on has those at hand, but not all that have ended.
    private mutating func closeLongEnded() {
        while let oldest = ended.first {
            let run = runs[Int(oldest.slot)]
            if run.retirement == oldest.serial {
                guard begunRuns - run.begunByRetirement > Int64(Self.endedRunsKept) else { return }
                close(oldest.slot)
            }
            _ = ended.popFirst()
        }
    }

    /// Takes a run that can't go on out of every table, so that its process id begins another one.
    mutating func release(_ slot: Int32) {
        unlink(slot)
        let place = Int(slot)
        if runs[place].id == 0 { prospectCount -= 1 } else { openCount -= 1 }
        for instance in runs[place].others { freeInstances.append(instance) }
        if runs[place].app >= 0 {
            undecided[runs[place].app] = nil
            freeInstances.append(runs[place].app)
        }
        runs[place].serial = 0
        runs[place].retirement = 0
        pending[slot] = nil
        runs[place].others = []
        runs[place].slotsOfLabels = [:]
        runs[place].labels = [:]
        runs[place].silences = []
        runs[place].successors = []
        freeRuns.append(slot)
    }

    private mutating func link(_ slot: Int32) {
        let run = runs[Int(slot)]
        slots[key(of: run)] = slot
        if run.pid != RunState.noPid {
            if slotOfPid[run.pid] != nil { sharedPids.insert(run.pid) }
            slotOfPid[run.pid] = slot
        }
        runs[Int(slot)].previousOfApp = -1
        runs[Int(slot)].nextOfApp = -1
        if run.process != 0 {
            if let first = firstOfApp[run.process] {
                runs[Int(slot)].nextOfApp = first
                runs[Int(first)].previousOfApp = slot
            } else {
                processesOfFold[symbols.foldedName(run.process), default: []].append(run.process)
            }
            firstOfApp[run.process] = slot
        }
    }

    private mutating func unlink(_ slot: Int32) {
        let run = runs[Int(slot)]
        if slots[key(of: run)] == slot { slots[key(of: run)] = nil }
        if sharedPids.contains(run.pid) {
            let others = slots(ofPid: run.pid).filter { $0 != slot }
            slotOfPid[run.pid] = others.first
            if others.count < 2 { sharedPids.remove(run.pid) }
        } else if run.pid != RunState.noPid, slotOfPid[run.pid] == slot {
            slotOfPid[run.pid] = nil
        }
        if lastSpoken == slot { lastSpoken = -1 }
        if run.nextOfApp >= 0 { runs[Int(run.nextOfApp)].previousOfApp = run.previousOfApp }
        if run.previousOfApp >= 0 {
            runs[Int(run.previousOfApp)].nextOfApp = run.nextOfApp
        } else if firstOfApp[run.process] == slot {
            firstOfApp[run.process] = run.nextOfApp >= 0 ? run.nextOfApp : nil
            if run.nextOfApp < 0 { forgetName(run.process) }
        }
        if recent.slot == slot { recent.slot = -1 }
    }

    /// The live run that has a process id; of several the one that wrote something last, by where the lines stand.
    private func slot(ofPid pid: Int32) -> Int32? {
        guard sharedPids.contains(pid) else { return slotOfPid[pid] }
        return slots(ofPid: pid).max { isEarlier(runs[Int($0)], runs[Int($1)]) }
    }

    private func isEarlier(_ run: RunState, _ other: RunState) -> Bool {
        run.mentioned == other.mentioned ? run.serial < other.serial : run.mentioned < other.mentioned
    }

    private func slots(ofPid pid: Int32) -> [Int32] {
        runs.indices.filter { runs[$0].serial != 0 && runs[$0].pid == pid }.map(Int32.init)
    }

    private func key(of run: RunState) -> RunKey {
        RunKey(process: run.process, pid: run.pid)
    }
}
