import Foundation
import Testing

@testable import LifeStatsKit

@Suite("Typing at the prompt")
struct PromptTests {
    @Test(
        "What is typed can continue only with what fits there",
        arguments: [
            ("runs_w", ["runs_without_launch"]),
            ("SEL", ["select"]),
            ("select * from scenar", ["scenario", "scenario_kinds", "scenarios"]),
            // Columns of the views that are named, not of all.
            ("select * from visits where dwell_", ["dwell_ns", "dwell_s", "dwell_summary"]),
            ("select * from visits where ent", ["entered", "entered_by", "entered_ns"]),
            ("select * from visits v where v.cens", ["censored"]),
            ("select perc", ["percentile("]),
            ("dwell_times lay", ["layer="]),
            ("dwell_times layer=a", []),
            (".que", [".queries"]),
            (".show varia", ["variants"]),
            (".views suspen", ["suspensions"]),
            (".format nd", ["ndjson"]),
            (".raw o", ["off", "on"]),
            ("nothing_begins_like_this", []),
        ])
    func completes(_ text: String, _ candidates: [String]) {
        #expect(Completion.of(text).candidates == candidates)
    }

    @Test("The history is kept for its owner only, and survives what lines may hold")
    func history() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lifestats-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let environment = ["XDG_STATE_HOME": folder.path()]
        var history = ShellHistory(environment: environment)
        let lines = ["dwell_times", "select 'a\\n'\n-- b\nfrom \"時計\"", "\\\\n"]
        for line in lines + ["\\\\n", "  "] { history.add(line) }
        #expect(ShellHistory(environment: environment).lines == lines)
        let file = folder.appending(path: "lifestats/history").path()
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        for number in 0..<1_100 { history.add("\(number)") }
        #expect(ShellHistory(environment: environment).lines.count == 1_000)
    }

    @Test("A query that is typed as in the other place leads to how it is typed here")
    func otherPlace() {
        #expect(QueryRequest.Question("dwell_tims;") == .named("dwell_tims"))
        let error = #expect(throws: LifeStatsError.self) {
            try QueryRunner.check(.sql("run_summary app=Harbour"), parameters: [])
        }
        #expect(error?.remedy == "`lifestats query run_summary --param app=Harbour`")
    }
}
