import Foundation
import Testing

@testable import LifeStatsKit

/// Each of these logs once read otherwise when it was read in two goes, or derived again, than at once.
@Suite("Logs that are cut anywhere")
struct CutAnywhereTests {
    struct Log: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var lines: [String]

        var text: String { lines.joined() }

        /// - Parameter text: lines that begin with a time of day on 2026-03-09.
        init(_ testDescription: String, _ text: String) {
            self.testDescription = testDescription
            lines = text.split(separator: "\n").map { "2026-03-09 \($0)\n" }
        }
    }

    private static let system = "runningboardd[33:1]"
    private static let suspends = "running-suspended (role: None)"

    static let copies = [
        Log(
            "two apps are suspended in one second",
            """
            10:00:12 \(system) Calculated state for app<com.acme.alpha(0F0E)>: \(suspends)
            10:00:12 \(system) Calculated state for app<com.acme.beta(0F0E)>: \(suspends)
            10:01:53 \(system) Calculated state for app<com.acme.alpha(0F0E)>: running-active (role: None)
            """),
        Log(
            "one callback twice in a second, in other words",
            """
            10:00:01 Tea[5:1] applicationDidBecomeActive: first
            10:00:01 Tea[5:1] applicationWillResignActive
            10:00:01 Tea[5:1] applicationDidBecomeActive: second
            10:00:09 Tea[5:1] applicationWillResignActive
            """),
        Log(
            "two layouts of one second, of other bounds",
            """
            10:00:01 Tea[5:1] <Tea.Ctl: 0x5> viewDidLoad
            10:00:01 Tea[5:1] <Tea.Ctl: 0x5> viewDidLayoutSubviews bounds 100
            10:00:01 Tea[5:1] <Tea.Ctl: 0x5> viewDidLayoutSubviews bounds 200
            10:00:03 Tea[5:1] <Tea.Ctl: 0x5> viewDidAppear
            """),
        Log(
            "lines that were pasted twice and three times",
            """
            10:00:01 Tea[5:1] applicationDidBecomeActive
            10:00:02 Tea[5:1] applicationWillResignActive
            10:00:01 Tea[5:1] applicationDidBecomeActive
            10:00:02 Tea[5:1] applicationWillResignActive
            10:00:05 Tea[5:1] applicationDidEnterBackground
            10:00:01 Tea[5:1] applicationDidBecomeActive
            10:00:02 Tea[5:1] applicationWillResignActive
            """),
        Log(
            "a clock that steps back to an equal line, which what followed there does not follow",
            """
            10:00:01 Tea[5:1] applicationDidBecomeActive
            10:00:02 Tea[5:1] applicationWillResignActive
            10:00:01 Tea[5:1] applicationDidBecomeActive
            10:00:01 Tea[5:1] hello
            10:00:01 Coffee[6:1] hello
            10:00:09 Tea[5:1] applicationWillResignActive
            10:00:05 Tea[5:1] applicationDidEnterBackground
            10:00:02 Tea[5:1] applicationWillResignActive
            """),
    ]

    static let names = [
        Log(
            "a process says its name while another run of its bundle begins",
            """
            10:00:01 \(system) [app<com.example.tour(0F0E)>:412] Suspending task.
            10:00:02 Tour[412:1] hello
            10:00:03 \(system) [app<com.example.tour(0F0E)>:533] Resuming task.
            10:00:30 Tour[533:1] hello
            10:00:40 Tour[533:1] applicationDidEnterBackground
            """),
        Log(
            "a process says its name, and another run of its bundle does not",
            """
            10:00:01 \(system) [app<com.example.tour(0F0E)>:101] Resuming task.
            10:00:02 Tour[101:1] hello
            10:00:03 \(system) [app<com.example.tour(0F0E)>:103] Resuming task.
            10:00:04 \(system) [app<com.x.other(0F0E)>:104] Resuming task.
            """),
        Log(
            "a bundle has two ids, and the process of the second says its name first",
            """
            10:01:40 \(system) [app<com.x.brew(0F0E)>:100] Resuming task.
            10:03:20 \(system) [app<com.x.brew(0F0E)>:101] Resuming task.
            10:03:20 Tea[101:1] hello
            10:03:30 tea[100:1] application:didFinishLaunchingWithOptions:
            10:06:52 \(system) Calculated state for app<com.x.brew(0F0E)>: \(suspends)
            10:08:35 tea[101:1] applicationDidEnterBackground
            """),
        Log(
            "a bundle without an id, and processes of two spellings",
            """
            10:00:10.0 \(system) Calculated state for app<com.example.tour(0F0E)>: \(suspends)
            10:00:10.5 Tour[101:1] hello
            10:00:11.0 Mail[102:1] applicationDidBecomeActive
            10:00:11.5 TOUR[103:1] applicationDidBecomeActive
            10:00:12.0 Mail[102:1] applicationWillResignActive
            """),
        Log(
            "two bundles at one id",
            """
            10:00:10 Tea[101:1] applicationDidEnterBackground
            10:00:16 \(system) [app<com.example.te-a(0F0E)>:101] Suspending task.
            10:00:26 \(system) [app<org.zed(0F0E)>:101] Resuming task.
            10:01:57 \(system) [app<com.other(0F0E)>:300] Resuming task.
            10:01:58 \(system) Calculated state for app<org.zed(0F0E)>: \(suspends)
            """),
        Log(
            "an id is used again by a process of another name",
            """
            10:00:10 \(system) Calculated state for <com.example.tour>: \(suspends)
            10:00:11 Tour[412:1] applicationDidBecomeActive
            18:00:00 Mail[412:1] hello
            18:00:01 Mail[412:1] applicationDidBecomeActive
            """),
    ]

    static let stretches = [
        Log(
            "threads write in the wrong order",
            """
            10:00:00.000 Tea[5:1] applicationDidEnterBackground
            10:00:04.500 Tea[5:1] hello
            10:00:04.000 Tea[5:1] hello
            10:00:09.300 Tea[5:1] applicationWillEnterForeground
            """),
        Log(
            "threads write in the wrong order before anything else",
            """
            10:00:00.747 Tea[5:1] hello
            10:00:00.346 Tea[5:1] hello
            10:00:09.000 Tea[5:1] applicationDidBecomeActive
            """),
        Log(
            "the launch is told after the end, of an app that is suspended meanwhile",
            """
            18:33:17.672 SpringBoard[60:1] [app<com.example.tea(0F0E)>:1001] Process exited: <RBSProcessExitContext| signal 11>
            18:37:50.981 \(system) Calculated state for app<com.example.tea(0F0E)>: \(suspends)
            17:37:50.971 \(system) Now tracking process: [app<com.example.tea(0F0E)>:1001]
            18:37:50.995 Tea[1001:1] hello
            """),
    ]

    @Test("the database is that of the log read at once, also after a replay", arguments: copies + names + stretches)
    func anywhere(_ log: Log) throws {
        let whole = try Ingested(text: log.text)
        let expected = try DatabaseCheck.verify(whole.database)
        #expect(expected.problems == [])
        for cut in 1..<log.lines.count {
            let grown = try Ingested(
                text: log.lines[..<cut].joined(), thenAppending: log.lines[cut...].joined())
            #expect(try DatabaseCheck.verify(grown.database).digest == expected.digest, "cut behind line \(cut)")
        }
        _ = try Replaying.run(ReplayRequest(database: whole.database)) { _ in }
        #expect(try DatabaseCheck.verify(whole.database).digest == expected.digest, "replayed")
    }

    @Test("of equal lines one counts, of lines that differ each")
    func counts() throws {
        let events = try Self.copies.map { try Ingested(text: $0.text).rows("select count(*) from events") }
        #expect(events == [["2"], ["4"], ["4"], ["3"], ["5"]])
    }

    @Test("who calls itself by a name keeps it when another process gets its id")
    func idUsedAgain() throws {
        let log = try #require(Self.names.last)
        let apps = try Ingested(text: log.text).rows("select app || ' ' || pid from runs order by started_ns, run_id")
        #expect(Set(apps) == ["Tour 412", "Mail 412"])
    }
}
