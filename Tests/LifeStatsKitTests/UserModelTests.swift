import Foundation
import Testing

@testable import LifeStatsKit

/// A user's own model goes through everything that the built-in ones go through.
@Suite("A model of the user's own")
struct UserModelTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("samples/models")

    private func sample(_ name: String) throws -> Ingested {
        try Ingested(
            Self.folder.appendingPathComponent("\(name).log").path,
            models: [Self.folder.appendingPathComponent("\(name).yaml").path])
    }

    @Test("is driven by callbacks of the app that its transitions name, and stays put at all others")
    func drivenByTheApp() throws {
        let session = try sample("session")
        let visits = """
            SELECT state || ' ' || entered_by || ' ' || dwell_s FROM visits
            WHERE layer = 'session' AND complete ORDER BY entered_ns
            """
        let expected = [
            "shopping applicationDidBecomeActive 600.5", "away applicationDidEnterBackground 2400.05",
            "expired basketExpired 0.25", "shopping applicationDidBecomeActive 600.3",
            "away applicationDidEnterBackground 300.3",
        ]
        #expect(try session.rows(visits) == expected)
        #expect(try session.rows("SELECT rule FROM findings") == [])
        #expect(try session.rows("SELECT count(*) FROM events") == ["11"], "one line, one event")
        let before = try DatabaseCheck.verify(session.database)
        #expect(before.problems == [])

        // More logs without the model would not be comparable.
        let refused = #expect(throws: LifeStatsError.self) {
            _ = try Forgetting.forget("1", ReplayRequest(database: session.database)) { _ in }
        }
        #expect(refused?.description.contains("--model") == true)
        #expect(try session.rows(visits) == expected)
        // Everything can be derived without it. The facts stay: with it, everything is as it was.
        let without = try Replaying.run(ReplayRequest(database: session.database)) { _ in }
        #expect(without.contains("no model beside the built-in ones"))
        #expect(try session.rows(visits) == [])
        var again = ReplayRequest(database: session.database)
        again.models = [Self.folder.appendingPathComponent("session.yaml").path]
        _ = try Replaying.run(again) { _ in }
        #expect(try session.rows(visits) == expected)
    }

    @Test("is checked by its own rules, also across models")
    func checked() throws {
        let player = try sample("player")
        #expect(
            try player.rows("SELECT rule || ':' || line FROM findings WHERE rule LIKE 'PL-%' ORDER BY line") == [
                "PL-L1:13", "PL-R1:17",
            ])
        #expect(
            try player.rows("SELECT scenario FROM scenarios WHERE scenario LIKE 'SC-PL%' ORDER BY first_event_id") != []
        )
    }

    @Test("is covered as the built-in models are")
    func covered() throws {
        let session = try sample("session")
        let result = try CoverageReport.run(
            database: session.database, filter: Filter(),
            models: [Self.folder.appendingPathComponent("session.yaml").path], format: .csv)
        let rows = result.text.split(separator: "\n").filter { $0.contains(",session,") }.map(String.init)
        #expect(rows.contains { $0.contains(",session,states,4,4,1") })
        #expect(rows.contains { $0.contains(",session,transitions,5,5,1") })
    }
}
