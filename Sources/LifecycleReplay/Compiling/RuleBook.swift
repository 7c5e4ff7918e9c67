import LifecycleModel
import TraceRecords

/// A rule's texts and where it applies, under the options of one replay.
struct CompiledRule: Sendable {
    let id: String
    let layer: String
    let message: MessageTemplate
    let oncePerRun: Bool
    /// Whether it is about methods, so that a line that names a notification does not break it.
    let isOfMethods: Bool
    /// Severity in runs without and with scenes; `nil` where the rule does not apply.
    let plain: Severity?
    let withScenes: Severity?
    /// Versions of the system that it is about, and its severity from such a version on.
    let systems: SystemRange
    let severitySince: [(system: Int, severity: Severity)]

    /// The severity in a run; `nil` where the rule does not apply.
    func severity(withScenes scenes: Bool, system: Int?) -> Severity? {
        guard systems.contains(system), let usual = scenes ? withScenes : plain else { return nil }
        guard let system else { return usual }
        return severitySince.last { $0.system <= system }?.severity ?? usual
    }
}

/// One condition of a rule, with callbacks and states by number.
///
/// Plain words without references, so that looking at one in the hot path counts none.
struct CompiledCheck: Sendable {
    let rule: Int
    /// Whether the rule applies in runs without and with scenes.
    let holdsPlain: Bool
    let holdsWithScenes: Bool
    let template: RuleTemplate
    /// What the hot path asks of template and scope, ready as a flag.
    let forbidsFollower: Bool
    let looksBack: Bool
    let isOfSession: Bool
    /// Whether its time begins and ends for all instances of the run at once.
    let isOverRun: Bool
    /// How much a finding says of the step of the instance itself; 0 when it is about something else. Several such
    /// findings about one step are one.
    let weight: Int
    let model: UInt8
    let when: CallbackSet
    let then: CallbackSet
    let among: CallbackSet
    let from: CallbackSet
    let until: CallbackSet
    let unless: CallbackSet
    let seen: CallbackSet
    let unseen: CallbackSet
    let states: UInt64
    let count: Int
    let nanoseconds: Int64
    let rootOnly: Bool
    let needsStart: Bool
    let failedLaunch: Bool?
    let arriving: RuleCheck.Arriving?
    /// Place of the check's memory among those of an instance of its model, or of a run.
    let cell: Int
    /// Place of what it remembers of the run, where it remembers both.
    let runCell: Int

    init(
        _ check: RuleCheck, rule: Int, holdsPlain: Bool, holdsWithScenes: Bool, model: UInt8, states: UInt64,
        cell: Int, runCell: Int, set: ([String]) -> CallbackSet
    ) {
        self.rule = rule
        self.holdsPlain = holdsPlain
        self.holdsWithScenes = holdsWithScenes
        self.model = model
        self.states = states
        self.cell = cell
        self.runCell = runCell
        template = check.template
        forbidsFollower = check.template == .notChainSuccession
        looksBack = check.template == .chainPrecedence
        isOfSession = check.scope == .session
        isOverRun = check.template == .absenceBetween && check.scope == .run
        weight = check.scope == .run ? 0 : Self.weight(of: check.template)
        when = set(check.when)
        then = set(check.then)
        among = set(check.among)
        from = set(check.from)
        until = set(check.until)
        unless = set(check.unless)
        seen = set(check.seen)
        unseen = set(check.unseen)
        count = check.count ?? 1
        nanoseconds = Int64((check.seconds ?? 0) * 1e9)
        rootOnly = check.rootOnly
        needsStart = check.needsStart
        failedLaunch = check.failedLaunch
        arriving = check.arriving
    }

    /// A rule about more than the state or the callback before says more.
    private static func weight(of template: RuleTemplate) -> Int {
        switch template {
        case .end, .absenceBetween: 3
        case .alternate, .notChainSuccession: 2
        case .initial, .atMost, .exactly, .precedence, .chainResponse, .chainPrecedence, .notSuccession, .onlyInState: 1
        default: 0
        }
    }

    /// Whether it is about an exchange in which a new controller arrives, or one that was there before.
    func concerns(_ isNew: Bool) -> Bool { arriving == nil || (arriving == .new) == isNew }

    /// Two callbacks of an exchange, the earlier first.
    struct OrderedPair: Sendable {
        var earlier: UInt16
        var earlierArrives: Bool
        var later: UInt16
        var laterArrives: Bool
    }
}

/// All rules of a catalog, arranged by the callbacks that they have to look at.
struct RuleBook: Sendable {
    private(set) var rules: [CompiledRule] = []
    private(set) var checks: [CompiledCheck] = []
    /// By check, the pairs of an exchange whose order it is about.
    private(set) var orders: [[CompiledCheck.OrderedPair]] = []
    /// Checks by the callback that they look at: of the callback's own model, and of other models.
    private(set) var own = NumberLists([])
    private(set) var foreign = NumberLists([])
    /// What the first look at a check needs, side by side with the numbers in ``own`` and ``foreign``.
    private(set) var ownGlances: [CheckGlance] = []
    private(set) var foreignGlances: [CheckGlance] = []
    /// Checks whose time for a whole run the callback begins or ends.
    private(set) var borders = NumberLists([])
    /// Checks that look at whatever follows a callback directly.
    private(set) var following = NumberLists([])
    /// Checks of each model that every callback of an instance concerns.
    private(set) var always = NumberLists([])
    /// Checks of each model that look at the end of the run.
    private(set) var atEnd = NumberLists([])
    /// Checks that no line may be evidence for, by the origin of the evidence.
    private(set) var ofEvidence: [String: [Int]] = [:]
    /// What the rules about exchanges come down to, by model.
    private(set) var exchanges: [ExchangeRules?] = []
    private(set) var hasExchanges: [Bool] = []
    /// Number of memory cells of an instance of each model, and of a run.
    private(set) var cells: [Int]
    private(set) var runCells = 0
    let vocabulary: Vocabulary
    /// Ids of the models by number.
    private let ids: [String]

    init(_ catalog: ModelCatalog, compiled: CompiledCatalog, settings: ReplaySettings) {
        vocabulary = Vocabulary(models: catalog.models)
        ids = compiled.models.map(\.id)
        cells = Array(repeating: 0, count: compiled.models.count)
        for model in catalog.models {
            guard let number = compiled.models.firstIndex(where: { $0.id == model.id }) else { continue }
            for rule in model.rules {
                add(rule, of: model, number: UInt8(number), compiled: compiled.models[number], settings: settings)
            }
        }
        exchanges = compiled.models.map { ExchangeRules(checks: checks, orders: orders, model: $0.number) }
        hasExchanges = exchanges.map { $0 != nil }
        arrange(models: compiled.models.count)
    }

    private mutating func add(
        _ rule: ModelRule, of model: LifecycleModel, number: UInt8, compiled: CompiledModel, settings: ReplaySettings
    ) {
        func severity(withScenes: Bool) -> Severity? {
            guard settings.meet(rule.condition, withScenes: withScenes) else { return nil }
            return Severity(rule.severity(in: settings.profiles(withScenes: withScenes)))
        }
        let plain = severity(withScenes: false)
        let withScenes = severity(withScenes: true)
        guard plain != nil || withScenes != nil else { return }
        let place = rules.count
        rules.append(
            CompiledRule(
                id: rule.id, layer: model.layer, message: MessageTemplate(rule.message), oncePerRun: rule.oncePerRun,
                isOfMethods: rule.isOfMethods, plain: plain, withScenes: withScenes, systems: rule.condition.systems,
                severitySince: rule.severitySince.compactMap { version, severity in
                    Int(version).map { ($0, Severity(severity)) }
                }.sorted { $0.0 < $1.0 }))
        let vocabulary = vocabulary
        let set: ([String]) -> CallbackSet = { names in
            CallbackSet(names.compactMap { vocabulary.number(of: $0, from: model) })
        }
        for check in rule.checks where check.template != .permitted {
            let isOfRun = Self.isRemembered(byRun: check.template)
            let cell = isOfRun ? runCells : cells[Int(number)]
            let runCell = runCells
            if isOfRun || check.scope == .run { runCells += 1 }
            if !isOfRun { cells[Int(number)] += 1 }
            let states = check.states.compactMap { compiled.state($0) }.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
            for origin in check.evidence { ofEvidence[origin, default: []].append(checks.count) }
            orders.append(check.order.compactMap { pair($0, model) })
            checks.append(
                CompiledCheck(
                    check, rule: place, holdsPlain: plain != nil, holdsWithScenes: withScenes != nil, model: number,
                    states: states, cell: cell, runCell: runCell, set: set))
        }
    }

    /// The id of a callback.
    func name(_ callback: UInt16) -> String {
        Int(callback) < vocabulary.count ? vocabulary[callback].callback.id : "nothing"
    }

    private func pair(_ words: [String], _ model: LifecycleModel) -> CompiledCheck.OrderedPair? {
        let parts = words.map { $0.split(separator: " ").map(String.init) }
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 }),
            let earlier = vocabulary.number(of: parts[0][1], from: model),
            let later = vocabulary.number(of: parts[1][1], from: model)
        else { return nil }
        return CompiledCheck.OrderedPair(
            earlier: earlier, earlierArrives: parts[0][0] == "arriving", later: later,
            laterArrives: parts[1][0] == "arriving")
    }

    /// Whether a check is remembered once per run and not once per instance.
    private static func isRemembered(byRun template: RuleTemplate) -> Bool {
        switch template {
        case .firstOrder, .exchange, .exchangeResponse: true
        default: false
        }
    }

    /// Arranges the checks by what they look at.
    private mutating func arrange(models: Int) {
        var own = Array(repeating: [Int](), count: vocabulary.count)
        var foreign = own
        var following = own
        var borders = own
        var always = Array(repeating: [Int](), count: models)
        var atEnd = always
        for (number, check) in checks.enumerated() {
            let model = Int(check.model)
            switch check.template {
            case .silentEnd, .existence, .respondedExistence, .response, .exactly: atEnd[model].append(number)
            default: break
            }
            switch check.template {
            case .initial, .end:
                always[model].append(number)
                continue
            case .chainResponse where check.among.isEmpty, .notChainSuccession where check.among.isEmpty:
                for callback in check.when.numbers { following[Int(callback)].append(number) }
                continue
            case .exchange, .exchangeResponse:
                continue
            case .absenceBetween where check.isOverRun:
                for callback in check.from.union(check.until).numbers { borders[Int(callback)].append(number) }
                for callback in check.when.numbers { own[Int(callback)].append(number) }
                continue
            default: break
            }
            let concerned = check.when.union(check.then).union(check.among).union(check.from).union(check.until)
            for callback in concerned.numbers {
                let isOwn = vocabulary[callback].model == ids[model]
                if isOwn { own[Int(callback)].append(number) } else { foreign[Int(callback)].append(number) }
            }
        }
        (self.own, self.foreign) = (NumberLists(own), NumberLists(foreign))
        ownGlances = glances(own)
        foreignGlances = glances(foreign)
        self.borders = NumberLists(borders)
        self.atEnd = NumberLists(atEnd)
        (self.following, self.always) = (NumberLists(following), NumberLists(always))
    }

    private func glances(_ lists: [[Int]]) -> [CheckGlance] {
        lists.enumerated().flatMap { callback, numbers in
            numbers.map { CheckGlance(checks[$0], number: $0, callback: UInt16(callback)) }
        }
    }
}

/// What a callback is to a check: all that most looks need, in a few words.
struct CheckGlance: Sendable {
    let check: Int32
    let cell: Int32
    let template: RuleTemplate
    let model: UInt8
    let isWhen: Bool
    let isThen: Bool
    let isFrom: Bool
    let isUntil: Bool
    let isOverRun: Bool
    let states: UInt64

    init(_ check: CompiledCheck, number: Int, callback: UInt16) {
        self.check = Int32(number)
        cell = Int32(check.cell)
        template = check.template
        model = check.model
        isWhen = check.when.contains(callback)
        isThen = check.then.contains(callback)
        isFrom = check.from.contains(callback)
        isUntil = check.until.contains(callback)
        isOverRun = check.isOverRun
        states = check.states
    }

    /// Whether it counts for an instance in a state.
    @inline(__always)
    func counts(_ state: UInt8) -> Bool { state != CompiledModel.unknown && states & 1 << UInt64(state) != 0 }
}

extension Severity {
    init(_ severity: RuleSeverity) {
        self =
            switch severity {
            case .info: .info
            case .warning: .warning
            case .error: .error
            }
    }
}

extension Vocabulary {
    /// The number of a callback as a model's rules name it: its own, else that of a model that it uses.
    func number(of name: String, from model: LifecycleModel) -> UInt16? {
        for owner in [model.id] + model.uses {
            if let number = index(of: name, model: owner) { return number }
        }
        return index(of: name)
    }
}

/// What the rules of a model about exchanges come down to: the callbacks by which one instance leaves the screen while
/// another arrives.
struct ExchangeRules: Sendable {
    /// Numbers of the checks about the order of callbacks, and about what the leaving instance gets afterwards.
    let orders: [Int]
    let responses: [Int]
    let leavingBegins: CallbackSet
    let leavingEnds: CallbackSet
    let arrivingBegins: CallbackSet
    let arrivingEnds: CallbackSet
    /// All callbacks that count.
    let concerned: CallbackSet

    /// - Returns: `nil` for a model without such rules.
    init?(checks: [CompiledCheck], orders pairsOf: [[CompiledCheck.OrderedPair]], model: UInt8) {
        let own = checks.indices.filter { checks[$0].model == model }
        orders = own.filter { checks[$0].template == .exchange }
        responses = own.filter { checks[$0].template == .exchangeResponse }
        guard !orders.isEmpty else { return nil }
        let pairs = orders.flatMap { pairsOf[$0] }
        let leaving = CallbackSet(pairs.filter { !$0.earlierArrives }.map(\.earlier))
        let arrivingEarly = CallbackSet(pairs.filter(\.earlierArrives).map(\.earlier))
        leavingBegins = leaving
        leavingEnds = CallbackSet(pairs.filter { !$0.laterArrives && !leaving.contains($0.later) }.map(\.later))
        arrivingBegins = CallbackSet(pairs.filter { $0.laterArrives && !$0.earlierArrives }.map(\.later))
        arrivingEnds = CallbackSet(pairs.filter { $0.laterArrives && !arrivingEarly.contains($0.later) }.map(\.later))
        concerned = CallbackSet(pairs.flatMap { [$0.earlier, $0.later] })
    }
}

/// The text of a finding with its placeholders, taken apart once.
struct MessageTemplate: Sendable {
    /// What a placeholder stands for.
    enum Placeholder: String, Sendable, CaseIterable {
        case callback, previous, state, seconds, limit, reason
    }

    /// A text, the placeholder behind it, and what stands there when the placeholder has no value.
    private var parts: [(text: String, placeholder: Placeholder?, otherwise: String)] = []

    /// Takes a text apart; words in braces that are no placeholders stay as they are. What follows a bar behind a
    /// placeholder (`{reason|not known}`) stands where it has no value.
    init(_ text: String) {
        var plain = ""
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "{") {
            plain += rest[..<open]
            rest = rest[open...]
            guard let close = rest.firstIndex(of: "}") else { break }
            let word = rest[rest.index(after: open)..<close]
            let name = word.prefix { $0 != "|" }
            if let placeholder = Placeholder(rawValue: String(name)) {
                parts.append((plain, placeholder, String(word.dropFirst(name.count + 1))))
                plain = ""
            } else {
                plain += rest[...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        parts.append((plain + rest, nil, ""))
    }

    /// What stands where a placeholder has no value; `nil` where the text does not have it.
    func otherwise(_ placeholder: Placeholder) -> String? {
        parts.first { $0.placeholder == placeholder }?.otherwise
    }

    /// The text with the values put in.
    func text(_ value: (Placeholder) -> String?) -> String {
        var text = ""
        for part in parts {
            text += part.text
            if let placeholder = part.placeholder { text += value(placeholder) ?? part.otherwise }
        }
        return text
    }
}
