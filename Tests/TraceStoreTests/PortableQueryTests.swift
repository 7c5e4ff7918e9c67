import NamedQueries
import Testing
import TraceRecords

@testable import TraceStore

@Suite("The portable twins of the named queries")
struct PortableQueryTests {
    /// Values that restrict the day in some way.
    private static let values: [String: [SQLValue]] = [
        "app": [.text("Demo"), .text("Scenes")], "app_version": [.text("1.0")], "device": [.text("phone")],
        "run": [.integer(1)], "layer": [.text("app"), .text("view")], "since": [.text("2026-03-01T08:00:12Z")],
        "until": [.text("2026-03-01T08:00:33Z")], "most": [.integer(2), .integer(-1)],
        "state": [.text("active")], "lines": [.integer(2)], "reason": [.text("killed_in_background"), .text("jetsam")],
        "by": ["app", "app_version", "os_version", "device", "day", "run", "other"].map { .text($0) },
    ]

    @Test("They answer as the queries do", arguments: NamedQueries.all.filter { $0.portableSQL != nil })
    func equal(_ query: NamedQuery) throws {
        let day = try DayFixture()
        let reader = try TraceReader(path: day.path)
        defer { withExtendedLifetime(day) {} }
        func rows(_ sql: String, _ parameters: [String: SQLValue]) throws -> [[SQLValue]] {
            var rows: [[SQLValue]] = []
            try reader.query(sql, parameters: parameters) { row in
                rows.append((0..<row.count).map { row[$0] })
            }
            return rows
        }
        var cases: [[String: SQLValue]] = [[:]]
        for parameter in query.parameters {
            cases += try #require(Self.values[parameter.name], "\(parameter.name)").map { [parameter.name: $0] }
        }
        for parameters in cases {
            let own = try rows(query.sql, parameters)
            let twin = try rows(try #require(query.portableSQL), parameters)
            #expect(own.count == twin.count)
            for (row, other) in zip(own, twin) {
                #expect(zip(row, other).allSatisfy(Self.areEqual), "\(parameters): \(row) \(other)")
            }
        }
    }

    /// Numbers to nine digits; a number as a text is the same.
    private static func areEqual(_ one: SQLValue, _ other: SQLValue) -> Bool {
        switch (one, other) {
        case (.real(let a), .real(let b)): abs(a - b) <= 1e-9 * max(1, abs(a))
        case (.integer(let a), .text(let b)): "\(a)" == b
        default: one == other
        }
    }
}
