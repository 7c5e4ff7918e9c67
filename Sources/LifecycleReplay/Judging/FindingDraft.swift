import LifecycleModel
import TraceRecords

/// A deviation before it is put into words: of several that say the same of one event, only one is.
struct FindingDraft {
    /// What found it.
    enum Origin {
        case check(Int)
        case limit(Int)
        /// The replay itself, with the whole message.
        case own(rule: String, message: String)
    }

    var origin: Origin
    var run: Int32
    /// Slot of the instance; -1 for the run as a whole.
    var instance: Int32
    var layer: String
    var deviation: Deviation
    var severity: Severity
    var time: Int64
    var line: Int64
    var source: Int32
    /// Step at the line; 0 when there is none.
    var step: Int64 = 0
    /// The smallest change to the log, and the callbacks that are missing according to it.
    var repair: Repair?
    var missing = CallbackSet()
    /// How much it says of the step of the instance itself; 0 when it is about something else. Several such drafts about
    /// one step are one finding. And the number of its rule, which decides between equal ones.
    var weight = 0
    var rank = 0
    /// What the text names: the callback, the one before, the state, a length of time and the limit.
    var callback = CompiledModel.noCallback
    var previous = CompiledModel.noCallback
    var state = ""
    var length: Int64 = 0
    var limit: Int64?
    var taken: Int64?
    var isApproximate = false
    /// Ids of the rules that it speaks for.
    var also: [String] = []

    /// The smallest change to a log that would make it conform.
    enum Repair: Equatable {
        case withoutLine, beforeLineBefore, afterNextLine
        case with([String])

        var text: String {
            switch self {
            case .withoutLine: "without this line"
            case .beforeLineBefore: "before the previous line"
            case .afterNextLine: "after the next line"
            case .with(let missing): "with \(missing.joined(separator: ", ")) before this line"
            }
        }
    }
}

/// Chooses among drafts about one event, and puts what is left into words.
struct FindingWriter {
    let plan: ReplayPlan

    /// Makes one draft of those that say the same of one event: of several rules that a step breaks, and of several limits
    /// that one stretch of time exceeds.
    func choose(_ drafts: inout [FindingDraft]) {
        guard drafts.count > 1 else { return }
        var superfluous: Set<Int> = []
        for place in drafts.indices where drafts[place].weight > 0 && !superfluous.contains(place) {
            let same = drafts.indices.filter {
                drafts[$0].weight > 0 && drafts[$0].deviation == drafts[place].deviation
            }
            unite(same, &drafts, &superfluous) { one, other in
                (one.severity, one.weight, one.rank) > (other.severity, other.weight, other.rank)
            }
        }
        for place in drafts.indices where !superfluous.contains(place) {
            guard let taken = drafts[place].taken else { continue }
            let same = drafts.indices.filter {
                !superfluous.contains($0) && drafts[$0].taken == taken && drafts[$0].line == drafts[place].line
            }
            unite(same, &drafts, &superfluous) { one, other in
                one.severity != other.severity ? one.severity > other.severity : id(one) < id(other)
            }
        }
        guard !superfluous.isEmpty else { return }
        for place in superfluous.sorted(by: >) { drafts.remove(at: place) }
    }

    /// Lets the first of some drafts speak for the others.
    private func unite(
        _ places: [Int], _ drafts: inout [FindingDraft], _ superfluous: inout Set<Int>,
        by isBefore: (FindingDraft, FindingDraft) -> Bool
    ) {
        let order = places.sorted { isBefore(drafts[$0], drafts[$1]) }
        guard let first = order.first, order.count > 1 else { return }
        superfluous.formUnion(order.dropFirst())
        let others = Set(order.dropFirst().map { id(drafts[$0]) }).subtracting([id(drafts[first])])
        drafts[first].also = others.sorted()
    }

    /// Id of the rule or limit.
    private func id(_ draft: FindingDraft) -> String {
        switch draft.origin {
        case .check(let number): plan.rules.rules[plan.rules.checks[number].rule].id
        case .limit(let number): plan.limits.details[number].id
        case .own(let rule, _): rule
        }
    }

    /// The finding in words; its id is not given yet.
    func finding(_ draft: FindingDraft, _ machine: inout InstanceMachine) -> Finding {
        let reason = machine.wordsOfEnd(draft.run)
        var message = text(draft, reason: reason)
        if draft.isApproximate { message += " (approximately)" }
        var severity = draft.severity
        if severity > .info, isNameless(draft.instance, machine) {
            severity = .info
            message += "; lines that name none, or the class only, may belong to several"
        }
        if !draft.also.isEmpty { message += " (also \(draft.also.joined(separator: ", ")))" }
        return Finding(
            run: machine.runs.states[Int(draft.run)].id,
            instance: draft.instance < 0 ? nil : machine.states[Int(draft.instance)].id, layer: draft.layer,
            rule: id(draft), deviation: draft.deviation, severity: severity, time: Time.optional(draft.time),
            message: message, repair: draft.repair?.text, source: draft.source, line: draft.line,
            step: draft.step == 0 ? nil : draft.step, limit: draft.limit, taken: draft.taken,
            guess: guess(draft, reason: reason))
    }

    /// See ``Finding/guess``.
    private func guess(_ draft: FindingDraft, reason: String?) -> String? {
        switch draft.origin {
        case .check(let number) where plan.rules.checks[number].template == .silentEnd:
            plan.rules.rules[plan.rules.checks[number].rule].message.otherwise(.reason).map { reason == nil ? $0 : "" }
        case .own(Finding.abnormalEnd, _): ""
        default: nil
        }
    }

    /// Whether lines do not name the object that they are about, so that nobody can say whether it is always the same.
    private func isNameless(_ slot: Int32, _ machine: InstanceMachine) -> Bool {
        guard slot >= 0 else { return false }
        let instance = machine.states[Int(slot)]
        let model = plan.catalog.models[Int(instance.model)]
        guard instance.label == 0 else {
            // Of one that comes after another of its name, the line that begins it may have gone to that one.
            return instance.sharesName || model.isPerObject && instance.ordinal > 1 && !instance.sawBeginning
        }
        return model.isPerObject || model.isPerScene && machine.nameless(besides: slot, model) { _ in true } != nil
    }

    private func text(_ draft: FindingDraft, reason: String?) -> String {
        let template: MessageTemplate
        switch draft.origin {
        case .check(let number): template = plan.rules.rules[plan.rules.checks[number].rule].message
        case .limit(let number): template = plan.limits.details[number].message
        case .own(_, let message): return message
        }
        return template.text { placeholder in
            switch placeholder {
            case .callback: plan.rules.name(draft.callback)
            case .previous: plan.rules.name(draft.previous)
            case .state: draft.state
            case .seconds: Self.length(draft.length, besides: draft.limit)
            case .limit: HumanDuration.text(nanoseconds: draft.limit ?? draft.length)
            case .reason: reason
            }
        }
    }

    /// A length of time; exactly where it would look like the limit that it exceeds.
    private static func length(_ length: Int64, besides limit: Int64?) -> String {
        let text = HumanDuration.text(nanoseconds: length)
        let isAlike = length != limit && limit.map { HumanDuration.text(nanoseconds: $0) } == text
        return isAlike ? Time.seconds(length) + " s" : text
    }
}
