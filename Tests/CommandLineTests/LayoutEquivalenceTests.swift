import Foundation
import Testing

/// A log says the same in whatever layout it is printed.
@Suite("One log in many layouts")
struct LayoutEquivalenceTests {
    /// A simulated line: `2026-03-02 08:17:32.319 Harbour[36518:cd62] applicationDidBecomeActive(_:)`.
    struct Line {
        let day: Substring
        let clock: Substring
        let process: Substring
        let pid: Substring
        let message: Substring

        init?(_ text: Substring) {
            guard let match = text.wholeMatch(of: /(\S+) (\S+) (\w+)\[(\d+):\w+\] (.*)/) else { return nil }
            (day, clock, process, pid, message) = (match.1, match.2, match.3, match.4, match.5)
        }

        var second: Substring { clock.prefix(8) }
    }

    struct Layout: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Whether it prints whole seconds, so that lengths of visits differ.
        var isCoarse = false
        let print: @Sendable (Line) -> String
    }

    private static let layouts = [
        Layout(testDescription: "log show") {
            "\($0.day) \($0.clock)000+0000 0x1f0a    Default     0x0    \($0.pid)    0    \($0.process): (UIKitCore) "
                + "[com.example.h:app] \($0.message)"
        },
        Layout(testDescription: "log show --style syslog") {
            "\($0.day) \($0.clock)000+0000  localhost \($0.process)[\($0.pid)]: (UIKitCore) [com.example.h:app] \($0.message)"
        },
        Layout(testDescription: "log show --style compact") {
            "\($0.day) \($0.clock) Df \($0.process)[\($0.pid):1f0a] (UIKitCore) [com.example.h:app] \($0.message)"
        },
        Layout(testDescription: "log show --style ndjson") {
            #"{"timestamp":"\#($0.day) \#($0.clock)000+0000","eventMessage":"\#($0.message)","processImagePath":"#
                + #""\/var\/\#($0.process).app\/\#($0.process)","processID":\#($0.pid),"subsystem":"com.example.h"}"#
        },
        Layout(testDescription: "pymobiledevice3") {
            "\($0.day) \($0.clock)000 \($0.process){UIKitCore+0x1f0}[\($0.pid)] <NOTICE>: \($0.message)"
        },
        Layout(testDescription: "Console") { "default\t\($0.clock)000+0000\t\($0.process)\t\($0.message)" },
        Layout(testDescription: "Xcode with metadata") {
            "\($0.message)\nType: Notice | Timestamp: \($0.day) \($0.clock)000+00:00 | Process: \($0.process) | Library: h | "
                + "Subsystem: com.example.h | Category: app | TID: 0x1f0a"
        },
        Layout(testDescription: "time and message") { "\($0.day) \($0.clock) \($0.message)" },
        Layout(testDescription: "time in brackets") { "[\($0.day) \($0.clock)] [INFO] \($0.message)" },
        Layout(testDescription: "ISO 8601") { "\($0.day)T\($0.clock)Z [\($0.process)] \($0.message)" },
        Layout(testDescription: "CocoaLumberjack") {
            "\($0.day.replacing("-", with: "/")) \($0.clock.replacing(".", with: ":"))  \($0.message)"
        },
        Layout(testDescription: "XCGLogger") { "\($0.day) \($0.clock) [Debug] [App.swift:40] log(_:) > \($0.message)" },
        Layout(testDescription: "SwiftyBeaver") { "\($0.clock) DEBUG App.log:40 - \($0.message)" },
        Layout(testDescription: "CSV") { #"\#($0.day) \#($0.clock),\#($0.process),\#($0.pid),"\#($0.message)""# },
        Layout(testDescription: "JSON lines without a name") {
            #"{"ts":"\#($0.day)T\#($0.clock)Z","level":"info","msg":"\#($0.message)","pid":\#($0.pid)}"#
        },
        Layout(testDescription: "swift-log", isCoarse: true) {
            "\($0.day)T\($0.second)+0000 info com.example.h : [App] \($0.message)"
        },
        Layout(testDescription: "idevicesyslog", isCoarse: true) {
            "Mar \($0.day.suffix(2).hasPrefix("0") ? " \($0.day.suffix(1))" : "\($0.day.suffix(2))") \($0.second) Phone "
                + "\($0.process)(UIKitCore)[\($0.pid)] <Notice>: \($0.message)"
        },
    ]

    private static let questions = [
        "select layer, state, count(*), sum(complete) from visits group by 1, 2 order by 1, 2",
        "select layer, from_state, to_state, verdict, count(*) from transitions group by 1, 2, 3, 4 order by 1, 2, 3, 4",
        "select end_reason, end_evidence, count(*) from runs group by 1, 2 order by 1, 2",
        "select rule, count(*) from findings where rule not like 'TL-%' group by 1 order by 1",
    ]
    private static let lengths = [
        "select layer, state, sum(dwell_ns) from visits where complete group by 1, 2 order by 1, 2",
        "select rule, count(*) from findings group by 1 order by 1",
    ]

    @Test("gives the same visits, changes, ends and findings", arguments: layouts)
    func equal(layout: Layout) throws {
        let program = try Program()
        #expect(try program.run("simulate", "--callbacks", "1500", "--seed", "77", "-o", "logs").status == 0)
        let logs = program.folder.url.appendingPathComponent("logs")
        let file = try #require(try FileManager.default.contentsOfDirectory(atPath: logs.path).first)
        let text = try String(contentsOf: logs.appendingPathComponent(file), encoding: .utf8)
        let lines = try text.split(separator: "\n").map { try #require(Line($0)) }
        try program.write(lines.map { layout.print($0) + "\n" }.joined(), to: "other/h.log")
        for (folder, database) in [("logs", "one.db"), ("other", "two.db")] {
            let ingest = try program.run("ingest", folder, "--db", database, "--year", "2026", "--date", "2026-03-02")
            #expect(ingest.status == 0, "\(ingest.errors)")
        }
        for question in Self.questions + (layout.isCoarse ? [] : Self.lengths) {
            let answers = try ["one.db", "two.db"].map {
                try program.run("query", question, "--db", $0, "--format", "csv").text
            }
            #expect(answers[1] == answers[0], "\(question)")
        }
    }
}
