import Testing

@testable import LifeStatsKit

/// What the log says to be lost may have been anything: nothing is concluded from it.
@Suite("Lost lines")
struct LostLineTests {
    private static let life: [(number: Int, seconds: Int, callback: String)] = [
        (1, 0, "application(_:didFinishLaunchingWithOptions:)"), (2, 1, "applicationDidBecomeActive(_:)"),
        (3, 61, "applicationWillResignActive(_:)"), (4, 62, "applicationDidEnterBackground(_:)"),
        (5, 90, "applicationWillEnterForeground(_:)"), (6, 91, "applicationDidBecomeActive(_:)"),
        (7, 200, "applicationWillResignActive(_:)"), (8, 201, "applicationDidEnterBackground(_:)"),
        (9, 300, "applicationWillEnterForeground(_:)"), (10, 301, "applicationDidBecomeActive(_:)"),
        (11, 360, "applicationWillResignActive(_:)"),
    ]

    /// The life without some of its lines, as LifecycleLog writes it.
    private static func numbered(without lost: ClosedRange<Int>) -> [String] {
        life.filter { !lost.contains($0.number) }.map { number, seconds, callback in
            let time = (1_778_544_000 + seconds) * 1_000_000_000
            return """
                {"lifecycle_log":1,"launch":"A","number":\(number),"time_ns":\(time),\
                "mono_ns":\((5 + seconds) * 1_000_000_000),"boot":"B","process":"Tea","pid":412,"message":"\(callback)"}
                """
        }
    }

    /// The same as `log stream` writes it.
    private static func streamed(without lost: ClosedRange<Int>) -> [String] {
        let lines = life.map { number, seconds, callback in
            let time = "00:0\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
            return "2026-05-12 \(time).000000+0000 0x4a2b     Default     0x0              412    0    Tea: \(callback)"
        }
        return lines[..<(lost.lowerBound - 1)]
            + ["=== Messages dropped during live streaming (use `log show` to see what they were)"]
            + lines[lost.upperBound...]
    }

    @Test(
        "A visit across them has no length, and the next callback breaks no rule",
        arguments: [4...5, 4...8, 5...6, 6...8, 9...9])
    func lost(_ lost: ClosedRange<Int>) throws {
        let whole = try Logs(["whole.jsonl": Self.numbered(without: 0...0)])
        try whole.ingest("whole.jsonl")
        let visits = "SELECT state, dwell_ns FROM visits WHERE complete AND dwell_ns IS NOT NULL ORDER BY entered_ns"
        let real = try whole.rows(visits)
        for lines in [Self.numbered(without: lost), Self.streamed(without: lost)] {
            let logs = try Logs(["app.log": lines])
            try logs.ingest("app.log")
            #expect(try logs.rows("SELECT rule, message FROM findings WHERE severity <> 'info'") == [], "\(lost)")
            let complete = try logs.rows(visits)
            #expect(complete.allSatisfy(real.contains) && complete.count < real.count, "\(lost): \(complete)")
            #expect(try logs.rows("SELECT count(*) FROM visits WHERE complete AND dwell_ns IS NULL") == ["0"])
            #expect(try logs.rows("SELECT count(*) FROM events") == ["\(Self.life.count - lost.count)"])
        }
    }

    @Test("What is first seen after them has lived before, and an end after them is not abnormal")
    func after() throws {
        let dropped = "=== Messages dropped during live streaming (use `log show` to see what they were)"
        func line(_ time: String, _ pid: Int, _ callback: String) -> String {
            "2026-05-12 00:\(time).000000+0000 0x4a2b     Default     0x0              \(pid)    0    Tea: \(callback)"
        }
        let logs = try Logs([
            "app.log": [
                line("00:00", 412, "application(_:didFinishLaunchingWithOptions:)"), dropped,
                line("01:00", 412, "[Scene A] sceneWillResignActive(_:)"),
                line("01:01", 412, "-[MenuViewController viewDidDisappear:]"),
                line("01:02", 412, "[Scene A] sceneDidBecomeActive(_:)"), dropped,
                line("09:00", 430, "application(_:didFinishLaunchingWithOptions:)"),
            ]
        ])
        let summary = try logs.ingest("app.log").summary
        #expect(summary.contains("messages were dropped 2 times: visits across that have no length"))
        #expect(try logs.rows("SELECT rule, message FROM findings WHERE severity <> 'info'") == [])
        #expect(try logs.rows("SELECT end_reason FROM runs ORDER BY pid") == ["log_end", "log_end"])
    }

    @Test("Without a word of loss the same lines break rules")
    func silent() throws {
        let lines = Self.streamed(without: 6...8).filter { !$0.hasPrefix("===") }
        let logs = try Logs(["app.log": lines])
        try logs.ingest("app.log")
        #expect(try logs.rows("SELECT severity FROM findings").contains("error"))
    }
}
