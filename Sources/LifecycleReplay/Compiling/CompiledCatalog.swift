import LifecycleModel

/// All models of a catalog, compiled, and where each number of the vocabulary leads.
struct CompiledCatalog: Sendable {
    /// Where a callback of the vocabulary is found.
    struct Place: Sendable, BitwiseCopyable {
        var model: UInt8
        var callback: UInt16
    }

    let models: [CompiledModel]
    /// By number in the vocabulary.
    let places: [Place]
    let traits: [CallbackTraits]
    /// By number in the vocabulary, the callbacks that other models borrow: they are driven by it too.
    let listeners: [[Place]]
    let hasListeners: Bool
    /// By number in the vocabulary, why the system launched a process that gets such a callback.
    let launchCauses: [UInt16: String]
    /// By model, the state that suspension leads to.
    let suspended: [UInt8]
    /// Number of the model of the app's own states; `nil` when the catalog has none.
    let app: Int?
    /// The app's states that decide how a run can be said to have ended.
    let active: UInt8
    let background: UInt8
    /// By model, the states in which the app is inactive and those in which it is active, one bit each; none of models that
    /// do not say where it is.
    let inactiveStates: [UInt64]
    let activeStates: [UInt64]
    /// By model, the callbacks that begin or end what of it is active, one bit each.
    let activeCallbacks: [UInt64]
    /// For each model from which the app's state is derived, by state: the state of the app that follows, and its weight
    /// against those of other instances; empty for other models.
    let derived: [[(state: UInt8, weight: Int)]]
    /// Whether a model is one of those.
    let derivesApp: [Bool]
    /// Number of the model of scenes, and its states by those of the app that follow from them.
    let scene: Int?
    let sceneStates: [UInt8: UInt8]

    init(_ catalog: ModelCatalog) {
        let vocabulary = Vocabulary(models: catalog.models)
        var models: [CompiledModel] = []
        var numbers: [String: UInt8] = [:]
        for model in catalog.models where !model.callbacks.isEmpty {
            guard let number = UInt8(exactly: models.count), number < .max,
                let compiled = CompiledModel(model, number: number, borrowed: Self.borrowed(by: model, in: catalog))
            else { continue }
            numbers[model.id] = number
            models.append(compiled)
        }
        var counts: [UInt8: UInt16] = [:]
        places = vocabulary.entries.map { entry in
            let model = numbers[entry.model] ?? .max
            let callback = counts[model, default: 0]
            counts[model] = callback + 1
            return Place(model: model, callback: callback)
        }
        let app = models.firstIndex { $0.layer == "app" && $0.isPerRun }
        launchCauses = vocabulary.entries.reduce(into: [:]) { $0[$1.index] = $1.callback.launchCause }
        traits = places.map { Self.traits(of: $0, models, in: catalog, app: app) }
        self.app = app
        active = app.flatMap { models[$0].state("active") } ?? CompiledModel.unknown
        background = app.flatMap { models[$0].state("background") } ?? CompiledModel.unknown
        let derived = models.map { model in Self.derived(by: model, of: app.map { models[$0] }, in: catalog) }
        self.derived = derived
        derivesApp = derived.map { !$0.isEmpty }
        func states(of state: UInt8?) -> [UInt64] {
            models.indices.map { number in
                guard let state else { return 0 }
                if number == app { return 1 << UInt64(state) }
                let meant = derived[number].indices.filter { derived[number][$0].state == state }
                return meant.filter { derived[number][$0].weight > 0 }.reduce(0) { $0 | 1 << UInt64($1) }
            }
        }
        inactiveStates = states(of: app.flatMap { models[$0].state("inactive") })
        let active = states(of: app.flatMap { models[$0].state("active") })
        activeStates = active
        activeCallbacks = models.indices.map { number in
            models[number].callbacks.indices.prefix(64).reduce(0) { bits, callback in
                let action = models[number].action(of: UInt16(callback), in: CompiledModel.unknown)
                let isMeant = [action.before, action.after].contains { active[number] & 1 << UInt64($0) != 0 }
                return isMeant ? bits | 1 << UInt64(callback) : bits
            }
        }
        let scene = derived.firstIndex { !$0.isEmpty }
        self.scene = scene
        let ranked = scene.map { derived[$0].enumerated().filter { $1.weight > 0 } } ?? []
        sceneStates = Dictionary(ranked.map { ($1.state, UInt8($0)) }) { first, _ in first }
        suspended = models.map(\.suspended)
        self.models = models
        listeners = Self.listeners(models, vocabulary, catalog)
        hasListeners = listeners.contains { !$0.isEmpty }
    }

    /// By callback, where other models borrow it.
    private static func listeners(
        _ models: [CompiledModel], _ vocabulary: Vocabulary, _ catalog: ModelCatalog
    ) -> [[Place]] {
        var listeners = Array(repeating: [Place](), count: vocabulary.count)
        for (number, compiled) in models.enumerated() {
            guard let model = catalog.model(compiled.id) else { continue }
            for place in model.callbacks.count..<compiled.callbacks.count {
                guard let callback = vocabulary.number(of: compiled.callbacks[place], from: model) else { continue }
                listeners[Int(callback)].append(Place(model: UInt8(number), callback: UInt16(place)))
            }
        }
        return listeners
    }

    private static func traits(
        of place: Place, _ models: [CompiledModel], in catalog: ModelCatalog, app: Int?
    ) -> CallbackTraits {
        guard Int(place.model) < models.count else { return [] }
        let model = models[Int(place.model)]
        let callback = model.callbacks[Int(place.callback)]
        var traits = model.traits[Int(place.callback)]
        if Int(place.model) == app {
            traits.insert(.isOfApp)
            let isJudged = catalog.models.contains { other in
                other.derives.map { $0.model == model.id && $0.judgedBy[callback] != nil } ?? false
            }
            if isJudged { traits.insert(.isJudgedByProcess) }
        }
        if model.isPerScene { traits.insert(.isPerScene) }
        if model.isPerObject { traits.insert(.isPerObject) }
        if let source = catalog.model(model.id), source.isReadByDialects,
            let proven = source.callback(callback)?.proves, source.final.contains(proven)
        {
            traits.insert(.needsLabel)
        }
        return traits
    }

    /// By state of a model, the state of the app that follows from it, and its weight; empty where none follows.
    private static func derived(
        by model: CompiledModel, of app: CompiledModel?, in catalog: ModelCatalog
    ) -> [(state: UInt8, weight: Int)] {
        guard let rule = catalog.model(model.id)?.derives, let app, rule.model == app.id else { return [] }
        return model.states.map { state in
            let place = rule.ranking.firstIndex { $0.of == state }
            let name = place.map { rule.ranking[$0].gives } ?? rule.otherwise
            return (app.state(name) ?? app.initial, place.map { rule.ranking.count - $0 } ?? 0)
        }
    }

    /// The callbacks of other models that the transitions of a model name.
    private static func borrowed(by model: LifecycleModel, in catalog: ModelCatalog) -> [ModelCallback] {
        let lenders = model.uses.compactMap { catalog.model($0) }
        var borrowed: [ModelCallback] = []
        for name in model.edges.map(\.callback)
        where model.callback(name) == nil && !borrowed.contains(where: { $0.id == name })
            && lenders.contains(where: { $0.callback(name) != nil })
        {
            borrowed.append(ModelCallback(id: name, spellings: [], citation: ""))
        }
        return borrowed
    }
}

/// What the replay must know of a callback, in one word.
struct CallbackTraits: OptionSet, Sendable, BitwiseCopyable {
    var rawValue: UInt16

    static let beginsRun = CallbackTraits(rawValue: 1 << 0)
    static let endsRun = CallbackTraits(rawValue: 1 << 1)
    static let isSupplementary = CallbackTraits(rawValue: 1 << 2)
    static let beginsInstance = CallbackTraits(rawValue: 1 << 3)
    static let endsInstance = CallbackTraits(rawValue: 1 << 4)
    static let folds = CallbackTraits(rawValue: 1 << 5)
    /// Changes nothing of the app, but shows that the app was launched into the background.
    static let wakesInBackground = CallbackTraits(rawValue: 1 << 6)
    /// No callback of the platform.
    static let isUnknown = CallbackTraits(rawValue: 1 << 7)

    /// Whose instance gets it: the app of a run, a scene session, or a labelled object.
    static let isOfApp = CallbackTraits(rawValue: 1 << 9)
    static let isPerScene = CallbackTraits(rawValue: 1 << 10)
    static let isPerObject = CallbackTraits(rawValue: 1 << 11)

    /// In a run with scenes, legal in every state that they give the app: another model judges it.
    static let isJudgedByProcess = CallbackTraits(rawValue: 1 << 12)

    /// Says why the system launched the process.
    static let tellsCause = CallbackTraits(rawValue: 1 << 13)

    /// Counts only for an instance that is known.
    static let needsInstance = CallbackTraits(rawValue: 1 << 14)

    /// Ends an instance that dialects name: without a label, the only one that it can end.
    static let needsLabel = CallbackTraits(rawValue: 1 << 15)

    /// Stands for whatever name the platform does not have.
    static let isAnyOther = CallbackTraits(rawValue: 1 << 8)

    init(rawValue: UInt16) { self.rawValue = rawValue }

    init(_ callback: ModelCallback) {
        self = []
        if callback.beginsRun { insert(.beginsRun) }
        if callback.endsRun { insert(.endsRun) }
        if callback.isSupplementary { insert(.isSupplementary) }
        if callback.beginsInstance { insert(.beginsInstance) }
        if callback.endsInstance { insert(.endsInstance) }
        if callback.folds { insert(.folds) }
        if callback.isUnknown { insert(.isUnknown) }
        if callback.needsInstance { insert(.needsInstance) }
        if callback.launchCause != nil { insert(.tellsCause) }
        if callback.isUnknown, callback.spellings.count + callback.beginnings.count > 1 { insert(.isAnyOther) }
        if callback.isSupplementary || callback.launchCause != nil, callback.during == ["background"] {
            insert(.wakesInBackground)
        }
    }
}
