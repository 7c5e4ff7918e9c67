import Testing

@testable import LifeStatsKit

/// Console's table has no process ids, but the system's own lines in it tell them.
@Suite("Lines with and without a process id")
struct ProcessIDTests {
    private static let table = [
        "default\t10:00:00.000000+0200\tLarder\tLarderKit\tapplicationDidBecomeActive",
        "default\t10:00:07.000000+0200\tLarder\tLarderKit\tapplicationWillResignActive",
        "default\t10:00:08.000000+0200\tLarder\tLarderKit\tapplicationDidEnterBackground",
        "default\t10:00:10.000000+0200\trunningboardd\tRB\t[app<com.example.Larder(1F0E0D0C)>:412] Suspending task.",
        "default\t10:10:10.000000+0200\trunningboardd\tRB\t[app<com.example.Larder(1F0E0D0C)>:412] Resuming task.",
        "default\t10:10:11.000000+0200\tLarder\tLarderKit\tapplicationWillEnterForeground",
        "default\t10:10:12.000000+0200\tLarder\tLarderKit\tapplicationDidBecomeActive",
    ]

    @Test("are one run, whose suspension is observed")
    func oneRun() throws {
        let ingested = try Ingested(text: Self.table.joined(separator: "\n") + "\n")
        #expect(try ingested.rows("SELECT app, pid FROM runs") == ["Larder,412"])
        // 10:00:08 to 10:00:10 in the background, then ten minutes asleep, and a second until it is in front.
        let stays =
            "SELECT state, dwell_s, evidence FROM visits_estimated WHERE layer = 'app' AND complete ORDER BY seq, entered_ns"
        #expect(
            try ingested.rows(stays) == [
                "inactive,1.0,observed", "background,2.0,observed", "suspended,600.0,observed",
                "background,1.0,observed", "inactive,1.0,observed",
            ])
    }

    @Test("are one run as well when everything is derived again")
    func derivedAgain() throws {
        let ingested = try Ingested(text: Self.table.joined(separator: "\n") + "\n")
        let before = try DatabaseCheck.verify(ingested.database)
        _ = try Replaying.run(ReplayRequest(database: ingested.database)) { _ in }
        let after = try DatabaseCheck.verify(ingested.database)
        #expect(before.problems == [] && after.problems == [])
        #expect(before.digest == after.digest)
    }

    @Test("are two runs when the first one has ended")
    func ended() throws {
        let lines = [
            "default\t10:00:00.000000+0200\tLarder\tLarderKit\tapplicationDidBecomeActive",
            "default\t10:00:08.000000+0200\tLarder\tLarderKit\tapplicationWillTerminate",
            "default\t10:20:00.000000+0200\trunningboardd\tRB\t[app<com.example.Larder(1F0E0D0C)>:633] Suspending task.",
        ]
        let ingested = try Ingested(text: lines.joined(separator: "\n") + "\n")
        #expect(try ingested.rows("SELECT pid FROM runs ORDER BY run_id").last == "633")
        #expect(try ingested.rows("SELECT count(*) FROM runs") == ["2"])
    }
}
