import Foundation
import Testing

@testable import LifeStatsKit

/// Ends that a line shows: in the log of the run, in a report beside it, and of processes that log nothing else.
@Suite("Ends that a line shows")
struct KnownEndTests {
    /// Three runs: the first was active when it was last seen, the second in the background.
    private static let app = [
        "2026-11-20 09:00:00.100000+0100 Kite[2211:1] application:didFinishLaunchingWithOptions:",
        "2026-11-20 09:00:00.400000+0100 Kite[2211:1] applicationDidBecomeActive:",
        "2026-11-20 10:00:00.100000+0100 Kite[2300:1] application:didFinishLaunchingWithOptions:",
        "2026-11-20 10:00:00.400000+0100 Kite[2300:1] applicationDidBecomeActive:",
        "2026-11-20 10:04:40.400000+0100 Kite[2300:1] applicationWillResignActive:",
        "2026-11-20 10:04:41.400000+0100 Kite[2300:1] applicationDidEnterBackground:",
        "2026-11-20 11:00:00.100000+0100 Kite[2400:1] application:didFinishLaunchingWithOptions:",
        "2026-11-20 11:00:00.400000+0100 Kite[2400:1] applicationDidBecomeActive:",
    ]

    private static func report(_ pid: Int, at hour: String, role: String, _ termination: String) -> [String] {
        [
            #"{"app_name":"Kite","timestamp":"2026-11-20 \#(hour):05:00.00 +0100","app_version":"2.1","bug_type":"309"}"#,
            "{",
            #"  "procRole" : "\#(role)","#,
            #"  "captureTime" : "2026-11-20 \#(hour):05:00.1234 +0100","#,
            #"  "pid" : \#(pid),"#,
            #"  "procLaunch" : "2026-11-20 \#(hour):00:00.0000 +0100","#,
            #"  "procName" : "Kite","#,
            "  \(termination)",
            "}",
        ]
    }

    private static let crash = report(
        2211, at: "09", role: "Foreground",
        #""termination" : {"flags":0,"code":5,"namespace":"SIGNAL","indicator":"Trace\/BPT trap: 5"}"#)
    private static let watchdog = report(
        2300, at: "10", role: "Background",
        #""termination" : {"flags":6,"code":2343432205,"namespace":"FRONTBOARD","reasons":["<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:failed to terminate gracefully after 5.0s"]}"#
    )
    private static let files = ["app.log": app, "1.ips": crash, "2.ips": watchdog]
    private static let findings = "SELECT pid, rule, severity, message FROM findings ORDER BY pid"
    private static let known = [
        "2211,R-APP-17,error,the process ended in state active without a callback: a crash",
        "2300,R-APP-16,error,the process ended in the background without a callback: the watchdog ended it",
    ]

    @Test("the finding of a report stays when it is attached to a run, and replaces what the log guesses")
    func attached() throws {
        for order in [["app.log", "1.ips", "2.ips"], ["1.ips", "2.ips", "app.log"], ["1.ips", "app.log", "2.ips"]] {
            let logs = try Logs(Self.files)
            for name in order { try logs.ingest(name) }
            #expect(try logs.rows("SELECT count(*) FROM runs") == ["3"])
            #expect(try logs.rows(Self.findings) == Self.known, "\(order)")
            #expect(try logs.digest() == logs.cleanDigest("app.log", "1.ips", "2.ips"), "\(order)")
        }
        let logs = try Logs(Self.files)
        let report = try logs.ingest("app.log", "1.ips", "2.ips")
        #expect(report.summary.contains("2 errors"), "\(report.summary)")
        #expect(!report.summary.contains("warning") && !report.summary.contains("remark"), "\(report.summary)")
    }

    @Test("without the report the guess is back")
    func forgotten() throws {
        let logs = try Logs(Self.files)
        try logs.ingest("app.log", "1.ips", "2.ips")
        _ = try Forgetting.forget(logs.path("1.ips"), ReplayRequest(database: logs.database)) { _ in }
        let left = [
            """
            2211,R-APP-17,warning,"the process ended in state active without a callback: crash, watchdog, memory, reboot or a debugger"
            """,
            Self.known[1],
        ]
        #expect(try logs.rows(Self.findings) == left)
        #expect(try logs.digest() == logs.cleanDigest("app.log", "2.ips"))
    }

    @Test("a run was last seen when the report says that it ended")
    func lastSeen() throws {
        let logs = try Logs(Self.files)
        try logs.ingest("app.log", "1.ips", "2.ips")
        let ends = "SELECT pid, substr(ended, 12, 12), substr(last_seen, 12, 12), last_seen_ns - ended_ns FROM runs"
        #expect(
            try logs.rows(ends + " WHERE ended IS NOT NULL ORDER BY pid") == [
                "2211,08:05:00.123,08:05:00.123,0", "2300,09:05:00.123,09:05:00.123,0",
            ])
    }

    @Test("a system log tells in its own words what the log of the app does not")
    func systemLog() throws {
        let logs = try Logs([
            "app.log": [
                "Nov 22 08:00:00 iPhone Tide[310] <Notice>: application:didFinishLaunchingWithOptions:",
                "Nov 22 08:00:01 iPhone Tide[310] <Notice>: applicationDidBecomeActive",
                "Nov 22 08:00:02 iPhone Moss[311] <Notice>: application:didFinishLaunchingWithOptions:",
                "Nov 22 08:00:03 iPhone Moss[311] <Notice>: applicationDidBecomeActive",
                "Nov 22 08:06:03 iPhone Moss[311] <Notice>: applicationWillResignActive",
                "Nov 22 08:06:04 iPhone Moss[311] <Notice>: applicationDidEnterBackground",
                "Nov 22 08:10:00 iPhone Tide[333] <Notice>: application:didFinishLaunchingWithOptions:",
                "Nov 22 08:10:01 iPhone Tide[333] <Notice>: applicationDidBecomeActive",
            ],
            "sys.log": [
                "Nov 22 08:05:00 iPhone kernel[0] <Notice>: memorystatus: killing_top_process pid 310 [Tide] (per-process-limit) 1400MB",
                "Nov 22 08:06:12 iPhone SpringBoard[58] <Notice>: [app<com.acme.moss>:311] Process exited: <RBSProcessExitContext| specific, status:<RBSProcessExitStatus| domain:frontboard(4) code:0x8badf00d(2343432205)>>.",
            ],
        ])
        try logs.ingest("app.log")
        try logs.ingest("sys.log")
        #expect(try logs.rows("SELECT count(*) FROM runs") == ["3"])
        #expect(
            try logs.rows(Self.findings) == [
                "310,abnormal-end,error,the process ended: it exceeded its own memory limit",
                "311,abnormal-end,error,the process ended: the watchdog ended it",
            ])
        #expect(try logs.digest() == logs.cleanDigest("app.log", "sys.log"))
    }

    @Test(
        "a crash that a line shows is an error, whatever else is known of the process",
        arguments: [
            "2026-11-25 08:00:00.000 Shop[9:1] Fatal error: Index out of range",
            "2026-11-20 09:01:00.300000+0100 ShopWidgetExtension[10:1] Fatal error: Index out of range: file Widget/Provider.swift, line 9",
        ])
    func crashAlone(line: String) throws {
        let logs = try Logs(["app.log": [line]])
        try logs.ingest("app.log")
        #expect(
            try logs.rows("SELECT rule, severity, message, line FROM findings")
                == ["abnormal-end,error,the process ended: a crash,1"])
    }

    @Test(
        "what a jetsam report says of the states tells whether somebody used the app",
        arguments: [
            ("frontmost", "R-APP-17,warning"), (#"frontmost","resume"#, "R-APP-17,warning"),
            (#"resume","frontmost"#, "R-APP-17,warning"), ("suspended", ""), (#"unheard","of"#, ""), ("", ""),
        ])
    func jetsamStates(states: String, finding: String) throws {
        let logs = try Logs([
            "j.ips": [
                #"{"bug_type":"298","timestamp":"2026-11-20 11:30:00.00 +0100","os_version":"iPhone OS 26.1 (23B85)"}"#,
                #"{"processes":["#,
                #"{"states":["\#(states)"],"rpages":9,"reason":"vm-pageshortage","pid":7,"name":"Kite"}"#, "]}",
            ]
        ])
        try logs.ingest("j.ips")
        #expect(try logs.rows("SELECT end_reason, substr(ended, 12, 8) FROM runs") == ["jetsam,10:30:00"])
        #expect(
            try logs.rows("SELECT rule, severity FROM findings") == (finding.isEmpty ? [] : [finding]))
    }

    @Test("what UIKit says of apps without scenes keeps no evidence from its run")
    func migrationLine() throws {
        let logs = try Logs([
            "app.log": Array(Self.app.prefix(2)),
            "sys.log": [
                "2026-11-20 09:00:00.200000+0100 P Kite[2211] <Error>: (UIKitCore) CLIENT OF UIKIT REQUIRES UPDATE: This process does not adopt UIScene lifecycle. This will become an assert in a future version.",
                "2026-11-20 09:05:01.000000+0100 P kernel[0] <Notice>: memorystatus: killing_specific_process pid 2211 [Kite] (per-process-limit 3) 2098176KB",
            ],
        ])
        logs.device = "P"
        try logs.ingest("app.log", "sys.log")
        #expect(try logs.rows("SELECT pid, end_reason, end_evidence FROM runs") == ["2211,jetsam,observed"])
    }

    @Test("a report of a process that was started after a run of the same id is about another one")
    func reusedID() throws {
        let later = Self.report(
            2211, at: "11", role: "Foreground", #""termination" : {"flags":0,"code":5,"namespace":"SIGNAL"}"#)
        let logs = try Logs(["app.log": Array(Self.app.prefix(2)), "1.ips": later])
        logs.device = "P"
        try logs.ingest("app.log", "1.ips")
        #expect(try logs.rows("SELECT end_reason FROM runs ORDER BY first_seen") == ["log_end", "crash"])
    }

    @Test("one crash that the log and the report show in other words is one run and one finding")
    func crashTwice() throws {
        let log = [
            "2026-11-20 09:00:00.100000+0100 Kite[2211:1] application:didFinishLaunchingWithOptions:",
            "2026-11-20 09:00:00.900000+0100 Kite[2211:1] Kite/AppDelegate.swift:31: Fatal error: Index out of range",
        ]
        let logs = try Logs(["app.log": log, "1.ips": Self.crash])
        try logs.write(Self.crash.map { $0.replacing("09:05:00.1234", with: "09:00:00.9400") }, to: "1.ips")
        try logs.ingest("app.log", "1.ips")
        #expect(try logs.rows("SELECT rule FROM findings WHERE severity <> 'info'") == ["R-APP-18"])
        #expect(try logs.rows("SELECT count(*) FROM runs") == ["1"])
    }

    @Test("nothing is suspended after the end that a report shows")
    func suspendedUntilEnd() throws {
        let logs = try Logs([
            "app.log": Array(Self.app[2...7]),
            "sys.log": [
                "2026-11-20 10:30:00.000000+0100 P kernel[0] <Notice>: memorystatus: killing_specific_process pid 2300 [Kite] (vm-pageshortage) 9KB"
            ],
        ])
        logs.device = "P"
        try logs.ingest("app.log", "sys.log")
        #expect(
            try logs.rows("SELECT substr(began, 12, 8), substr(ended, 12, 8), to_state FROM suspensions")
                == ["09:04:46,09:30:00,not_running"])
    }

    @Test("a process that goes on writing lines has not crashed, whatever it quotes")
    func quoted() throws {
        let logs = try Logs([
            "app.log": Array(Self.app.prefix(2)) + [
                "2026-11-20 09:00:01.400000+0100 Kite[2211:1] Kite/Store.swift:31: Fatal error: Index out of range",
                "2026-11-20 09:00:31.000000+0100 Kite[2211:1] GET /routes -> 200",
                "2026-11-20 09:30:00.000000+0100 Kite[2211:1] GET /routes -> 200",
            ]
        ])
        try logs.ingest("app.log")
        #expect(try logs.rows("SELECT end_reason FROM runs") == ["log_end"])
        #expect(try logs.rows("SELECT rule FROM findings") == [])
    }

    /// What a report says of the app that used most memory at half past ten.
    private static func jetsam(_ pid: Int) -> [String] {
        [
            #"{"bug_type":"298","timestamp":"2026-11-20 11:30:00.00 +0100","os_version":"iPhone OS 26.1 (23B85)"}"#,
            #"{"processes":["#,
            #"{"uuid":"u1","states":["frontmost"],"rpages":90000,"reason":"per-process-limit","pid":\#(pid),"name":"Kite"}"#,
            "]}",
        ]
    }

    @Test("a report that shows only an end is about the only run that lived then")
    func jetsam() throws {
        let logs = try Logs(["app.log": Self.app, "j.ips": Self.jetsam(2400), "other.ips": Self.jetsam(2211)])
        try logs.ingest("app.log", "j.ips")
        let ends = "SELECT pid, end_reason, substr(ended, 12, 8) FROM runs ORDER BY pid"
        #expect(
            try logs.rows(ends) == [
                "2211,abnormal_in_foreground,", "2300,killed_in_background,", "2400,jetsam,10:30:00",
            ])
        #expect(try logs.digest() == logs.cleanDigest("j.ips", "app.log"))
        // The process with that id had been followed by another one.
        try logs.ingest("other.ips")
        #expect(try logs.rows("SELECT count(*) FROM runs") == ["4"])
        // The same app on another device, of which the logs say no more.
        let two = try Logs(["app.log": Self.app, "other.log": Self.app, "j.ips": Self.jetsam(2400)])
        try two.write(Self.app + ["2026-11-20 11:01:00.100000+0100 Kite[2400:1] ready"], to: "other.log")
        try two.ingest("app.log", "other.log", "j.ips")
        #expect(try two.rows("SELECT count(*) FROM runs WHERE end_reason = 'jetsam' AND started IS NULL") == ["1"])
    }

    @Test("a kill that the log shows as well as a report is the end of one run")
    func jetsamTwice() throws {
        let killed =
            "2026-11-20 11:04:58.000000+0100 runningboardd[33:1] [app<com.example.kite(1F)>:2400] "
            + "Process exited: <RBSProcessExitContext| specific, status:<RBSProcessExitStatus| domain:jetsam(1) "
            + "code:per-process-limit(7)>>."
        let report = [
            #"{"bug_type":"298","timestamp":"2026-11-20 11:05:00.00 +0100","os_version":"iPhone OS 26.1 (23B85)"}"#,
            #"{"processes":["#,
            #"{"uuid":"u1","states":["frontmost"],"rpages":90000,"reason":"per-process-limit","pid":2400,"name":"Kite"}"#,
            "]}",
        ]
        for time in ["11:05:00", "11:09:00"] {
            let logs = try Logs(["app.log": Self.app + [killed]])
            try logs.write(report.map { $0.replacing("11:05:00", with: time) }, to: "j.ips")
            try logs.ingest("app.log", "j.ips")
            // Four minutes apart they are two.
            #expect(
                try logs.rows("SELECT count(*) FROM runs WHERE end_reason = 'jetsam'") == [
                    time == "11:05:00" ? "1" : "2"
                ])
        }
    }

    @Test("a report that does not tell the version of the app is one as well")
    func reportWithoutVersion() throws {
        let bare = Self.crash.map { $0.replacing(#""app_version":"2.1","#, with: "") }
        let logs = try Logs(["app.log": Array(Self.app.prefix(2)), "1.ips": bare])
        try logs.ingest("app.log", "1.ips")
        #expect(try logs.rows("SELECT end_reason, substr(ended, 12, 8) FROM runs") == ["crash,08:05:00"])
    }

    @Test("a report, which names no device, is about the run of the device that was launched with it")
    func reportBesideDevice() throws {
        let log = [
            "Nov 20 08:00:00 Annas-iPhone Kite(Kite)[2211] <Notice>: application:didFinishLaunchingWithOptions:",
            "Nov 20 08:00:00 Annas-iPhone Kite(Kite)[2211] <Notice>: applicationDidBecomeActive:",
            "Nov 20 10:00:00 Annas-iPhone Kite(Kite)[2400] <Notice>: application:didFinishLaunchingWithOptions:",
            "Nov 20 10:00:01 Annas-iPhone Kite(Kite)[2400] <Notice>: applicationDidBecomeActive:",
        ]
        let known = ["2211,crash,08:05:00", "2400,log_end,"]
        let ends = "SELECT pid, end_reason, substr(ended, 12, 8) FROM runs ORDER BY pid"
        for order in [["sys.log", "1.ips"], ["1.ips", "sys.log"]] {
            let logs = try Logs(["sys.log": log, "1.ips": Self.crash])
            logs.year = 2026
            for name in order { try logs.ingest(name) }
            #expect(try logs.rows(ends) == known, "\(order)")
            #expect(try logs.rows("SELECT rule FROM findings") == ["R-APP-17"], "\(order)")
            #expect(try logs.digest() == logs.cleanDigest("sys.log", "1.ips"), "\(order)")
            #expect(try DatabaseCheck.verify(logs.database).problems == [])
            // What is forgotten leaves nothing behind.
            _ = try Forgetting.forget(logs.path("1.ips"), ReplayRequest(database: logs.database)) { _ in }
            #expect(try logs.rows(ends) == ["2211,abnormal_in_foreground,", "2400,log_end,"])
            #expect(try logs.digest() == logs.cleanDigest("sys.log"))
            try logs.ingest("1.ips")
            _ = try Forgetting.forget(logs.path("sys.log"), ReplayRequest(database: logs.database)) { _ in }
            #expect(try logs.rows(ends) == ["2211,crash,08:05:00"])
            #expect(try logs.digest() == logs.cleanDigest("1.ips"))
        }
    }

    @Test("a jetsam report is about the only run with that process id that lived then, whatever its device")
    func jetsamBesideDevice() throws {
        func log(_ device: String) -> [String] {
            ["application:didFinishLaunchingWithOptions:", "applicationDidBecomeActive:"].map {
                "Nov 20 10:00:00 \(device) Kite(Kite)[2400] <Notice>: \($0)"
            }
        }
        let files = ["a.log": log("Annas-iPhone"), "b.log": log("Bobs-iPhone"), "j.ips": Self.jetsam(2400)]
        for order in [["a.log", "j.ips", "b.log"], ["j.ips", "a.log", "b.log"]] {
            let logs = try Logs(files)
            logs.year = 2026
            for name in order.prefix(2) { try logs.ingest(name) }
            #expect(
                try logs.rows("SELECT device, end_reason, substr(ended, 12, 8) FROM runs") == [
                    "Annas-iPhone,jetsam,10:30:00"
                ])
            // Another device had a process of that id: which of the two was ended is not known.
            try logs.ingest("b.log")
            #expect(try logs.rows("SELECT end_reason FROM runs ORDER BY 1") == ["jetsam", "log_end", "log_end"])
            #expect(try logs.digest() == logs.cleanDigest("a.log", "b.log", "j.ips"))
        }
    }

    @Test("a report that fits the runs of several logs is about one of them, whatever was ingested first")
    func reportBesideSeveral() throws {
        func log(_ device: String, _ second: Int) -> [String] {
            ["application:didFinishLaunchingWithOptions:", "applicationDidBecomeActive:"].map {
                "Nov 20 08:00:0\(second) \(device) Kite(Kite)[2211] <Notice>: \($0)"
            }
        }
        let files = ["a.log": log("Annas-iPhone", 0), "b.log": log("Bobs-iPhone", 2), "1.ips": Self.crash]
            .merging(["d.log": Array(Self.app.prefix(2))]) { first, _ in first }
        for names in [["a.log", "b.log", "1.ips"], ["a.log", "d.log", "1.ips"]] {
            for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                let logs = try Logs(files)
                logs.year = 2026
                for place in order { try logs.ingest(names[place]) }
                let clean = try logs.cleanDigest(names[0], names[1], names[2])
                #expect(try logs.digest() == clean, "\(names) \(order)")
                #expect(try logs.rows("SELECT count(*) FROM runs WHERE end_reason = 'crash'") == ["1"])
                for place in 0..<2 {
                    _ = try Forgetting.forget(logs.path(names[place]), ReplayRequest(database: logs.database)) { _ in }
                    let rest = try logs.cleanDigest(names[1 - place], names[2])
                    #expect(try logs.digest() == rest, "\(names) \(order) \(place)")
                    try logs.ingest(names[place])
                }
                #expect(try logs.digest() == clean, "\(names) \(order)")
            }
        }
    }

    /// What the kernel says of a process that it kills.
    private static func kill(_ pid: Int, at time: String) -> String {
        "2026-11-20 \(time).000000+0100 P kernel[0] <Notice>: memorystatus: killing_specific_process pid \(pid) [Kite] (vm-pageshortage 3) 9KB"
    }

    @Test("a kill that only another log shows is a finding by the state in which the log of the app ends")
    func killedAtEndOfLog() throws {
        let killed =
            "R-APP-17,warning,the process ended in state active without a callback: the system took its memory (jetsam),app.log,2"
        let query = """
            SELECT rule, severity, message, replace(source, rtrim(source, replace(source, '/', '')), ''), line
            FROM findings
            """
        let logs = try Logs(["app.log": Array(Self.app.prefix(2)), "sys.log": [Self.kill(2211, at: "09:05:00")]])
        logs.device = "P"
        #expect(try logs.ingest("app.log").summary.contains("findings   none"))
        #expect(try logs.rows(query) == [])
        #expect(try logs.ingest("sys.log").summary.contains("1 warning"))
        #expect(try logs.rows(query) == [killed])
        #expect(try logs.digest() == logs.cleanDigest("sys.log", "app.log"))
        _ = try Forgetting.forget(logs.path("sys.log"), ReplayRequest(database: logs.database)) { _ in }
        #expect(try logs.rows(query) == [])
        // The log goes on: the app was in the background by then.
        try logs.ingest("sys.log")
        let away = ["applicationWillResignActive:", "applicationDidEnterBackground:"].enumerated().map {
            "2026-11-20 09:04:0\($0).000000+0100 Kite[2211:1] \($1)"
        }
        try logs.write(Array(Self.app.prefix(2)) + away, to: "app.log")
        #expect(try logs.ingest("app.log").summary.contains("1 remark"))
        #expect(try logs.rows("SELECT rule, severity FROM findings") == ["R-APP-16,info"])
        #expect(try logs.digest() == logs.cleanDigest("app.log", "sys.log"))
    }

    @Test("a process that goes on has not ended, whatever a report says", arguments: [nil, "P"])
    func outlived(device: String?) throws {
        let away = "2026-11-20 09:10:00.400000+0100 Kite[2211:1] applicationWillResignActive:"
        let logs = try Logs(["app.log": Array(Self.app.prefix(2)) + [away], "1.ips": Self.crash])
        logs.device = device
        try logs.ingest("app.log", "1.ips")
        #expect(
            try logs.rows("SELECT end_reason, ended, app_version, substr(last_seen, 12, 8) FROM runs")
                == ["log_end,,2.1,08:10:00"])
        #expect(try logs.rows("SELECT count(*) FROM findings") == ["0"])
    }

    @Test(
        "a report belongs to a run of which the log begins after its process did", arguments: [nil, "P"], [0, 2])
    func begunLate(device: String?, lines: Int) throws {
        let late = Self.app[4...5].map { $0.replacing("2300", with: "2211").replacing(" 10:04", with: " 09:04") }
        // Started ahead of the launch that the user sees, or already running as the log begins.
        let log = lines == 0 ? Array(late) : Array(Self.app.prefix(2))
        let report = Self.crash.map { $0.replacing("09:00:00.0000", with: "08:45:00.0000") }
        let logs = try Logs(["app.log": log, "1.ips": report])
        logs.device = device
        try logs.ingest("app.log", "1.ips")
        #expect(try logs.rows("SELECT pid, end_reason, end_evidence FROM runs") == ["2211,crash,observed"])
        #expect(try logs.digest() == logs.cleanDigest("1.ips", "app.log"))
        guard device == nil else { return }
        // The same app on another device had the same id then: which of the two crashed is not known.
        try logs.write(log + ["2026-11-20 09:04:50.100000+0100 Kite[2211:1] ready"], to: "other.log")
        try logs.ingest("other.log")
        #expect(try logs.rows("SELECT end_reason FROM runs ORDER BY 1") == ["crash", "log_end", "log_end"])
    }

    @Test("two reports of one end are about one run")
    func twoReports() throws {
        let logs = try Logs([
            "app.log": Array(Self.app.prefix(2)), "sys.log": [Self.kill(2211, at: "09:05:00")],
            "j.ips": [
                #"{"bug_type":"298","timestamp":"2026-11-20 09:05:01.00 +0100","os_version":"iPhone OS 26.1 (23B85)"}"#,
                #"{"processes":["#,
                #"{"states":["frontmost"],"rpages":9,"reason":"per-process-limit","pid":2211,"name":"Kite"}"#, "]}",
            ],
        ])
        try logs.ingest("app.log", "sys.log", "j.ips")
        #expect(try logs.rows("SELECT pid, end_reason, substr(ended, 12, 8) FROM runs") == ["2211,jetsam,08:05:00"])
        #expect(try logs.rows("SELECT rule, severity FROM findings") == ["R-APP-17,warning"])
        // Another report of the id, hours later, is about another process.
        try logs.write([Self.kill(2211, at: "15:05:00")], to: "late.log")
        try logs.ingest("late.log")
        #expect(try logs.rows("SELECT end_reason FROM runs ORDER BY 1") == ["jetsam", "jetsam", "jetsam", "log_end"])
    }

    @Test("a process that writes without a pause after the text of a crash has not crashed")
    func quotedInHaste() throws {
        let lines = (10...3_000).map { number in
            let text = "00\(number)".suffix(4)
            let time = "09:0\(number / 600):\("0\(number / 10 % 60)".suffix(2)).\(text.suffix(1))00000+0100"
            return "2026-11-20 \(time) Kite[2211:1] GET /"
        }
        let quote = "2026-11-20 09:00:00.900000+0100 Kite[2211:1] Kite/Store.swift:31: Fatal error: Index out of range"
        let logs = try Logs(["app.log": Array(Self.app.prefix(2)) + [quote] + lines])
        try logs.ingest("app.log")
        #expect(try logs.rows("SELECT end_reason FROM runs") == ["log_end"])
    }

    @Test("two devices in one log are two, though a process and its id are the same")
    func devices() throws {
        let logs = try Logs([
            "devs.log": [
                "Nov 22 08:00:00 Annas-iPhone Tide[310] <Notice>: applicationDidFinishLaunching",
                "Nov 22 08:00:01 Annas-iPhone Tide[310] <Notice>: applicationDidBecomeActive",
                "Nov 22 08:00:02 Bens-iPad Tide[310] <Notice>: applicationDidFinishLaunching",
                "Nov 22 08:00:03 Bens-iPad Tide[310] <Notice>: applicationDidBecomeActive",
                "Nov 22 08:01:01 Annas-iPhone Tide[310] <Notice>: applicationWillResignActive",
                "Nov 22 08:01:02 Annas-iPhone Tide[310] <Notice>: applicationDidEnterBackground",
                "Nov 22 08:05:03 Bens-iPad Tide[310] <Notice>: applicationWillResignActive",
                "Nov 22 08:05:04 Bens-iPad Tide[310] <Notice>: applicationDidEnterBackground",
            ]
        ])
        try logs.ingest("devs.log")
        #expect(
            try logs.rows("SELECT device, count(*) FROM events GROUP BY 1 ORDER BY 1") == [
                "Annas-iPhone,4", "Bens-iPad,4",
            ])
        #expect(
            try logs.rows("SELECT device, end_reason FROM runs ORDER BY 1") == [
                "Annas-iPhone,log_end", "Bens-iPad,log_end",
            ])
        #expect(try logs.rows("SELECT rule FROM findings") == [])
    }
}
