import Foundation
import GRDB
import Testing
import TraceRecords

@testable import TraceStore

@Suite("verify")
struct VerifierTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("t.db")
    }

    @Test("A sound database has no problem, and a digest of 64 digits")
    func sound() throws {
        try store(smallRun(), at: path)
        let result = try Verifier.verify(path: path)
        #expect(result.problems == [])
        #expect(result.digest.description.count == 64)
        #expect(result.digest.description.allSatisfy { "0123456789abcdef".contains($0) })
    }

    @Test("The digest does not depend on ids, paths, lines and pieces")
    func sameDigest() throws {
        try store(smallRun(), at: path)
        let other = folder.file("other.db")
        let writer = try TraceWriter(path: other)
        var kinds = KindNumbers()
        var script = Script(nextStep: 70)
        let tail = InstanceRecord.Tail(
            state: "active", entered: Script.start + 2 * Script.second, opener: 71, evidence: .observed,
            censoring: .right, atLeast: 3 * Script.second)
        script.run(9, source: 4, started: Script.start)
        script.batch.runs[0].key = "Demo-100-1"
        let launch = script.step("didFinishLaunching", "not_running", "inactive", at: 0, instance: 7, source: 4)
        let active = script.step(
            "didBecomeActive", "inactive", "active", at: 2, instance: 7, source: 4, stay: 2, opener: launch)
        script.step("didReceiveMemoryWarning", "active", "active", at: 5, instance: 7, source: 4)
        script.instance(7, run: 9, tail: tail)
        try writer.write(script.take(), kinds: &kinds, sources: [Script.source(4, path: "/elsewhere/app.log.gz")])

        let before = try Verifier.digest(path: other)
        let resign = script.step(
            "willResignActive", "active", "inactive", at: 32, instance: 7, source: 4, stay: 30, opener: active)
        let background = script.step(
            "didEnterBackground", "inactive", "background", at: 33.5, instance: 7, source: 4, stay: 1.5, opener: resign)
        script.instance(
            7, run: 9,
            tail: InstanceRecord.Tail(
                state: "background", entered: nil, opener: background, evidence: .observed, censoring: .right,
                atLeast: Script.nanoseconds(26.5)))
        try writer.write(script.take(), kinds: &kinds)
        try writer.close()

        let digest = try Verifier.verify(path: other)
        #expect(digest.problems == [])
        #expect(digest.digest == (try Verifier.digest(path: path)))
        #expect(digest.digest != before)
    }

    @Test(
        "Damage is found",
        arguments: [
            ("lines", "UPDATE raw_sources SET other_lines = other_lines + 1"),
            ("lines", "UPDATE raw_sources SET rejected_lines = 1, lines = lines + 1"),
            ("sources", "UPDATE raw_sources SET fingerprint = 'f2'"),
            ("sources", "UPDATE raw_sources SET resume = replace(resume, '7', '8')"),
            ("sources", "UPDATE raw_sources SET stream = '/logs/other'"),
            ("events", "UPDATE raw_sources SET events = 4"),
            ("tiling", "UPDATE raw_steps SET stay = stay + 1 WHERE step_id = 4"),
            ("tiling", "UPDATE raw_steps SET opener = 1 WHERE step_id = 4"),
            ("tiling", "DELETE FROM raw_steps WHERE step_id = 2"),
            ("tiling", "DELETE FROM raw_steps WHERE step_id = -1"),
            ("borders", "UPDATE raw_kinds SET state_before = 'background' WHERE callback = 'willResignActive'"),
            ("marking", "UPDATE raw_steps SET opener = NULL WHERE step_id = 4"),
            ("marking", "UPDATE raw_kinds SET evidence = 'inferred' WHERE callback = 'willResignActive'"),
            ("marking", "UPDATE raw_runs SET ended_ns = 7"),
            ("references", "DELETE FROM raw_sources"),
            ("references", "UPDATE raw_steps SET kind = 99 WHERE step_id = 4"),
            ("suspensions", "INSERT INTO raw_suspensions VALUES (5, 3, 4, 1, 1)"),
            ("suspensions", "INSERT INTO raw_suspensions VALUES (77, 3, 4, 1, 1)"),
            ("summary", "UPDATE raw_follows SET count = count + 1 WHERE previous = 0"),
            ("summary", "DELETE FROM raw_follows WHERE previous <> 0"),
        ])
    func damage(_ check: String, _ sql: String) throws {
        let writer = try TraceWriter(path: path)
        var kinds = KindNumbers()
        try writer.write(smallRun(), kinds: &kinds, sources: [Script.source()])
        try writer.setModels(
            states: [
                DocumentedState(
                    model: "app", layer: "app", state: "background", title: "Background", isInitial: false,
                    isFinal: false)
            ], transitions: [])
        try writer.transaction { try $0.execute(sql: sql) }
        try writer.close()
        let result = try Verifier.verify(path: path)
        #expect(result.counts.keys.contains(check), "\(result.problems)")
    }

    @Test(
        "What follows from something else, and does not, is found",
        arguments: [
            ("kinds", "UPDATE raw_kinds SET is_event = 0 WHERE kind_id = 3"),
            ("kinds", "UPDATE raw_kinds SET is_visit = 1 WHERE kind_id = 3"),
            ("kinds", "UPDATE raw_kinds SET is_transition = 0 WHERE kind_id = 4"),
            ("kinds", "UPDATE raw_kinds SET is_timed = 0 WHERE kind_id = 4"),
            ("kinds", "UPDATE raw_kinds SET is_complete = 0 WHERE kind_id = 4"),
            ("kinds", "UPDATE raw_kinds SET group_id = 1 WHERE kind_id = 4"),
            ("kinds", "UPDATE raw_kinds SET callback_id = 1 WHERE kind_id = 4"),
            ("kinds", "UPDATE raw_kinds SET naming = -1 WHERE kind_id = 4"),
            ("kinds", "UPDATE raw_kinds SET role = 'x' WHERE kind_id = 4"),
            ("summary", "UPDATE raw_dwell_summary SET visits = visits + 1 WHERE state = 'active'"),
            ("summary", "UPDATE raw_dwell_summary SET complete = 0 WHERE state = 'active'"),
            ("summary", "UPDATE raw_dwell_summary SET censored = 1 WHERE state = 'active'"),
            ("summary", "UPDATE raw_dwell_summary SET total_ns = total_ns + 1e9 WHERE state = 'active'"),
            ("summary", "UPDATE raw_dwell_summary SET min_ns = 1 WHERE state = 'active'"),
            ("summary", "UPDATE raw_dwell_summary SET max_ns = NULL WHERE state = 'active'"),
            ("summary", "DELETE FROM raw_dwell_summary WHERE state = 'active'"),
            ("summary", "UPDATE raw_dwell_part_summary SET visits = 2 WHERE part = 'app' AND state = 'active'"),
            ("summary", "DELETE FROM raw_dwell_part_summary WHERE part = 'app' AND state = 'active'"),
            ("summary", "UPDATE raw_survival_summary SET cut = cut + 1"),
            ("summary", "UPDATE raw_survival_summary SET ended = ended + 1"),
            ("summary", "DELETE FROM raw_survival_summary"),
            ("summary", "UPDATE raw_transition_summary SET count = count + 1"),
            ("summary", "DELETE FROM raw_transition_summary WHERE to_state = 'active'"),
            ("lines", "UPDATE raw_steps SET line = 101 WHERE step_id = 4"),
            ("lines", "UPDATE raw_steps SET line = 0 WHERE step_id = 4"),
            ("lines", "UPDATE raw_steps SET line = NULL WHERE step_id = 4"),
            ("lines", "UPDATE raw_sources SET byte_offset = bytes + 1"),
            ("lines", "UPDATE raw_sources SET entry_lines = -1, other_lines = 101"),
            ("lines", "INSERT INTO raw_messages VALUES (77, 'text')"),
            ("lines", "INSERT INTO raw_other_names VALUES (77, 'name', NULL)"),
            ("lines", "INSERT INTO raw_life VALUES (1, 1, 1, 1, 2, 5, 4, 0, NULL, NULL)"),
            ("lines", "INSERT INTO raw_witnesses (source, line, kind) VALUES (1, 101, 1)"),
            ("numbers", "UPDATE raw_runs SET pid = 99999999999"),
        ])
    func disagreement(_ check: String, _ sql: String) throws {
        try store(smallRun(), at: path)
        try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
        let result = try Verifier.verify(path: path)
        #expect(result.counts.keys.contains(check), "\(result.problems)")
    }
}
