/// A model's edges and silent moves, indexed for many lookups.
struct ModelMachine {
    let edges: [ModelEdge]
    private let silent: [String: [String]]
    private let byOrigin: [String: [ModelEdge]]
    /// Callbacks that never change a state.
    let supplementary: Set<String>

    init(_ model: LifecycleModel, in catalog: ModelCatalog) {
        edges = model.edges
        silent = Dictionary(grouping: model.silentMoves, by: \.from).mapValues { $0.map(\.to) }
        byOrigin = Dictionary(grouping: edges, by: \.from)
        let known = model.callbacks + model.usedCallbacks(in: catalog)
        supplementary = Set(known.filter(\.isSupplementary).map(\.id))
    }

    /// The states, and those that can be reached from them without a callback.
    func closure(_ states: Set<String>) -> Set<String> {
        var reached = states
        var open = Array(states)
        while let state = open.popLast() {
            for next in silent[state] ?? [] where reached.insert(next).inserted { open.append(next) }
        }
        return reached
    }

    /// States after a callback, from any of the states; a supplementary callback changes nothing.
    func after(_ callback: String, from states: Set<String>) -> Set<String> {
        if supplementary.contains(callback) { return states }
        return Set(closure(states).flatMap { byOrigin[$0] ?? [] }.filter { $0.callback == callback }.map(\.to))
    }

    /// States that a callback can lead to, from anywhere.
    func targets(of callback: String) -> Set<String> {
        Set(edges.filter { $0.callback == callback }.map(\.to))
    }

    /// States in which a callback can come.
    func origins(of callback: String) -> Set<String> {
        Set(edges.filter { $0.callback == callback }.map(\.from))
    }

    /// States that callbacks lead to from any of the states.
    func targets(of callbacks: [String], in states: Set<String>) -> Set<String> {
        Set(edges.filter { callbacks.contains($0.callback) && states.contains($0.from) }.map(\.to))
    }

    /// Callbacks that can come in any of the states, except supplementary ones.
    func callbacks(in states: Set<String>) -> Set<String> {
        Set(states.flatMap { byOrigin[$0] ?? [] }.map(\.callback)).subtracting(supplementary)
    }

    /// All states that can be reached from some, including those themselves, without using some callbacks.
    func reachable(from states: Set<String>, without callbacks: [String] = []) -> Set<String> {
        var reached = closure(states)
        var open = Array(reached)
        while let state = open.popLast() {
            for edge in byOrigin[state] ?? [] where !callbacks.contains(edge.callback) {
                for next in closure([edge.to]) where reached.insert(next).inserted { open.append(next) }
            }
        }
        return reached
    }
}

extension LifecycleModel {
    /// Callbacks of the models that it uses.
    func usedCallbacks(in catalog: ModelCatalog) -> [ModelCallback] {
        uses.compactMap { catalog.model($0) }.flatMap(\.callbacks)
    }
}
