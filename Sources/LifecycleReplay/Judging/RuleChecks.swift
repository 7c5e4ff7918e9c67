import LifecycleModel

/// The checks of rules: what each remembers of an instance or a run, and when an event breaks it.
extension Judge {
    /// Looks at an event for every check that it concerns.
    mutating func lookAtChecks(_ event: CallbackEvent, _ deviant: Deviant, _ machine: inout InstanceMachine) {
        let (slot, run, callback) = (Int(event.instance), Int(event.run), Int(event.callback))
        let plan = plan
        let model = Int(machine.states[slot].model)
        let previous = machine.states[slot].previous
        for place in plan.rules.always.places(of: model) {
            lookAtLife(plan.rules.always[place], event, deviant, previous, &machine)
        }
        if plan.rules.hasExchanges[model] { watchExchange(event, deviant, &machine) }
        if previous != CompiledModel.noCallback, !event.isNotification || !event.traits.contains(.endsRun) {
            for place in plan.rules.following.places(of: Int(previous)) {
                let number = plan.rules.following[place]
                let isListed = plan.rules.checks[number].then.contains(event.callback)
                if event.isSupplementary, !isListed { continue }
                if isListed == plan.rules.checks[number].forbidsFollower { violate(number, event, deviant, &machine) }
            }
        }
        for place in plan.rules.borders.places(of: callback) {
            noteBorder(plan.rules.borders[place], event, &machine)
        }
        for place in plan.rules.own.places(of: callback) {
            look(plan.rules.ownGlances[place], event, deviant, at: slot, &machine)
        }
        for place in plan.rules.foreign.places(of: callback) {
            let glance = plan.rules.foreignGlances[place]
            for other in machine.runs.details[run].others
            where machine.states[Int(other)].model == glance.model && isRemembered(other, machine.states[Int(other)].id)
            {
                look(glance, event, deviant, at: Int(other), &machine)
            }
            let app = machine.runs.states[run].app
            if Int(glance.model) == plan.catalog.app, app >= 0, isRemembered(app, machine.states[Int(app)].id) {
                look(glance, event, deviant, at: Int(app), &machine)
            }
        }
    }

    private func isRemembered(_ slot: Int32, _ id: Int64) -> Bool {
        Int(slot) < instances.count && instances[Int(slot)].instance == id
    }

    /// Whether a check applies to a run at this moment.
    func applies(_ number: Int, to run: Int, _ machine: inout InstanceMachine) -> Bool {
        let usesScenes = machine.runs.states[run].usesScenes
        guard usesScenes ? plan.rules.checks[number].holdsWithScenes : plan.rules.checks[number].holdsPlain else {
            return false
        }
        guard plan.rules.rules[plan.rules.checks[number].rule].systems.contains(system(of: run, machine)) else {
            return false
        }
        if plan.rules.checks[number].needsStart, machine.runs.states[run].launchSeen == 0 { return false }
        // Where words tell everything, no callback tells more.
        if !plan.rules.checks[number].seen.isEmpty, !runs[run].seen.intersects(plan.rules.checks[number].seen),
            !runs[run].seen.isEmpty
        {
            return false
        }
        return plan.rules.checks[number].unseen.isEmpty || !runs[run].seen.intersects(plan.rules.checks[number].unseen)
    }

    /// Major version of the system of a run: as its lines or the user say.
    func system(of run: Int, _ machine: InstanceMachine) -> Int? {
        machine.runs.details[run].system ?? plan.settings.system
    }

    /// The first and the last callback of a life.
    private mutating func lookAtLife(
        _ number: Int, _ event: CallbackEvent, _ deviant: Deviant, _ previous: UInt16, _ machine: inout InstanceMachine
    ) {
        let isWhen = plan.rules.checks[number].when.contains(event.callback)
        guard plan.rules.checks[number].template == .initial else {
            lookAtEnd(number, event, deviant, isWhen: isWhen, &machine)
            return
        }
        guard previous == CompiledModel.noCallback, !event.isSupplementary, !isWhen else { return }
        // Where scenes or other words showed the process before its app did, the log did not begin with this line.
        let run = machine.runs.states[Int(event.run)]
        let isShown =
            (run.usesScenes || run.launchIsShown) && Int(plan.rules.checks[number].model) == plan.catalog.app
        if !isShown, !run.hasLost { violate(number, event, deviant, &machine) }
    }

    private mutating func lookAtEnd(
        _ number: Int, _ event: CallbackEvent, _ deviant: Deviant, isWhen: Bool, _ machine: inout InstanceMachine
    ) {
        let slot = Int(event.instance)
        guard plan.rules.checks[number].isOfSession else {
            if !event.isSupplementary, instances[slot].seen.intersects(plan.rules.checks[number].when) {
                violate(number, event, deviant, &machine)
            }
            return
        }
        let label = machine.states[slot].label
        let session = Hashing.mix(machine.runs.states[Int(event.run)].process, label)
        if overSessions.contains(session) {
            violate(number, event, deviant, &machine)
            // Found once: from here on it is there again.
            if !isWhen { overSessions.remove(session) }
        } else if isWhen, label != 0, overSessions.count < Self.sessionsKept {
            overSessions.insert(session)
        }
    }

    /// Looks at an event for one check, with the memory of an instance.
    private mutating func look(
        _ glance: CheckGlance, _ event: CallbackEvent, _ deviant: Deviant, at slot: Int,
        _ machine: inout InstanceMachine
    ) {
        let number = Int(glance.check)
        let cell = cell(slot, glance.cell)
        switch glance.template {
        case .absence, .atMost, .exactly, .precedence, .alternate, .notSuccession, .notCoexistence, .response:
            if lookAtOccurrence(glance, event, slot, cell) { violate(number, event, deviant, &machine) }
        case .chainResponse, .chainPrecedence, .notChainSuccession:
            lookAtPredecessor(glance, event, deviant, slot, &machine)
        case .onlyInState:
            let isKnown = event.before != CompiledModel.unknown && !event.isNotification
            if glance.isWhen, isKnown, !glance.counts(event.before) { violate(number, event, deviant, &machine) }
        case .absenceBetween:
            if glance.isOverRun {
                lookInTime(glance, event, deviant, &machine)
            } else {
                lookBetween(glance, event, deviant, slot, &machine)
            }
        case .existenceBetween:
            if lacksBetween(glance, event, cell) { violate(number, event, deviant, &machine) }
        case .firstOrder:
            lookAtOrder(glance, event, deviant, &machine)
        case .noLongSilenceBefore:
            let silence = machine.runs.states[Int(event.run)].silenceBefore
            if glance.isWhen, silence > plan.rules.checks[number].nanoseconds, glance.counts(event.before) {
                violate(number, event, deviant, seconds: silence, &machine)
            }
        case .notWithin:
            lookWithin(glance, event, slot, &machine)
        case .noInstanceInState:
            if glance.isWhen { lookAtOthers(glance, event, deviant, &machine) }
        case .agreesWithDerived:
            if glance.isWhen { expectAgreement(number, event, &machine) }
        case .initial, .end, .exchange, .exchangeResponse, .existence, .respondedExistence, .silentEnd, .noEvidence,
            .permitted:
            return
        }
    }

    /// Checks of which callbacks have come, and how often.
    ///
    /// - Returns: whether the event breaks the check.
    private mutating func lookAtOccurrence(
        _ glance: CheckGlance, _ event: CallbackEvent, _ slot: Int, _ cell: Int
    ) -> Bool {
        let number = Int(glance.check)
        switch glance.template {
        case .absence: return glance.isWhen
        case .atMost, .exactly:
            guard glance.isWhen else { return false }
            cells[cell].count += 1
            return Int(cells[cell].count) > plan.rules.checks[number].count
        case .precedence: return glance.isWhen && !instances[slot].seen.intersects(plan.rules.checks[number].then)
        case .alternate:
            if glance.isWhen {
                // In another state than the one that it leads to, it is not a repetition: what lies between was not
                // logged, and is reported where it is missing.
                defer { cells[cell].isSet = true }
                return cells[cell].isSet && !isElsewhere(event)
            }
            if glance.isThen { cells[cell].isSet = false }
            return false
        case .notSuccession: return glance.isThen && instances[slot].seen.intersects(plan.rules.checks[number].when)
        case .notCoexistence:
            let seen = instances[slot].seen
            return glance.isWhen && seen.intersects(plan.rules.checks[number].then)
                || glance.isThen && seen.intersects(plan.rules.checks[number].when)
        default:
            if glance.isWhen { cells[cell].isSet = true }
            if glance.isThen { cells[cell].isSet = false }
            return false
        }
    }

    /// Whether a callback met its instance in a known state other than the one that it proves.
    private func isElsewhere(_ event: CallbackEvent) -> Bool {
        let proven = plan.catalog.models[Int(event.model)].proof(of: event.local)
        return proven != CompiledModel.unknown && event.before != CompiledModel.unknown && event.before != proven
    }

    private mutating func lookAtPredecessor(
        _ glance: CheckGlance, _ event: CallbackEvent, _ deviant: Deviant, _ slot: Int, _ machine: inout InstanceMachine
    ) {
        let number = Int(glance.check)
        let among = plan.rules.checks[number].among
        let cell = cell(slot, glance.cell)
        if plan.rules.checks[number].looksBack {
            let previous = among.isEmpty ? machine.states[slot].previous : cells[cell].number
            if glance.isWhen, previous != CompiledModel.noCallback,
                !event.isNotification || !event.traits.contains(.endsRun),
                !plan.rules.checks[number].then.contains(previous)
            {
                violate(number, event, deviant, &machine)
            }
        } else if !among.isEmpty {
            let previous = cells[cell].number
            if previous != CompiledModel.noCallback, plan.rules.checks[number].when.contains(previous),
                glance.isThen == plan.rules.checks[number].forbidsFollower
            {
                violate(number, event, deviant, after: previous, &machine)
            }
        }
        if among.contains(event.callback) { cells[cell].number = event.callback }
    }

    private mutating func lookBetween(
        _ glance: CheckGlance, _ event: CallbackEvent, _ deviant: Deviant, _ slot: Int, _ machine: inout InstanceMachine
    ) {
        let cell = cell(slot, glance.cell)
        if glance.isWhen, slot == Int(event.instance), cells[cell].isSet {
            violate(Int(glance.check), event, deviant, &machine)
        }
        if glance.isUntil { cells[cell].isSet = false }
        if glance.isFrom { cells[cell].isSet = glance.states == 0 || glance.counts(machine.states[slot].state) }
    }

    /// Begins or ends the time of a check for all instances of a run: they find out when something happens to them, since
    /// there may be thousands.
    private mutating func noteBorder(_ number: Int, _ event: CallbackEvent, _ machine: inout InstanceMachine) {
        let cell = runCell(Int(event.run), plan.rules.checks[number].runCell)
        if plan.rules.checks[number].until.contains(event.callback) { runCells[cell].isSet = false }
        // The app stays where it is while another of its scenes is active.
        if plan.rules.checks[number].from.contains(event.callback),
            !hasActiveScene(Int(event.run), besides: event.instance, &machine)
        {
            runCells[cell].isSet = true
            runCells[cell].count += 1
        }
    }

    private func hasActiveScene(_ run: Int, besides scene: Int32, _ machine: inout InstanceMachine) -> Bool {
        guard machine.runs.states[run].usesScenes else { return false }
        for slot in machine.runs.details[run].others where slot != scene {
            let (model, state) = (Int(machine.states[Int(slot)].model), machine.states[Int(slot)].state)
            if plan.catalog.derivesApp[model], state != CompiledModel.unknown,
                plan.catalog.derived[model][Int(state)].state == plan.catalog.active
            {
                return true
            }
        }
        return false
    }

    /// An event in a time that began for the whole run, at an instance that was in one of some states by then.
    private mutating func lookInTime(
        _ glance: CheckGlance, _ event: CallbackEvent, _ deviant: Deviant, _ machine: inout InstanceMachine
    ) {
        let time = runCells[runCell(Int(event.run), plan.rules.checks[Int(glance.check)].runCell)]
        guard time.isSet else { return }
        let slot = Int(event.instance)
        let cell = cell(slot, glance.cell)
        if cells[cell].count != time.count {
            let wasThere = glance.states == 0 || glance.counts(event.before)
            cells[cell].count = time.count
            cells[cell].isSet = wasThere && !instances[slot].seen.isEmpty
        }
        if cells[cell].isSet { violate(Int(glance.check), event, deviant, &machine) }
    }

    private mutating func lacksBetween(_ glance: CheckGlance, _ event: CallbackEvent, _ cell: Int) -> Bool {
        guard !cells[cell].isDone else { return false }
        if glance.isWhen {
            cells[cell].number = event.callback
        } else if glance.isFrom {
            cells[cell].isSet = true
            cells[cell].number = CompiledModel.noCallback
        } else if glance.isUntil, cells[cell].isSet {
            cells[cell].isDone = true
            return cells[cell].number == CompiledModel.noCallback
        }
        return false
    }

    private mutating func lookAtOrder(
        _ glance: CheckGlance, _ event: CallbackEvent, _ deviant: Deviant, _ machine: inout InstanceMachine
    ) {
        let (run, number) = (Int(event.run), Int(glance.check))
        if plan.rules.checks[number].rootOnly, machine.states[Int(event.instance)].model == glance.model {
            let others = machine.runs.details[run].others
            guard event.instance == others.first(where: { machine.states[Int($0)].model == glance.model }),
                machine.states[Int(event.instance)].ordinal == 1, machine.runs.details[run].retired.isEmpty
            else { return }
        }
        let cell = runCell(run, Int(glance.cell))
        let seen = runs[run].seen
        if glance.isThen, !seen.intersects(plan.rules.checks[number].then),
            !seen.intersects(plan.rules.checks[number].when)
        {
            runCells[cell].isSet = true
            runCells[cell].number = event.callback
            runCells[cell].line = event.line
            runCells[cell].time = event.time
        } else if glance.isWhen, !glance.isThen, runCells[cell].isSet, applies(number, to: run, &machine) {
            runCells[cell].isSet = false
            var found = event
            found.callback = runCells[cell].number
            found.line = runCells[cell].line
            found.time = runCells[cell].time
            violate(number, found, deviant, &machine)
        }
    }

    private mutating func lookWithin(
        _ glance: CheckGlance, _ event: CallbackEvent, _ slot: Int, _ machine: inout InstanceMachine
    ) {
        let (number, cell) = (Int(glance.check), cell(slot, glance.cell))
        if glance.isThen {
            let (began, limit) = (cells[cell].time, plan.rules.checks[number].nanoseconds)
            if began != Time.none, event.time != Time.none, event.time >= began, event.time - began <= limit,
                applies(number, to: Int(event.run), &machine),
                let draft = draft(number, event, Deviant(), seconds: event.time - began, &machine)
            {
                wait(draft, check: number, until: event.time + limit, &machine)
            }
            cells[cell].time = Time.none
        }
        if glance.isWhen { cells[cell].time = event.time }
    }

    private mutating func lookAtOthers(
        _ glance: CheckGlance, _ event: CallbackEvent, _ deviant: Deviant, _ machine: inout InstanceMachine
    ) {
        for other in machine.instances(of: event.run)
        where machine.states[Int(other)].model == glance.model && glance.counts(machine.states[Int(other)].state) {
            var found = event
            found.before = machine.states[Int(other)].state
            violate(Int(glance.check), found, deviant, &machine)
            return
        }
    }

    private mutating func expectAgreement(_ number: Int, _ event: CallbackEvent, _ machine: inout InstanceMachine) {
        let slot = machine.runs.states[Int(event.run)].app
        guard let app = plan.catalog.app, slot >= 0, event.time != Time.none, Int(event.model) == app,
            applies(number, to: Int(event.run), &machine)
        else { return }
        let expected = plan.catalog.models[app].proof(of: event.local)
        let state = machine.states[Int(slot)].state
        guard expected != state, state != CompiledModel.unknown,
            let draft = draft(number, event, Deviant(), &machine)
        else { return }
        let deadline = event.time + plan.rules.checks[number].nanoseconds
        wait(draft, check: number, until: deadline, expected: expected, &machine)
    }

    /// Holds the first scene callback of a run against what the app's callbacks must begin with: the log of a process with
    /// scenes may be cut long before the app's next callback.
    mutating func judgeBeginning(_ event: CallbackEvent, _ machine: inout InstanceMachine) {
        let run = machine.runs.states[Int(event.run)]
        guard let app = plan.catalog.app, !run.launchIsShown,
            run.app < 0 || machine.states[Int(run.app)].previous == CompiledModel.noCallback
        else { return }
        for place in plan.rules.always.places(of: Int(machine.states[Int(event.instance)].model)) {
            let number = plan.rules.always[place]
            // A scene may begin with it: perhaps the app only does not log its launch.
            if plan.rules.checks[number].template == .initial, plan.rules.checks[number].when.contains(event.callback) {
                return
            }
        }
        for place in plan.rules.always.places(of: app) {
            let number = plan.rules.always[place]
            if plan.rules.checks[number].template == .initial { violate(number, event, Deviant(), &machine) }
        }
    }
}
