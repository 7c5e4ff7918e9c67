import Testing

@testable import LifeStatsKit

@Suite("Words for states, and names that app and scene share")
struct WordsAndScenesTests {
    private func lines(_ lines: [(Double, String)]) -> String {
        lines.map { "2026-05-01 08:00:0\($0.0)00 App[9:1] \($0.1)\n" }.joined()
    }

    @Test("a bare name is the scene's where the line names a scene, and the app's elsewhere")
    func ofScene() throws {
        let names = ["[Scene 1F2E] didBecomeActive", "didBecomeActive scene=1F2E", "didBecomeActive session=42"]
        let found = try names.map { name in
            try Ingested(text: lines([(1.0, name)])).rows("SELECT layer, instance FROM events")
        }
        #expect(found == [["scene,1F2E"], ["scene,1F2E"], ["app,app"]])
    }

    @Test("the word active after one for the foreground begins a visit that is observed")
    func activeAfterForeground() throws {
        let text = lines([
            (1.0, "App entered background"), (2.0, "appCameToForeground()"), (2.5, "App is active"),
            (4.0, "App is inactive"), (5.0, "App entered background"),
        ])
        let visits = try Ingested(text: text).rows(
            "SELECT state, dwell_s, evidence, complete FROM visits WHERE state = 'active'")
        #expect(visits == ["active,1.5,observed,1"])
    }
}
