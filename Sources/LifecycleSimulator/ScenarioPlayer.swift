package import LifecycleModel

/// Plays documented scenarios out into logs, each with what must come before it.
package struct ScenarioPlayer: Sendable {
    private let catalog: ModelCatalog

    /// Callbacks that bring machines to where a scenario begins, by the callback that it begins with.
    private static let runUps: [String: [StepPattern]] = {
        let launch = StepPattern.scenario("SC-A01")
        let sceneLaunch = StepPattern.scenario("SC-S01")
        return [
            "applicationWillResignActive": [launch],
            "applicationDidEnterBackground": [launch, step("applicationWillResignActive")],
            "beginBackgroundTask": [launch, step("applicationWillResignActive")],
            "applicationWillEnterForeground": [launch, .scenario("SC-A02")],
            "performFetch": [launch, .scenario("SC-A02")],
            "didReceiveRemoteNotification": [launch, .scenario("SC-A02")],
            "sceneWillResignActive": [sceneLaunch],
            "sceneDidEnterBackground": [sceneLaunch, step("sceneWillResignActive")],
            "sceneWillEnterForeground": [sceneLaunch, .scenario("SC-S02")],
            "sceneDidDisconnect": [sceneLaunch, .scenario("SC-S02")],
            "configurationForConnectingSceneSession": [sceneLaunch],
            "loadView": [launch],
            "viewDidLoad": [launch],
            "viewWillDisappear": [launch, .scenario("SC-V01"), .scenario("SC-V03")],
        ]
    }()

    private static func step(_ name: String) -> StepPattern { .callback(CallbackPattern(names: [name])) }

    /// A player of the scenarios of all models in a catalog.
    package init(catalog: ModelCatalog) { self.catalog = catalog }

    /// Ids of the scenarios that it can play, in the order of the models.
    package var scenarios: [String] { catalog.models.flatMap { $0.scenarios.map(\.id) } }

    /// Plays one scenario; `nil` when no model has it.
    package func play(_ id: String, _ variant: PlayedScenario.Variant = .longest) -> PlayedScenario? {
        guard let scenario = scenario(id) else { return nil }
        var script = ScenarioScript(catalog: catalog, variant: variant)
        let steps = script.flatten(scenario.steps).namingNewScenes
        guard let first = steps.firstCallback else {
            // All of it may be missing: then there is nothing to log, and only the longest way shows it.
            return variant == .longest ? nil : play(id, .longest)
        }
        var leadUp = Self.runUps[first.name] ?? []
        if case .wait = steps.first { leadUp = [.scenario("SC-A01"), .scenario("SC-A02")] }
        if first.name == "viewDidLoad" || first.name == "loadView", steps.actors.count > 1 || first.actor == "VC2" {
            // The controller that is already there when another one comes.
            leadUp.append(.scenario("SC-V01"))
        }
        if first.actor == nil, first.name == "viewWillDisappear" { leadUp.removeLast() }
        // Alone, whatever a run-up leaves open is played in the shortest way.
        let before = ScenarioScript(catalog: catalog, variant: .shortest)
        script.write(before.flatten(leadUp), defaultActors: steps.leadingActors)
        if scenario.others == true, catalog.model("scene")?.scenario(id) != nil {
            script.wait(1_500)
            script.write(
                before.flatten([.scenario("SC-S10")]).namingNewScenes, defaultActors: steps.leadingActors)
        }
        script.wait(1_500)
        let firstLine = script.callbacks.count + 1
        script.write(steps, defaultActors: steps.leadingActors)
        let lastLine = script.callbacks.count
        if isOnlyLaunch(steps) { script.liveOn() }
        if !steps.endsSilently, endsAppSilently(scenario, steps) { script.write([.newRun], defaultActors: ("", "")) }
        if steps.endsSilently || endsAppSilently(scenario, steps) {
            script.write(before.flatten([.scenario("SC-A01")]), defaultActors: steps.leadingActors)
        }
        return PlayedScenario(
            scenario: id, text: script.text, lines: firstLine...max(firstLine, lastLine), callbacks: script.callbacks)
    }

    /// Whether nothing shows where a launch led.
    private func isOnlyLaunch(_ steps: [ScenarioStep]) -> Bool {
        let app = catalog.model("app")
        return steps.allSatisfy { step in
            if case .callback(let name, _) = step { app?.callback(name)?.beginsRun == true } else { false }
        }
    }

    /// Whether an app without scenes ends in a scenario of which this way does not say so.
    private func endsAppSilently(_ scenario: ModelScenario, _ steps: [ScenarioStep]) -> Bool {
        guard let app = catalog.model("app"), case .callback(let last, _)? = steps.last,
            app.callback(last)?.endsRun == false
        else { return false }
        return scenario.paths.last { $0.model == app.id }?.stops.last?.state == app.initial
    }

    private func scenario(_ id: String) -> ModelScenario? {
        catalog.models.lazy.compactMap { $0.scenario(id) }.first
    }
}
