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
        let writer = try TraceWriter(path: other, mode: .asItArrives)
        var script = Script(nextStep: 70)
        func put(_ rows: ReplayBatch, record: SourceRecord? = nil) throws {
            try writer.write(StoredBatch(log: 3, source: 4, record: record, rows: rows))
        }
        let tail = InstanceRecord.Tail(
            state: "active", entered: Script.start + 2 * Script.second, opener: 71, evidence: .observed,
            censoring: .right, atLeast: 3 * Script.second)
        script.run(9, source: 4, started: Script.start)
        script.batch.runs[0].key = "Demo-100-1"
        let launch = script.step("didFinishLaunching", "not_running", "inactive", at: 0, instance: 7)
        let active = script.step("didBecomeActive", "inactive", "active", at: 2, instance: 7, dwell: 2, opener: launch)
        script.step("didReceiveMemoryWarning", "active", "active", at: 5, instance: 7)
        script.instance(7, run: 9, tail: tail)
        try put(
            script.take(), record: Script.source(4, log: 3, path: "/elsewhere/app.log.gz", stream: "/elsewhere/app"))

        let before = try Verifier.digest(path: other)
        let resign = script.step(
            "willResignActive", "active", "inactive", at: 32, instance: 7, dwell: 30, opener: active)
        let background = script.step(
            "didEnterBackground", "inactive", "background", at: 33.5, instance: 7, dwell: 1.5, opener: resign)
        script.instance(
            7, run: 9,
            tail: InstanceRecord.Tail(
                state: "background", entered: nil, opener: background, evidence: .observed, censoring: .right,
                atLeast: Script.nanoseconds(26.5)))
        try put(script.take())
        try writer.close()

        let digest = try Verifier.verify(path: other)
        #expect(digest.problems == [])
        #expect(digest.digest == (try Verifier.digest(path: path)))
        #expect(digest.digest != before)
    }

    @Test("Every assertion has a name, a purpose and a query that returns a message")
    func assertions() throws {
        try store(smallRun(), at: path)
        let reader = try TraceReader(path: path)
        #expect(Assertion.all.count >= 17)
        for assertion in Assertion.all {
            #expect(assertion.name.allSatisfy(\.isLowercase) && assertion.purpose.hasSuffix("."))
            try reader.query(assertion.sql, columns: { #expect($0.count == 1) }, row: { _ in })
        }
    }

    @Test(
        "Damage is found",
        arguments: [
            ("lines", "UPDATE raw_sources SET other_lines = other_lines + 1"),
            ("lines", "UPDATE raw_sources SET rejected_lines = 1, lines = lines + 1"),
            ("lines", "UPDATE raw_steps SET line = 101 WHERE step_id = 4"),
            ("lines", "UPDATE raw_steps SET line = 0 WHERE step_id = 4"),
            ("lines", "UPDATE raw_steps SET line = NULL WHERE step_id = 4"),
            ("lines", "UPDATE raw_sources SET entry_lines = -1, other_lines = 101"),
            ("facts", "INSERT INTO raw_facts VALUES (1, 1, 1, 0, 0, x'01')"),
            ("numbers", "UPDATE raw_runs SET pid = 99999999999"),
            ("events", "UPDATE raw_blocks SET events = 4"),
            ("tiling", "UPDATE raw_steps SET dwell = dwell + 1 WHERE step_id = 4"),
            ("tiling", "UPDATE raw_steps SET to_opener = 3 WHERE step_id = 4"),
            ("tiling", "DELETE FROM raw_steps WHERE step_id = 2"),
            ("tiling", "DELETE FROM raw_steps WHERE step_id = -1"),
            ("borders", "UPDATE raw_steps SET to_opener = 3 WHERE step_id = 4"),
            ("marking", "UPDATE raw_steps SET to_opener = NULL WHERE step_id = 4"),
            ("marking", "UPDATE raw_kinds SET evidence = 'inferred' WHERE callback = 'willResignActive'"),
            ("marking", "UPDATE raw_runs SET ended_ns = 7"),
            ("references", "DELETE FROM raw_sources"),
            ("references", "UPDATE raw_steps SET kind = 99 WHERE step_id = 4"),
            ("references", "UPDATE raw_steps SET instance = 4 WHERE step_id = 4"),
            ("references", "INSERT INTO raw_messages VALUES (77, 'text')"),
            (
                "references",
                "INSERT INTO raw_scenario_kinds VALUES (1, 'x', NULL, NULL); INSERT INTO raw_scenarios VALUES (4, 70, 1, 0)"
            ),
            ("references", "INSERT INTO raw_steps VALUES (700000, 1, 1, 1, 1, 1, 1, NULL, NULL, NULL)"),
            ("references", "UPDATE raw_steps SET scenario = 9, to_last = 0 WHERE step_id = 4"),
            (
                "references",
                "INSERT INTO raw_scenario_kinds VALUES (1, 'x', NULL, NULL); UPDATE raw_steps SET scenario = 1, to_last = 70 WHERE step_id = 4"
            ),
            ("references", "UPDATE raw_steps SET silence = 9 WHERE step_id = 4"),
            ("suspensions", "INSERT INTO raw_suspensions VALUES (1, 5, 1, 3, 4, 1)"),
            ("suspensions", "INSERT INTO raw_suspensions VALUES (1, 77, 1, 3, 4, 1)"),
            (
                "suspensions",
                "INSERT INTO raw_suspension_kinds VALUES (9, 'inferred', 'silence', NULL, 1, 'own', NULL); UPDATE raw_steps SET silence = 9 WHERE step_id = 1"
            ),
            ("evidence", "UPDATE raw_runs SET attached_run = 1"),
            ("kinds", "UPDATE raw_kinds SET is_event = 0 WHERE kind_id = 3"),
            ("kinds", "UPDATE raw_kinds SET is_visit = 1 WHERE kind_id = 3"),
            ("kinds", "UPDATE raw_kinds SET is_transition = 0 WHERE kind_id = 4"),
            ("kinds", "UPDATE raw_kinds SET is_timed = 0 WHERE kind_id = 4"),
            ("kinds", "UPDATE raw_kinds SET is_observed = 0 WHERE kind_id = 4"),
            ("kinds", "UPDATE raw_kinds SET group_id = 1 WHERE kind_id = 4"),
            ("kinds", "UPDATE raw_kinds SET callback_id = 1 WHERE kind_id = 4"),
            ("kinds", "UPDATE raw_kinds SET role = 'x' WHERE kind_id = 4"),
            ("answers", "UPDATE raw_dwell_answers SET visits = visits + 1 WHERE state = 'active'"),
            ("answers", "UPDATE raw_dwell_answers SET complete = 0 WHERE state = 'active'"),
            ("answers", "UPDATE raw_dwell_answers SET censored = 1 WHERE state = 'active'"),
            ("answers", "UPDATE raw_dwell_answers SET total_ns = total_ns + 1e9 WHERE state = 'active'"),
            ("answers", "UPDATE raw_dwell_answers SET min_ns = 1 WHERE state = 'active'"),
            ("answers", "UPDATE raw_dwell_answers SET max_ns = NULL WHERE state = 'active'"),
            ("answers", "DELETE FROM raw_dwell_answers WHERE state = 'active'"),
            ("answers", "UPDATE raw_transition_answers SET count = count + 1"),
            ("answers", "DELETE FROM raw_transition_answers WHERE to_state = 'active'"),
            ("answers", "UPDATE raw_follows SET count = count + 1 WHERE previous = 0"),
            ("answers", "DELETE FROM raw_follows WHERE previous <> 0"),
        ])
    func damage(_ check: String, _ sql: String) throws {
        let writer = try TraceWriter(path: path)
        try writer.put(smallRun(), record: Script.source())
        try writer.setModels(
            states: [
                [
                    .text("app"), .integer(0), .text("app"), .text("background"), .text("Background"), .integer(0),
                    .integer(0),
                ]
            ], transitions: [])
        try writer.close()
        #expect(try Verifier.verify(path: path).isSound)
        try DatabaseQueue(path: path).writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA foreign_keys = OFF; \(sql)")
        }
        let result = try Verifier.verify(path: path)
        #expect(result.counts.keys.contains(check), "\(result.problems)")
    }
}
