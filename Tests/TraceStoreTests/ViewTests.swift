import Foundation
import NamedQueries
import Testing
import TraceRecords

@testable import TraceStore

@Suite("The views over a small run")
struct ViewTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("t.db")
        try store(smallRun(), at: path)
    }

    @Test("Visits tile the life of the app, the last one is open")
    func visits() throws {
        let visits = try rows(
            path,
            """
            SELECT visit_id, state, entered, left, dwell_s, entered_by, left_by, censored, complete, at_least_ns, source,
                line, seq, app, run_id, instance FROM visits ORDER BY seq
            """)
        #expect(
            visits == [
                "1|inactive|2026-03-01T08:00:00.000000000Z|2026-03-01T08:00:02.000000000Z|2.0|didFinishLaunching|"
                    + "didBecomeActive||1|-|/logs/app.log|1|1|Demo|1|app",
                "2|active|2026-03-01T08:00:02.000000000Z|2026-03-01T08:00:32.000000000Z|30.0|didBecomeActive|"
                    + "willResignActive||1|-|/logs/app.log|2|2|Demo|1|app",
                "4|inactive|2026-03-01T08:00:32.000000000Z|2026-03-01T08:00:33.500000000Z|1.5|willResignActive|"
                    + "didEnterBackground||1|-|/logs/app.log|4|4|Demo|1|app",
                "5|background|2026-03-01T08:00:33.500000000Z|-|-|didEnterBackground|-|right|0|26500000000|/logs/app.log|"
                    + "5|5|Demo|1|app",
            ])
    }

    @Test("Transitions are the borders of the visits, and the launch")
    func transitions() throws {
        let transitions = try rows(
            path, "SELECT from_state, to_state, callback, dwell_s, verdict, evidence FROM transitions ORDER BY seq")
        #expect(
            transitions == [
                "not_running|inactive|didFinishLaunching|-|documented|observed",
                "inactive|active|didBecomeActive|2.0|documented|observed",
                "active|inactive|willResignActive|30.0|documented|observed",
                "inactive|background|didEnterBackground|1.5|documented|observed",
            ])
    }

    @Test("An event that changes no state is an event and nothing else")
    func events() throws {
        #expect(try rows(path, "SELECT count(*) FROM events") == ["5"])
        #expect(try rows(path, "SELECT events FROM sources") == ["5"])
    }

    @Test("dwell_times: one row per state, censored visits only counted")
    func dwellTimes() throws {
        let query = try #require(NamedQueries.query(named: "dwell_times"))
        let answer = try rows(path, query.sql)
        // inactive: 1.5 s and 2 s; type 7: 1.5 + 0.5 h, with h = 0.5, 0.9, 0.99. Shares are parts of 33.5 s.
        #expect(
            answer == [
                "app|active|1|1|0|30.0|30.0|30.0|30.0|30.0|30.0|30.0|0.895522388059702|-",
                "app|inactive|2|2|0|3.5|1.75|1.5|1.75|1.95|1.995|2.0|0.104477611940299|-",
                "app|background|1|0|1|-|-|-|-|-|-|-|-|-",
            ])
    }

    @Test("transition_counts: probabilities are those of the observed changes out of a state")
    func transitionCounts() throws {
        let query = try #require(NamedQueries.query(named: "transition_counts"))
        #expect(
            try rows(path, query.sql) == [
                "app|active|inactive|willResignActive|1|1.0|30.0|documented|observed",
                "app|inactive|active|didBecomeActive|1|0.5|2.0|documented|observed",
                "app|inactive|background|didEnterBackground|1|0.5|1.5|documented|observed",
                "app|not_running|inactive|didFinishLaunching|1|1.0|-|documented|observed",
            ])
        #expect(try rows(path, query.sql, ["app": .text("Other")]) == [])
        #expect(try rows(path, query.sql, ["since": .text("2026-03-01T08:00:30")]).count == 2)
    }

    @Test("A duration in the words of a finding is what the program writes elsewhere")
    func durations() throws {
        let second: Int64 = 1_000_000_000
        let edges: [Int64] = [second, 60 * second, 3600 * second, 86_400 * second, 90_000 * second]
        var lengths = [10_000_000, 999_499_999, 3_723 * second, 35 * 3600 * second, 998 * 86_400 * second]
        for edge in edges {
            lengths += [-second, -second / 2, -50_000_001, -50_000_000, -1, 0, 1, second / 20, second].map { edge + $0 }
        }
        for _ in 0..<500 { lengths.append(Int64.random(in: 10_000_000..<Int64(1) << Int64.random(in: 24...55))) }
        for length in lengths.filter({ $0 >= 10_000_000 }) {
            let text = try rows(path, "SELECT \(Schema.expand("duration_of(\(length))"))")
            #expect(text == [HumanDuration.text(nanoseconds: length)], "\(length)")
        }
    }
}
