import Foundation
import NamedQueries
import Testing
import TraceRecords

@testable import TraceStore

/// Every query has an answer here that was computed by hand from ``DayFixture``.
@Suite("Answers of the named queries, by hand")
struct GoldenQueryTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var query: String
        var parameters: [String: SQLValue] = [:]
        var rows: [String]
        var testDescription: String { query }
    }

    static let demo: [String: SQLValue] = ["app": .text("Demo")]

    /// Numbers may differ in the last digits, texts must not.
    static func isEqual(_ actual: String, _ expected: String) -> Bool {
        let (a, b) = (
            actual.split(separator: "|", omittingEmptySubsequences: false),
            expected.split(separator: "|", omittingEmptySubsequences: false)
        )
        return a.count == b.count
            && zip(a, b).allSatisfy { one, other in
                if one == other { return true }
                guard let x = Double(one), let y = Double(other) else { return false }
                return abs(x - y) <= 1e-9 * max(1, abs(y))
            }
    }

    @Test("Every query gives what was computed by hand", arguments: stays + flows + ends + rest)
    func golden(_ expected: Case) throws {
        let day = try DayFixture()
        let query = try #require(NamedQueries.query(named: expected.query))
        let actual = try rows(day.path, query.sql, expected.parameters)
        #expect(
            actual.count == expected.rows.count && zip(actual, expected.rows).allSatisfy(Self.isEqual),
            "\(actual.joined(separator: "\n"))")
    }

    @Test("Every query has such an answer")
    func complete() {
        let covered = Set((Self.stays + Self.flows + Self.ends + Self.rest).map(\.query))
        #expect(Set(NamedQueries.all.map(\.name)) == covered)
    }

    @Test("The fixture itself is sound")
    func sound() throws {
        let day = try DayFixture()
        let problems = try Verifier.verify(path: day.path).problems
        #expect(problems == [])
        withExtendedLifetime(day) {}
    }

    // Demo, active: 5, 10, 20, 30. Background: 8, 30, 60 and one cut. Inactive: six times 1, once 2.
    static let stays: [Case] = [
        // All apps, from the kept answer: Other adds two cut visits and one of 10 s. Two scenes stay 20 s each.
        Case(
            query: "dwell_times",
            rows: [
                "app|background|4|3|1|98|\(98.0 / 3)|8|30|54|59.4|60|\(98.0 / 181)|-",
                "app|active|6|4|2|65|16.25|5|15|27|29.7|30|\(65.0 / 181)|-",
                "app|inactive|8|8|0|18|2.25|1|1|4.4|9.44|10|\(18.0 / 181)|-",
                "scene|fg_active|2|2|0|40|20|20|20|20|20|20|1|-",
                "view|appeared|2|2|0|2|1|1|1|1|1|1|\(2.0 / 3)|-",
                "view|disappeared|2|1|1|1|1|1|1|1|1|1|\(1.0 / 3)|-",
            ]),
        Case(
            query: "dwell_times", parameters: demo,
            rows: [
                "app|background|4|3|1|98|\(98.0 / 3)|8|30|54|59.4|60|\(98.0 / 171)|-",
                "app|active|4|4|0|65|16.25|5|15|27|29.7|30|\(65.0 / 171)|-",
                "app|inactive|7|7|0|8|\(8.0 / 7)|1|1|1.4|1.94|2|\(8.0 / 171)|-",
            ]),
        Case(
            query: "dwell_times", parameters: ["by": .text("app"), "layer": .text("app")],
            rows: [
                "app|background|4|3|1|98|\(98.0 / 3)|8|30|54|59.4|60|\(98.0 / 171)|Demo",
                "app|active|4|4|0|65|16.25|5|15|27|29.7|30|\(65.0 / 171)|Demo",
                "app|inactive|7|7|0|8|\(8.0 / 7)|1|1|1.4|1.94|2|\(8.0 / 171)|Demo",
                "app|inactive|1|1|0|10|10|10|10|10|10|10|1|Other",
                "app|active|2|0|2|-|-|-|-|-|-|-|-|Other",
            ]),
        Case(
            query: "dwell_times", parameters: demo.merging(["by": .text("app_version")]) { $1 },
            rows: [
                "app|background|2|1|1|60|60|60|60|60|60|60|\(60.0 / 101)|1.0",
                "app|active|3|3|0|35|\(35.0 / 3)|5|10|18|19.8|20|\(35.0 / 101)|1.0",
                "app|inactive|5|5|0|6|1.2|1|1|1.6|1.96|2|\(6.0 / 101)|1.0",
                "app|background|2|2|0|38|19|8|19|27.8|29.78|30|\(38.0 / 70)|1.1",
                "app|active|1|1|0|30|30|30|30|30|30|30|\(30.0 / 70)|1.1",
                "app|inactive|2|2|0|2|1|1|1|1|1|1|\(2.0 / 70)|1.1",
            ]),
        Case(
            query: "dwell_times", parameters: ["app": .text("Other"), "by": .text("device")],
            rows: [
                "app|inactive|1|1|0|10|10|10|10|10|10|10|1|phone-2", "app|active|2|0|2|-|-|-|-|-|-|-|-|phone-2",
            ]),
        Case(
            query: "dwell_times", parameters: ["run": .integer(2), "by": .text("run")],
            rows: [
                "app|background|2|2|0|38|19|8|19|27.8|29.78|30|\(38.0 / 70)|2",
                "app|active|1|1|0|30|30|30|30|30|30|30|\(30.0 / 70)|2",
                "app|inactive|2|2|0|2|1|1|1|1|1|1|\(2.0 / 70)|2",
            ]),
        Case(
            query: "dwell_times",
            parameters: ["run": .integer(2), "since": .text("2026-03-01T08:04"), "by": .text("day")],
            rows: [
                "app|background|1|1|0|8|8|8|8|8|8|8|\(8.0 / 9)|2026-03-01",
                "app|inactive|1|1|0|1|1|1|1|1|1|1|\(1.0 / 9)|2026-03-01",
            ]),
        Case(
            query: "dwell_times", parameters: ["app": .text("Other"), "by": .text("os_version")],
            rows: ["app|inactive|1|1|0|10|10|10|10|10|10|10|1|-", "app|active|2|0|2|-|-|-|-|-|-|-|-|-"]),
        Case(query: "dwell_times", parameters: ["by": .text("moon")], rows: []),
        // Background: 4 (cut), 8, 30, 60: S falls to 2/3, 1/3, 0.
        Case(
            query: "dwell_survival", parameters: demo,
            rows: ["app|active|4|0|5|10|20|30", "app|background|3|1|8|30|60|60", "app|inactive|7|0|1|1|1|2"]),
        Case(query: "background_stays", parameters: demo, rows: ["Demo|app|4|3|98|30|54|60|1|55"]),
        Case(query: "suspended_stays", rows: ["Demo|inferred|silence|1|0|55|55|55|55|55|55"]),
        Case(
            query: "stays_over_limit", parameters: ["limit_s": .real(20)],
            rows: [
                "Demo|phone-1|1|app|app|background|2026-03-01T08:00:33.000000000Z|60|40||/logs/app.log|6",
                "Demo|phone-1|2|app|app|background|2026-03-01T08:03:20.000000000Z|30|10||/logs/app.log|11",
            ]),
        Case(
            query: "longest_stays", parameters: ["most": .integer(2)],
            rows: [
                "Demo|1|app|app|background|2026-03-01T08:00:33.000000000Z|2026-03-01T08:01:33.000000000Z|60||"
                    + "/logs/app.log|6",
                "Other|3|app|app|active|-|2026-03-01T08:05:00.000000000Z|50|left|/logs/app.log|17",
            ]),
    ]

    static let flows: [Case] = [
        // Ways out of background: two enters after 60 and 30 s, one end after 8 s, one end that nobody logged.
        Case(
            query: "transition_counts", parameters: demo,
            rows: [
                "app|active|inactive|resign|4|1|15|documented|observed",
                "app|background|inactive|enter|2|\(2.0 / 3)|45|documented|observed",
                "app|background|not_running|-|1|-|-|documented|inferred",
                "app|background|not_running|terminate|1|\(1.0 / 3)|8|documented|observed",
                "app|inactive|active|become|4|\(4.0 / 7)|1|documented|observed",
                "app|inactive|background|leave|3|\(3.0 / 7)|1|documented|observed",
                "app|not_running|background|launch|1|0.5|-|documented|observed",
                "app|not_running|inactive|launch|1|0.5|-|documented|observed",
            ]),
        Case(
            query: "transition_matrix", parameters: demo,
            rows: [
                "app|active|inactive|1|4|0|1", "app|background|inactive|1|2|0|0.5",
                "app|background|not_running|0|2|1|0.5", "app|background|suspended|1|0|0|0",
                "app|inactive|active|1|4|0|\(4.0 / 7)", "app|inactive|background|1|3|0|\(3.0 / 7)",
                "app|not_running|background|0|1|0|0.5", "app|not_running|inactive|1|1|0|0.5",
            ]),
        // From launch: 1 and 31. From the background: 33 to 95; 101 and 262 never get there.
        Case(
            query: "first_passage", parameters: demo,
            rows: ["app|background to active|3|1|62|62|62|62|62", "app|launch to active|2|2|1|16|28|30.7|31"]),
        Case(
            query: "launch_times", parameters: demo,
            rows: ["app|background|1|1|1|1|1|1", "app|cold|1|1|1|1|1|1", "app|resume|1|2|2|2|2|2"]),
        Case(
            query: "variants", parameters: demo,
            rows: [
                "app|not_running > background > inactive > active > inactive > background > not_running|1|0.5",
                "app|not_running > inactive > active > inactive > active > inactive > background > inactive > active > "
                    + "inactive > background > not_running|1|0.5",
            ]),
        Case(
            query: "variants", parameters: ["app": .text("Demo"), "most": .integer(3)],
            rows: [
                "app|not_running > background > inactive > active > …|1|0.5",
                "app|not_running > inactive > active > inactive > …|1|0.5",
            ]),
        Case(
            query: "directly_follows", parameters: ["run": .integer(2)],
            rows: [
                "app|-|launch|1|1", "app|become|resign|1|1", "app|enter|become|1|1", "app|launch|enter|1|1",
                "app|leave|terminate|1|1", "app|resign|leave|1|1", "app|terminate|-|1|1",
            ]),
        Case(query: "flapping", parameters: demo, rows: ["Demo|1|app|app|1|1|\(Script.at(12))|\(Script.at(12))"]),
        Case(
            query: "foreground_sessions", parameters: demo,
            rows: ["2026-03-01|Demo|app|3|3|73|\(73.0 / 3)|33"]),
        Case(query: "time_of_day", parameters: demo, rows: ["8|2|4|65|3"]),
        Case(
            query: "coverage", parameters: demo.merging(["layer": .text("app")]) { a, _ in a },
            rows: [
                "app|app|background|suspended|c|1|0|A", "app|app|active|inactive|c|0|4|A",
                "app|app|background|inactive|c|0|2|A", "app|app|inactive|active|c|0|4|A",
                "app|app|inactive|background|c|0|3|A", "app|app|not_running|inactive|c|0|1|A",
            ]),
        Case(query: "overlapping_scenes", rows: ["4|Scenes|2|10|\(Script.at(410))"]),
        Case(query: "undeallocated_controllers", rows: ["Scenes|Menu|2|1|1|7"]),
    ]

    private static let silence = "silent in the background until another run of the app began"

    static let ends: [Case] = [
        Case(
            query: "end_reasons",
            rows: [
                "Demo|killed_in_background|inferred|1|0.5", "Demo|terminated|observed|1|0.5",
                "Other|log_end|inferred|1|1", "Scenes|log_end|inferred|1|1",
            ]),
        Case(query: "time_to_death", rows: ["Demo|1|4|99|99|4"]),
        Case(
            query: "killed_in_background", parameters: ["lines": .integer(2)],
            rows: [
                "1|Demo|100|killed_in_background|inferred|\(Script.at(105))|\(Script.at(200))|1|"
                    + "2026-03-01T08:01:41.000000000Z|leave|/logs/app.log|10|\(silence)|95|-",
                "1|Demo|100|killed_in_background|inferred|\(Script.at(105))|\(Script.at(200))|2|"
                    + "2026-03-01T08:01:40.000000000Z|resign|/logs/app.log|9|\(silence)|95|-",
            ]),
        Case(query: "killed_in_background", parameters: ["reason": .text("jetsam")], rows: []),
        Case(
            query: "runs_without_launch", parameters: ["app": .text("Other")],
            rows: ["3|Other|102|phone-2|-|-|log_end|/logs/app.log"]),
        Case(
            query: "run_summary", parameters: demo,
            rows: [
                "1|Demo|1.0|100|phone-1|2026-03-01T08:00:00.000000000Z|-|killed_in_background|35|60|3|3",
                "2|Demo|1.1|101|phone-1|2026-03-01T08:03:20.000000000Z|2026-03-01T08:04:30.000000000Z|terminated|30|38|1|1",
            ]),
    ]

    static let rest: [Case] = [
        Case(
            query: "findings_by_rule",
            rows: [
                "error|app|TL-1|limit-overrun|1|1|TL-1 at 7|/logs/app.log|7",
                "warning|app|R-1|rule-violation|2|2|R-1 at 5|/logs/app.log|5",
                "info|app|clock-regression|clock-regression|1|1|clock-regression at 8|/logs/app.log|8",
            ]),
        Case(
            query: "limit_overruns",
            rows: ["1|Demo|app|TL-1|error|2026-03-01T08:00:09.000000000Z|TL-1 at 7|/logs/app.log|7|5|8|3|-|-|3"]),
        Case(query: "limit_overruns", parameters: ["rule": .text("TL-2")], rows: []),
        Case(
            query: "clock_faults",
            rows: ["1|app|info|2026-03-01T08:00:09.000000000Z|clock-regression at 8|/logs/app.log|8"]),
        Case(
            query: "clock_faults", parameters: ["app": .text("Demo")],
            rows: ["1|app|info|2026-03-01T08:00:09.000000000Z|clock-regression at 8|/logs/app.log|8"]),
        Case(query: "clock_faults", parameters: ["app": .text("Other")], rows: []),
        Case(query: "findings_by_rule", parameters: ["app": .text("Other")], rows: []),
        Case(query: "scenario_times", rows: ["-|EQ-1|2|2|3|4|4.8|4.98|5|SC-1, SC-2"]),
        Case(query: "source_accounting", rows: ["/logs/app.log|nslog|100|100|0|0|0|0|27|-|-|-"]),
        Case(
            query: "events_by_kind", parameters: ["run": .integer(1)],
            rows: [
                "app|callback|become|-|3|0", "app|callback|resign|-|3|0", "app|callback|leave|-|2|0",
                "app|callback|enter|-|1|0", "app|callback|launch|-|1|0",
            ]),
        // Version 1.0: 35 s active and 6 s inactive.
        Case(query: "daily_totals_compared", rows: ["2026-03-01|1.0|50|41|9|Demo"]),
    ]
}
