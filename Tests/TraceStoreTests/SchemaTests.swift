import Foundation
import Testing

@testable import TraceStore

@Suite("The documented schema")
struct SchemaTests {
    /// The columns that people rely on; more may follow at the end.
    static let promised: [(view: String, columns: String)] = [
        (
            "sources",
            """
            source_id, path, stream, format, device, bytes, lines, entry_lines, continuation_lines, other_lines,
            rejected_lines, events, first_ns, last_ns, timezone, assumptions, fingerprint, ingested_at
            """
        ),
        ("rejects", "source_id, path, line, byte_offset, reason, text"),
        (
            "runs",
            """
            run_id, device, app, pid, profile, os_version, started_ns, started, ended_ns, ended, end_reason,
            end_evidence, source_id, app_version, last_seen_ns, next_seen_ns, run_key, first_seen_ns, first_seen,
            last_seen, next_seen, end_detail, launch_cause
            """
        ),
        ("instances", "instance_id, run_id, layer, instance, model"),
        (
            "events",
            """
            event_id, run_id, instance_id, device, app, pid, layer, instance, kind, callback, proves, time_ns, time,
            state_before, state_after, verdict, source, line, seq, message
            """
        ),
        ("visits", visits),
        ("suspensions", "visit_id, run_id, instance_id, app, pid, from_ns, until_ns, suspended_ns, evidence, basis"),
        ("visits_estimated", visits),
        (
            "transitions",
            """
            transition_id, run_id, instance_id, device, app, pid, layer, instance, from_state, to_state, callback,
            time_ns, time, dwell_ns, dwell_s, verdict, evidence, source, line, seq
            """
        ),
        (
            "findings",
            "finding_id, run_id, instance_id, layer, rule, severity, time_ns, time, message, source, line"
        ),
        ("scenarios", "run_id, scenario, class, started_ns, ended_ns, first_event_id, last_event_id"),
        ("documented_states", "model, layer, state, title, initial, final"),
        ("documented_transitions", "model, layer, from_state, to_state, callbacks, silent, citation"),
        ("daily_totals", ""),
    ]

    static let visits = """
        visit_id, run_id, instance_id, device, app, pid, layer, instance, state, entered_ns, entered, left_ns, left,
        dwell_ns, dwell_s, entered_by, left_by, evidence, censored, complete, at_least_ns, source, line, seq
        """

    @Test("Every view has the columns that are promised, in order, and each is documented")
    func columns() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("t.db")
        try store(smallRun(), at: path)
        let reader = try TraceReader(path: path)
        for (name, columns) in Self.promised {
            var actual: [String] = []
            try reader.query("SELECT * FROM \(name)", columns: { actual = $0 }, row: { _ in })
            let promised = columns.split(whereSeparator: { ", \n".contains($0) }).map(String.init)
            #expect(Array(actual.prefix(promised.count)) == promised, "\(name)")
            let documented = try #require(SchemaDocumentation.view(named: name))
            #expect(documented.columns.map(\.name) == actual, "\(name)")
            #expect(!documented.purpose.isEmpty)
            #expect(
                documented.columns.allSatisfy {
                    ["integer", "real", "text", "time", "duration", "seconds"].contains($0.type)
                }, "\(name)")
        }
        #expect(Set(SchemaDocumentation.views.map(\.name)).isSuperset(of: Self.promised.map(\.view)))
    }

    @Test(
        "A row itself contains whose it is, and when",
        arguments: [
            ("SELECT app, pid, device FROM instances WHERE instance_id = 1", ["Demo|100|phone-1"]),
            ("SELECT app, device, count(*) FROM findings GROUP BY app, device", ["Demo|phone-1|4"]),
            (
                "SELECT pid, started, ended FROM scenarios ORDER BY run_id",
                [
                    "100|2026-03-01T08:00:00.000000000Z|2026-03-01T08:00:03.000000000Z",
                    "101|2026-03-01T08:03:20.000000000Z|2026-03-01T08:03:25.000000000Z",
                ]
            ),
            (
                "SELECT device, began, ended FROM suspensions",
                ["phone-1|2026-03-01T08:00:38.000000000Z|2026-03-01T08:01:33.000000000Z"]
            ),
            (
                "SELECT last_seen, next_seen FROM runs WHERE run_id = 1",
                ["2026-03-01T08:01:45.000000000Z|2026-03-01T08:03:20.000000000Z"]
            ),
        ])
    func inOneRow(_ sql: String, _ expected: [String]) throws {
        let day = try DayFixture()
        #expect(try rows(day.path, sql) == expected)
    }

    @Test(
        "Times before 1970 and at the borders of a second read right",
        arguments: [
            (0, "1970-01-01T00:00:00.000000000Z"), (-1, "1969-12-31T23:59:59.999999999Z"),
            (1_772_352_000_123_456_789, "2026-03-01T08:00:00.123456789Z"),
        ] as [(Int64, String)])
    func iso8601(_ time: Int64, _ text: String) throws {
        let folder = try TemporaryFolder()
        try store(smallRun(), at: folder.file("t.db"))
        let answer = try rows(
            folder.file("t.db"), Schema.expand("SELECT iso8601(t.ns) FROM (SELECT \(time) AS ns) AS t"))
        #expect(answer == [text])
    }

    @Test("A background stay is split by its suspensions, and the pieces add up to it")
    func estimated() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("t.db")
        var script = Script()
        script.run(1)
        script.step("didEnterBackground", "inactive", "background", at: 0, censoring: .left)
        script.step("willEnterForeground", "background", "inactive", at: 100, dwell: 100, opener: 1)
        script.instance(1, run: 1)
        for (from, until) in [(15.0, 30.0), (40.0, 100.0)] {
            script.batch.suspensions.append(
                .init(
                    id: Int64(from), run: 1, instance: 1, opener: 1, from: Script.start + Script.nanoseconds(from),
                    until: Script.start + Script.nanoseconds(until), leadsTo: "background", evidence: .inferred,
                    basis: "silence"))
        }
        try store(script.take(), at: path)
        #expect(
            try rows(
                path,
                """
                SELECT visit_id, state, dwell_s, evidence, entered_by FROM visits_estimated WHERE visit_id = 1
                ORDER BY entered_ns
                """) == [
                    "1|background|15.0|inferred|didEnterBackground", "1|suspended|15.0|inferred|-",
                    "1|background|10.0|inferred|-", "1|suspended|60.0|inferred|-",
                ])
        #expect(try rows(path, "SELECT suspended_ns, basis FROM suspensions ORDER BY from_ns").count == 2)
    }

    @Test("A query of estimated visits computes only the columns that it names")
    func estimatedColumns() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("t.db")
        try store(smallRun(), at: path)
        let plan = try rows(path, "EXPLAIN QUERY PLAN SELECT visit_id, state, left_ns FROM visits_estimated")
        #expect(plan.count > 6)
        #expect(!plan.contains { $0.contains("CO-ROUTINE") || $0.contains("MATERIALIZE") }, "\(plan)")
    }
}
