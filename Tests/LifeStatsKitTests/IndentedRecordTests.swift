import Foundation
import Testing

@testable import LifeStatsKit

@Suite("Records that are printed over several lines")
struct IndentedRecordTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../samples/formats").standardizedFileURL

    private func events(_ text: String) throws -> [String] {
        try Ingested(text: text).rows(
            "select time, layer, kind, callback, proves, app, pid from events order by event_id")
    }

    @Test(
        "they state what they state on one line each, alone and in a list",
        arguments: ["16-opentelemetry.log", "17-sentry.log", "22-json-lines.log"])
    func sample(name: String) throws {
        let text = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
        let records = text.split(separator: "\n").compactMap { line in
            try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        }
        func printed(_ value: Any) throws -> String {
            String(
                decoding: try JSONSerialization.data(withJSONObject: value, options: [.prettyPrinted, .sortedKeys]),
                as: UTF8.self)
        }
        let expected = try events(text)
        try #require(!expected.isEmpty)
        #expect(try events(printed(records) + "\n") == expected)
        #expect(try events(try records.map(printed).joined(separator: "\n") + "\n") == expected)
    }

    @Test("what Metro prints behind a timed line is no part of it, although it is indented")
    func metro() throws {
        let log = try Ingested(
            text: """
                2026-05-12 10:00:00.000 Larder[100:1] applicationDidBecomeActive
                 LOG  AppState: background
                2026-05-12 10:00:30.000 Larder[100:1] the jar is open
                  a second line of it: AppState: background
                 LOG  AppState: active
                 WARN  {
                  "jars": 3
                }

                """)
        #expect(
            try log.rows("SELECT line, coalesce(callback, proves), app FROM events ORDER BY line") == [
                "1,applicationDidBecomeActive,Larder", "2,background,Larder", "5,active,Larder",
            ])
        #expect(try log.rows("SELECT entry_lines, continuation_lines FROM sources") == ["5,3"])
    }
}
