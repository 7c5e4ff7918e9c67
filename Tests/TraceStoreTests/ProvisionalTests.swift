import Foundation
import Testing
import TraceRecords

@testable import TraceStore

/// Facts, the saved state of a replay, and what follows from a log ending where it does.
@Suite("Logs that go on")
struct ProvisionalTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("t.db")
    }

    private static func facts(_ lines: ClosedRange<Int64>) -> FactBatch {
        FactBatch(
            facts: lines.map { .event(Event(time: $0 * 1_000, line: $0, callback: UInt16($0 % 5))) },
            speakers: [Speaker(process: "Demo", pid: 7)], lastTime: 9_000)
    }

    private static func source(_ log: Int32, rejected: Int64) -> SourceRecord {
        var record = Script.source(log, log: log, stream: "/logs/\(log)")
        record.position.counts.rejected = rejected
        record.position.counts.entry -= rejected
        return record
    }

    /// The stable beginning of a run, and its end as the log ends now.
    private func begin(_ writer: TraceWriter, log: Int32 = 1) throws {
        var script = Script(nextStep: Int64(log) << 20 + 1)
        let id = Int64(log) << 20 + 1
        script.run(id, source: log, started: Script.start, device: "phone")
        let launch = script.step("didFinishLaunching", "not_running", "inactive", at: 0, instance: id)
        let active = script.step("didBecomeActive", "inactive", "active", at: 2, instance: id, dwell: 2, opener: launch)
        script.instance(id, run: id)
        try writer.write(
            StoredBatch(
                log: log, source: log, record: Self.source(log, rejected: 1),
                facts: writer.codec.encode(Self.facts(1...4)), rows: script.take()))
        try writer.setState([1, 2, 3], ofLog: log)
        let resign = script.step(
            "willResignActive", "active", "inactive", at: 32, instance: id, dwell: 30, opener: active)
        script.instance(
            id, run: id,
            tail: InstanceRecord.Tail(
                state: "inactive", entered: nil, opener: resign, evidence: .observed, censoring: .right, atLeast: 5))
        script.batch.findings = [
            Finding(
                id: resign, run: id, instance: id, layer: "app", rule: "R-1", deviation: .truncation,
                severity: .warning, time: nil, message: "ends early", source: log, line: 5, step: resign)
        ]
        script.batch.scenarios = [
            ScenarioMatch(run: id, scenario: "S", equivalenceClass: nil, firstStep: active, lastStep: resign)
        ]
        try writer.write(
            StoredBatch(
                log: log, source: log, facts: writer.codec.encode(Self.facts(5...5)), rows: script.take(),
                rejects: [Reject(line: 6, byteOffset: 60, reason: "cut", text: "x")],
                dailyTotals: [
                    DailyTotal(line: 6, appVersion: nil, from: nil, until: nil, metric: "m", value: 1, unit: "s")
                ], isProvisional: true))
    }

    private static let counts = """
        SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM visits), (SELECT count(*) FROM findings),
            (SELECT count(*) FROM scenarios), (SELECT count(*) FROM rejects), (SELECT count(*) FROM daily_totals),
            (SELECT sum(count) FROM follow_summary)
        """

    @Test("When a log goes on, what followed from its end goes, and its facts come back to be read again")
    func goesOn() throws {
        let writer = try TraceWriter(path: path, mode: .asItArrives)
        try begin(writer)
        try begin(writer, log: 2)
        #expect(try rows(path, Self.counts) == ["6|6|2|2|2|2|6"])
        #expect(try writer.logs().map(\.factCount) == [5, 5])
        #expect(try writer.lastEntry(ofSource: 1) == Self.facts(5...5))

        let removed = try writer.deleteProvisional(log: 1, rereading: [1])
        #expect((removed.runs, removed.events, removed.findings) == (0, 1, [.warning: 1]))
        #expect(try writer.lastEntry(ofSource: 1) == nil)
        #expect(try writer.state(ofLog: 1) == [1, 2, 3])
        // The visit that was open is written again by the replay; its row stays until then.
        #expect(try rows(path, Self.counts) == ["5|5|1|1|1|1|5"])
        #expect(try rows(path, "SELECT count(*) FROM scenarios WHERE run_id < 2000000") == ["0"])

        // The replay numbers its kinds anew.
        var next = ReplayBatch()
        next.kinds = [
            StepKind(
                role: .event, model: "app", layer: "app", kind: "callback", callback: "didBecomeActive",
                stateBefore: "inactive", stateAfter: "active", verdict: .documented),
            StepKind(
                role: .event, model: "app", layer: "app", kind: "callback", callback: "didEnterBackground",
                stateBefore: "active", stateAfter: "background", verdict: .documented),
        ]
        let id = 21 << 16 + Int64(1)
        next.steps = [
            Step(
                id: id, instance: 1 << 20 + 1, line: 6, time: Script.at(40), kind: 1, dwell: 38 * Script.second,
                opener: 1 << 20 + 2,
                previousCallback: 0)
        ]
        next.instances = [
            InstanceRecord(
                id: 1 << 20 + 1, run: 1 << 20 + 1, layer: "app", model: "app", label: "app", printedLabel: "app")
        ]
        next.blocks = [21]
        try writer.write(StoredBatch(log: 1, source: 1, record: Self.source(1, rejected: 0), rows: next))
        #expect(
            try rows(path, "SELECT callback, state_before FROM events WHERE event_id = \(id)") == [
                "didEnterBackground|active"
            ])
        try writer.close()
        let problems = try Verifier.verify(path: path).problems
        #expect(problems == [], "\(problems)")
    }

    @Test("When a newer source follows, the facts of the last entry are stable")
    func kept() throws {
        let writer = try TraceWriter(path: path, mode: .asItArrives)
        try begin(writer)
        try writer.deleteProvisional(log: 1, rereading: [])
        #expect(try writer.lastEntry(ofSource: 1) == nil)
        var facts = writer.facts(ofSource: 1)
        #expect(try facts.next() == Self.facts(1...4))
        // Writing meanwhile is allowed.
        try writer.set("a", to: "b")
        #expect(try facts.next() == Self.facts(5...5))
        #expect(try facts.next() == nil)
        try writer.close()
        #expect(try rows(path, "SELECT count(*) FROM rejects") == ["1"])
    }

    @Test("Deriving again deletes the derived rows of one log and its state, and numbers the kinds anew")
    func derived() throws {
        let writer = try TraceWriter(path: path)
        try begin(writer)
        try begin(writer, log: 2)
        let removed = try writer.deleteDerived(log: 1)
        #expect((removed.runs, removed.events, removed.findings) == (1, 3, [.warning: 1]))
        #expect(try writer.deleteDerived(log: 1) == RemovedRows())
        #expect(try writer.state(ofLog: 1) == nil)
        #expect(try writer.logs().map(\.factCount) == [5, 5])
        var again = smallRun()
        again.blocks = [0]
        try writer.write(StoredBatch(log: 1, source: 1, rows: again))
        try writer.deleteFacts(ofSource: 1)
        try writer.update(sources: [Self.source(1, rejected: 0)])
        #expect(try writer.logs().map(\.factCount) == [0, 5])
        try writer.close()
        let problems = try Verifier.verify(path: path).problems
        #expect(problems == [], "\(problems)")
        #expect(try rows(path, "SELECT count(*) FROM events") == ["8"])
    }

    @Test("Damaged facts are an error of the database")
    func damagedFacts() throws {
        let writer = try TraceWriter(path: path, mode: .asItArrives)
        try begin(writer)
        try writer.transaction { try $0.execute(sql: "UPDATE raw_facts SET facts = x'0101'") }
        var facts = writer.facts(ofSource: 1)
        let error = #expect(throws: StoreError.self) { _ = try facts.next() }
        #expect(error?.description.contains("damaged") == true)
    }
}
