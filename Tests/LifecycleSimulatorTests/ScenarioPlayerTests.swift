import LifecycleModel
import Testing

@testable import LifecycleSimulator

@Suite("A played scenario")
struct ScenarioPlayerTests {
    private let player: ScenarioPlayer

    init() throws { player = ScenarioPlayer(catalog: try ModelCatalog.builtIn()) }

    @Test("exists for every documented scenario, in both variants")
    func all() {
        #expect(player.scenarios.count == 55)
        for id in player.scenarios {
            for variant in PlayedScenario.Variant.allCases {
                guard let played = player.play(id, variant) else {
                    Issue.record("\(id) cannot be played")
                    continue
                }
                let lines = played.text.split(separator: "\n")
                #expect(lines.count == played.callbacks.count + (id == "SC-S11" && variant == .shortest ? 1 : 0))
                // Tasks are printed in words, and what Bluetooth restores by the name of the method.
                for (line, callback) in zip(lines, played.callbacks) where !callback.lowercased().contains("task") {
                    #expect(line.contains(callback == "bluetoothRestored" ? "willRestoreState" : callback))
                }
                #expect(played.lines.upperBound <= lines.count)
            }
        }
        let unknown = player.play("SC-X99")
        #expect(unknown == nil)
    }

    @Test("is preceded by what it presupposes")
    func runUp() throws {
        let home = try #require(player.play("SC-A02", .shortest))
        #expect(
            home.callbacks == [
                "didFinishLaunchingWithOptions", "applicationDidBecomeActive", "applicationWillResignActive",
                "applicationDidEnterBackground",
            ])
        #expect(home.lines == 3...4)
    }

    @Test("proves a silent end by the process that follows")
    func silentEnd() throws {
        let overrun = try #require(player.play("SC-A18", .shortest))
        #expect(Array(overrun.callbacks.suffix(2)) == ["didFinishLaunchingWithOptions", "applicationDidBecomeActive"])
        let lines = overrun.text.split(separator: "\n").map(String.init)
        #expect(lines.filter { $0.contains("[4000:") }.count == 4)
        #expect(lines.filter { $0.contains("[4007:") }.count == 2)
        #expect(overrun.lines == 3...4)
    }
}
