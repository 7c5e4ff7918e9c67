import Testing
import TraceRecords

@testable import LifecycleReplay

/// Documented sequences are recognised, the longest ones, and by their class where callbacks can't tell them apart.
struct ScenarioTests {
    private func scenarios(_ lines: [Line]) throws -> [String] {
        try play(lines).scenarios.map { match in
            let name = match.equivalenceClass.map { "\($0) " } ?? ""
            return "\(name)\(match.scenario) \(match.firstStep)-\(match.lastStep)"
        }
    }

    @Test("The reference run is a launch, a leave and a return")
    func reference() throws {
        let times = [0, 0.25, 0.75, 10, 10.5, 70.5, 70.75]
        let found = try scenarios(zip(times, ReferenceRunTests.callbacks).map { .at($0, $1) })
        #expect(found == ["SC-A01 1-3", "EQ-1 SC-A02 4-5", "EQ-3 SC-A04 6-7"])
        #expect(try scenarios(ReferenceRunTests.callbacks.map { .at(nil, $0) }).count == 3)
    }

    @Test("A leave followed by terminate is an end, not a leave")
    func longest() throws {
        let found = try scenarios(RuleTests.launch + RuleTests.home + [.at(5.5, "applicationWillTerminate")])
        #expect(found == ["SC-A01 1-3", "EQ-4 SC-A06 4-6"])
    }

    @Test("Long in the switcher before leaving, and an interruption")
    func hints() throws {
        let found = try scenarios(
            RuleTests.launch + [
                .at(5, "applicationWillResignActive"), .at(9, "applicationDidBecomeActive"),
                .at(20, "applicationWillResignActive"), .at(30, "applicationDidEnterBackground"),
            ])
        #expect(found == ["SC-A01 1-3", "EQ-2 SC-A09 4-5", "EQ-1 SC-A08 6-7"])
    }

    @Test("A silent end after the background")
    func silentEnd() throws {
        let found = try scenarios(
            RuleTests.launch + RuleTests.home + [.at(100, "didFinishLaunchingWithOptions", pid: 2)])
        #expect(found.contains("EQ-5 SC-A18 5-5"))
        #expect(found.contains("EQ-1 SC-A02 4-5"))
    }

    @Test("Too slow for one launch")
    func gap() throws {
        #expect(try scenarios([.at(0, "didFinishLaunchingWithOptions"), .at(4, "applicationDidBecomeActive")]) == [])
    }

    @Test("Scenes: launch, leave, return and a kill")
    func scenes() throws {
        let found = try scenarios(
            RuleTests.sceneLaunch + [
                .at(5, "sceneWillResignActive", "A"), .at(5.2, "sceneDidEnterBackground", "A"),
                .at(60, "sceneWillEnterForeground", "A"), .at(60.2, "sceneDidBecomeActive", "A"),
                .at(70, "sceneWillResignActive", "A"), .at(70.2, "sceneDidDisconnect", "A"),
                .at(70.3, "didDiscardSceneSessions", "A"),
            ])
        #expect(found.filter { $0.hasPrefix("SC-S01") }.count == 1)
        #expect(found.contains { $0.hasPrefix("EQ-1 SC-S02") })
        #expect(found.contains { $0.hasPrefix("EQ-3 SC-S03") })
        #expect(found.contains { $0.hasPrefix("SC-S04 ") })
    }

    @Test("Controllers: a first appearance, a push, a pop")
    func controllers() throws {
        let found = try scenarios(ViewLayerTests.log).map { $0.split(separator: " ").first ?? "" }
        #expect(found.contains("SC-V02"))
        #expect(found.contains("SC-V03"))
        #expect(found.contains("SC-V04"))
    }

    @Test("An app with scenes that ends silently was launched, not ended by the watchdog")
    func launchOfScenes() throws {
        let left: [Line] = [.at(5, "sceneWillResignActive", "A"), .at(5.2, "sceneDidEnterBackground", "A")]
        let next: [Line] = [.at(100, "didFinishLaunchingWithOptions", pid: 2)]
        let found = try scenarios(RuleTests.sceneLaunch + left + next)
        #expect(found.count == 2)
        #expect(found.contains { $0.hasPrefix("SC-S01 ") })
        #expect(found.contains { $0.hasPrefix("EQ-1 SC-S02 ") })
        let failed = try scenarios([
            .at(0, "didFinishLaunchingWithOptions"), .at(0.2, "sceneWillConnect", "A"),
            .at(0.3, "sceneWillEnterForeground", "A"), .life(4), .at(30, "didFinishLaunchingWithOptions", pid: 2),
        ])
        #expect(failed.map { $0.prefix { $0 != " " } } == ["SC-A20"])
        let inBackground = try scenarios([
            .at(0, "didFinishLaunchingWithOptions"), .at(0.2, "sceneWillConnect", "A"), .life(40),
            .at(60, "didFinishLaunchingWithOptions", pid: 2),
        ])
        #expect(inBackground.map { $0.prefix { $0 != " " } } == ["SC-S11"])
    }

    @Test("A scene that connects does not come back")
    func connecting() throws {
        func second(_ label: String, at time: Double) -> [Line] {
            [
                .at(time, "sceneWillConnect", label), .at(time + 0.1, "sceneWillEnterForeground", label),
                .at(time + 0.2, "sceneDidBecomeActive", label),
            ]
        }
        let found = try scenarios(RuleTests.sceneLaunch + second("B", at: 20)).map { $0.prefix { $0 != " " } }
        #expect(found == ["SC-S01"])
        // Too slow for one launch, and none into the background.
        #expect(try scenarios([.at(0, "didFinishLaunchingWithOptions")] + second("A", at: 4)) == [])
        let cut = try scenarios(Array(second("A", at: 0).dropFirst()))
        #expect(cut.map { $0.prefix { $0 != " " } } == ["EQ-3"])
    }
}
