/// One thing that happens in a scenario, once all choices are made.
enum ScenarioStep: Sendable, Hashable {
    /// A callback, and which of several instances gets it.
    case callback(name: String, actor: String?)
    /// Nothing is logged for so many milliseconds.
    case wait(Int)
    /// Another process goes on.
    case newRun
}

extension [ScenarioStep] {
    /// The first callback, if there is one.
    var firstCallback: (name: String, actor: String?)? {
        for case .callback(let name, let actor) in self { return (name, actor) }
        return nil
    }

    /// All instances that are named, in the order of their first callback.
    var actors: [String] {
        var actors: [String] = []
        for case .callback(_, let actor?) in self where !actors.contains(actor) { actors.append(actor) }
        return actors
    }

    /// The same, with the configuration of a new session given to the scene that then connects.
    var namingNewScenes: [ScenarioStep] {
        let newest = actors.last
        return map { step in
            guard case .callback("configurationForConnectingSceneSession", nil) = step else { return step }
            return .callback(name: "configurationForConnectingSceneSession", actor: newest)
        }
    }

    /// Who gets the callbacks of a run-up, which names no instance: the instances that the scenario takes as given.
    var leadingActors: (scene: String, view: String) {
        let scene = actors.contains("scene1") || actors.contains("scene2") ? "scene1" : "scene0"
        return (scene, firstCallback?.actor == nil && actors.isEmpty ? "VC0" : "VC1")
    }

    /// Whether the process of the last callback ends without a word.
    var endsSilently: Bool {
        guard let last else { return false }
        return last == .newRun
    }
}
