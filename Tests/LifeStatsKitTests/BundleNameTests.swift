import Testing

@testable import LifeStatsKit

/// Lines of the system name a process by the identifier of its bundle, of which the last component is its name in lower
/// case and without blanks.
@Suite("A bundle identifier leads to the process")
struct BundleNameTests {
    private static func suspending(_ bundle: String, pid: String = ":412") -> String {
        "default\t10:00:10.000000+0200\trunningboardd\tRB\t[app<\(bundle)(1F0E0D0C)>\(pid)] Suspending task."
    }

    private static func active(_ process: String, second: Int = 0) -> String {
        "default\t10:00:0\(second).000000+0200\t\(process)\tKit\tapplicationDidBecomeActive"
    }

    @Test(
        "in any case of letters, with or without blanks and dashes, whichever comes first",
        arguments: [
            ("com.example.tea", "Tea"), ("com.example.My-App", "My App"), ("com.example.MyApp", "my_app"),
            ("com.example.Tea", "Tea"),
        ])
    func spelling(bundle: String, process: String) throws {
        let lines = [Self.active(process), Self.suspending(bundle)]
        for order in [lines, lines.reversed()] {
            let ingested = try Ingested(text: order.joined(separator: "\n") + "\n")
            #expect(try ingested.rows("select distinct app from runs") == [process], "\(order)")
            let before = try DatabaseCheck.verify(ingested.database)
            _ = try Replaying.run(ReplayRequest(database: ingested.database)) { _ in }
            let after = try DatabaseCheck.verify(ingested.database)
            #expect(before.problems == [] && before.digest == after.digest, "\(order)")
        }
    }

    @Test(
        "a launch that the system reports without a process id is that of the process that writes next",
        arguments: ["com.example.tea", "com.example.Tea"], ["", "2026-03-09 10:00:01.000 Pot[8:1] viewDidLoad\n"])
    func launchWithoutPid(bundle: String, between: String) throws {
        let ingested = try Ingested(
            text: """
                2026-03-09 10:00:00.000 SpringBoard[55:1] [\(bundle)] Bootstrap success!
                2026-03-09 10:00:00.500 runningboardd[33:1] Executing launch request for app<\(bundle)(1F0E0D0C)>
                \(between)2026-03-09 10:00:02.000 Tea[412:1] didFinishLaunchingWithOptions
                2026-03-09 10:00:03.000 Tea[412:1] applicationDidBecomeActive

                """)
        let runs = try ingested.rows(
            """
            select r.pid, r.started_ns = min(e.time_ns), count(*) from runs as r join events as e using (run_id)
                where r.app = 'Tea'
            """)
        #expect(runs == ["412,1,4"])
        let before = try DatabaseCheck.verify(ingested.database)
        _ = try Replaying.run(ReplayRequest(database: ingested.database)) { _ in }
        #expect(try DatabaseCheck.verify(ingested.database).digest == before.digest)
    }

    @Test("processes that differ are not joined")
    func different() throws {
        let lines = [Self.active("Tea"), Self.active("TEA", second: 1), Self.suspending("com.example.tea", pid: "")]
        let ingested = try Ingested(text: lines.joined(separator: "\n") + "\n")
        #expect(try ingested.rows("select app from runs order by 1") == ["TEA", "Tea", "tea"])
        let other = try Ingested(
            text: [Self.active("Tea"), Self.suspending("com.example.teapot")].joined(separator: "\n"))
        #expect(try other.rows("select app from runs order by 1") == ["Tea", "teapot"])
    }

    @Test("the process that has the pid comes before one that has the name, whenever their lines are told")
    func pidBeforeName() throws {
        let ingested = try Ingested(
            text: """
                2026-03-09 14:44:07.837 runningboardd[33:1] Now tracking process: [app<com.example.tour(0F0E0D0C)>:77]
                2026-03-09 14:44:08.495 Tour[9744:1] Loading
                2026-03-09 14:44:09.051 Other[77:1] Loading
                2026-03-09 14:44:10.530 runningboardd[33:1] [app<com.example.tour(0F0E0D0C)>:77] Suspending task.
                2026-03-09 14:44:11.530 Tour[9744:1] Loading
                2026-03-09 14:44:13.570 Other[77:1] Uploading

                """)
        #expect(try ingested.rows("select app, pid from runs") == ["Other,77"])
        let before = try DatabaseCheck.verify(ingested.database)
        _ = try Replaying.run(ReplayRequest(database: ingested.database)) { _ in }
        #expect(try DatabaseCheck.verify(ingested.database).digest == before.digest)
    }

    @Test("a process whose name a bundle has told already tells by its own lines that the bundle is its")
    func nameBeforePid() throws {
        let ingested = try Ingested(
            text: """
                2026-03-09 04:52:07.838 Tour[9875:1] Loading
                2026-03-09 04:52:07.838 runningboardd[33:1] [app<com.example.tour(0F0E0D0C)>:22964] Suspending task.
                2026-03-09 04:52:14.074 Tour[22964:1] Loading
                2026-03-09 05:32:36.498 Other[77:1] Loading
                2026-03-09 05:32:37.498 runningboardd[33:1] [app<com.example.tour(0F0E0D0C)>:77] Resuming task.
                2026-03-09 07:11:16.576 runningboardd[33:1] [app<com.example.tour(0F0E0D0C)>:22964] Suspending task.
                2026-03-09 07:28:45.456 Other[77:1] Uploading
                2026-03-09 07:28:49.181 runningboardd[33:1] Calculated state for \
                app<com.example.tour(0F0E0D0C)>: running-suspended (role: None)

                """)
        // The last line has no pid: the bundle is that of the process that was last found by pid, 22964.
        #expect(try ingested.rows("select app, pid from events order by line desc limit 1") == ["Tour,22964"])
        let before = try DatabaseCheck.verify(ingested.database)
        _ = try Replaying.run(ReplayRequest(database: ingested.database)) { _ in }
        #expect(try DatabaseCheck.verify(ingested.database).digest == before.digest)
    }
}
