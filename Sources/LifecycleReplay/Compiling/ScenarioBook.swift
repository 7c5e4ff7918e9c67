import LifecycleModel

/// All sequences that a log is searched for: the classes of those that callbacks can't tell apart, and every other
/// scenario.
struct ScenarioBook: Sendable {
    private(set) var patterns: [ScenarioPattern] = []
    /// Patterns that a callback can begin, by callback.
    private(set) var beginning = NumberLists([])
    /// What the hot path asks of each pattern, without references.
    private(set) var heads: [ScenarioHead] = []
    /// All edges of all patterns, those of one pattern and callback side by side: by `pattern * width + callback`.
    private(set) var edges: [ScenarioHead.Edge] = []
    private(set) var firstEdge: [Int32] = [0]
    let width: Int

    init(_ catalog: ModelCatalog, compiled: CompiledCatalog, settings: ReplaySettings) {
        let vocabulary = Vocabulary(models: catalog.models)
        width = vocabulary.count
        let all = catalog.models.flatMap(\.scenarios)
        let inClass = Set(catalog.models.flatMap(\.classes).flatMap(\.members))
        for model in catalog.models {
            for one in model.classes {
                let known = one.members.compactMap { id in all.first { $0.id == id } }
                add(
                    ScenarioPattern(
                        one.signature, scenario: one.members.first ?? one.id, class: one, members: known,
                        settings: settings, platform: .any, absent: [], others: nil, of: model, in: catalog,
                        compiled: compiled, vocabulary: vocabulary))
            }
            for one in model.scenarios where one.isSearched && !inClass.contains(one.id) {
                add(
                    ScenarioPattern(
                        one.steps, scenario: one.id, class: nil, settings: settings, platform: one.platform,
                        absent: one.absent, others: one.others, failedLaunch: failedLaunch(one, of: model), of: model,
                        in: catalog, compiled: compiled,
                        vocabulary: vocabulary))
            }
        }
        var lists = Array(repeating: [Int](), count: width)
        for (number, pattern) in patterns.enumerated() {
            for callback in pattern.first.numbers where Int(callback) < width { lists[Int(callback)].append(number) }
        }
        beginning = NumberLists(lists)
        flatten()
    }

    /// Whether the rule that a silent end breaks by its nature is about launches that fail.
    private func failedLaunch(_ scenario: ModelScenario, of model: LifecycleModel) -> Bool? {
        let broken = model.rules.filter { scenario.breaks.contains($0.id) }.flatMap(\.checks)
        return broken.lazy.compactMap(\.failedLaunch).first
    }

    private mutating func add(_ pattern: ScenarioPattern?) {
        if let pattern { patterns.append(pattern) }
    }

    private mutating func flatten() {
        for pattern in patterns {
            heads.append(ScenarioHead(pattern))
            for callback in 0..<width {
                edges += pattern.edgesOf(UInt16(callback)).map { edge in
                    ScenarioHead.Edge(
                        from: 1 << UInt64(edge.from), near: pattern.near[edge.to], far: pattern.far[edge.to],
                        actor: edge.actor)
                }
                firstEdge.append(Int32(edges.count))
            }
        }
    }
}

/// What the hot path asks of a ``ScenarioPattern``, as plain words: looking at one counts no reference.
struct ScenarioHead: Sendable {
    /// A callback of the sequence, with nodes as bits: where it must stand, and where it then stands.
    struct Edge: Sendable {
        var from: UInt64
        var near: UInt64
        var far: UInt64
        var actor: Int
    }

    let absent: CallbackSet
    /// Callbacks that must not come of instances that play no part, nor of this actor.
    let absentOfOthers: CallbackSet
    let absentActor: Int
    /// Whether it matters in which state it begins.
    let asksForState: Bool
    /// Whether it matters if other instances are there at the end.
    let asksForOthers: Bool
    let models: UInt64
    /// Nodes at the beginning, and the last node; those from which a callback leads on.
    let start: UInt64
    let last: UInt64
    let open: UInt64
    /// Nodes from which the silent end of the run leads on, and whether the launch must have failed for that.
    let openAtEnd: UInt64
    let failedLaunch: Bool?
    /// Whether it is documented for runs without scenes, and for runs with scenes.
    let isPlain: Bool
    let hasScenes: Bool

    init(_ pattern: ScenarioPattern) {
        absent = pattern.absent
        absentOfOthers = pattern.absentOfOthers
        absentActor = pattern.absentActor
        asksForState = !pattern.beginsIn.isEmpty
        asksForOthers = pattern.others != nil
        models = pattern.models
        start = pattern.near[0] | pattern.far[0]
        last = 1 << UInt64(pattern.last)
        open = pattern.open
        openAtEnd = pattern.openAtEnd
        failedLaunch = pattern.failedLaunch
        isPlain = pattern.isPlain
        hasScenes = pattern.hasScenes
    }

    /// Whether a callback of an instance rules the sequence out.
    @inline(__always)
    func excludes(_ callback: UInt16, of instance: Int64, in thread: ScenarioThread) -> Bool {
        if absent.contains(callback) { return true }
        guard absentOfOthers.contains(callback) else { return false }
        return !thread.has(instance)
            || absentActor < ScenarioPattern.Edge.actors && thread.actor(absentActor) == instance
    }
}
