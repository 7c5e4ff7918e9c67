import Testing

@testable import LifeStatsKit

/// Lines that say that a method returns belong to the callback's execution, however long it took.
@Suite("A line that says that a method returns")
struct ReturnLineTests {
    private static let slow = """
        2026-02-11 09:00:00.000 Larder[812:4107] begin application:didFinishLaunchingWithOptions:
        2026-02-11 09:00:03.000 Larder[812:4107] end application:didFinishLaunchingWithOptions:
        2026-02-11 09:00:03.500 Larder[812:4107] applicationDidBecomeActive:
        2026-02-11 09:00:10.000 Larder[812:4107] applicationWillResignActive:
        2026-02-11 09:00:10.200 Larder[812:4107] begin applicationDidEnterBackground:
        2026-02-11 09:00:17.700 Larder[812:4107] end applicationDidEnterBackground:

        """

    @Test("is no event, changes nothing, and shows that the method ran all the time")
    func folded() throws {
        let ingested = try Ingested(text: Self.slow)
        #expect(try ingested.rows("SELECT line FROM events ORDER BY line") == ["1", "3", "4", "5"])
        #expect(try ingested.rows("SELECT rule || ':' || line FROM findings") == ["TL-02:6"])
        #expect(try ingested.rows("SELECT count(*) FROM suspensions") == ["0"])
        #expect(try ingested.rows("SELECT count(*) FROM runs") == ["1"])
    }

    @Test("says the same when everything is derived again from what was stored")
    func derivedAgain() throws {
        let ingested = try Ingested(text: Self.slow)
        let before = try DatabaseCheck.verify(ingested.database)
        _ = try Replaying.run(ReplayRequest(database: ingested.database)) { _ in }
        let after = try DatabaseCheck.verify(ingested.database)
        #expect(before.digest == after.digest)
        #expect(before.problems == [] && after.problems == [])
        #expect(try ingested.rows("SELECT rule || ':' || line FROM findings") == ["TL-02:6"])
    }

    @Test("is an event where the log has no other line of the callback, each time")
    func alone() throws {
        let ingested = try Ingested(
            text: """
                2026-02-11 09:00:00.000 Larder[812:4107] application:didFinishLaunchingWithOptions: done
                2026-02-11 09:00:00.400 Larder[812:4107] applicationDidBecomeActive: done
                2026-02-11 09:00:10.000 Larder[812:4107] applicationWillResignActive: done
                2026-02-11 09:00:10.200 Larder[812:4107] applicationDidEnterBackground: done
                2026-02-11 09:10:10.200 Larder[812:4107] applicationDidEnterBackground: done

                """)
        #expect(try ingested.rows("SELECT count(*) FROM events") == ["5"])
        #expect(try ingested.rows("SELECT rule FROM findings") == [])
        let before = try DatabaseCheck.verify(ingested.database).digest
        _ = try Replaying.run(ReplayRequest(database: ingested.database)) { _ in }
        #expect(try DatabaseCheck.verify(ingested.database).digest == before)
    }

    @Test("makes a measurement exact that another event would have ended too early")
    func exact() throws {
        let ingested = try Ingested(
            text: """
                2026-02-11 09:00:00.000 Larder[812:4107] application:didFinishLaunchingWithOptions: begin
                2026-02-11 09:00:02.000 Larder[812:4107] -[HomeController viewDidLoad]
                2026-02-11 09:00:21.000 Larder[812:4107] application:didFinishLaunchingWithOptions: end
                2026-02-11 09:00:21.200 Larder[812:4107] applicationDidBecomeActive:

                """)
        #expect(
            try ingested.rows("SELECT message FROM findings WHERE rule = 'TL-01b'") == [
                "\"didFinishLaunching took 21 s, more than 20 s\""
            ])
        #expect(
            try ingested.rows("SELECT message FROM findings WHERE rule = 'TL-01'") == [
                "\"the launch took 21.2 s, more than 20 s (approximately) (also TL-09)\""
            ], "no line tells when the process started")
    }
}
