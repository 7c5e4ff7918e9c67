import LifecycleModel

/// A documented sequence as an automaton: nodes between callbacks, edges for callbacks.
///
/// The hot path looks at what ``ScenarioBook`` makes of it.
final class ScenarioPattern: Sendable {
    /// One callback of the sequence, and who gets it.
    struct Edge: Sendable {
        var from: Int
        var to: Int
        var callbacks: CallbackSet
        /// Number of the actor: one per name, or per model where there is no name; ``anyone`` where others have names.
        var actor: Int
        /// Whether it stands for the end of the run without a word.
        var isNewRun = false

        /// The actor of a callback that names nobody, in a sequence of several instances with names.
        static let anyone = 255
        /// How many actors are told apart.
        static let actors = 4
    }

    /// Members of a class: the one to name by default, `nil` where there is none, and all, separated by commas.
    struct Members {
        let first: String?
        let text: String

        init(_ ids: [String]) {
            first = ids.first
            text = ids.joined(separator: ", ")
        }
    }

    let scenario: String
    /// Class of the scenarios that the callbacks can't tell apart; `nil` for a scenario of its own. What speaks for some
    /// of its members under the options of the replay. The members in runs without and with scenes: first all, then those
    /// that each hint speaks for.
    let equivalenceClass: String?
    let hints: [EquivalenceClass.Hint]
    let plainMembers: [Members]
    let membersWithScenes: [Members]
    /// Whether it is documented for runs without scenes, and for runs with scenes.
    let isPlain: Bool
    let hasScenes: Bool
    let absent: CallbackSet
    /// Callbacks that must not come of instances that play no part, and who besides must not get them.
    let absentOfOthers: CallbackSet
    let absentActor: Int
    /// Whether other instances must be there at the end, or must not.
    let others: Bool?
    /// By model, the states of which one must come before the first callback, one bit each; empty where any may.
    let beginsIn: [UInt64]
    /// Whether the launch must have failed for the run to end as it does; `nil` where that does not matter.
    let failedLaunch: Bool?
    /// Model whose instances are meant.
    let owner: UInt8
    let models: UInt64
    let edges: [Edge]
    /// Nodes from which some callback leads on, one bit each; and those from which the end of the run does.
    let open: UInt64
    let openAtEnd: UInt64
    /// By node: the nodes that can be reached without a callback, itself included; and those reached across a mark
    /// that any time may pass.
    let near: [UInt64]
    let far: [UInt64]
    let last: Int
    /// Callbacks that can begin it.
    let first: CallbackSet

    /// - Returns: `nil` for a sequence that is empty or too long to be held in one machine word.
    init?(
        _ steps: [StepPattern], scenario: String, class equivalenceClass: EquivalenceClass?,
        members: [ModelScenario] = [], settings: ReplaySettings, platform: ModelScenario.Platform, absent: [String],
        others: Bool?, failedLaunch: Bool? = nil, of model: LifecycleModel, in catalog: ModelCatalog,
        compiled: CompiledCatalog, vocabulary: Vocabulary
    ) {
        var builder = ScenarioBuilder(model: model, catalog: catalog, vocabulary: vocabulary)
        let end = builder.add(steps, from: 0)
        builder.freeTheUnnamed()
        guard builder.nodes <= 64, !builder.edges.isEmpty else { return nil }
        self.scenario = scenario
        self.equivalenceClass = equivalenceClass?.id
        let hints = (equivalenceClass?.hints ?? []).filter { hint in
            hint.callbacks.isEmpty && hint.options.allSatisfy { settings.value($0) == $1 }
        }
        self.hints = hints
        func lists(of members: [ModelScenario]) -> [Members] {
            let all = members.map(\.id)
            return [Members(all)] + hints.map { hint in Members(hint.members.filter(all.contains)) }
        }
        plainMembers = lists(of: members.filter { $0.platform != .ios13 })
        membersWithScenes = lists(of: members.filter { $0.platform != .ios12 })
        isPlain = platform != .ios13
        hasScenes = platform != .ios12
        let words = absent.map { $0.split(separator: " ").map(String.init) }
        func numbers(_ words: [[String]]) -> CallbackSet {
            CallbackSet(words.compactMap { $0.last.flatMap { vocabulary.number(of: $0, from: model) } })
        }
        self.absent = numbers(words.filter { $0.count == 1 })
        absentOfOthers = numbers(words.filter { $0.count == 2 })
        let named = words.first { $0.count == 2 }?.first
        absentActor = named.flatMap { builder.actors.firstIndex(of: $0) } ?? Edge.anyone
        self.others = others
        let states = equivalenceClass?.beginsIn ?? []
        beginsIn =
            states.isEmpty
            ? [] : compiled.models.map { model in states.compactMap(model.state).reduce(0) { $0 | 1 << UInt64($1) } }
        self.failedLaunch = failedLaunch
        owner = UInt8(compiled.models.firstIndex { $0.id == model.id } ?? Int(UInt8.max))
        edges = builder.edges
        last = end
        let closures = builder.closures()
        near = closures.near
        far = closures.far
        open = builder.edges.reduce(0) { $0 | 1 << UInt64($1.from) }
        openAtEnd = builder.edges.filter(\.isNewRun).reduce(0) { $0 | 1 << UInt64($1.from) }
        models = builder.edges.flatMap(\.callbacks.numbers).map { compiled.places[Int($0)].model }.filter { $0 < 64 }
            .reduce(0) { $0 | 1 << UInt64($1) }
        let start = closures.near[0] | closures.far[0]
        first = builder.edges.filter { start & 1 << UInt64($0.from) != 0 }.reduce(CallbackSet()) {
            $0.union($1.callbacks)
        }
    }

    /// The edges for a callback.
    func edgesOf(_ callback: UInt16) -> [Edge] {
        edges.filter { $0.callbacks.contains(callback) && ($0.actor < Edge.actors || $0.actor == Edge.anyone) }
    }
}

/// Puts the automaton of a sequence together.
struct ScenarioBuilder {
    private(set) var nodes = 1
    private(set) var edges: [ScenarioPattern.Edge] = []
    private(set) var actors: [String] = []
    private var silent: [(from: Int, to: Int, anyTime: Bool)] = []
    private let model: LifecycleModel
    private let catalog: ModelCatalog
    private let vocabulary: Vocabulary
    /// Nothing of the sequence counts any more: it goes on in another run.
    private var isOver = false

    init(model: LifecycleModel, catalog: ModelCatalog, vocabulary: Vocabulary) {
        self.model = model
        self.catalog = catalog
        self.vocabulary = vocabulary
    }

    /// Adds steps after a node and returns the node behind them.
    mutating func add(_ steps: [StepPattern], from: Int) -> Int {
        var node = from
        for step in steps where !isOver { node = add(step, from: node) }
        return node
    }

    private mutating func add(_ step: StepPattern, from: Int) -> Int {
        switch step {
        case .callback(let callback):
            return add(callback, from: from)
        case .silent, .later:
            let node = fresh()
            silent.append((from, node, true))
            return node
        case .newRun:
            let node = fresh()
            edges.append(
                ScenarioPattern.Edge(from: from, to: node, callbacks: CallbackSet(), actor: 0, isNewRun: true))
            isOver = true
            return node
        case .scenario(let id):
            let steps = catalog.models.lazy.compactMap { $0.scenario(id) }.first?.steps ?? []
            return add(steps, from: from)
        case .optional(let steps):
            let end = add(steps, from: from)
            silent.append((from, end, false))
            return end
        case .repeated(let steps, let atLeast):
            let end = add(steps, from: from)
            silent.append((end, from, false))
            let after = fresh()
            silent.append((end, after, false))
            if atLeast == 0 { silent.append((from, after, false)) }
            return after
        case .unordered(let steps):
            let end = fresh()
            for order in [steps, steps.reversed()] { silent.append((add(order, from: from), end, false)) }
            return end
        }
    }

    private mutating func add(_ callback: CallbackPattern, from: Int) -> Int {
        let numbers = callback.names.compactMap { vocabulary.number(of: $0, from: model) }
        let owner = numbers.first.map { vocabulary[$0].model } ?? model.id
        let name = callback.actor ?? "one \(owner)"
        if !actors.contains(name) { actors.append(name) }
        let node = fresh()
        edges.append(
            ScenarioPattern.Edge(
                from: from, to: node, callbacks: CallbackSet(numbers), actor: actors.firstIndex(of: name) ?? 0))
        return node
    }

    /// Lets anyone play the parts without a name where others have one.
    mutating func freeTheUnnamed() {
        let named = Set(actors.indices.filter { !actors[$0].hasPrefix("one ") })
        guard !named.isEmpty else { return }
        for place in edges.indices where !named.contains(edges[place].actor) {
            edges[place].actor = ScenarioPattern.Edge.anyone
        }
    }

    private mutating func fresh() -> Int {
        nodes += 1
        return nodes - 1
    }

    /// The nodes that each node leads to without a callback, without and with a mark that any time may pass.
    func closures() -> (near: [UInt64], far: [UInt64]) {
        var near = (0..<nodes).map { UInt64(1) << UInt64($0) }
        var far = Array(repeating: UInt64(0), count: nodes)
        var changes = true
        while changes {
            changes = false
            for move in silent {
                for node in 0..<nodes {
                    var (newNear, newFar) = (near[node], far[node])
                    if newNear & 1 << UInt64(move.from) != 0 {
                        if move.anyTime { newFar |= 1 << UInt64(move.to) } else { newNear |= 1 << UInt64(move.to) }
                    }
                    if newFar & 1 << UInt64(move.from) != 0 { newFar |= 1 << UInt64(move.to) }
                    if newNear != near[node] || newFar != far[node] {
                        (near[node], far[node]) = (newNear, newFar)
                        changes = true
                    }
                }
            }
        }
        return (near, far)
    }
}
