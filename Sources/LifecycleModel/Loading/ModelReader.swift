/// Reads a model file.
package enum ModelReader {
    /// The model that a YAML text describes.
    ///
    /// - Parameter file: name of the file for messages.
    /// - Throws: ``ModelError`` with file and line at the first thing that can't be read.
    package static func read(_ text: String, file: String) throws(ModelError) -> LifecycleModel {
        var keys = try YAMLKeys(YAMLField.document(text, file: file))
        let idField = try keys.require("model")
        let id = try idField.text()
        let initial = try keys.require("initial")
        var model = LifecycleModel(
            id: id,
            layer: try keys.text("layer") ?? id,
            title: try keys.title(orID: id),
            scope: try keys.take("one machine per")?.word(InstanceScope.self) ?? .object,
            initial: try initial.text(),
            final: try keys.texts("final"),
            uses: try keys.texts("uses")
        )
        model.origin.file = file
        model.origin.note(.model, idField)
        model.origin.note(.initial, initial)
        for (id, field) in try keys.require("states").pairs() {
            model.origin.note(.state(id), field)
            model.states.append(try state(id, field))
        }
        for (id, field) in try keys.take("callbacks")?.pairs() ?? [] {
            model.origin.note(.callback(id), field)
            model.callbacks.append(try callback(id, field))
        }
        let all = model.states.filter(\.isDrawn).map(\.id)
        for (id, field) in try keys.require("transitions").pairs() {
            model.origin.note(.transition(id), field)
            model.transitions.append(try transition(id, field, any: all))
        }
        try parts(&keys, into: &model)
        try keys.finish()
        return model
    }

    /// Adds the rules, limits and scenarios of a file that begins with `part of:` to its model.
    ///
    /// - Throws: ``ModelError`` when it can't be read or is part of another model.
    package static func readPart(
        _ text: String, file: String, into model: inout LifecycleModel
    ) throws(ModelError) {
        var keys = try YAMLKeys(YAMLField.document(text, file: file))
        let owner = try keys.require("part of")
        guard try owner.text() == model.id else {
            throw owner.error("the file is part of '\(try owner.text())', not of '\(model.id)'")
        }
        try parts(&keys, into: &model)
        try keys.finish()
    }

    private static func parts(_ keys: inout YAMLKeys, into model: inout LifecycleModel) throws(ModelError) {
        for (id, field) in try keys.take("rules")?.pairs() ?? [] {
            model.origin.note(.rule(id), field)
            model.rules.append(try rule(id, field))
        }
        for (id, field) in try keys.take("limits")?.pairs() ?? [] {
            model.origin.note(.limit(id), field)
            model.limits.append(try limit(id, field))
        }
        for (id, field) in try keys.take("scenarios")?.pairs() ?? [] {
            model.origin.note(.scenario(id), field)
            model.scenarios.append(try scenario(id, field, model: model.id))
        }
        for (id, field) in try keys.take("classes")?.pairs() ?? [] {
            model.origin.note(.equivalenceClass(id), field)
            model.classes.append(try equivalenceClass(id, field))
        }
        for row in try keys.take("next callbacks")?.list() ?? [] {
            model.origin.note(.nextCallbacks(model.nextCallbacks.count), row)
            model.nextCallbacks.append(try nextCallbacks(row))
        }
        if let field = keys.take("derives") {
            model.origin.note(.derives, field)
            model.derives = try derivedState(field)
        }
    }

    private static func state(_ id: String, _ field: YAMLField) throws(ModelError) -> ModelState {
        var keys = try YAMLKeys(field)
        let state = ModelState(
            id: id,
            title: try keys.title(orID: id),
            synonyms: try keys.texts("synonyms"),
            platformValue: try keys.text("platform value"),
            summary: try keys.text("summary") ?? "",
            citation: try keys.text("citation") ?? "",
            isDrawn: try keys.flag("drawn") ?? true,
            runsCode: try keys.flag("runs code"),
            accepts: try keys.texts("accepts")
        )
        try keys.finish()
        return state
    }

    private static func callback(_ id: String, _ field: YAMLField) throws(ModelError) -> ModelCallback {
        var keys = try YAMLKeys(field)
        let callback = ModelCallback(
            id: id,
            spellings: try keys.texts("spellings"),
            patterns: try keys.texts("patterns"),
            beginnings: try keys.texts("beginnings"),
            exceptions: try keys.texts("exceptions"),
            proves: try keys.text("proves"),
            before: try keys.text("before"),
            during: try keys.texts("during"),
            isSupplementary: try keys.flag("supplementary") ?? false,
            isUnknown: try keys.flag("unknown") ?? false,
            beginsRun: try keys.flag("begins run") ?? false,
            endsRun: try keys.flag("ends run") ?? false,
            beginsInstance: try keys.flag("begins instance") ?? false,
            endsInstance: try keys.flag("ends instance") ?? false,
            folds: try keys.flag("folds") ?? true,
            summary: try keys.text("summary") ?? "",
            citation: try keys.text("citation") ?? ""
        )
        try keys.finish()
        return callback
    }

    private static func transition(
        _ id: String, _ field: YAMLField, any: [String]
    ) throws(ModelError) -> ModelTransition {
        var keys = try YAMLKeys(field)
        var from = try keys.require("from").texts()
        let to = try keys.require("to").texts()
        if from == ["any"] { from = any.filter { !to.contains($0) } }
        let transition = ModelTransition(
            id: id,
            from: from,
            to: to,
            steps: try keys.steps("callbacks"),
            choice: try keys.text("choice"),
            after: try keys.texts("after"),
            isAbnormal: try keys.flag("abnormal") ?? false,
            isDrawn: try keys.flag("drawn") ?? true,
            profiles: try keys.texts("profiles"),
            cause: try keys.text("cause") ?? "",
            citation: try keys.text("citation") ?? ""
        )
        try keys.finish()
        return transition
    }
}
