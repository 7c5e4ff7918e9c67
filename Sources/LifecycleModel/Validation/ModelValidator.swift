import DataFiles

/// A problem in a model, and where it is.
package struct ModelDiagnostic: Sendable, Hashable, CustomStringConvertible {
    package enum Level: String, Sendable, CaseIterable {
        /// The model can be used, but may not mean what its author intended.
        case warning
        /// The model cannot be used.
        case error
    }

    package var level: Level
    package var file: String
    /// Counted from 1; 0 where it concerns the whole file.
    package var line: Int
    /// What is wrong and how to fix it.
    package var message: String

    package var description: String { "\(file)\(line > 0 ? ":\(line)" : ""): \(level.rawValue): \(message)" }
}

/// Finds problems in models.
package enum ModelValidator {
    /// All problems in a user's YAML file: a model, a part of one, or an overlay. A file that cannot be read is one error.
    ///
    /// - Parameter file: its name, for messages.
    package static func diagnostics(
        ofText text: String, file: String, in catalog: ModelCatalog
    ) -> [ModelDiagnostic] {
        var extended = catalog
        do throws(DataFileError) {
            try extended.add(yaml: text, file: file)
        } catch {
            return [ModelDiagnostic(level: .error, file: error.file, line: error.line, message: error.message)]
        }
        let changed = extended.models.filter { model in catalog.model(model.id) != model }
        let replacing = changed.filter { catalog.model($0.id) != nil && $0.origin.file == file }.map { model in
            ModelDiagnostic(
                level: .warning, file: file, line: 1,
                message: "this model replaces the existing model \(model.id); use another id to keep both")
        }
        return replacing + changed.flatMap { diagnostics(of: $0, in: extended) }
    }

    /// All problems in a model, in file order.
    ///
    /// - Parameter catalog: the models that it may use, and the profiles and configuration keys that exist.
    package static func diagnostics(of model: LifecycleModel, in catalog: ModelCatalog) -> [ModelDiagnostic] {
        var check = ModelCheck(model: model, catalog: catalog)
        check.checkStates()
        check.checkCallbacks()
        check.checkTransitions()
        check.checkReachability()
        check.checkDeterminism()
        check.checkDerivedState()
        check.checkRules()
        check.checkLimits()
        check.checkNextCallbacks()
        check.checkScenarios()
        check.checkClasses()
        return check.diagnostics.sorted { ($0.file, $0.line, $0.message) < ($1.file, $1.line, $1.message) }
    }
}

/// The validation of one model: what all checks share, and the checks of states and transitions.
struct ModelCheck {
    let model: LifecycleModel
    let catalog: ModelCatalog
    let machine: ModelMachine
    /// Ids of the callbacks that the model may name.
    let knownCallbacks: Set<String>
    let knownStates: Set<String>
    private(set) var diagnostics: [ModelDiagnostic] = []

    init(model: LifecycleModel, catalog: ModelCatalog) {
        self.model = model
        self.catalog = catalog
        machine = ModelMachine(model, in: catalog)
        knownCallbacks = Set((model.callbacks + model.usedCallbacks(in: catalog)).map(\.id))
        knownStates = Set(model.states.map(\.id))
    }

    mutating func report(_ level: ModelDiagnostic.Level, _ part: ModelOrigin.Part, _ message: String) {
        let location = model.origin.location(of: part)
        diagnostics.append(
            ModelDiagnostic(level: level, file: location.file, line: location.line, message: message))
    }

    /// Reports callbacks that no model knows.
    mutating func requireCallbacks(_ ids: [String], in part: ModelOrigin.Part, of role: String) {
        for id in ids where !knownCallbacks.contains(id) {
            report(
                .error, part, "\(role) names the callback '\(id)', which neither this model nor one it uses declares")
        }
    }

    mutating func requireStates(_ ids: [String], in part: ModelOrigin.Part, of role: String) {
        for id in ids where !knownStates.contains(id) {
            report(.error, part, "\(role) names the state '\(id)', which the model does not have")
        }
    }

    mutating func requireProfiles(_ ids: [String], in part: ModelOrigin.Part, of role: String) {
        for id in ids where !catalog.settings.profiles.contains(where: { $0.id == id }) {
            report(.error, part, "\(role) names the profile '\(id)', which does not exist")
        }
    }

    mutating func requireCitation(_ text: String, in part: ModelOrigin.Part, of role: String) {
        if text.isEmpty { report(.warning, part, "\(role) has no citation; add where it is documented") }
    }
}

extension ModelCheck {
    /// States in which a path may begin: the initial one, and those that exist for analysis only.
    var beginnings: Set<String> {
        Set(model.states.filter { !$0.isDrawn }.map(\.id) + [model.initial])
    }

    fileprivate mutating func checkStates() {
        for use in model.uses where catalog.model(use) == nil {
            report(.error, .model, "the model uses '\(use)', which does not exist")
        }
        requireStates([model.initial], in: .initial, of: "'initial'")
        requireStates(model.final, in: .model, of: "'final'")
        for state in model.states {
            let role = "state \(state.id)"
            requireCallbacks(state.accepts, in: .state(state.id), of: role)
            requireCitation(state.citation, in: .state(state.id), of: role)
        }
    }

    fileprivate mutating func checkCallbacks() {
        var owners: [String: String] = [:]
        for callback in model.callbacks {
            let part = ModelOrigin.Part.callback(callback.id)
            let role = "callback \(callback.id)"
            requireStates([callback.proves, callback.before].compactMap(\.self), in: part, of: role)
            let isWritten = !callback.spellings.isEmpty || !callback.patterns.isEmpty || !callback.beginnings.isEmpty
            if !isWritten, !model.isReadByDialects {
                report(.warning, part, "\(role) has neither spellings nor patterns, so no log can contain it")
            }
            for spelling in callback.spellings.map({ $0.lowercased() }) + callback.patterns {
                if let owner = owners[spelling], owner != callback.id {
                    report(.error, part, "\(role) has the spelling '\(spelling)', which belongs to \(owner) already")
                }
                owners[spelling] = callback.id
            }
            if !callback.isSupplementary, machine.origins(of: callback.id).isEmpty {
                report(.warning, part, "\(role) is not used by any transition; use it or mark it as supplementary")
            }
            requireCitation(callback.citation, in: part, of: role)
        }
    }

    fileprivate mutating func checkTransitions() {
        for transition in model.transitions {
            let part = ModelOrigin.Part.transition(transition.id)
            let role = "transition \(transition.id)"
            requireStates(transition.from + transition.to + transition.steps.flatMap(\.namedStates), in: part, of: role)
            requireCallbacks(transition.callbacks + transition.after, in: part, of: role)
            requireProfiles(transition.profiles, in: part, of: role)
            requireCitation(transition.citation, in: part, of: role)
        }
    }

    fileprivate mutating func checkReachability() {
        // States that exist for analysis only may be isolated, and a machine may begin in them.
        let reachable = machine.reachable(from: beginnings)
        for state in model.states where !reachable.contains(state.id) {
            report(
                .warning, .state(state.id),
                "state \(state.id) cannot be reached from '\(model.initial)'; add a transition to it or remove it")
        }
        for transition in model.transitions where !transition.from.contains(where: reachable.contains) {
            report(
                .warning, .transition(transition.id),
                "transition \(transition.id) is dead: \(transition.from.joined(separator: ", ")) cannot be reached")
        }
        let left = Set(model.transitions.flatMap { transition in transition.from.filter { $0 != transition.to.first } })
        for state in model.states where state.isDrawn && !left.contains(state.id) && !model.final.contains(state.id) {
            report(
                .warning, .state(state.id), "state \(state.id) is never left; add a transition or list it as final")
        }
    }

    fileprivate mutating func checkDerivedState() {
        guard let derived = model.derives else { return }
        requireCitation(derived.citation, in: .derives, of: "'derives'")
        requireStates(derived.ranking.map(\.of), in: .derives, of: "'derives'")
        guard let target = catalog.model(derived.model) else {
            return report(.error, .derives, "'derives' names the model '\(derived.model)', which does not exist")
        }
        for state in derived.ranking.map(\.gives) + [derived.otherwise] where target.state(state) == nil {
            report(.error, .derives, "'derives' leads to '\(state)', which \(target.id) does not have")
        }
        for (callback, judge) in derived.judgedBy.sorted(by: { $0.key < $1.key }) {
            let edges = catalog.model(judge)?.edges ?? []
            if !edges.contains(where: { $0.callback == callback }) {
                report(
                    .error, .derives,
                    "'derives' lets '\(judge)' judge \(callback), but no transition of that model has it")
            }
        }
    }

    fileprivate mutating func checkDeterminism() {
        let groups = Dictionary(grouping: machine.edges) { [$0.from, $0.callback] }
        for edges in groups.values.sorted(by: { ($0[0].from, $0[0].callback) < ($1[0].from, $1[0].callback) }) {
            guard let first = edges.first, edges.count > 1 else { continue }
            let shared = edges.dropFirst().reduce(Set(first.choices)) { $0.intersection($1.choices) }
            guard shared.isEmpty else { continue }
            let targets = edges.map(\.to).joined(separator: " or ")
            let names = edges.flatMap(\.transitions)
            report(
                .error, .transition(names.last ?? ""),
                "\(first.callback) in \(first.from) leads to \(targets) (\(names.joined(separator: ", "))); "
                    + "give these transitions the same 'choice' if what follows decides, or different callbacks")
        }
    }
}

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
    func usedCallbacks(in catalog: ModelCatalog) -> [ModelCallback] {
        uses.compactMap { catalog.model($0) }.flatMap(\.callbacks)
    }
}
