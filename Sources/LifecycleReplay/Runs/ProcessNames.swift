import TraceRecords

/// The name of a process, compared by its hash.
struct ProcessName: Hashable {
    /// 0 where there is none.
    var hash: UInt64
    var text: String?

    /// Equal for all spellings that differ in case, blanks or dashes only.
    var folded: UInt64 { Hashing.of(text.map(RunRecord.foldedName)) }
}

extension ProcessName {
    init(_ text: String?) { self.init(hash: Hashing.of(text), text: text) }
}

/// The names that processes and their bundles have.
///
/// A name is known as long as a run of it is at hand, so the names take no memory of their own. Only what a bundle was
/// found to belong to by pid is kept beyond its runs, of so many bundles.
struct ProcessNames {
    /// How many bundle identifiers are kept whose process was found by pid.
    private static let bundlesKept = 8192

    /// Process that a bundle identifier was found to belong to, by pid.
    var processes: [UInt64: ProcessName] = [:]
    /// Names of the live runs, by their spelling.
    var spellings: [UInt64: [UInt64]] = [:]

    /// The name that was folded last.
    private var recent: (name: UInt64, fold: UInt64) = (0, 0)

    /// What stands for all spellings of a name; the runs of an app ask for the same one again and again.
    mutating func fold(_ name: ProcessName) -> UInt64 {
        if recent.name != name.hash || name.hash == 0 { recent = (name.hash, name.folded) }
        return recent.fold
    }

    func process(ofBundle bundle: UInt64) -> ProcessName? { processes[bundle] }

    /// Notes that a bundle identifier was found to belong to a process.
    mutating func note(_ process: ProcessName, ofBundle bundle: UInt64) {
        guard processes[bundle] != nil || processes.count < Self.bundlesKept else { return }
        processes[bundle] = process
    }

    mutating func add(_ name: ProcessName) {
        if name.hash != 0 { spellings[fold(name), default: []].append(name.hash) }
    }

    mutating func remove(_ name: ProcessName) {
        let fold = name.folded
        spellings[fold]?.removeAll { $0 == name.hash }
        if spellings[fold]?.isEmpty == true { spellings[fold] = nil }
    }
}

/// Which run a line belongs to.
extension RunTable {
    /// The run of a speaker that is open or can be revived, if there is one.
    mutating func find(_ speaker: inout SpeakerTable.Resolved, _ printed: Speaker) -> Int32? {
        let found =
            speaker.namesBundle
            ? findByBundle(speaker, printed)
            : speaker.process == 0
                ? findUnnamed(pid: speaker.pid, device: speaker.device) : findByName(speaker, printed)
        if let found { remember(found, in: &speaker) }
        return found
    }

    /// Notes where a speaker's lines belong.
    @inline(__always)
    func remember(_ slot: Int32, in speaker: inout SpeakerTable.Resolved) {
        speaker.run = slot
        speaker.generation = states[Int(slot)].generation
    }

    private mutating func findByBundle(_ speaker: SpeakerTable.Resolved, _ printed: Speaker) -> Int32? {
        let hasPid = speaker.pid != RunState.noPid
        if hasPid, let slot = slot(ofPid: speaker.pid, device: speaker.device) {
            let run = states[Int(slot)]
            // A run keeps one identifier: a second one, of whatever has the pid now, says nothing.
            if run.process != 0, !run.namedByBundle, run.bundle == 0 || run.bundle == speaker.process {
                names.note(name(of: slot), ofBundle: speaker.process)
            }
            return slot
        }
        let name = process(ofBundle: speaker, printed)
        guard hasPid else { return lastToWrite(ofApp: name.hash, device: speaker.device) }
        if let slot = slot(name.hash, pid: speaker.pid, device: speaker.device) { return slot }
        // Some formats leave out the process ids, which the system's own lines have nevertheless.
        guard let slot = lastToWrite(ofApp: name.hash, device: speaker.device), states[Int(slot)].pid == RunState.noPid,
            !states[Int(slot)].hasEnded
        else { return nil }
        adopt(slot, name, pid: speaker.pid)
        return slot
    }

    private mutating func findUnnamed(pid: Int32, device: UInt64) -> Int32? {
        let last = lastSpoken
        guard pid != RunState.noPid else { return last >= 0 ? last : nil }
        if let slot = slot(ofPid: pid, device: device) { return slot }
        // A crash report may give the end before the pid, and never name the process.
        guard last >= 0, states[Int(last)].pid == RunState.noPid, states[Int(last)].process == 0 else { return nil }
        adopt(last, ProcessName(nil), pid: pid)
        return last
    }

    private mutating func findByName(_ speaker: SpeakerTable.Resolved, _ printed: Speaker) -> Int32? {
        let (pid, device) = (speaker.pid, speaker.device)
        let own = slot(speaker.process, pid: pid, device: device)
        if pid == RunState.noPid {
            if let slot = own ?? lastToWrite(ofApp: speaker.process, device: device) {
                // It has said itself what it is called, unless its process id still says it better.
                if states[Int(slot)].pid == pid { states[Int(slot)].namedByBundle = false }
                return slot
            }
            renameBundled(to: ProcessName(hash: speaker.process, text: printed.process))
            return lastToWrite(ofApp: speaker.process, device: device)
        }
        if let slot = own {
            // The process has said itself what it is called.
            states[Int(slot)].namedByBundle = false
            return slot
        }
        let name = ProcessName(hash: speaker.process, text: printed.process)
        // Evidence may have named the process by its bundle before it wrote a line itself; a line without a process may
        // have begun the run.
        if let slot = slot(ofPid: pid, device: device),
            states[Int(slot)].namedByBundle || states[Int(slot)].process == 0
        {
            rename(slot, to: name)
            // What followed the run under the name of its bundle was of another process.
            revive(slot)
            return slot
        }
        renameBundled(to: name, withoutPid: true)
        // Lines that do not name their process, or its pid, belong to the one that is named next; and so does what the
        // system has said of an app that has written nothing yet.
        let isNext = lastSpoken >= 0 && [0, speaker.process].contains(states[Int(lastSpoken)].process)
        guard let slot = isNext ? lastSpoken : lastToWrite(ofApp: speaker.process, device: device),
            states[Int(slot)].pid == RunState.noPid, isNext || !states[Int(slot)].begun && !states[Int(slot)].hasEnded
        else { return nil }
        adopt(slot, name, pid: pid)
        states[Int(slot)].namedByBundle = false
        return slot
    }

    /// The run of an app that began or wrote something last: lines about the app that name no process id belong to it.
    /// Stretches of activity come when they are over, so what counts is the place of the line, not when it comes.
    private func lastToWrite(ofApp process: UInt64, device: UInt64) -> Int32? {
        var latest: Int32?
        var other = firstOfApp[process] ?? -1
        while other >= 0 {
            let run = states[Int(other)]
            if run.mayBe(of: device), latest.map({ states[Int($0)].mentioned < run.mentioned }) ?? true {
                latest = other
            }
            other = run.nextOfApp
        }
        return latest
    }

    func name(of slot: Int32) -> ProcessName {
        ProcessName(hash: states[Int(slot)].process, text: details[Int(slot)].process)
    }

    private mutating func rename(_ slot: Int32, to name: ProcessName, namedByBundle: Bool = false) {
        give(slot, name, pid: states[Int(slot)].pid)
        states[Int(slot)].namedByBundle = namedByBundle
        if states[Int(slot)].bundle != 0 { names.note(name, ofBundle: states[Int(slot)].bundle) }
    }

    /// Notes the device of a run whose first lines do not name it.
    mutating func settle(_ slot: Int32, device: UInt64) {
        guard device != 0 else { return }
        unlink(slot)
        states[Int(slot)].device = device
        link(slot)
    }

    private mutating func adopt(_ slot: Int32, _ name: ProcessName, pid: Int32) { give(slot, name, pid: pid) }

    private mutating func give(_ slot: Int32, _ name: ProcessName, pid: Int32) {
        unlink(slot)
        states[Int(slot)].process = name.hash
        details[Int(slot)].process = name.text
        states[Int(slot)].pid = pid
        states[Int(slot)].dirty = true
        link(slot)
    }

    /// The process that a bundle identifier stands for: the one found by pid, else its last component.
    mutating func process(ofBundle speaker: SpeakerTable.Resolved, _ printed: Speaker) -> ProcessName {
        if let known = names.process(ofBundle: speaker.process) { return known }
        let name = ProcessName(printed.process.map { RunRecord.process(ofBundle: $0) })
        let byActivity = speaker.pid == RunState.noPid
        if isKnown(name.hash, byActivity: byActivity) { return name }
        // Mostly it is lower case and has no blanks. Two processes that differ in nothing else are two: a bundle
        // identifier then belongs to neither.
        let alike = (names.spellings[name.folded] ?? []).filter { isKnown($0, byActivity: byActivity) }
        guard alike.count == 1, let first = firstOfApp[alike[0]] else { return name }
        return self.name(of: first)
    }

    /// Notes that an event of a run has come, and the bundle that it names. If more than a bundle has given the run's name
    /// by now, others may be called after it.
    mutating func spell(_ slot: Int32, _ speaker: SpeakerTable.Resolved, _ printed: Speaker) {
        if speaker.namesBundle, states[Int(slot)].bundle == 0 {
            states[Int(slot)].bundle = speaker.process
            details[Int(slot)].bundle = printed.process
        }
        let run = states[Int(slot)]
        guard !run.isSpelled, run.process != 0, !run.namedByBundle else { return }
        renameBundled(to: name(of: slot))
        states[Int(slot)].isSpelled = true
    }

    /// A process is named for the first time: runs that only a bundle identifier has named so far may be its own.
    ///
    /// - Parameter withoutPid: whether only runs without a pid are meant.
    private mutating func renameBundled(to name: ProcessName, withoutPid: Bool = false) {
        guard let alike = names.spellings[names.fold(name)], alike.count > 1 || alike.first != name.hash else { return }
        let others = alike.filter { $0 != name.hash }
        guard !others.isEmpty, !others.contains(where: { isKnown($0, byActivity: false) }) else { return }
        for other in others {
            var slot = firstOfApp[other] ?? -1
            while slot >= 0 {
                let following = states[Int(slot)].nextOfApp
                let hasPid = states[Int(slot)].pid != RunState.noPid
                // Activity may have named some of these runs: they stay what their own lines call them.
                if states[Int(slot)].namedByBundle, !hasPid || !withoutPid {
                    // A line with its pid still says it better, whichever of the two comes first.
                    rename(slot, to: name, namedByBundle: hasPid)
                    states[Int(slot)].isSpelled = true
                }
                slot = following
            }
        }
    }

    /// Whether the name of a process is known from an event (``RunState/isSpelled``) or, if these count, from other lines
    /// that it wrote.
    private func isKnown(_ process: UInt64, byActivity: Bool) -> Bool {
        var slot = firstOfApp[process] ?? -1
        while slot >= 0 {
            if states[Int(slot)].isSpelled || byActivity && !states[Int(slot)].namedByBundle { return true }
            slot = states[Int(slot)].nextOfApp
        }
        return false
    }
}

/// The speakers of the present batch, resolved once: a fact then needs no hashing.
///
/// Texts are compared by their hashes, which do not depend on the batch, so that runs and instances need no table of
/// symbols and no text is kept longer than what bears it.
struct SpeakerTable {
    /// A speaker by hashes, and where its last line led.
    struct Resolved {
        /// Hash of the process or bundle as printed, of the device, and of the label without regard to case; 0 where the
        /// line names none.
        var process: UInt64
        var device: UInt64
        var label: UInt64
        /// ``RunState/noPid`` when unknown.
        var pid: Int32
        var namesBundle: Bool
        /// Stands for the whole speaker where copies of lines are looked for.
        var identity: UInt64

        /// Slot of its run, which holds as long as the run has this generation; -1 when there is none.
        var run: Int32 = -1
        var generation: UInt32 = 0

        /// Whether its run follows from process and pid alone, whatever came between.
        var namesRun: Bool { process != 0 && pid != RunState.noPid && !namesBundle }
    }

    private(set) var printed: [Speaker] = []
    var resolved: [Resolved] = []
    /// Device of the source where the user gives one.
    private var device: String?

    /// Takes the speakers of another batch.
    mutating func load(_ speakers: [Speaker], device: String?) {
        printed = speakers
        self.device = device
        resolved.removeAll(keepingCapacity: true)
        for speaker in speakers {
            var identity = Hashing.mix(Hashing.start, speaker.process)
            identity = Hashing.mix(identity, UInt64(truncatingIfNeeded: speaker.pid ?? RunState.noPid))
            identity = Hashing.mix(Hashing.mix(identity, speaker.device), speaker.label)
            resolved.append(
                Resolved(
                    process: Hashing.of(speaker.process), device: Hashing.of(device ?? speaker.device),
                    label: Hashing.of(speaker.label?.lowercased()), pid: speaker.pid ?? RunState.noPid,
                    namesBundle: speaker.namesBundle, identity: identity))
        }
    }

    func label(_ speaker: Int) -> String { printed[speaker].label ?? "" }
    func device(_ speaker: Int) -> String? { device ?? printed[speaker].device }
}
