import LifecycleModel
import TraceRecords

/// Turns a broken rule into a finding.
extension LogReplayer {
    /// How many sessions are remembered as discarded.
    static let sessionsKept = 65_536

    /// Notes that an event breaks a rule.
    mutating func blame(
        _ check: CompiledCheck, _ judged: Judged, seconds: Int64? = nil, after previous: UInt16? = nil
    ) {
        guard let finding = finding(check, judged, seconds: seconds, after: previous) else { return }
        if isVerdict(check, on: judged) {
            verdicts.append(Verdict(place: out.findings.count, weight: check.weight, rule: check.rule))
        }
        out.findings.append(finding)
    }

    /// Whether a finding is about the step of the instance itself.
    private func isVerdict(_ check: CompiledCheck, on judged: Judged) -> Bool {
        check.weight > 0 && check.model == instances[Int(judged.instance)].model
    }

    /// Makes one finding of those that say the same of one event: of several rules that a step breaks, and of several
    /// limits that one stretch of time exceeds.
    ///
    /// - Parameter first: the first finding of the event.
    mutating func uniteFindings(since first: Int) {
        guard out.findings.count > first + 1 else { return }
        var superfluous: Set<Int> = []
        let told = verdicts.filter { $0.place >= first && $0.place < out.findings.count }
        for (_, same) in Dictionary(grouping: told, by: { out.findings[$0.place].deviation })
        where same.count > 1 {
            let order = same.sorted { a, b in
                let (one, other) = (out.findings[a.place].severity, out.findings[b.place].severity)
                return (other, b.weight, b.rule) < (one, a.weight, a.rule)
            }
            unite(order.map(\.place), &superfluous)
        }
        var compared: Set<Int> = []
        for place in first..<out.findings.count where !compared.contains(place) {
            guard let taken = out.findings[place].taken else { continue }
            let same = (place..<out.findings.count).filter { other in
                out.findings[other].taken == taken && out.findings[other].line == out.findings[place].line
            }
            compared.formUnion(same)
            let order = same.sorted { a, b in
                let (one, other) = (out.findings[a], out.findings[b])
                return (other.severity, one.rule) < (one.severity, other.rule)
            }
            unite(order, &superfluous)
        }
        guard !superfluous.isEmpty else { return }
        for place in superfluous.sorted(by: >) { out.findings.remove(at: place) }
    }

    /// Lets the first of some findings speak for the others.
    private mutating func unite(_ places: [Int], _ superfluous: inout Set<Int>) {
        guard let spokesman = places.first, places.count > 1 else { return }
        var others: [String] = []
        for place in places.dropFirst() {
            superfluous.insert(place)
            let rule = out.findings[place].rule
            if rule != out.findings[spokesman].rule, !others.contains(rule) { others.append(rule) }
        }
        if !others.isEmpty { out.findings[spokesman].message += " (also \(others.sorted().joined(separator: ", ")))" }
    }

    /// A finding that something within the next moments can call off.
    mutating func pend(
        _ number: Int, _ judged: Judged, until deadline: Int64, seconds: Int64? = nil,
        expected: UInt8 = CompiledModel.unknown
    ) {
        guard pending[judged.run, default: []].count < 64,
            let finding = finding(plan.rules.checks[number], judged, seconds: seconds)
        else { return }
        pending[judged.run, default: []].append(
            PendingFinding(check: number, finding: finding, deadline: deadline, expected: expected))
    }

    /// Calls pending findings off, or hands them over once nothing can.
    mutating func settlePending(_ run: Int32, callback: UInt16, at time: Int64) {
        guard !pending.isEmpty, let waiting = pending[run] else { return }
        let app = runs[Int(run)].app
        let state = app >= 0 ? instances[Int(app)].state : CompiledModel.unknown
        var kept: [PendingFinding] = []
        for one in waiting {
            if time != Time.none, time > one.deadline {
                append(one, to: run)
            } else if one.expected != CompiledModel.unknown && one.expected == state
                || plan.rules.checks[one.check].unless.contains(callback)
            {
                continue
            } else {
                kept.append(one)
            }
        }
        pending[run] = kept.isEmpty ? nil : kept
    }

    private mutating func append(_ one: PendingFinding, to run: Int32) {
        let rule = plan.rules.checks[one.check].rule
        if plan.rules.rules[rule].oncePerRun, !runs[Int(run)].rulesTold.insert(rule).inserted { return }
        out.findings.append(one.finding)
    }

    private mutating func finding(
        _ check: CompiledCheck, _ judged: Judged, seconds: Int64?, after previous: UInt16? = nil
    ) -> Finding? {
        let rule = plan.rules.rules[check.rule]
        let run = Int(judged.run)
        guard let severity = runs[run].usesScenes ? rule.withScenes : rule.plain else { return nil }
        let pends = check.template == .agreesWithDerived || check.template == .notWithin
        if rule.oncePerRun, !pends, !runs[run].rulesTold.insert(check.rule).inserted { return nil }
        let model = plan.catalog.models[Int(instances[Int(judged.instance)].model)]
        // The rule that follows from an event may be about another instance: the app's state then stands for it.
        var states = model.states
        if check.template == .noInstanceInState { states = plan.catalog.models[Int(check.model)].states }
        var state = judged.before == CompiledModel.unknown ? "unknown" : states[Int(judged.before)]
        if check.template == .agreesWithDerived, let app = plan.catalog.app, runs[run].app >= 0 {
            let derived = instances[Int(runs[run].app)].state
            if derived != CompiledModel.unknown { state = plan.catalog.models[app].states[Int(derived)] }
        }
        let before = previous ?? memories[Int(judged.instance)].previous
        let found = deviationOfStep(check, judged)
        let message = rule.message.text { placeholder in
            switch placeholder {
            case .callback: plan.rules.name(judged.callback)
            case .previous: plan.rules.name(before)
            case .state: state
            case .seconds, .limit: Self.seconds(seconds ?? 0)
            case .reason: reason(of: judged.run)
            }
        }
        return Finding(
            run: runs[run].id, instance: instances[Int(judged.instance)].id, layer: rule.layer, rule: rule.id,
            deviation: found?.deviation ?? Self.deviation(check), severity: severity,
            time: Time.optional(judged.time), message: message,
            repair: found?.repair, source: source,
            line: judged.line, step: step(of: judged.instance, at: judged.line))
    }

    /// Why a run ended, as far as a line tells it.
    private func reason(of run: Int32) -> String? {
        switch runs[Int(run)].endReason {
        case .crash: "a crash"
        case .jetsam: "the system took its memory (jetsam)"
        case .watchdog: "the watchdog ended it"
        default: nil
        }
    }

    /// What is wrong with the step itself, if the rule is about that.
    private mutating func deviationOfStep(_ check: CompiledCheck, _ judged: Judged) -> Repair? {
        guard isVerdict(check, on: judged) else { return nil }
        if let deviation = judged.deviation { return (deviation, judged.repair) }
        return deviation(check, judged)
    }

    /// The class of what breaks a rule.
    private static func deviation(_ check: CompiledCheck) -> Deviation {
        switch check.template {
        case .initial: return check.needsStart ? .missingCallback : .truncation
        case .atMost, .alternate: return .duplicate
        case .precedence, .existence, .existenceBetween, .response: return .missingCallback
        default: return .ruleViolation
        }
    }

    /// Holds the end of a run against the rules about ends.
    mutating func judgeEnd(_ slot: Int32) {
        let run = runs[Int(slot)]
        guard run.superseded || run.endReason != nil else { return }
        for instance in [run.app] + run.others where instance >= 0 {
            for number in plan.rules.atEnd[Int(instances[Int(instance)].model)] {
                judgeEnd(slot, instance, plan.rules.checks[number])
            }
        }
    }

    private mutating func judgeEnd(_ slot: Int32, _ instance: Int32, _ check: CompiledCheck) {
        let run = runs[Int(slot)]
        let state = instances[Int(instance)]
        guard applies(check, to: slot) else { return }
        let judged = Judged(
            run: slot, instance: instance, callback: memories[Int(instance)].previous,
            before: Int(state.model) == plan.catalog.app && run.stateBeforeExit != CompiledModel.unknown
                ? run.stateBeforeExit : state.state,
            time: state.lastTime == Time.none ? run.lastSeen : state.lastTime, line: state.lastLine,
            isSupplementary: false)
        let isBroken: Bool
        switch check.template {
        case .silentEnd:
            isBroken =
                !run.saidGoodbye && judged.before != CompiledModel.unknown
                && check.states & 1 << UInt64(judged.before) != 0
                && check.failedLaunch.map { $0 == isFailedLaunch(run) } ?? true
        case .response:
            isBroken = memories[Int(instance)].cells[check.cell].isSet
        case .existence:
            isBroken = !memories[Int(instance)].seen.intersects(check.when)
        case .respondedExistence:
            isBroken =
                memories[Int(instance)].seen.intersects(check.when)
                && !memories[Int(instance)].seen.intersects(check.then)
        case .exactly:
            isBroken = memories[Int(instance)].cells[check.cell].count < check.count
        default:
            isBroken = false
        }
        guard isBroken, var finding = finding(check, judged, seconds: nil) else { return }
        finding.source = state.lastSource
        finding.step = state.lastStep == 0 ? nil : state.lastStep
        out.findings.append(finding)
    }
}
