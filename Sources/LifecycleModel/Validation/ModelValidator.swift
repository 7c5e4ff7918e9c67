/// Finds what is wrong with a model.
package enum ModelValidator {
    /// Everything that is wrong or doubtful about a user's file, whatever it holds: a model, a part of one, an overlay,
    /// or a chart of another tool. A file that cannot be read is one error.
    ///
    /// - Parameter file: its name, which tells what it is; see ``ModelCatalog/add(text:file:)``.
    package static func diagnostics(
        ofText text: String, file: String, in catalog: ModelCatalog
    ) -> [ModelDiagnostic] {
        var extended = catalog
        do throws(ModelError) {
            try extended.add(text: text, file: file)
        } catch {
            return [ModelDiagnostic(level: .error, file: error.file, line: error.line, message: error.message)]
        }
        let changed = extended.models.filter { model in catalog.model(model.id) != model }
        let replacing = changed.filter { catalog.model($0.id) != nil && $0.origin.file == file }.map { model in
            ModelDiagnostic(
                level: .warning, file: file, line: 1,
                message: "the model takes the place of the one that is called \(model.id) already; give it another id "
                    + "to have both")
        }
        return replacing + changed.flatMap { diagnostics(of: $0, in: extended) }
    }

    /// Everything that is wrong or doubtful about a model, in the order of its file.
    ///
    /// - Parameter catalog: the models that it may use, and the profiles and configuration keys that there are.
    package static func diagnostics(of model: LifecycleModel, in catalog: ModelCatalog) -> [ModelDiagnostic] {
        var check = ModelCheck(model: model, catalog: catalog)
        check.states()
        check.callbacks()
        check.transitions()
        check.reachability()
        check.determinism()
        check.rules()
        check.limits()
        check.nextCallbacks()
        check.scenarios()
        check.classes()
        return check.diagnostics.sorted { ($0.file, $0.line, $0.message) < ($1.file, $1.line, $1.message) }
    }
}

/// One validation under way.
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
        let used = model.uses.compactMap { catalog.model($0) }.flatMap(\.callbacks)
        let known = model.callbacks + used
        machine = ModelMachine(model, known: known)
        knownCallbacks = Set(known.map(\.id))
        knownStates = Set(model.states.map(\.id))
    }

    mutating func report(_ level: ModelDiagnostic.Level, _ part: ModelOrigin.Part, _ message: String) {
        let place = model.origin.place(of: part)
        diagnostics.append(
            ModelDiagnostic(level: level, file: place.file, line: place.line, message: message))
    }

    /// Reports callbacks that no model knows.
    mutating func callbacks(_ ids: [String], in part: ModelOrigin.Part, of role: String) {
        for id in ids where !knownCallbacks.contains(id) {
            report(
                .error, part,
                "\(role) names the callback '\(id)', which neither this model nor one that it uses declares")
        }
    }

    /// Reports states that the model does not have.
    mutating func states(_ ids: [String], in part: ModelOrigin.Part, of role: String) {
        for id in ids where !knownStates.contains(id) {
            report(.error, part, "\(role) names the state '\(id)', which the model does not have")
        }
    }

    mutating func citation(_ text: String, in part: ModelOrigin.Part, of role: String) {
        if text.isEmpty { report(.warning, part, "\(role) has no citation; say where it is documented") }
    }
}
