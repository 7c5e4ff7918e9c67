import TraceRecords

/// The runs that can still go on, and every way to find one: by process and pid, by pid, by app.
///
/// Memory does not grow with the log: a run is released once it can't go on. A run that has ended can be revived by a late
/// line until ``endedRunsKept`` more runs have begun; after that such a line begins a new run.
struct RunTable {
    /// How many runs may begin until an ended one is no longer kept for late lines.
    static let endedRunsKept: Int64 = 64
    /// How many runs can be open at a time; the one that began first is closed as cut by the log's end.
    static let openRunsKept = 4096
    /// How many entries a queue of so many runs may have: with those of runs that are gone.
    private static func queueKept(_ runs: Int) -> Int { 2 * runs + 64 }

    /// What tells two processes apart: a log may be of several devices, and 0 stands for one that is not known.
    struct Key: Hashable, BitwiseCopyable {
        var process: UInt64
        var pid: Int32
        var device: UInt64
    }

    var states: [RunState] = []
    var details: [RunDetails] = []
    var free: [Int32] = []
    var serials: Int64 = 0
    var generations: UInt32 = 0

    var slots: [Key: Int32] = [:]
    var slotOfPid: [Int32: Int32] = [:]
    /// Process ids that several live runs have had at a time.
    var sharedPids: Set<Int32> = []
    /// First of the live runs of each app.
    var firstOfApp: [UInt64: Int32] = [:]
    var names = ProcessNames()
    /// Slot of the run whose event came last: lines that name no process belong to it; -1 when there is none.
    var lastSpoken: Int32 = -1

    /// Slots of ended runs, oldest first, by ``RunState/retirement``; those revived since are skipped.
    var ended = SlotQueue()
    /// How many runs have begun, and how many of them without any time.
    var begunRuns: Int64 = 0
    var untimedRuns: Int64 = 0
    /// The runs that began last, in the order of the log: what follows a run that can be revived is among them.
    var beginnings: [Beginning] = []
    /// Slots of begun runs, oldest first, and how many of them are still open.
    var open = SlotQueue()
    var openCount = 0
    /// Slots of processes that have shown no event yet, oldest first, and how many there are.
    var prospects = SlotQueue()
    var prospectCount = 0

    @inline(__always)
    subscript(slot: Int32) -> RunState {
        get { states[Int(slot)] }
        _modify { yield &states[Int(slot)] }
    }

    /// Keeps why the system launched a process: what the first line says of it, before the app was active.
    mutating func noteLaunchCause(_ slot: Int32, _ cause: String?) {
        guard details[Int(slot)].launchCause == nil, !states[Int(slot)].everActive else { return }
        details[Int(slot)].launchCause = cause
    }

    // MARK: Life of a run

    /// Begins to track a process.
    mutating func track(_ speaker: SpeakerTable.Resolved, _ printed: Speaker, device: String?, source: Int32) -> Int32 {
        let name = speaker.namesBundle ? process(ofBundle: speaker, printed) : ProcessName(printed.process)
        let run = tracked(name, pid: speaker.pid, device: speaker.device, source: source)
        details[Int(run)].device = device
        states[Int(run)].namedByBundle = speaker.namesBundle && names.process(ofBundle: speaker.process) == nil
        return run
    }

    /// Begins to track a process that another one's run is followed by. Its own lines name its device.
    mutating func track(after slot: Int32, pid: Int32, source: Int32) -> Int32 {
        let run = tracked(name(of: slot), pid: pid, device: 0, source: source)
        states[Int(run)].namedByBundle = states[Int(slot)].namedByBundle
        return run
    }

    private mutating func tracked(_ name: ProcessName, pid: Int32, device: UInt64, source: Int32) -> Int32 {
        serials += 1
        var run = RunState()
        run.serial = serials
        run.source = source
        run.process = name.hash
        run.pid = pid
        run.device = device
        let slot: Int32
        if let reused = free.popLast() {
            slot = reused
            states[Int(slot)] = run
        } else {
            slot = Int32(states.count)
            states.append(run)
            details.append(RunDetails())
        }
        details[Int(slot)].process = name.text
        details[Int(slot)].device = nil
        link(slot)
        prospects.append(slot, serial: serials)
        prospectCount += 1
        if prospects.count > Self.queueKept(prospectCount) {
            let states = states
            prospects.sift { states[Int($0.slot)].serial == $0.serial && states[Int($0.slot)].id == 0 }
        }
        while prospectCount > Self.openRunsKept, let oldest = prospects.popFirst() {
            if states[Int(oldest.slot)].serial == oldest.serial, states[Int(oldest.slot)].id == 0 {
                release(oldest.slot)
            }
        }
        return slot
    }

    /// Notes that a tracked process has shown its first event and got its row.
    mutating func begin(_ slot: Int32, id: Int64, hash: UInt64, time: Int64) {
        states[Int(slot)].id = id
        states[Int(slot)].contentHash = hash
        if time == Time.none {
            states[Int(slot)].contentHash = Hashing.mix(hash, UInt64(truncatingIfNeeded: untimedRuns))
            untimedRuns += 1
        }
        prospectCount -= 1
        open.append(slot, serial: states[Int(slot)].serial)
        openCount += 1
        if open.count > Self.queueKept(openCount) {
            let states = states
            open.sift { states[Int($0.slot)].serial == $0.serial }
        }
        begunRuns += 1
        supersedeOthers(of: slot, at: time)
    }

    /// The runs of the same app that another one follows have ended, unless they show a line again. Processes without a
    /// name that log their own callbacks are the same app: a log of several apps names them.
    private mutating func supersedeOthers(of slot: Int32, at time: Int64) {
        let run = states[Int(slot)]
        guard run.process != 0 || run.hasCallbacks else { return }
        let beginning = Beginning(
            process: run.process, device: run.device, run: run.id, source: run.lastSource, line: run.lastLine,
            seen: run.firstSeen,
            time: time)
        if beginnings.count > Self.endedRunsKept + 1 { beginnings.removeFirst() }
        beginnings.append(beginning)
        var other = firstOfApp[run.process] ?? -1
        while other >= 0 {
            let place = Int(other)
            if other != slot, states[place].id != 0, run.process != 0 || states[place].hasCallbacks,
                beginning.mayFollow(states[place])
            {
                if details[place].successor == nil { details[place].successor = beginning }
                states[place].superseded = true
                states[place].dirty = true
                retire(other)
            }
            other = states[place].nextOfApp
        }
    }

    /// Puts an ended run among those that a late line can revive.
    mutating func retire(_ slot: Int32) {
        guard states[Int(slot)].retirement == 0 else { return }
        serials += 1
        states[Int(slot)].retirement = serials
        states[Int(slot)].begunByRetirement = begunRuns
        ended.append(slot, serial: serials)
    }

    /// A line of a run that seemed to have ended: it goes on.
    @inline(__always)
    mutating func revive(_ slot: Int32) {
        states[Int(slot)].dirty = true
        guard states[Int(slot)].superseded else { return }
        states[Int(slot)].superseded = false
        details[Int(slot)].successor = nil
        goesOn(slot)
    }

    /// A stretch of activity up to a line: the runs that began before that line did not follow this one.
    mutating func revive(_ slot: Int32, upTo line: Int64, of source: Int32) {
        let place = Int(slot)
        states[place].dirty = true
        guard states[place].superseded else { return }
        let run = states[place]
        let own = beginnings.lastIndex { $0.run == run.id } ?? -1
        details[place].successor = beginnings[(own + 1)...].first {
            $0.mayFollow(run) && $0.source == source && $0.line >= line
        }
        states[place].superseded = details[place].successor != nil
        goesOn(slot)
    }

    /// Takes a run that is not superseded any more from among the ended ones, unless a line gave its end.
    private mutating func goesOn(_ slot: Int32) {
        if !states[Int(slot)].isOver { states[Int(slot)].retirement = 0 }
    }

    /// A run that has to be closed: it ended so many runs ago that a late line comes too late, or too many are open.
    mutating func nextOverdue(besides current: Int32) -> Int32? {
        while let oldest = ended.first {
            let run = states[Int(oldest.slot)]
            if run.retirement == oldest.serial {
                guard begunRuns - run.begunByRetirement > Self.endedRunsKept else { break }
                _ = ended.popFirst()
                return oldest.slot
            }
            _ = ended.popFirst()
        }
        while openCount > Self.openRunsKept, let oldest = open.popFirst() {
            if states[Int(oldest.slot)].serial == oldest.serial, oldest.slot != current { return oldest.slot }
        }
        return nil
    }

    /// Takes a run that can't go on out of every table, so that its process id begins another one.
    mutating func release(_ slot: Int32) {
        unlink(slot)
        if lastSpoken == slot { lastSpoken = -1 }
        let place = Int(slot)
        if states[place].id == 0 { prospectCount -= 1 } else { openCount -= 1 }
        states[place].serial = 0
        states[place].retirement = 0
        details[place].reset()
        free.append(slot)
    }

    // MARK: Ways to find a run

    mutating func link(_ slot: Int32) {
        let run = states[Int(slot)]
        let key = Key(process: run.process, pid: run.pid, device: run.device)
        if let other = slots.updateValue(slot, forKey: key) { renew(other) }
        renew(slot)
        if run.pid != RunState.noPid, slotOfPid.updateValue(slot, forKey: run.pid) != nil { sharedPids.insert(run.pid) }
        states[Int(slot)].previousOfApp = -1
        states[Int(slot)].nextOfApp = -1
        guard run.process != 0 || run.pid != RunState.noPid else { return }
        if let first = firstOfApp.updateValue(slot, forKey: run.process) {
            states[Int(slot)].nextOfApp = first
            states[Int(first)].previousOfApp = slot
        } else {
            names.add(name(of: slot))
        }
    }

    mutating func unlink(_ slot: Int32) {
        let run = states[Int(slot)]
        let key = Key(process: run.process, pid: run.pid, device: run.device)
        if slots[key] == slot { slots[key] = nil }
        renew(slot)
        if sharedPids.contains(run.pid) {
            let others = slots(ofPid: run.pid).filter { $0 != slot }
            slotOfPid[run.pid] = others.first
            if others.count < 2 { sharedPids.remove(run.pid) }
        } else if run.pid != RunState.noPid, slotOfPid[run.pid] == slot {
            slotOfPid[run.pid] = nil
        }
        if run.nextOfApp >= 0 { states[Int(run.nextOfApp)].previousOfApp = run.previousOfApp }
        if run.previousOfApp >= 0 {
            states[Int(run.previousOfApp)].nextOfApp = run.nextOfApp
        } else if firstOfApp[run.process] == slot {
            firstOfApp[run.process] = run.nextOfApp >= 0 ? run.nextOfApp : nil
            if run.nextOfApp < 0 { names.remove(name(of: slot)) }
        }
    }

    /// Makes speakers look their run up again.
    private mutating func renew(_ slot: Int32) {
        generations &+= 1
        states[Int(slot)].generation = generations
    }

    /// The live run of a process with an id on a device. Lines, and runs so far, may name no device.
    func slot(_ process: UInt64, pid: Int32, device: UInt64) -> Int32? {
        if let slot = slots[Key(process: process, pid: pid, device: device)] { return slot }
        if device != 0 { return slots[Key(process: process, pid: pid, device: 0)] }
        return latest(ofPid: pid) { $0.process == process }
    }

    /// The live run that has a process id on a device; of several the one that wrote something last.
    func slot(ofPid pid: Int32, device: UInt64) -> Int32? {
        latest(ofPid: pid) { $0.mayBe(of: device) }
    }

    /// Of the live runs that have a process id, and are meant, the one that wrote something last, by the places of the lines.
    private func latest(ofPid pid: Int32, where isMeant: (RunState) -> Bool) -> Int32? {
        guard sharedPids.contains(pid) else { return slotOfPid[pid].flatMap { isMeant(states[Int($0)]) ? $0 : nil } }
        return slots(ofPid: pid).filter { isMeant(states[Int($0)]) }.max { a, b in
            let (one, other) = (states[Int(a)], states[Int(b)])
            return one.mentioned == other.mentioned ? one.serial < other.serial : one.mentioned < other.mentioned
        }
    }

    private func slots(ofPid pid: Int32) -> [Int32] {
        states.indices.filter { states[$0].serial != 0 && states[$0].pid == pid }.map(Int32.init)
    }

    /// Slots of all runs: those without rows, and those with rows in the order in which they began.
    var live: [Int32] {
        states.indices.filter { states[$0].serial != 0 }.map(Int32.init)
            .sorted { states[Int($0)].id < states[Int($1)].id }
    }

    /// Slots of all runs with rows, in the order in which they began.
    var begun: [Int32] { live.filter { states[Int($0)].id != 0 } }

    /// Whether the log shows an earlier launch of the same app, and what followed it, so that all of this one lies in the
    /// log: process ids are given in ascending order. Lines of two processes may alternate.
    func followsLaunch(_ slot: Int32) -> Bool {
        states[Int(slot)].followsLaunch
            || follows(slot) { $0.followsLaunch || $0.launchSeen != 0 && $0.toldBeyondLaunch }
    }

    /// The same of a run of which no line names a launch callback: an earlier process has been seen in the foreground and in
    /// the background.
    func followsLife(_ slot: Int32) -> Bool {
        follows(slot) { $0.everActive && $0.everBackground }
    }

    /// Whether there is an earlier process of the same app on the device that meets a condition.
    private func follows(_ slot: Int32, where isEnough: (RunState) -> Bool) -> Bool {
        let run = states[Int(slot)]
        var other = run.process == 0 ? -1 : firstOfApp[run.process] ?? -1
        while other >= 0 {
            let earlier = states[Int(other)]
            if earlier.pid < run.pid, earlier.device == run.device, isEnough(earlier) { return true }
            other = earlier.nextOfApp
        }
        return false
    }

    /// When the run that follows was first seen; ``Time/none`` while this one goes on.
    func nextSeen(_ slot: Int32) -> Int64 {
        guard let next = details[Int(slot)].successor else { return Time.none }
        let last = states[Int(slot)].lastSeen
        let isAfter = next.seen != Time.none && (last == Time.none || next.seen >= last)
        return isAfter ? next.seen : next.time
    }
}

/// Slots of a table in the order in which they were added.
///
/// A slot may be re-used, so that each entry names the serial number that it was added for.
struct SlotQueue {
    struct Entry: BitwiseCopyable {
        var slot: Int32
        var serial: Int64
    }

    private(set) var entries: [Entry] = []
    private var head = 0

    init(_ entries: [Entry] = []) { self.entries = entries }

    /// The entries that have not been taken.
    var rest: [Entry] { Array(entries[head...]) }

    var first: Entry? { head < entries.count ? entries[head] : nil }

    mutating func append(_ slot: Int32, serial: Int64) { entries.append(Entry(slot: slot, serial: serial)) }

    /// Drops the entries that mean nothing any more.
    mutating func sift(_ counts: (Entry) -> Bool) {
        entries = entries[head...].filter(counts)
        head = 0
    }

    var count: Int { entries.count - head }

    mutating func popFirst() -> Entry? {
        guard head < entries.count else { return nil }
        defer {
            head += 1
            if head > 1024, head * 2 > entries.count {
                entries.removeFirst(head)
                head = 0
            }
        }
        return entries[head]
    }
}
