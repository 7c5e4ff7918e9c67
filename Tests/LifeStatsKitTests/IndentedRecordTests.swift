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

    @Test("windows and view controllers in keys of their own are told apart")
    func instances() throws {
        let log = try Ingested(
            text: """
                {"ts":"2026-03-04T10:00:00.100Z","msg":"sceneWillConnect","scene":"A1","app":"Kiosk","pid":77}
                {"ts":"2026-03-04T10:00:00.300Z","msg":"sceneDidBecomeActive","scene":"A1","app":"Kiosk","pid":77}
                {"ts":"2026-03-04T10:00:20.000Z","msg":"sceneWillConnect","scene":"B2","app":"Kiosk","pid":77}
                {"ts":"2026-03-04T10:00:20.200Z","msg":"sceneDidBecomeActive","scene":"B2","app":"Kiosk","pid":77}
                {"ts":"2026-03-04T10:00:21.000Z","msg":"viewDidLoad","class":"Cart","app":"Kiosk","pid":77}
                {"ts":"2026-03-04T10:00:22.000Z","msg":"viewDidLoad","class":"Home","app":"Kiosk","pid":77}
                {"ts":"2026-03-04T10:00:50.200Z","msg":"sceneWillResignActive","scene":"A1","app":"Kiosk","pid":77}

                """)
        #expect(
            try log.rows("select instance from events order by event_id") == [
                "A1", "A1", "B2", "B2", "Cart", "Home", "A1",
            ])
    }

    @Test("LifecycleLog names instance and versions in keys of their own")
    func lifecycleLog() throws {
        func line(_ number: Int, _ instance: String) -> String {
            """
            {"lifecycle_log":1,"launch":"L1","number":\(number),"time_ns":177261840\(number)000000000,\
            "mono_ns":1840\(number)000000000,"boot":"B","process":"Tea","pid":5,"version":"2.0","os":"18.3",\
            "via":"delegate","instance":"\(instance)","message":"<\(instance)> viewDidAppear"}

            """
        }
        let log = try Ingested(text: line(1, "Inbox: 1") + line(2, "Mail: 1") + line(3, "Mail: 2"))
        #expect(try log.rows("select instance from events order by event_id") == ["Inbox: 1", "Mail: 1", "Mail: 2"])
        #expect(try log.rows("select app, app_version, os_version from runs") == ["Tea,2.0,18.3"])
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
