import DataFiles
package import LifecycleModel

/// Generates a log for a documented scenario, preceded by the callbacks that it requires.
package struct ScenarioPlayer: Sendable {
    private let catalog: ModelCatalog

    /// Callbacks that move the machines to where a scenario begins, by the first callback of the scenario.
    private static let runUps: [String: [StepPattern]] =
        SimulatorData.read { file throws(DataFileError) in
            try file["run-ups"]?.entries().map { ($0.key, (try? StepNotation.parse($0.text ?? "")) ?? []) }
        }.map { Dictionary($0) { first, _ in first } } ?? [:]

    package init(catalog: ModelCatalog) { self.catalog = catalog }

    /// Ids of the scenarios that it can play, in the order of the models.
    package var scenarios: [String] { catalog.models.flatMap { $0.scenarios.map(\.id) } }

    /// The log of one scenario; `nil` when no model has it.
    package func play(_ id: String, _ variant: PlayedScenario.Variant = .longest) -> PlayedScenario? {
        guard let scenario = scenario(id) else { return nil }
        var script = ScenarioScript(catalog: catalog, variant: variant)
        let steps = script.flatten(scenario.steps).namingNewScenes
        guard let first = steps.firstCallback else {
            // Everything may be missing, so only the longest variant has anything to log.
            return variant == .longest ? nil : play(id, .longest)
        }
        var leadUp = Self.runUps[first.name] ?? []
        if case .wait = steps.first { leadUp = [.scenario("SC-A01"), .scenario("SC-A02")] }
        if first.name == "viewDidLoad" || first.name == "loadView", steps.actors.count > 1 || first.actor == "VC2" {
            // The controller that is on the screen when another one comes.
            leadUp.append(.scenario("SC-V01"))
        }
        if first.actor == nil, first.name == "viewWillDisappear" { leadUp.removeLast() }
        // The run-up is always played in its shortest variant.
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

    /// Whether the callbacks do not show where a launch led.
    private func isOnlyLaunch(_ steps: [ScenarioStep]) -> Bool {
        let app = catalog.model("app")
        return steps.allSatisfy { step in
            if case .callback(let name, _) = step { app?.callback(name)?.beginsRun == true } else { false }
        }
    }

    /// Whether an app without scenes ends in this scenario without a step that shows it.
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

/// A documented scenario as a log.
package struct PlayedScenario: Sendable, Hashable {
    /// How the choices that a scenario leaves open are made.
    package enum Variant: Sendable, Hashable, CaseIterable {
        /// Without optional steps, with the first of alternatives.
        case shortest
        /// With all optional steps, with the last of alternatives, and with unordered steps reversed.
        case longest
    }

    /// Id of the scenario (`SC-A01` …).
    package var scenario: String
    /// The log: NSLog lines in the new form.
    package var text: String
    /// The lines of the scenario itself, counted from 1, after those that lead up to it and before any that prove its
    /// end.
    package var lines: ClosedRange<Int>
    /// Ids of all callbacks, one for each line of the log. A last line without a callback may follow, to show that the
    /// process lives on after a launch.
    package var callbacks: [String]
}

/// Makes the choices that a scenario leaves open and writes the steps as a log.
struct ScenarioScript {
    private let catalog: ModelCatalog
    private let variant: PlayedScenario.Variant
    private var clock = LogClock(zone: 60)
    /// Microseconds since 1970 UTC.
    private var now = 1_774_000_800_000_000
    private var pid = 4_000
    private(set) var text = ""
    private(set) var callbacks: [String] = []

    init(catalog: ModelCatalog, variant: PlayedScenario.Variant) {
        self.catalog = catalog
        self.variant = variant
    }

    /// The steps without choices.
    func flatten(_ steps: [StepPattern]) -> [ScenarioStep] {
        steps.flatMap { flatten($0) }
    }

    private func flatten(_ step: StepPattern) -> [ScenarioStep] {
        switch step {
        case .callback(let callback):
            let name = variant == .shortest ? callback.names.first : callback.names.last
            return name.map { [.callback(name: $0, actor: callback.actor)] } ?? []
        case .silent: return [.wait(60_000)]
        case .later: return [.wait(3_000)]
        case .newRun: return [.newRun]
        case .scenario(let id):
            return catalog.models.lazy.compactMap { $0.scenario(id) }.first.map { flatten($0.steps) } ?? []
        case .optional(let steps): return variant == .shortest ? [] : flatten(steps)
        case .repeated(let steps, let atLeast):
            let rounds = variant == .shortest ? atLeast : max(2, atLeast)
            return (0..<rounds).flatMap { _ in flatten(steps) }
        case .unordered(let steps): return flatten(variant == .shortest ? steps : steps.reversed())
        }
    }

    /// Lets a number of milliseconds pass.
    mutating func wait(_ milliseconds: Int) { now += milliseconds * 1_000 }

    /// Writes the steps. Callbacks without an instance go to the default ones.
    mutating func write(_ steps: [ScenarioStep], defaultActors: (scene: String, view: String)) {
        for step in steps {
            switch step {
            case .wait(let milliseconds): wait(milliseconds)
            case .newRun:
                wait(600_000)
                pid += 7
            case .callback(let name, let actor):
                now += 150_250
                clock.set(now)
                text += String(decoding: clock.text, as: UTF8.self)
                text += " Player[\(pid):8001] \(message(name, actor: actor, defaultActors))\n"
                callbacks.append(name)
            }
        }
    }

    /// Writes a line without a callback long after the last one.
    mutating func liveOn() {
        wait(30_000)
        clock.set(now)
        text += String(decoding: clock.text, as: UTF8.self)
        text += " Player[\(pid):8001] nothing left to fetch\n"
    }

    /// What apps and UIKit print of their tasks.
    private static let taskLines: [String: String] =
        SimulatorData.read { file throws(DataFileError) in
            try file["task-lines"]?.entries().map { ($0.key, $0.text ?? "") }
        }.map { Dictionary($0) { first, _ in first } } ?? [:]

    private func message(_ name: String, actor: String?, _ defaults: (scene: String, view: String)) -> String {
        let model = catalog.models.first { $0.callback(name) != nil }
        switch model?.layer {
        case "view": return "-[\(actor ?? defaults.view) \(name)]"
        case "scene": return "\(name) session: \(actor ?? defaults.scene)"
        case "swiftui-view": return "\(actor ?? "ShelfView") \(model?.callback(name)?.spellings.first ?? name)"
        case "background-task": return Self.taskLines[name] ?? name
        default:
            // Supplementary callbacks are not only methods of the delegate; their first spelling is the usual one.
            let callback = model?.callback(name)
            let usual = callback?.isSupplementary == true ? callback?.spellings.first : nil
            return usual ?? Spelling.swift.message(name)
        }
    }
}

/// One step of a scenario after all choices are made.
enum ScenarioStep: Sendable, Hashable {
    /// A callback, and which of several instances gets it.
    case callback(name: String, actor: String?)
    /// Nothing is logged for this many milliseconds.
    case wait(Int)
    /// The scenario continues in another process.
    case newRun
}

extension [ScenarioStep] {
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

    /// The steps, with the configuration of a new session assigned to the scene that then connects.
    var namingNewScenes: [ScenarioStep] {
        let newest = actors.last
        return map { step in
            guard case .callback("configurationForConnectingSceneSession", nil) = step else { return step }
            return .callback(name: "configurationForConnectingSceneSession", actor: newest)
        }
    }

    /// The instances that receive the callbacks of a run-up, which names none: those that the scenario presupposes.
    var leadingActors: (scene: String, view: String) {
        let scene = actors.contains("scene1") || actors.contains("scene2") ? "scene1" : "scene0"
        return (scene, firstCallback?.actor == nil && actors.isEmpty ? "VC0" : "VC1")
    }

    /// Whether the process ends without a callback.
    var endsSilently: Bool { last == .newRun }
}
