import Foundation
import Testing

/// The samples say what their names and their authors say they do.
@Suite("Samples")
struct SamplesTests {
    private func ingested(_ path: String) throws -> Program {
        let program = try Program()
        let outcome = try program.run("ingest", Program.project.appendingPathComponent("samples/\(path)").path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return program
    }

    private func rows(_ sql: String, in program: Program) throws -> [String] {
        try program.run("query", sql, "--format", "csv").text.split(whereSeparator: \.isNewline).dropFirst()
            .map(String.init)
    }

    @Test("tell of a day whose runs end as they were written to end")
    func day() throws {
        let program = try ingested("day")
        #expect(
            try rows("select app, pid, end_reason from runs order by app, started_ns", in: program) == [
                "Harbour,530,killed_in_background", "Harbour,988,abnormal_in_foreground", "Harbour,990,terminated",
                "Postbox,512,killed_in_background", "Postbox,733,terminated", "Postbox,1204,log_end",
                "Tidebook,498,killed_in_background", "Tidebook,861,killed_in_background", "Tidebook,1077,log_end",
            ])
    }

    @Test("show every documented scenario of the app without an undocumented move")
    func scenarios() throws {
        let program = try ingested("scenarios")
        #expect(try rows("select count(*) from sources", in: program) == ["26"])
        #expect(try rows("select * from transitions where verdict = 'undocumented'", in: program) == [])
        #expect(try rows("select source, rule from findings where severity = 'error'", in: program) == [])
        // A background task that works for 8 s breaks no limit.
        let warnings = "select rule from findings where source like '%sc-a22%' and severity = 'warning'"
        #expect(try rows(warnings, in: program) == [])
    }

    /// Counted by hand in `scenes/atlas.log`: two windows, fifteen view controllers, of which one swipe back and one push
    /// are called off, nine are gone in the end and four are still on the screen.
    @Test("follow an app with two windows through every callback of its scenes and view controllers")
    func scenes() throws {
        let program = try ingested("scenes")
        func moves(_ layer: String) throws -> [String] {
            try rows(
                """
                select from_state, to_state, count(*) from transitions
                where layer = '\(layer)' and evidence = 'observed' group by 1, 2 order by 1, 2
                """, in: program)
        }
        #expect(
            try moves("scene") == [
                "background,fg_inactive,3", "background,unattached,2", "fg_active,fg_inactive,8",
                "fg_inactive,background,7", "fg_inactive,fg_active,8", "unattached,discarded,1",
                "unattached,fg_inactive,4",
            ])
        #expect(
            try moves("view") == [
                "appeared,disappearing,18", "appearing,appeared,22", "appearing,disappearing,2",
                "disappeared,appearing,7", "disappeared,deallocated,9", "disappearing,appearing,2",
                "disappearing,disappeared,18", "loaded,appearing,15", "unloaded,loaded,15",
            ])
        #expect(try rows("select * from transitions where verdict = 'undocumented'", in: program) == [])
        #expect(try rows("select rule from findings where severity <> 'info'", in: program) == [])
        #expect(try rows("select count(distinct instance) from visits where layer = 'scene'", in: program) == ["2"])
        #expect(try rows("select end_reason from runs order by run_id", in: program) == ["terminated", "log_end"])
        let scenarios = try rows("select distinct scenario from scenarios order by 1", in: program)
        #expect(
            ["SC-S01", "SC-S04b", "SC-S08", "SC-S09", "SC-S10", "SC-V03", "SC-V04", "SC-V06", "SC-V07"].allSatisfy {
                scenarios.contains($0)
            }, "\(scenarios)")
    }

    @Test("go wrong where they were made to go wrong")
    func deviations() throws {
        let program = try ingested("deviations")
        let lines = try rows(
            """
            select line, from_state, to_state from transitions
            where verdict = 'undocumented' and evidence = 'observed' order by line
            """, in: program)
        // Without resign-active; without enter-foreground; terminated in use; clocks and copies change no state.
        #expect(lines == ["4,active,background", "5,background,active", "12,active,not_running"])
        #expect(try rows("select line from findings where rule = 'clock-regression'", in: program) == ["22"])
    }
}
