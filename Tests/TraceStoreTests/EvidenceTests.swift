import Foundation
import Testing
import TraceRecords

@testable import TraceStore

/// Evidence in other logs of a device.
@Suite("Evidence of other logs")
struct EvidenceTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("t.db")
    }

    /// The app's own log: launch at 0 s, background from 10 s, active again at 100 s, silent end after 110 s.
    /// Suspended from 15 to 100 s, as far as its own log shows.
    private func app(_ writer: TraceWriter) throws {
        var script = Script(nextStep: 1 << 16 + 1)
        let id: Int64 = 1 << 16 + 1
        script.run(
            id, pid: 50, started: Script.at(0), end: .abnormalInForeground, lastSeen: Script.at(110), device: "phone",
            hasCallbacks: true)
        let launch = script.step("didFinishLaunching", "not_running", "inactive", at: 0, instance: id)
        let back = script.step(
            "didEnterBackground", "inactive", "background", at: 10, instance: id, dwell: 10, opener: launch)
        let enter = script.step(
            "didBecomeActive", "background", "active", at: 100, instance: id, dwell: 90, opener: back)
        script.instance(
            id, run: id,
            tail: InstanceRecord.Tail(
                state: "active", entered: nil, opener: enter, evidence: .observed, censoring: .right,
                atLeast: 10 * Script.second))
        script.batch.suspensions = [
            Suspension(
                id: id, run: id, instance: id, opener: back, from: Script.at(15), until: Script.at(100),
                leadsTo: "active", evidence: .inferred, basis: "silence beyond the 5 s grace time")
        ]
        try writer.write(StoredBatch(log: 1, source: 1, record: Script.source(), rows: script.take()))
    }

    /// The system's log: the process runs at 40 s and from 60 to 62 s, and crashes at 111 s.
    private func system(_ writer: TraceWriter, pid: Int32 = 50, device: String = "phone", app: String = "Demo") throws {
        var script = Script(nextStep: 2 << 16 + 1)
        let id: Int64 = 2 << 16 + 1
        script.run(
            id, app: app, pid: pid, source: 2, ended: Script.at(111), end: .crash, evidence: .observed,
            lastSeen: Script.at(111), device: device)
        script.batch.runs[0].firstSeen = Script.at(40)
        script.batch.runs[0].endDetail = "SIGSEGV"
        script.batch.runs[0].reportedVersion = "7.1"
        script.batch.runs[0].osVersion = "26.1"
        script.step("runningboard", nil, "running", at: 40, instance: id, line: 3, proves: .running)
        script.step(
            "crash", "running", "not_running", at: 111, instance: id, line: 9, dwell: 71, opener: 2 << 16 + 1,
            proves: .exitedBySignal)
        script.instance(id, run: id)
        let activity = FactBatch(
            facts: [
                .activity(
                    ActivityInterval(speaker: 0, from: Script.at(60), until: Script.at(62), firstLine: 4, lastLine: 6))
            ], speakers: [Speaker(process: app, pid: pid, device: device)])
        try writer.write(
            StoredBatch(
                log: 2, source: 2, record: Script.source(2, log: 2, path: "/logs/sys.log", stream: "/logs/sys"),
                facts: writer.codec.encode(activity), rows: script.take()))
    }

    private static let grace = 5 * Script.second

    @Test(
        "It is shown in the run that it is about: events, end, versions; and it shortens suspensions",
        arguments: [TraceWriter.WriteMode.whole, .asItArrives])
    func attached(mode: TraceWriter.WriteMode) throws {
        let writer = try TraceWriter(path: path, mode: mode)
        try app(writer)
        try system(writer)
        try writer.attachEvidence(grace: Self.grace)
        try writer.close()
        #expect(
            try rows(
                path,
                "SELECT run_id, app, end_reason, end_evidence, end_detail, ended, app_version, os_version FROM runs")
                == [
                    "65537|Demo|crash|observed|SIGSEGV|2026-03-01T08:01:51.000000000Z|7.1|26.1"
                ])
        #expect(
            try rows(
                path,
                "SELECT run_id, instance_id, instance, kind, proves, state_before, source, line FROM events WHERE callback IS NULL"
            ) == [
                "65537|65537|app|runningboard|running|-|/logs/sys.log|3",
                "65537|65537|app|crash|exited:signal|-|/logs/sys.log|9",
            ])
        #expect(try rows(path, "SELECT count(*) FROM instances") == ["1"])
        #expect(try rows(path, "SELECT DISTINCT run_id, app_version FROM visits") == ["65537|7.1"])
        #expect(try rows(path, "SELECT count(*) FROM transitions") == ["3"])
        // Silence from 10 s: suspended 15-40, 45-60, 67-100.
        #expect(
            try rows(
                path, "SELECT substr(began, 15, 5), substr(ended, 15, 5), visit_id FROM suspensions ORDER BY from_ns")
                == [
                    "00:15|00:40|65538", "00:45|01:00|65538", "01:07|01:40|65538",
                ])
        #expect(
            try rows(path, "SELECT state, dwell_s FROM visits_estimated WHERE visit_id = 65538 ORDER BY entered_ns")
                .joined(separator: " ")
                == "background|5.0 suspended|25.0 background|5.0 suspended|15.0 background|7.0 suspended|33.0")
        #expect(try Verifier.verify(path: path).problems == [])
    }

    @Test(
        "A suspension that it observes is shown in the run, in place of what was estimated",
        arguments: [5, nil] as [Int64?])
    func observedSuspension(grace: Int64?) throws {
        let writer = try TraceWriter(path: path)
        try app(writer)
        // Suspended from 30 to 95 s, as the system says; the app's own log estimates 15 to 100 s.
        var script = Script(nextStep: 2 << 16 + 1)
        let id: Int64 = 2 << 16 + 1
        script.run(id, pid: 50, source: 2, end: .logEnd, lastSeen: Script.at(95), device: "phone")
        script.batch.runs[0].firstSeen = Script.at(30)
        let suspended = script.step(
            "runningboard", nil, "suspended", at: 30, instance: id, line: 1, proves: .suspended)
        script.step(
            "runningboard", "suspended", "background", at: 95, instance: id, line: 2, dwell: 65, opener: suspended,
            proves: .running)
        script.instance(id, run: id)
        script.batch.suspensions = [
            Suspension(
                id: id, run: id, instance: id, opener: suspended, from: Script.at(30), until: Script.at(95),
                leadsTo: "background", evidence: .observed, basis: "a line")
        ]
        try writer.write(
            StoredBatch(
                log: 2, source: 2, record: Script.source(2, log: 2, path: "/logs/sys.log", stream: "/logs/sys"),
                rows: script.take()))
        #expect(try writer.attachEvidence(grace: grace.map { $0 * Script.second }).runs == 1)
        try writer.close()
        let shown = try rows(
            path,
            """
            SELECT substr(began, 15, 5), substr(ended, 15, 5), evidence, to_state, visit_id FROM suspensions
            WHERE evidence = 'observed' ORDER BY from_ns
            """)
        #expect(shown == ["00:30|01:35|observed|background|65538"])
        // Until 30 s it ran, and from 95 to 100 s is no longer than the grace time.
        let estimated = try rows(path, "SELECT count(*) FROM suspensions WHERE evidence = 'inferred'")
        #expect(estimated == [grace == nil ? "1" : "0"])
        #expect(try Verifier.verify(path: path).problems == [])
    }

    @Test("The order in which logs are ingested makes no difference, and what is removed leaves no trace")
    func order() throws {
        var digests: [ContentDigest] = []
        for order in [[1, 2], [2, 1]] {
            let file = folder.file("\(order).db")
            for log in order {
                let writer = try TraceWriter(path: file)
                try log == 1 ? app(writer) : system(writer)
                try writer.attachEvidence(grace: Self.grace)
                try writer.close()
            }
            digests.append(try Verifier.digest(path: file))
            #expect(try Verifier.verify(path: file).problems == [])
        }
        #expect(digests[0] == digests[1])

        let alone = folder.file("alone.db")
        let writer = try TraceWriter(path: alone)
        try app(writer)
        try writer.attachEvidence(grace: Self.grace)
        try writer.close()
        let forgetting = try TraceWriter(path: folder.file("[1, 2].db"))
        try forgetting.deleteDerived(log: 2)
        try forgetting.remove(sources: [2])
        try forgetting.attachEvidence(grace: Self.grace)
        try forgetting.close()
        #expect(try Verifier.digest(path: folder.file("[1, 2].db")) == Verifier.digest(path: alone))
        #expect(try Verifier.verify(path: folder.file("[1, 2].db")).problems == [])
        #expect(try rows(alone, "SELECT end_reason, app_version FROM runs") == ["abnormal_in_foreground|-"])
    }

    @Test(
        "Another process, device or time is not evidence",
        arguments: [(51, "phone", "Demo"), (50, "tablet", "Demo"), (50, "phone", "Other")] as [(Int32, String, String)])
    func others(pid: Int32, device: String, app name: String) throws {
        let writer = try TraceWriter(path: path)
        try app(writer)
        try system(writer, pid: pid, device: device, app: name)
        try writer.attachEvidence(grace: Self.grace)
        try writer.close()
        #expect(try rows(path, "SELECT end_reason FROM runs ORDER BY run_id") == ["abnormal_in_foreground", "crash"])
        #expect(try rows(path, "SELECT count(*) FROM suspensions") == ["1"])
    }

    @Test(
        "What silences are left between signs of life",
        arguments: [
            ([], [15, 100]), ([10], [15, 100]), ([20], [15, 20, 25, 100]), ([12, 16, 99], [21, 99]),
            ([99, 104], [15, 99]), ([40, 41], [15, 40, 46, 100]),
        ] as [([Int64], [Int64])])
    func rests(signs: [Int64], expected: [Int64]) {
        let suspension = EstimatedSuspension(
            column: "", idColumn: "", id: 1, visit: 1, instance: 1, span: .init(from: 15, until: 100), kindID: 1,
            kind: SuspensionKind(evidence: "inferred", basis: "silence", leadsTo: nil))
        let rests = suspension.rests(after: signs.map { SignOfLife(from: $0, until: $0) }, grace: 5)
        #expect(rests.flatMap { [$0.from, $0.until ?? -1] } == expected)
    }
}
