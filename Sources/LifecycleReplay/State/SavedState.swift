package import TraceRecords

/// Saving a replay at the end of what is read of a log, and going on from there.
extension LogReplayer {
    /// Everything that the rest of the log needs of what was replayed so far.
    ///
    /// Take it after ``takeBatch()``: rows that wait to be taken are not in it.
    package func savedState() -> [UInt8] {
        var replayer = self
        var writer = StateWriter()
        // A writer does not fail.
        try? replayer.code(&writer)
        return StateSeal.seal(ZeroPacking.packed(writer.bytes), StateSeal.form(machine.plan))
    }

    /// Whether a replay under this plan can go on from a state.
    package static func isWhole(_ state: [UInt8], _ plan: ReplayPlan) -> Bool {
        (try? StateSeal.check(state, StateSeal.form(plan))) != nil
    }

    /// A replay that goes on where one of the same log was saved, under the same plan and options.
    ///
    /// Its first batch has everything again that may have been changed since by ``finish()``: the runs and instances that
    /// are open, and the steps that are not decided.
    ///
    /// - Throws: ``SavedStateError`` for the state of another version, or damaged bytes: derive the log again from its
    ///   facts.
    package init(
        plan: ReplayPlan, options: ReplayOptions, blocks: BlockSequence, resuming state: [UInt8]
    ) throws(SavedStateError) {
        self.init(plan: plan, options: options, blocks: blocks)
        try StateSeal.check(state, StateSeal.form(plan))
        var reader = StateReader(try ZeroPacking.unpacked(state[StateSeal.size...]))
        try code(&reader)
        guard reader.isAtEnd else { throw .damaged }
        for slot in machine.runs.states.indices { machine.runs.states[slot].dirty = true }
        for visit in machine.undecided.sorted(by: { $0.key < $1.key }) {
            machine.rows.batch.revisedSteps += visit.value.steps.map(\.step)
        }
    }

    private mutating func code<Coder: StateCoder>(_ coder: inout Coder) throws(SavedStateError) {
        try machine.code(&coder)
        try judge.code(&coder)
        try scenarios.code(&coder)
        try suspension.code(&coder)
        try repeated.code(&coder)
        try held.code(&coder)
        try doubted.code(&coder)
        try coder.value(&doubtedRun)
        // The source that was replayed last, which a resumed replay may go on with.
        try coder.value(&context.id)
        try coder.text(&context.device)
        try coder.text(&context.appVersion)
        try coder.text(&context.systemVersion)
    }
}

extension InstanceMachine {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder) throws(SavedStateError) {
        try runs.code(&coder)
        try coder.list(&states)
        try coder.each(&labels, empty: "") { coder, label throws(SavedStateError) in try coder.string(&label) }
        try coder.list(&free)
        try coder.value(&sourceCount)
        try coder.value(&firstTime)
        try coder.value(&latest)
        var names = rows.origins.names
        try coder.each(&names, empty: "") { coder, name throws(SavedStateError) in try coder.string(&name) }
        rows.origins = OriginTable(names: names)
        // Kinds are handed over again, so that steps refer to them by their keys.
        var kinds = states.map { $0.lastCallbackKind < 0 ? 0 : key(of: $0.lastCallbackKind) }
        try coder.list(&kinds)
        for place in states.indices where states[place].lastCallbackKind >= 0 {
            states[place].lastCallbackKind = rows.number(of: KindKey(packed: kinds[place]))
        }
        try coder.table(&undecided, empty: UndecidedVisit(time: Time.none)) { coder, visit throws(SavedStateError) in
            try visit.code(&coder, kinds: rows.kinds.known)
        }
        for slot in undecided.keys.sorted() {
            for place in undecided[slot]?.steps.indices ?? 0..<0 {
                guard let one = undecided[slot]?.steps[place] else { continue }
                undecided[slot]?.steps[place].step.kind = rows.number(of: one.key)
                undecided[slot]?.steps[place].step.previousCallback =
                    one.previous == 0 ? -1 : rows.number(of: KindKey(packed: one.previous))
            }
        }
    }

    private func key(of kind: Int32) -> UInt64 {
        Int(kind) < rows.kinds.known.count ? rows.kinds.known[Int(kind)] : 0
    }
}

extension UndecidedVisit {
    /// A step without its kinds, which are numbered anew.
    struct FlatStep: BitwiseCopyable {
        var id: Int64 = 0
        var instance: Int64 = 0
        var line: Int64 = 0
        var time = Time.none
        var dwell = Time.none
        var opener: Int64 = 0
        var key: UInt64 = 0
        /// Key of the callback before; 0 for none.
        var previous: UInt64 = 0
    }

    /// - Parameter kinds: the keys of the kinds by number.
    mutating func code<Coder: StateCoder>(_ coder: inout Coder, kinds: [UInt64]) throws(SavedStateError) {
        try coder.value(&time)
        try coder.value(&isLaunch)
        try coder.value(&wokenInBackground)
        var flat = steps.map { step, key, _ in
            let previous = Int(step.previousCallback)
            return FlatStep(
                id: step.id, instance: step.instance, line: step.line, time: Time.plain(step.time),
                dwell: Time.plain(step.dwell), opener: step.opener ?? 0, key: key.packed,
                previous: kinds.indices.contains(previous) ? kinds[previous] : 0)
        }
        try coder.list(&flat)
        steps = flat.map { one in
            let step = Step(
                id: one.id, instance: one.instance, line: one.line, time: Time.optional(one.time), kind: 0,
                dwell: Time.optional(one.dwell), opener: one.opener == 0 ? nil : one.opener)
            return (step, KindKey(packed: one.key), one.previous)
        }
    }
}

extension RunTable {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder) throws(SavedStateError) {
        try coder.list(&states)
        try coder.each(&details, empty: RunDetails()) { coder, one throws(SavedStateError) in try one.code(&coder) }
        try coder.list(&free)
        try coder.value(&serials)
        try coder.value(&generations)
        try coder.table(&slots)
        try coder.table(&slotOfPid)
        try coder.set(&sharedPids)
        try coder.table(&firstOfApp)
        try coder.table(&names.processes, empty: ProcessName(nil)) { coder, name throws(SavedStateError) in
            try coder.value(&name.hash)
            try coder.text(&name.text)
        }
        try coder.table(&names.spellings, empty: []) { coder, list throws(SavedStateError) in try coder.list(&list) }
        try coder.value(&lastSpoken)
        try coder.queue(&ended)
        try coder.queue(&open)
        try coder.queue(&prospects)
        try coder.value(&begunRuns)
        try coder.value(&untimedRuns)
        try coder.list(&beginnings)
        try coder.value(&openCount)
        try coder.value(&prospectCount)
    }
}

extension RunDetails {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder) throws(SavedStateError) {
        try coder.text(&process)
        try coder.text(&device)
        try coder.text(&bundle)
        try coder.text(&reportedVersion)
        try coder.text(&systemVersion)
        try coder.text(&appVersion)
        try coder.text(&endDetail)
        try coder.text(&launchCause)
        try coder.list(&others)
        try coder.table(&slotsOfLabels)
        try coder.table(&labels)
        var following = successor.map { [$0] } ?? []
        try coder.list(&following)
        successor = following.first
        try coder.list(&retired)
    }
}

extension Judge {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder) throws(SavedStateError) {
        try coder.list(&instances)
        try coder.list(&cells)
        try coder.list(&runs)
        try coder.list(&runCells)
        try coder.list(&rulesFound)
        try coder.table(&exchanges, empty: ExchangeWindow()) { coder, window throws(SavedStateError) in
            try coder.list(&window.entries)
            try coder.list(&window.awaited)
        }
        try coder.set(&overSessions)
        try coder.table(&waiting, empty: []) { coder, list throws(SavedStateError) in
            try coder.each(&list, empty: Waiting(check: 0, finding: Finding.empty, deadline: 0)) {
                coder, one throws(SavedStateError) in
                try coder.value(&one.check)
                try coder.value(&one.deadline)
                try coder.value(&one.expected)
                try one.finding.code(&coder)
            }
        }
        try coder.table(&suspects, empty: []) { coder, list throws(SavedStateError) in
            try coder.each(&list, empty: Suspect(run: 0, finding: Finding.empty, missing: CallbackSet())) {
                coder, one throws(SavedStateError) in
                try coder.value(&one.run)
                try coder.value(&one.missing)
                try one.finding.code(&coder)
            }
        }
        try unlogged.code(&coder)
        try coder.lists(&limits.timers)
        try coder.list(&limits.runMarks)
        try coder.list(&limits.instanceMarks)
    }
}

extension UnloggedCallbacks {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder) throws(SavedStateError) {
        try coder.table(&numbers)
        try coder.list(&logged)
        try coder.each(&held, empty: []) { coder, list throws(SavedStateError) in
            try coder.each(&list, empty: Held(finding: Finding.empty, missing: CallbackSet())) {
                coder, one throws(SavedStateError) in
                try coder.value(&one.missing)
                try coder.value(&one.worded)
                try coder.text(&one.app)
                try one.finding.code(&coder)
            }
        }
    }
}

extension Finding {
    /// One to be filled in.
    static var empty: Finding {
        Finding(
            run: 0, instance: nil, layer: "", rule: "", deviation: .ruleViolation, severity: .info, time: nil,
            message: "", source: 0, line: 0, step: nil)
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) throws(SavedStateError) {
        var numbers = [
            run, instance ?? 0, Time.plain(time), Int64(source), line, step ?? 0, Time.plain(limit), Time.plain(taken),
        ]
        try coder.list(&numbers)
        guard numbers.count == 8 else { throw .damaged }
        (run, instance, time) = (numbers[0], numbers[1] == 0 ? nil : numbers[1], Time.optional(numbers[2]))
        (source, line) = (Int32(truncatingIfNeeded: numbers[3]), numbers[4])
        step = numbers[5] == 0 ? nil : numbers[5]
        (limit, taken) = (Time.optional(numbers[6]), Time.optional(numbers[7]))
        var (kind, weight) = (deviation.rawValue, severity.rawValue)
        try coder.string(&layer)
        try coder.string(&rule)
        try coder.string(&kind)
        try coder.string(&weight)
        try coder.string(&message)
        try coder.text(&repair)
        guard let known = Deviation(rawValue: kind), let knownWeight = Severity(rawValue: weight) else {
            throw .damaged
        }
        (deviation, severity) = (known, knownWeight)
    }
}

extension ScenarioMatcher {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder) throws(SavedStateError) {
        try coder.list(&memories)
        try coder.lists(&threads)
        try coder.lists(&candidates)
    }
}

extension SuspensionEstimate {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder) throws(SavedStateError) {
        try coder.table(&silences, empty: []) { coder, list throws(SavedStateError) in try coder.list(&list) }
    }
}

extension RepeatedLines {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder) throws(SavedStateError) {
        keys.removeFirst(max(0, keys.count - Self.reach))
        try coder.list(&keys)
        try coder.value(&last)
        try coder.value(&latest)
        try coder.list(&originals)
        try coder.value(&undecided)
    }
}

extension FactBatch {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder) throws(SavedStateError) {
        try coder.list(&facts)
        try coder.each(&speakers, empty: Speaker()) { coder, one throws(SavedStateError) in
            try coder.text(&one.process)
            try coder.value(&one.namesBundle)
            try coder.value(&one.pid)
            try coder.text(&one.device)
            try coder.text(&one.label)
        }
        try coder.each(&texts, empty: "") { coder, text throws(SavedStateError) in try coder.string(&text) }
    }
}
