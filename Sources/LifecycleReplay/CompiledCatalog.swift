import LifecycleModel
import TraceRecords

/// All models of a catalog, compiled, and where each number of the vocabulary leads.
struct CompiledCatalog: Sendable {
    /// Where a callback of the vocabulary is found.
    struct Place: Sendable {
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
    /// Number of the model of the app's own states; `nil` when the catalog has none.
    let app: Int?
    /// The app's states that decide how a run can be said to have ended.
    let active: UInt8
    let background: UInt8
    /// For each model from which the app's state is derived, by state: the state of the app that follows, and its weight
    /// against those of other instances; empty for other models.
    let derived: [[(state: UInt8, weight: Int)]]

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
        traits = places.map { place in
            Int(place.model) < models.count ? models[Int(place.model)].traits[Int(place.callback)] : []
        }
        let app = models.firstIndex { $0.layer == "app" && $0.isPerRun }
        self.app = app
        active = app.flatMap { models[$0].state("active") } ?? CompiledModel.unknown
        background = app.flatMap { models[$0].state("background") } ?? CompiledModel.unknown
        derived = models.map { model in
            guard let rule = catalog.model(model.id)?.derives, let app, rule.model == models[app].id else { return [] }
            return model.states.map { state in
                let place = rule.ranking.firstIndex { $0.of == state }
                let name = place.map { rule.ranking[$0].gives } ?? rule.otherwise
                return (models[app].state(name) ?? models[app].initial, place.map { rule.ranking.count - $0 } ?? 0)
            }
        }
        self.models = models
        var listeners = Array(repeating: [Place](), count: vocabulary.count)
        for (number, compiled) in models.enumerated() {
            guard let model = catalog.model(compiled.id) else { continue }
            for place in model.callbacks.count..<compiled.callbacks.count {
                guard let callback = vocabulary.number(of: compiled.callbacks[place], from: model) else { continue }
                listeners[Int(callback)].append(Place(model: UInt8(number), callback: UInt16(place)))
            }
        }
        self.listeners = listeners
        hasListeners = listeners.contains { !$0.isEmpty }
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
