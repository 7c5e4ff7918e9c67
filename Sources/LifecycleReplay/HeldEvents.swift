import TraceRecords

/// Holding events back until what follows shows whether they count.
extension LogReplayer {
    /// A block whose second line comes more lines later than this is none, so that little has to be held.
    private static let longestHold: Int64 = 1_000
    /// A process that writes no callback for so many lines has ended, if a line of its own says so.
    private static let longestDoubt: Int64 = 10_000
    private static let mostDoubts = 8
    /// Origins of lines that a process may print of an end that was not its own: that of its last launch, or of another.
    private static let quotable: Set<String> = ["crash-report", "debugger"]
    /// What a process that goes on may print of itself, and how long after a crash such lines still come.
    private static let signsOfLife: Set<Proof> = [
        .active, .inactive, .activating, .background, .foreground, .running, .appeared,
    ]
    private static let mostDelay: Int64 = Time.second

    /// Replays a fact, unless it is the copy of one, or has to wait for what follows.
    @inline(__always)
    mutating func take(_ fact: FactBatch.Fact, _ facts: FactBatch) {
        if let first = held.facts.first, fact.line - first.line > Self.longestHold { release(before: facts) }
        if case .event(let event) = fact, event.proof?.isDetail != true {
            let verdict = repeated.look(at: copyKey(of: event, facts), Time.plain(event.time))
            if !held.isEmpty { release(isCopy: verdict == .copy, before: facts) }
            switch verdict {
            case .new: pass(fact, facts)
            case .copy: break
            case .undecided: held.append(fact, of: facts)
            }
        } else if held.isEmpty {
            pass(fact, facts)
        } else {
            held.append(fact, of: facts)
        }
    }

    /// Passes on what was held, without the first event if that is a copy.
    mutating func release(isCopy: Bool = false, before facts: FactBatch = FactBatch()) {
        guard !held.isEmpty else { return }
        repeated.settle()
        let waiting = held
        held = FactBatch()
        speakers.load(waiting.speakers, device: context.device)
        isEqualToEarlier = !isCopy
        for fact in waiting.facts.dropFirst(isCopy ? 1 : 0) {
            pass(fact, waiting)
            isEqualToEarlier = false
        }
        speakers.load(facts.speakers, device: context.device)
    }

    // MARK: - Ends that may be of another process

    /// Replays a fact, unless an end before it is in doubt, or it tells of one.
    @inline(__always)
    private mutating func pass(_ fact: FactBatch.Fact, _ facts: FactBatch) {
        if case .event(let claim)? = doubted.facts.first {
            let answer = goesOn(after: fact, facts, claim)
            doubted.append(fact, of: facts)
            if let answer { settleEnds(goesOn: answer, before: facts) }
        } else if let run = claimedEnd(fact, facts) {
            doubtedRun = run
            doubted.append(fact, of: facts)
        } else {
            replay(fact, facts)
        }
    }

    /// Replays what waits behind an end, up to the next one that is in doubt.
    ///
    /// - Parameters:
    ///   - goesOn: whether the process has not ended, whatever the line says.
    ///   - isLast: whether nothing follows that could say so of others.
    mutating func settleEnds(goesOn: Bool, isLast: Bool = false, before facts: FactBatch = FactBatch()) {
        guard !doubted.isEmpty else { return }
        let waiting = doubted
        doubted = FactBatch()
        speakers.load(waiting.speakers, device: context.device)
        refutedRun = goesOn ? doubtedRun : -1
        replay(waiting.facts[0], waiting)
        for place in waiting.facts.indices.dropFirst() {
            let fact = waiting.facts[place]
            if case .event(let claim) = fact, let run = claimedEnd(fact, waiting), run != refutedRun {
                doubtedRun = run
                let rest = waiting.facts[(place + 1)...]
                guard let answer = answer(of: rest, waiting, to: claim) ?? (isLast ? false : nil) else {
                    for fact in waiting.facts[place...] { doubted.append(fact, of: waiting) }
                    break
                }
                refutedRun = answer ? run : -1
            }
            replay(fact, waiting)
        }
        refutedRun = -1
        speakers.load(facts.speakers, device: context.device)
    }

    private func answer(of rest: ArraySlice<FactBatch.Fact>, _ facts: FactBatch, to claim: Event) -> Bool? {
        for fact in rest { if let goesOn = goesOn(after: fact, facts, claim) { return goesOn } }
        // So many ends at a time are none of a usual log.
        let claims = rest.count { if case .event(let event) = $0 { event.proof == claim.proof } else { false } }
        return claims > Self.mostDoubts ? false : nil
    }

    /// The run of which a line reports an end that may be that of another one.
    @inline(__always)
    private mutating func claimedEnd(_ fact: FactBatch.Fact, _ facts: FactBatch) -> Int32? {
        guard case .event(let event) = fact, event.proof == .exitedBySignal, machine.plan.catalog.app != nil,
            facts.text(event.origin).map(Self.quotable.contains) == true
        else { return nil }
        let run = run(of: Int(event.speaker))
        return machine.runs.states[Int(run)].hasEnded ? nil : run
    }

    /// Whether a fact shows that the process goes on whose end a line before it claims; `nil` where it says nothing
    /// of that. Lines of other processes never do.
    private func goesOn(after fact: FactBatch.Fact, _ facts: FactBatch, _ claim: Event) -> Bool? {
        if fact.line - claim.line > Self.longestDoubt { return false }
        let run = machine.runs.states[Int(doubtedRun)]
        guard case .event(let event) = fact else {
            guard case .activity(let interval) = fact else { return nil }
            return isAlive(run, in: interval, after: claim) ? true : nil
        }
        guard event.proof?.isDetail != true, isOf(run, event.speaker) else { return nil }
        if let proof = event.proof {
            let origin = facts.text(event.origin) ?? ""
            if Self.quotable.contains(origin) { return nil }
            guard Self.signsOfLife.contains(proof), !OriginTable.system.contains(origin) else { return false }
        }
        if let callback = event.callback, Int(callback) < machine.plan.catalog.traits.count {
            let traits = machine.plan.catalog.traits[Int(callback)]
            if traits.contains(.endsRun) { return false }
            // A process is launched once.
            if traits.contains(.beginsRun) { return run.pid != RunState.noPid && run.launchSeen == 0 }
        }
        guard let time = event.time, let ended = claim.time else { return true }
        if time - ended <= Self.mostDelay { return nil }
        return run.pid != RunState.noPid || time - ended <= InstanceMachine.reportDelay
    }

    /// Whether lines of the same process id come soon after an end that a line claims: what has ended writes nothing.
    private func isAlive(_ run: RunState, in interval: ActivityInterval, after claim: Event) -> Bool {
        guard run.pid != RunState.noPid, speakers.resolved[Int(interval.speaker)].pid != RunState.noPid,
            isOf(run, interval.speaker), let from = interval.from, let until = interval.until, let ended = claim.time
        else { return false }
        return until - ended > Self.mostDelay && from - ended <= InstanceMachine.reportDelay
    }

    /// Whether a speaker may be the process of a run: that with its id, or else its name, on its device.
    private func isOf(_ run: RunState, _ speaker: UInt32) -> Bool {
        let speaker = speakers.resolved[Int(speaker)]
        guard run.mayBe(of: speaker.device) else { return false }
        if speaker.pid != RunState.noPid, run.pid != RunState.noPid { return speaker.pid == run.pid }
        return speaker.process == run.process || speaker.process == 0 || run.process == 0
    }

    // MARK: - Copies

    private func copyKey(of event: Event, _ facts: FactBatch) -> UInt64 {
        var key = Hashing.mix(speakers.resolved[Int(event.speaker)].identity, UInt64(bitPattern: event.time ?? 0))
        if let callback = event.callback {
            key = Hashing.mix(key, UInt64(callback) << 17 | UInt64(event.textHash) << 1 | (event.isReturn ? 1 : 0))
        } else {
            key = Hashing.mix(key, UInt64(InstanceMachine.subject(of: event.proof ?? .unknown)) << 17 | 1 << 40)
            key = Hashing.mix(key, Hashing.of(facts.text(event.origin)) ^ UInt64(event.textHash))
        }
        return key
    }
}

/// The last few thousand timed events, to recognise a block of lines that was written or pasted twice.
///
/// A copy carries the time of its original. Within one tick of the clock order decides, and a line alone proves nothing: a
/// block steps back in time to an equal line, and its second line is what followed there. Of equal lines there, each may
/// be where the block began.
struct RepeatedLines {
    /// How far back a copy is recognised, in events of the log.
    static let reach = 4096

    enum Verdict {
        case new, copy
        /// It is equal to an earlier line; the next event shows whether it begins a repeated block.
        case undecided
    }

    /// Half of the hashes of the events, the latest last: two in a row are compared.
    var keys: [UInt32] = []
    /// Time of the event before, copy or not; and the latest of all.
    var last = Time.none
    var latest = Time.none
    /// How many events ago the original of the event before came, for each place that the present block may repeat; empty
    /// while no block is repeated.
    var originals: [Int] = []
    /// Hash of the event before while it is undecided; 0 else.
    var undecided: UInt32 = 0

    /// Looks at an event, and keeps it in mind unless it is a copy. An undecided event before it is a copy if this one is,
    /// else it is new.
    @inline(__always)
    mutating func look(at hash: UInt64, _ time: Int64) -> Verdict {
        let key = UInt32(truncatingIfNeeded: hash) | 1
        guard time != Time.none else {
            settle()
            return .new
        }
        defer { last = time }
        if !originals.isEmpty || time < last {
            let verdict = compare(key, time)
            if verdict != .new { return verdict }
        }
        keep(key, time)
        return .new
    }

    private mutating func compare(_ key: UInt32, _ time: Int64) -> Verdict {
        // Copies are not kept, so the original of the next line is one event nearer.
        originals = originals.compactMap { $0 > 1 && keys[keys.count - $0 + 1] == key ? $0 - 1 : nil }
        if !originals.isEmpty {
            undecided = 0
            return .copy
        }
        settle()
        guard time < last, time < latest else { return .new }
        originals = (1..<min(keys.count, Self.reach) + 1).filter { keys[keys.count - $0] == key }
        guard !originals.isEmpty else { return .new }
        undecided = key
        return .undecided
    }

    /// No block follows an undecided event: it is new.
    mutating func settle() {
        guard undecided != 0 else { return }
        keep(undecided, last)
        undecided = 0
        originals = []
    }

    @inline(__always)
    private mutating func keep(_ key: UInt32, _ time: Int64) {
        if time > latest { latest = time }
        keys.append(key)
        if keys.count == 2 * Self.reach { keys.removeFirst(Self.reach) }
    }
}
