import LifecycleModel
import Testing
import TraceRecords

@testable import LifecycleReplay

/// Every documented scenario, played out in its shortest and in its longest form, is recognised and breaks no rule but
/// those that it breaks by its nature.
struct PlayedScenarioTests {
    /// Plays the steps of a scenario after a life that leads up to it.
    struct Player {
        let catalog: ModelCatalog
        let model: LifecycleModel
        let isLong: Bool
        var lines: [Line]
        var time: Double
        var pid: Int32 = 1

        mutating func play(_ steps: [StepPattern]) {
            for step in steps { play(step) }
        }

        private mutating func play(_ step: StepPattern) {
            switch step {
            case .callback(let callback):
                let name = callback.names.first ?? ""
                let owner = ([model.id] + model.uses + catalog.models.map(\.id)).first {
                    catalog.model($0)?.callback(name) != nil
                }
                time += 0.2
                let label = callback.actor ?? (owner == "scene" ? "A" : owner == "view" ? "V" : "")
                lines.append(.at(time, name, label, pid: pid))
            case .silent: time += 30
            case .later: time += 3
            case .newRun:
                pid += 1
                time += 30
                lines.append(.at(time, "didFinishLaunchingWithOptions", pid: pid))
                time += 0.2
                lines.append(.at(time, "applicationDidBecomeActive", pid: pid))
            case .scenario(let id):
                guard !lines.contains(where: { $0.pid == 2 }) else { return }
                play(catalog.models.lazy.compactMap { $0.scenario(id) }.first?.steps ?? [])
            case .optional(let steps): if isLong { play(steps) }
            case .repeated(let steps, _): play(steps)
            case .unordered(let steps): play(steps)
            }
        }
    }

    private static let shown: [Line] = [
        .at(0.1, "viewDidLoad", "VC1"), .at(0.15, "viewWillAppear", "VC1"), .at(0.2, "viewWillLayoutSubviews", "VC1"),
        .at(0.25, "viewDidLayoutSubviews", "VC1"), .at(0.3, "viewDidAppear", "VC1"),
    ]

    /// The life before a scenario, by the state in which it begins.
    private func before(_ scenario: ModelScenario, _ model: LifecycleModel) -> [Line] {
        let first = scenario.paths.first { $0.model == model.id }?.stops.first { !$0.isOptional }?.state
        switch (model.id, first) {
        case ("app", "active"): return RuleTests.launch
        case ("app", "background"):
            return scenario.id == "SC-A22" ? RuleTests.launch + [RuleTests.home[0]] : RuleTests.launch + RuleTests.home
        case ("scene", "fg_active"): return RuleTests.sceneLaunch
        case ("scene", "background"):
            return RuleTests.sceneLaunch + [
                .at(2, "sceneWillResignActive", "A"), .at(2.2, "sceneDidEnterBackground", "A"),
            ]
        default: return []
        }
    }

    static let names: [String] = ((try? builtIn.get())?.models ?? []).flatMap { model in
        model.scenarios.filter { $0.isSearched && model.id != "view" }.map(\.id)
    }
    /// Played after the wrong beginning by such a simple player: a second session, a discard of an earlier run, two
    /// instances, an enter-background that is its own beginning.
    static let skipped: Set<String> = ["SC-S09", "SC-S10", "SC-S12", "SC-S13", "SC-A16", "SC-A19", "SC-A21", "SC-S08"]

    /// In their shortest form these show nothing of their own: a kill without terminate is a leave, a launch that the
    /// watchdog ends may show no callback at all, and a launch without scene callbacks has no scenes.
    static let bare: Set<String> = ["SC-A06", "SC-A20", "SC-S11"]

    @Test("Played out and recognised", arguments: names)
    func played(id: String) throws {
        guard !Self.skipped.contains(id) else { return }
        let catalog = try builtIn.get()
        let model = try #require(catalog.models.first { $0.scenario(id) != nil })
        let scenario = try #require(model.scenario(id))
        for isLong in [false, true] {
            let start = before(scenario, model)
            var player = Player(
                catalog: catalog, model: model, isLong: isLong, lines: start, time: start.isEmpty ? 0 : 10)
            player.play(scenario.steps)
            let result = try play(player.lines)
            let broken = Set(result.findings.map(\.rule)).subtracting(scenario.breaks)
            #expect(broken.isEmpty, "\(id) long \(isLong): \(result.findings.map(\.message))")
            let classes = Set(catalog.models.flatMap(\.classes).filter { $0.members.contains(id) }.map(\.id))
            let isFound = result.scenarios.contains {
                $0.scenario == id || classes.contains($0.equivalenceClass ?? "")
            }
            #expect(
                isFound || !isLong && Self.bare.contains(id),
                "\(id) long \(isLong): \(result.scenarios.map(\.scenario))")
        }
    }

    @Test("A second session, a discard told late, a fast kill, a session that connects again")
    func severalSessions() throws {
        let second = try play(
            RuleTests.sceneLaunch + [
                .at(5, "configurationForConnectingSceneSession", "B"), .at(5.1, "sceneWillConnect", "B"),
                .at(5.2, "sceneWillEnterForeground", "B"), .at(5.4, "sceneDidBecomeActive", "B"),
            ])
        #expect(second.findings.isEmpty)
        #expect(second.scenarios.map(\.scenario).contains("SC-S10"))
        let late = try play([
            .at(0, "didFinishLaunchingWithOptions"), .at(0.1, "didDiscardSceneSessions", "OLD"),
            .at(0.2, "sceneWillConnect", "A"), .at(0.3, "sceneWillEnterForeground", "A"),
            .at(0.5, "sceneDidBecomeActive", "A"),
        ])
        #expect(late.findings.isEmpty)
        #expect(late.path("scene", "OLD") == ["unattached", "discarded"])
        let fast = try play(
            RuleTests.sceneLaunch + [
                .at(5, "sceneWillResignActive", "A"), .at(5.1, "sceneDidDisconnect", "A"),
                .at(5.2, "sceneWillEnterForeground", "B"), .at(5.3, "sceneDidEnterBackground", "B"),
            ])
        #expect(Set(fast.findings.map(\.rule)) == ["R-SCN-01", "R-SCN-04"])
        let again = try play(
            RuleTests.sceneLaunch + [
                .at(5, "sceneWillResignActive", "A"), .at(5.1, "sceneDidEnterBackground", "A"),
                .at(60, "sceneDidDisconnect", "A"), .at(90, "sceneWillConnect", "A"),
                .at(90.1, "sceneWillEnterForeground", "A"), .at(90.3, "sceneDidBecomeActive", "A"),
            ])
        #expect(again.findings.isEmpty)
        #expect(again.scenarios.map(\.scenario).contains("SC-S08"))
    }
}
