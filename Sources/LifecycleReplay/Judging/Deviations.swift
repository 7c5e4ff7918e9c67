import LifecycleModel
import TraceRecords

/// What is wrong with a step that the model does not document, and what would set it right.
struct Deviant {
    /// `nil` for a step that is documented.
    var deviation: Deviation?
    var repair: FindingDraft.Repair?
    /// The callbacks that are missing before it; without one of them being logged anywhere nothing is wrong.
    var missing = CallbackSet()
}

/// What the callbacks that are missing before one depend on.
struct RepairQuestion: Hashable {
    var model: UInt8
    var state: UInt8
    var callback: UInt16
    var previous: UInt16
}

extension Judge {
    // MARK: What is wrong with a step

    /// What is wrong with a callback that the model does not document in the state that it met.
    mutating func deviant(_ event: CallbackEvent, _ machine: inout InstanceMachine) -> Deviant {
        if event.traits.contains(.isUnknown) { return Deviant(deviation: .unknownCallback, repair: .withoutLine) }
        let isRepeated = machine.states[Int(event.instance)].previous == event.callback
        let missing = missingCallbacks(before: event.local, in: event.met, of: event.instance, &machine)
        let set = numbers(of: missing ?? [], model: event.model)
        if isRepeated, event.met == event.after {
            return Deviant(deviation: .duplicate, repair: .withoutLine, missing: set)
        }
        if event.isTie { return Deviant(deviation: .reorderedTie, repair: .beforeLineBefore) }
        guard let missing else {
            return Deviant(deviation: isRepeated ? .duplicate : .illegalTransition, repair: .withoutLine)
        }
        // One callback that was not logged explains more than a line that should not be there; several do not.
        if event.met == event.after, missing.count > 1 {
            return Deviant(deviation: .illegalTransition, repair: .withoutLine, missing: set)
        }
        return Deviant(
            deviation: missing.count > 1 ? .illegalTransition : .missingCallback, repair: .with(missing), missing: set)
    }

    /// Whether the callback that is missing before one was missing before the one before already, which changed no state:
    /// that is reported once.
    mutating func isMissedAgain(_ event: CallbackEvent, _ deviant: Deviant) -> Bool {
        let slot = Int(event.instance)
        let missed = instances[slot].missed
        let isMissing = deviant.deviation == .missingCallback
        let present = isMissing ? Hashing.of(deviant.repair?.text) : 0
        instances[slot].missed = isMissing && event.met == event.after ? present : 0
        return isMissing && missed != 0 && missed == present
    }

    /// What is wrong with a callback that is documented in its state, but not next to the callbacks around it.
    private mutating func deviant(
        _ number: Int, _ event: CallbackEvent, _ machine: inout InstanceMachine
    ) -> Deviant {
        let then = plan.rules.checks[number].then
        switch plan.rules.checks[number].template {
        case .atMost: return Deviant(deviation: .duplicate, repair: .withoutLine)
        case .alternate: return Deviant(deviation: .duplicate, repair: .withoutLine, missing: then)
        case .precedence:
            return Deviant(deviation: .missingCallback, missing: then)
        case .existenceBetween:
            return Deviant(deviation: .missingCallback, missing: plan.rules.checks[number].when)
        case .chainResponse, .chainPrecedence, .initial:
            return neighbour(number, event, &machine)
        default: return Deviant(deviation: .ruleViolation)
        }
    }

    /// What is missing between a callback and the one before it.
    private mutating func neighbour(
        _ number: Int, _ event: CallbackEvent, _ machine: inout InstanceMachine
    ) -> Deviant {
        let isInitial = plan.rules.checks[number].template == .initial
        let needsStart = plan.rules.checks[number].needsStart
        let isResponse = plan.rules.checks[number].template == .chainResponse
        let awaited = isResponse ? plan.rules.checks[number].then : CallbackSet()
        let rest = Deviant(
            deviation: isInitial ? (needsStart ? .missingCallback : .truncation) : .ruleViolation,
            missing: isInitial && needsStart ? plan.rules.checks[number].when : awaited)
        if machine.states[Int(event.instance)].previous == event.callback {
            // The process has been launched: no launch is missing between the two.
            let between = plan.rules.checks[number].then.numbers.filter {
                !plan.catalog.traits[Int($0)].contains(.beginsRun)
            }
            return Deviant(deviation: .duplicate, repair: .withoutLine, missing: CallbackSet(between))
        }
        if isInitial, !needsStart { return rest }
        let model = plan.catalog.models[Int(machine.states[Int(event.instance)].model)]
        guard event.model == model.number else { return rest }
        // Where no state changes, the rule itself names what is missing.
        if model.proof(of: event.local) == CompiledModel.unknown, let only = plan.rules.checks[number].then.only {
            return Deviant(
                deviation: .missingCallback, repair: .with([plan.rules.name(only)]), missing: CallbackSet([only]))
        }
        guard let missing = missingCallbacks(before: event.local, in: event.before, of: event.instance, &machine),
            missing.count == 1
        else { return rest }
        return Deviant(
            deviation: .missingCallback, repair: .with(missing), missing: numbers(of: missing, model: event.model))
    }

    /// The callbacks that are missing before one; the same question comes in every line of a log that deviates throughout.
    private mutating func missingCallbacks(
        before callback: UInt16, in state: UInt8, of slot: Int32, _ machine: inout InstanceMachine
    ) -> [String]? {
        let model = plan.catalog.models[Int(machine.states[Int(slot)].model)]
        let question = RepairQuestion(
            model: model.number, state: state, callback: callback,
            previous: predecessor(of: machine.states[Int(slot)], in: state, &machine))
        if let known = repairs[question] { return known }
        let missing = model.missingCallbacks(before: callback, in: state, after: question.previous)
        repairs[question] = .some(missing)
        return missing
    }

    /// The callback before, where it is the one that led to a state.
    private func predecessor(of instance: InstanceState, in state: UInt8, _ machine: inout InstanceMachine) -> UInt16 {
        let model = plan.catalog.models[Int(instance.model)]
        if instance.previous == CompiledModel.noCallback {
            return machine.runs.states[Int(instance.run)].launchSeen != 0 ? model.beginning : CompiledModel.noCallback
        }
        guard Int(instance.previous) < plan.catalog.places.count else { return CompiledModel.noCallback }
        let place = plan.catalog.places[Int(instance.previous)]
        guard place.model == model.number else { return CompiledModel.noCallback }
        let proven = model.proof(of: place.callback)
        return proven == CompiledModel.unknown || proven == state ? place.callback : CompiledModel.noCallback
    }

    /// Numbers in the vocabulary of callbacks of a model.
    private func numbers(of names: [String], model: UInt8) -> CallbackSet {
        CallbackSet(names.compactMap { plan.rules.vocabulary.index(of: $0, model: plan.catalog.models[Int(model)].id) })
    }

    /// The same of callbacks by their numbers in the model, one bit each.
    func numbers(ofBits bits: UInt64, model: UInt8) -> CallbackSet {
        let names = plan.catalog.models[Int(model)].callbacks
        return numbers(of: names.indices.filter { bits & 1 << UInt64($0) != 0 }.map { names[$0] }, model: model)
    }

    /// The callbacks that make the app or a scene active, where no line of the run shows that the app ever was: without one
    /// of them being logged anywhere, an inactive visit may hide active ones, and its length says nothing.
    func hidden(in visit: Emission, _ machine: InstanceMachine) -> CallbackSet {
        let isOfApp = Int(visit.model) == plan.catalog.app
        guard !machine.runs.states[Int(visit.run)].everActive, isOfApp || plan.catalog.derivesApp[Int(visit.model)]
        else {
            return CallbackSet()
        }
        return showing(ofScenes: !isOfApp) { $0 == plan.catalog.active }
    }

    /// The callbacks that show an inactive app on its way into the background: where none of them is logged anywhere, nobody
    /// knows whether a process of whose end no line tells was still inactive.
    private func wayOut(of run: RunState, in state: UInt8) -> CallbackSet {
        guard let app = plan.catalog.app, run.everActive, !run.everBackground, run.ended == Time.none,
            state == plan.catalog.models[app].state("inactive")
        else { return CallbackSet() }
        return showing(ofScenes: run.usesScenes) { $0 == plan.catalog.background }
    }

    /// The callbacks of the app, or of its scenes if there are any, that show the app in certain states.
    private func showing(ofScenes: Bool, _ isMeant: (UInt8) -> Bool) -> CallbackSet {
        guard let app = plan.catalog.app else { return CallbackSet() }
        let number = ofScenes ? plan.catalog.scene ?? app : app
        let model = plan.catalog.models[number]
        let names = model.callbacks.indices.filter { callback in
            let proven = model.proof(of: UInt16(callback))
            guard proven != CompiledModel.unknown else { return false }
            let shown = number == app ? (state: proven, weight: 1) : plan.catalog.derived[number][Int(proven)]
            return shown.weight > 0 && isMeant(shown.state)
        }.map { model.callbacks[$0] }
        return numbers(of: names, model: UInt8(number))
    }

    // MARK: Drafts

    /// Notes that an event breaks a rule, if the rule applies.
    mutating func violate(
        _ number: Int, _ event: CallbackEvent, _ deviant: Deviant, seconds: Int64 = 0, after previous: UInt16? = nil,
        _ machine: inout InstanceMachine
    ) {
        let isOfMethods = plan.rules.rules[plan.rules.checks[number].rule].isOfMethods
        guard !(isOfMethods && event.isPosted), !event.isForetold, applies(number, to: Int(event.run), &machine),
            var draft = draft(number, event, deviant, seconds: seconds, &machine)
        else { return }
        if let previous { draft.previous = previous }
        // What words stand for is not missing, unless the app logs it elsewhere.
        let run = machine.runs.states[Int(event.run)]
        let worded = run.worded & ~run.told
        if worded != 0, Int(event.model) == plan.catalog.app, draft.weight > 0 {
            draft.missing = numbers(ofBits: worded, model: event.model)
        }
        drafts.append(draft)
    }

    /// What a broken rule comes to; `nil` where the rule does not apply or was found often enough.
    mutating func draft(
        _ number: Int, _ event: CallbackEvent, _ deviant: Deviant, seconds: Int64 = 0,
        _ machine: inout InstanceMachine
    ) -> FindingDraft? {
        let (rule, template) = (plan.rules.checks[number].rule, plan.rules.checks[number].template)
        let run = Int(event.run)
        guard
            let severity = plan.rules.rules[rule].severity(
                withScenes: machine.runs.states[run].usesScenes, system: system(of: run, machine))
        else { return nil }
        let waits = template == .agreesWithDerived || template == .notWithin
        if plan.rules.rules[rule].oncePerRun, !waits, !isFirst(rule, in: run) { return nil }
        let instance = machine.states[Int(event.instance)]
        let isOfStep = plan.rules.checks[number].weight > 0 && plan.rules.checks[number].model == instance.model
        var found = Deviant(deviation: .ruleViolation)
        if isOfStep { found = deviant.deviation == nil ? self.deviant(number, event, &machine) : deviant }
        if !isOfStep { found = Deviant(deviation: Self.deviation(of: plan.rules.checks[number])) }
        var draft = FindingDraft(
            origin: .check(number), run: event.run, instance: event.instance, layer: plan.rules.rules[rule].layer,
            deviation: found.deviation ?? .ruleViolation, severity: severity, time: event.time, line: event.line,
            source: machine.source)
        draft.step = instance.step(at: event.line, of: machine.source)
        draft.repair = found.repair
        draft.missing = found.missing
        draft.weight = isOfStep ? plan.rules.checks[number].weight : 0
        draft.rank = rule
        draft.callback = event.callback
        draft.previous = instance.previous
        draft.state = state(number, event, instance, &machine)
        draft.length = seconds
        return draft
    }

    /// The class of what breaks a rule that is not about the step of the instance itself.
    private static func deviation(of check: CompiledCheck) -> Deviation {
        switch check.template {
        case .initial: check.needsStart ? .missingCallback : .truncation
        case .atMost, .alternate: .duplicate
        case .precedence, .existence, .existenceBetween, .response: .missingCallback
        default: .ruleViolation
        }
    }

    /// The state that the text of a rule names: that of the app where the rule is about what follows for it.
    private func state(
        _ number: Int, _ event: CallbackEvent, _ instance: InstanceState, _ machine: inout InstanceMachine
    ) -> String {
        if plan.rules.checks[number].template == .agreesWithDerived, let model = plan.catalog.app {
            let app = machine.runs.states[Int(event.run)].app
            if app >= 0, machine.states[Int(app)].state != CompiledModel.unknown {
                return plan.catalog.models[model].states[Int(machine.states[Int(app)].state)]
            }
        }
        guard event.before != CompiledModel.unknown else { return "unknown" }
        let isOfOthers = plan.rules.checks[number].template == .noInstanceInState
        let model = isOfOthers ? plan.rules.checks[number].model : instance.model
        return plan.catalog.models[Int(model)].states[Int(event.before)]
    }

    /// A callback that the model does not know in the present state, and that no rule names.
    mutating func report(_ event: CallbackEvent, _ deviant: Deviant, _ machine: inout InstanceMachine) {
        let model = plan.catalog.models[Int(event.model)]
        let name = model.callbacks[Int(event.local)]
        guard !event.traits.contains(.isUnknown) else {
            reportUnknown(event, &machine)
            return
        }
        let here = model.states[Int(event.met)]
        let moves = event.met != event.after
        var draft = own(
            moves ? "undocumented-transition" : "illegal-callback",
            moves
                ? "\(name) in state \(here) leads to \(model.states[Int(event.after)]), which is not documented"
                : "\(name) is not documented in state \(here)", event, deviant.deviation ?? .illegalTransition, &machine
        )
        draft.severity = .error
        draft.repair = deviant.repair
        draft.missing = deviant.missing
        drafts.append(draft)
    }

    /// A callback that the platform does not have.
    mutating func reportUnknown(_ event: CallbackEvent, _ machine: inout InstanceMachine) {
        let model = plan.catalog.models[Int(event.model)]
        let isAny = event.traits.contains(.isAnyOther)
        let name = isAny ? machine.printedName : model.callbacks[Int(event.local)]
        var message =
            name.map { "\($0)\($0.contains("(") ? "…" : "") is not a callback of the platform" }
            ?? "the line names a callback of the \(model.layer) layer that the platform does not have"
        if isAny, let near = name.flatMap({ Suggestion.nearest(to: $0, among: model.callbacks, byWords: false).first })
        {
            message += "; \(near) is"
        }
        var draft = own("unknown-callback", message, event, .unknownCallback, &machine)
        draft.repair = .withoutLine
        drafts.append(draft)
    }

    private func own(
        _ rule: String, _ message: String, _ event: CallbackEvent, _ deviation: Deviation,
        _ machine: inout InstanceMachine
    ) -> FindingDraft {
        var draft = FindingDraft(
            origin: .own(rule: rule, message: message), run: event.run, instance: event.instance,
            layer: plan.catalog.models[Int(event.model)].layer, deviation: deviation, severity: .warning,
            time: event.time, line: event.line, source: machine.source)
        draft.step = machine.states[Int(event.instance)].lastStep
        return draft
    }

    /// Evidence of a change that the model does not know. States that a framework reports may jump, and so may a word
    /// "foreground", which is active or inactive.
    mutating func report(_ event: EvidenceEvent, of app: Int32, _ machine: inout InstanceMachine) {
        let origin = machine.rows.origins.names[Int(event.origin)]
        let model = plan.catalog.models[Int(machine.states[Int(app)].model)]
        if event.before != event.after, machine.rows.origins.isFramework[Int(event.origin)] {
            var words = ended(app, &machine)
            (words.time, words.line) = (event.time, event.line)
            let meant = numbers(ofBits: model.callbacks(to: event.after, from: event.before), model: model.number)
            words.callback = meant.numbers.first ?? CompiledModel.noCallback
            limits.endMeasurements(words, &machine, &drafts)
        }
        let rules = plan.rules.ofEvidence
        for number in (rules[origin] ?? []) + (event.isLegal ? [] : rules["undocumented \(origin)"] ?? []) {
            var line = ended(app, &machine)
            (line.time, line.line) = (event.time, event.line)
            prepare(line, &machine)
            violate(number, line, Deviant(), &machine)
        }
        guard !event.isLegal, !event.isVague, !machine.rows.origins.isFramework[Int(event.origin)] else { return }
        let message =
            "the line proves \(event.proof.rawValue), but no documented way leads from "
            + "\(model.states[Int(event.before)]) to \(model.states[Int(event.after)])"
        var draft = FindingDraft(
            origin: .own(rule: "undocumented-transition", message: message), run: event.run, instance: app,
            layer: model.layer, deviation: .illegalTransition, severity: .warning, time: event.time, line: event.line,
            source: machine.source)
        draft.step = event.step
        let run = machine.runs.states[Int(event.run)]
        if run.toldByCallbacks {
            draft.missing = showing(event.after, insteadOf: event.before, run.usesScenes)
            prepare(ended(app, &machine), &machine)
        }
        drafts.append(draft)
    }

    /// The callbacks that would have shown the app in a state from which a documented way leads to another one, of its
    /// scenes where it has some: an app that logs none of them has taken that way without a line.
    private func showing(_ state: UInt8, insteadOf present: UInt8, _ ofScenes: Bool) -> CallbackSet {
        guard let app = plan.catalog.app else { return CallbackSet() }
        return showing(ofScenes: ofScenes) { $0 != present && plan.catalog.models[app].isConnected($0, state) }
    }

    /// So far a clock goes back where a year begins between two files that have none.
    private static let mostOfYear = 300 * 86_400 * Time.second

    /// The clock of the log went back between two events of an instance, or only the second of them has a date.
    func reportRegression(_ emission: Emission, _ machine: inout InstanceMachine) {
        let gap = emission.lastTime - emission.time
        let isUndated = gap < 0
        let isSmall = gap <= Time.second && !isUndated
        machine.rows.add(
            Finding(
                run: machine.runs.states[Int(emission.run)].id, instance: machine.states[Int(emission.instance)].id,
                layer: plan.catalog.models[Int(emission.model)].layer, rule: "clock-regression",
                deviation: .clockRegression, severity: isSmall ? .info : .warning, time: emission.time,
                message: isUndated
                    ? "this line has a full date and the event before has none: what lasts across it has no length"
                    : "the clock goes back by \(HumanDuration.text(nanoseconds: gap)) from the event before"
                        + (isSmall
                            ? ": the two lines may be in the wrong order"
                            : gap > Self.mostOfYear
                                ? ": where files have no year, ingest each with its own --year" : ""),
                source: machine.source, line: emission.line, step: emission.step))
    }

    // MARK: The end of a run

    /// Holds the end of a run against the rules about ends.
    mutating func judgeEnd(_ run: Int32, _ machine: inout InstanceMachine) {
        let first = drafts.count
        judgeEndByRules(run, &machine)
        if !drafts[first...].contains(where: { $0.severity == .error && isOfSilentEnd($0) }) {
            judgeFault(run, &machine)
        }
    }

    /// Keeps what is to be said of a run if it has ended silently where its log ends: another log may show that it has.
    mutating func foreseeEnd(_ run: Int32, _ machine: inout InstanceMachine) {
        guard machine.runs.states[Int(run)].hasCallbacks else { return }
        let first = drafts.count
        judgeEndByRules(run, &machine)
        for draft in drafts[first...] where isOfSilentEnd(draft) && draft.missing.isEmpty {
            var finding = writer.finding(draft, &machine)
            finding.awaitsEnd = true
            foreseen.append(finding)
        }
        drafts.removeSubrange(first...)
    }

    private func isOfSilentEnd(_ draft: FindingDraft) -> Bool {
        guard case .check(let number) = draft.origin else { return false }
        return plan.rules.checks[number].template == .silentEnd
    }

    /// A crash that a line shows is an error, also where no rule is about the state in which the process ended.
    private mutating func judgeFault(_ run: Int32, _ machine: inout InstanceMachine) {
        let state = machine.runs.states[Int(run)]
        guard let model = plan.catalog.app, state.app >= 0, state.exit.step != 0, !state.endIsExplained,
            machine.isFault(run), let reason = machine.wordsOfEnd(run)
        else { return }
        var draft = FindingDraft(
            origin: .own(rule: Finding.abnormalEnd, message: "the process ended: \(reason)"), run: run,
            instance: state.app, layer: plan.catalog.models[model].layer, deviation: .ruleViolation, severity: .error,
            time: state.ended == Time.none ? state.lastSeen : state.ended, line: state.exit.line,
            source: state.exit.source)
        draft.step = state.exit.step
        drafts.append(draft)
    }

    private mutating func judgeEndByRules(_ run: Int32, _ machine: inout InstanceMachine) {
        let app = machine.runs.states[Int(run)].app
        guard Int(run) < runs.count, runs[Int(run)].serial == machine.runs.states[Int(run)].serial,
            !runs[Int(run)].seen.isEmpty
        else {
            judgeEndByWords(run, &machine)
            return
        }
        for instance in (app >= 0 ? [app] : []) + machine.runs.details[Int(run)].others {
            let model = Int(machine.states[Int(instance)].model)
            for place in plan.rules.atEnd.places(of: model) {
                judgeEnd(of: instance, plan.rules.atEnd[place], &machine)
            }
        }
    }

    /// Holds the end of a run without callbacks against the rules about silent ends. That it ended in the background is
    /// nothing to remark on; and where only the system tells of a process, it tells of its end as well.
    private mutating func judgeEndByWords(_ run: Int32, _ machine: inout InstanceMachine) {
        let (state, app) = (machine.runs.states[Int(run)], machine.runs.states[Int(run)].app)
        guard app >= 0, state.exit.step != 0 || state.lastSign != Time.none else { return }
        prepare(ended(app, &machine), &machine)
        for place in plan.rules.atEnd.places(of: Int(machine.states[Int(app)].model)) {
            let number = plan.rules.atEnd[place]
            guard plan.rules.checks[number].template == .silentEnd else { continue }
            judgeEnd(of: app, number, &machine)
            if drafts.last?.severity == .info { drafts.removeLast() }
        }
    }

    private mutating func judgeEnd(of instance: Int32, _ number: Int, _ machine: inout InstanceMachine) {
        let state = machine.states[Int(instance)]
        let run = machine.runs.states[Int(state.run)]
        var event = ended(instance, &machine)
        if state.stateBeforeExit != CompiledModel.unknown { event.before = state.stateBeforeExit }
        if event.time == Time.none { event.time = run.lastSeen }
        let isKnown = Int(instance) < instances.count && instances[Int(instance)].instance == state.id
        let seen = isKnown ? instances[Int(instance)].seen : CallbackSet()
        let cell = isKnown ? cells[cell(Int(instance), Int32(plan.rules.checks[number].cell))] : Cell()
        let (when, then) = (plan.rules.checks[number].when, plan.rules.checks[number].then)
        let isBroken: Bool
        switch plan.rules.checks[number].template {
        case .silentEnd:
            isBroken =
                !run.endIsExplained && event.before != CompiledModel.unknown
                && (run.exit.step != 0 || !state.followsLoss)  // Of lost lines, one may explain the end.
                && plan.rules.checks[number].states & 1 << UInt64(event.before) != 0
                && plan.rules.checks[number].failedLaunch.map { $0 == machine.isFailedLaunch(state.run) } ?? true
        case .response: isBroken = cell.isSet
        case .existence: isBroken = !seen.intersects(when)
        case .respondedExistence: isBroken = seen.intersects(when) && !seen.intersects(then)
        case .exactly: isBroken = Int(cell.count) < plan.rules.checks[number].count
        default: isBroken = false
        }
        guard isBroken, applies(number, to: Int(state.run), &machine),
            var draft = draft(number, event, Deviant(), &machine)
        else { return }
        (draft.source, draft.step) = (state.lastSource, state.lastStep)
        if plan.rules.checks[number].template == .silentEnd {
            if Int(state.model) == plan.catalog.app { draft.missing = wayOut(of: run, in: event.before) }
            if run.exit.step != 0, Int(state.model) == plan.catalog.app {
                (draft.step, draft.source, draft.line) = run.exit
                if run.ended != Time.none { draft.time = run.ended }
            }
        }
        // A crash that a line shows is one wherever the app was.
        if machine.isFault(state.run), Int(state.model) == plan.catalog.app { draft.severity = .error }
        drafts.append(draft)
    }

    /// The last callback of an instance, as the rules about ends look at it.
    func ended(_ instance: Int32, _ machine: inout InstanceMachine) -> CallbackEvent {
        let state = machine.states[Int(instance)]
        var event = CallbackEvent(
            run: state.run, instance: instance, callback: state.previous, local: 0, model: state.model, traits: [],
            isReturn: false, label: state.label, time: state.lastTime, line: state.lastLine)
        event.before = state.state
        return event
    }
}
