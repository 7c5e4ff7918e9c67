import Testing

@testable import LifeStatsKit

/// Why a process ended, as far as its log or its report says it.
@Suite("Causes of ends")
struct EndCauseTests {
    /// A crash report of a process that was in use for some seconds.
    private static func report(_ code: Int, _ namespace: String, reason: String, seconds: Int = 20) -> [String] {
        [
            #"{"app_name":"Kite","timestamp":"2026-11-20 09:04:00.00 +0100","app_version":"2.1","bug_type":"309"}"#,
            "{",
            #"  "procRole" : "Foreground","#,
            #"  "captureTime" : "2026-11-20 09:04:00.3500 +0100","#,
            #"  "pid" : 602,"#,
            #"  "procName" : "Kite","#,
            #"  "procLaunch" : "2026-11-20 09:0\#((240 - seconds) / 60):\#((240 - seconds) % 60 / 10)0.0100 +0100","#,
            #"  "termination" : {"code":\#(code),"flags":6,"namespace":"\#(namespace)","reasons":["\#(reason)"]},"#,
            "}",
        ]
    }

    private static func watchdog(_ work: String) -> String {
        "<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:\(work) watchdog transgression: "
            + "app<com.example.kite(501)>:602 exhausted real (wall clock) time allowance of 20.00 seconds"
    }

    private static func findings(_ lines: [String], in name: String = "1.ips") throws -> [String] {
        let logs = try Logs([name: lines])
        try logs.ingest(name)
        return try logs.rows("SELECT rule, severity, message FROM findings ORDER BY line")
    }

    @Test(
        "the watchdog of a launch ended a launch, whatever role the report gives",
        arguments: ["process-launch", "scene-create"])
    func launchWatchdog(work: String) throws {
        let logs = try Logs(["1.ips": Self.report(2_343_432_205, "FRONTBOARD", reason: Self.watchdog(work))])
        let summary = try logs.ingest("1.ips").summary
        #expect(
            try logs.rows("SELECT rule, severity, message FROM findings") == [
                "R-APP-18,error,the process was launched and ended before it was active or in the background: the watchdog ended it"
            ])
        #expect(try logs.rows("SELECT state, evidence FROM visits") == ["inactive,inferred"])
        #expect(try logs.rows("SELECT end_reason FROM runs") == ["watchdog"])
        #expect(!summary.contains("without a time"), "\(summary)")
        let text = [
            "Process:             Kite [602]", "Role:                Foreground",
            "Date/Time:           2026-11-20 09:04:00.3500 +0100",
            "Launch Time:         2026-11-20 09:03:40.0100 +0100",
            "Termination Reason: FRONTBOARD 2343432205", Self.watchdog(work),
        ]
        #expect(try Self.findings(text, in: "1.crash").map { $0.prefix(8) } == ["R-APP-18"])
    }

    @Test("a launch that a report shows to have failed was none into the background, and was not suspended")
    func failedLaunch() throws {
        let app = [
            "2026-11-20 09:03:40.100000+0100 Kite[602:1] application:willFinishLaunchingWithOptions:",
            "2026-11-20 09:03:40.130000+0100 Kite[602:1] application:didFinishLaunchingWithOptions:",
        ]
        // Another process goes on, so that the log by itself shows a launch into the background.
        let other = "2026-11-20 09:05:00.000000+0100 Kettle[31:1] boiling"
        let report = Self.report(2_343_432_205, "FRONTBOARD", reason: Self.watchdog("scene-create"))
        let scenes = [
            "2026-11-20 09:03:40.140000+0100 Kite[602:1] scene:willConnectToSession:options:"
        ]
        let visits = "SELECT layer, state, censored FROM visits ORDER BY layer"
        let asked = """
            SELECT (SELECT count(*) FROM suspensions),
                (SELECT count(*) FROM scenarios WHERE scenario IN ('SC-A14', 'SC-S11'))
            """
        let logs = try Logs(["app.log": app + [other], "1.ips": report, "scenes.log": app + scenes + [other]])
        try logs.ingest("app.log")
        #expect(try logs.rows(visits) == ["app,background,right"])
        #expect(try logs.rows(asked) == ["1,1"])
        try logs.ingest("1.ips")
        #expect(try logs.rows(visits) == ["app,inactive,right"])
        #expect(try logs.rows(asked) == ["0,0"])
        #expect(
            try logs.rows("SELECT from_state, to_state, callback, evidence FROM transitions") == [
                "not_running,inactive,willFinishLaunchingWithOptions,observed"
            ])
        #expect(try DatabaseCheck.verify(logs.database).problems.isEmpty)
        _ = try Forgetting.forget(logs.path("1.ips"), ReplayRequest(database: logs.database)) { _ in }
        #expect(try logs.rows(visits) == ["app,background,right"])
        #expect(try logs.rows(asked) == ["1,1"])
        let withScenes = try Logs(["1.ips": report, "scenes.log": app + scenes + [other]])
        try withScenes.ingest("1.ips", "scenes.log")
        #expect(try withScenes.rows("SELECT count(*) FROM suspensions") == ["0"])
    }

    @Test("the watchdog of another work, or long after the launch, ended an app in use")
    func laterWatchdog() throws {
        let used = "R-APP-17,error,the process ended in state active without a callback: the watchdog ended it"
        let update = Self.report(2_343_432_205, "FRONTBOARD", reason: Self.watchdog("scene-update"))
        #expect(try Self.findings(update) == [used])
        let late = Self.report(2_343_432_205, "FRONTBOARD", reason: Self.watchdog("scene-create"), seconds: 120)
        #expect(try Self.findings(late) == [used])
    }

    /// An app that becomes active, and one more line.
    private static func log(_ process: String, _ message: String) -> [String] {
        [
            "2026-11-20 09:00:00.100000+0100 Kite[602:1] application:didFinishLaunchingWithOptions:",
            "2026-11-20 09:00:00.400000+0100 Kite[602:1] applicationDidBecomeActive:",
            "2026-11-20 09:04:00.350000+0100 \(process)[33:1] \(message)",
        ]
    }

    @Test(
        "a code means the same in a line of the system and in a report",
        arguments: [
            (0xc000_10ff, "warning", "0xc00010ff, device too hot"),
            (0xd00d_2bad, "error", "0xd00d2bad, system resource overused"),
            (0xdead_10cc, "error", "0xdead10cc, file or database lock held at suspension"),
            (0xc51b_ad01, "error", "0xc51bad01, background task of a watch app used too much CPU time"),
            (
                0xc51b_ad03, "warning",
                "0xc51bad03, background task of a watch app not finished in time on a busy device"
            ),
        ])
    func codes(code: Int, severity: String, words: String) throws {
        let expected = ["R-APP-17,\(severity),\"the process ended in state active without a callback: \(words)\""]
        let hex = "0x" + String(code, radix: 16)
        let status =
            "<RBSProcessExitContext| specific, status:<RBSProcessExitStatus| domain:runningboard(15) code:\(hex)>>"
        let line = Self.log("runningboardd", "[app<com.example.kite(501)>:602] Process exited: \(status)")
        let report = Self.report(
            code, "RUNNINGBOARD", reason: "<RBSTerminateContext| domain:15 code:\(hex) explanation:x>")
        let broken = report.flatMap { line in
            line.contains("termination")
                ? [#"  "termination" : {"#, #"    "code" : \#(code),"#, "    \"flags\" : 6", "  },"] : [line]
        }
        for lines in [line, report, broken] { #expect(try Self.findings(lines) == expected, "\(lines)") }
    }

    @Test("a UI test that ends its app is no fault of the app")
    func testRunner() throws {
        let end = "    t =     3.20s Terminate com.example.kite:602"
        let log = Array(Self.log("Kite", "x").prefix(2))
        let runner = Self.log("KiteUITests-Runner", String(end.drop { $0 == " " }))
        for lines in [log + ["    t =     0.10s     Launch com.example.kite", end], runner] {
            let logs = try Logs(["app.log": lines])
            try logs.ingest("app.log")
            #expect(try logs.rows("SELECT rule FROM findings") == [], "\(lines)")
            #expect(
                try logs.rows("SELECT end_reason, end_evidence, substr(end_detail, 1, 25) FROM runs") == [
                    "terminated,observed,ended by the test runner:"
                ])
        }
    }

    @Test("an app that crashes in a UI test is no sound app")
    func testRunnerSeesCrash() throws {
        let log = Array(Self.log("Kite", "x").prefix(2))
        let crash = "    t =     9.20s Assertion Failure: <unknown>:0: Kite crashed in Shop.pay()"
        let again = "/ci/ShopTests.swift:33: error: -[KiteUITests.ShopTests testPay] : Kite crashed in Shop.pay()"
        let logs = try Logs(["app.log": log + ["    t =     0.10s     Launch com.example.kite", crash, again]])
        try logs.ingest("app.log")
        #expect(try logs.rows("SELECT rule, severity FROM findings") == ["R-APP-17,error"])
    }

    @Test("a process that exceeds its own limit of memory is to blame for its end")
    func memoryLimit() throws {
        let limit = "it exceeded its own memory limit"
        let active = ["R-APP-17,error,the process ended in state active without a callback: \(limit)"]
        let exit =
            "[app<com.example.kite(501)>:602] Process exited: <RBSProcessExitContext| specific, "
            + "status:<RBSProcessExitStatus| domain:jetsam(1) code:per-process-limit(7)>>."
        let killing = "memorystatus: killing_specific_process pid 602 [Kite] (per-process-limit"
        for (process, message) in [
            ("runningboardd", exit), ("kernel", "\(killing) 100 0s rf:- type:app) 1434632KB"),
            ("kernel", "\(killing) 10) 9KB"),
            ("runningboardd", "[app<com.example.kite(501)>:602] termination reported by launchd (1, 7, 9)"),
        ] {
            #expect(try Self.findings(Self.log(process, message)) == active, "\(message)")
        }
        // Other reasons befall healthy apps.
        for other in ["(1, 2, 9)", "(1, 4, 9)"] {
            let line = Self.log(
                "runningboardd", "[app<com.example.kite(501)>:602] termination reported by launchd \(other)")
            #expect(try Self.findings(line).map { $0.prefix(16) } == ["R-APP-17,warning"])
        }
    }

    @Test(
        "so is a process that only a jetsam report shows, but no daemon of the system",
        arguments: [
            ("", "abnormal-end,error"), ("suspended", "abnormal-end,error"), ("frontmost", "R-APP-17,error"),
            (#"daemon","idle"#, ""), (#"idle","daemon"#, ""),
        ])
    func memoryLimitInReport(states: String, finding: String) throws {
        let logs = try Logs([
            "j.ips": [
                #"{"bug_type":"298","timestamp":"2026-11-20 11:30:00.00 +0100","os_version":"iPhone OS 26.1 (23B85)"}"#,
                #"{"processes":["#,
                #"{"states":["\#(states)"],"rpages":9,"reason":"per-process-limit","pid":7,"name":"KiteWidget"}"#, "]}",
            ]
        ])
        try logs.ingest("j.ips")
        #expect(try logs.rows("SELECT rule, severity FROM findings") == (finding.isEmpty ? [] : [finding]))
        let detail = try logs.rows("SELECT end_detail FROM runs")
        #expect(detail.allSatisfy { $0.contains("per-process-limit") }, "\(detail)")
    }

    @Test("the system tells of the ends of an app's helpers, which are processes of their own")
    func helpers() throws {
        let helper = "[xpcservice<com.example.kite.share([app<com.example.kite(501)>:602])(501)>{vt hash: 0}:913]"
        let logs = try Logs([
            "app.log": Self.log(
                "runningboardd",
                "\(helper) Process exited: <RBSProcessExitContext| specific, status:<RBSProcessExitStatus| domain:jetsam(1) code:per-process-limit(7)>>."
            ) + [
                "2026-11-20 09:04:01.350000+0100 runningboardd[33:1] [xpcservice<com.example.kite.Widget(UUID)>:914] termination reported by launchd (2, 11, 11)",
                "2026-11-20 09:04:02.350000+0100 runningboardd[33:1] [xpcservice<com.apple.WebKit.WebContent([app<com.example.kite(501)>:602])>:915] termination reported by launchd (2, 11, 11)",
                "2026-11-20 09:04:09.350000+0100 Kite[602:1] pull",
            ]
        ])
        try logs.ingest("app.log")
        #expect(
            try logs.rows("SELECT pid, app, end_reason FROM runs ORDER BY pid")
                == ["602,Kite,log_end", "913,share,jetsam", "914,Widget,crash"])
        #expect(try logs.rows("SELECT rule, severity FROM findings") == ["abnormal-end,error", "abnormal-end,error"])
    }

    @Test("the explanation of an end is told without the frame around it, whatever line comes first")
    func explanation() throws {
        let words = "scene-update watchdog transgression: app<com.example.kite(501)>:602 exhausted its time allowance"
        let context = "<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:\(words)"
        for end in [">", " reportType:CrashLog>", ""] {
            let logs = try Logs([
                "app.log": [
                    "2026-11-20 09:00:00.100000+0100 Kite[602:1] applicationDidBecomeActive:",
                    "2026-11-20 09:04:00.300000+0100 SpringBoard[58:1] Process exited: <FBApplicationProcess: 0x1; app<com.example.kite>:602> watchdog: 0x8badf00d",
                    "2026-11-20 09:04:00.350000+0100 runningboardd[33:1] [app<com.example.kite(501)>:602] Terminating with context: \(context)\(end)",
                ]
            ])
            try logs.ingest("app.log")
            #expect(try logs.rows("SELECT end_detail FROM runs") == ["0x8badf00d watchdog: \(words)"], "\(end)")
        }
    }

    private static func show(_ time: String, _ pid: Int, _ message: String) -> String {
        "2026-11-20 \(time).000000+0100 0x4a2b     Default     0x0                  \(pid)   0    Kite: \(message)"
    }

    private static func boot(_ time: String) -> String {
        "2026-11-20 \(time).000000+0100 0x0        Timesync    0x0                  0      0    === system boot: 0F0E0D0C-0B0A-0908-0706-050403020100"
    }

    @Test("a boot ends what ran before, is no sign of its life, and gives its process id to another process")
    func boot() throws {
        let adjusted = Self.boot("13:12:01").replacing(/=== .*/, with: "=== system wallclock time adjusted")
        for next in [310, 1010] {
            let log = [
                Self.boot("08:00:00"),
                Self.show("09:00:00", 1010, "application(_:didFinishLaunchingWithOptions:)"),
                Self.show("09:00:01", 1010, "applicationDidBecomeActive(_:)"),
                Self.show("09:10:00", 1010, "pull"), Self.boot("13:12:00"), adjusted,
                Self.show("13:13:00", next, "pull"), Self.show("13:13:01", next, "applicationDidBecomeActive(_:)"),
            ]
            let logs = try Logs(["app.log": log])
            try logs.ingest("app.log")
            #expect(
                try logs.rows(
                    "SELECT substr(last_seen, 12, 8), substr(ended, 12, 8), end_reason, end_evidence, substr(end_detail, 1, 28) FROM runs ORDER BY first_seen"
                )
                    == [
                        "08:10:00,,abnormal_in_foreground,inferred,the device was started again",
                        "12:13:01,,log_end,inferred,",
                    ])
            #expect(
                try logs.rows("SELECT rule, severity, message FROM findings WHERE severity <> 'info'") == [
                    "R-APP-17,warning,the process ended in state active without a callback: the device was started again"
                ])
            #expect(try logs.rows("SELECT count(*) FROM visits WHERE complete AND state = 'active'") == ["0"])
        }
    }

    @Test("the older task of which UIKit warns runs, whether or not the log shows how it began")
    func oldTask() throws {
        let lines = [
            "2026-11-20 09:00:00.100000+0100 Kite[602:1] application:didFinishLaunchingWithOptions:",
            "2026-11-20 09:00:00.400000+0100 Kite[602:1] applicationDidBecomeActive:",
            "2026-11-20 09:01:00.400000+0100 Kite[602:1] applicationWillResignActive:",
            "2026-11-20 09:01:01.400000+0100 Kite[602:1] applicationDidEnterBackground:",
            #"2026-11-20 09:01:31.500000+0100 Kite[602:1] [BackgroundTask] Background Task 12 ("sync"), was created over 30 seconds ago. In applications running in the background, this creates a risk of termination."#,
        ]
        let logs = try Logs(["app.log": lines])
        try logs.ingest("app.log")
        #expect(
            try logs.rows(
                "SELECT state, entered_by, censored FROM visits WHERE layer = 'background-task' ORDER BY state")
                == ["absent,,left", "running,uikitTaskTooOld,both"])
        #expect(try logs.rows("SELECT rule, severity FROM findings") == ["R-BG-02,warning"])
    }

    @Test("a discarded session that no line names concerns no scene that is connected, and is no new one")
    func namelessDiscard() throws {
        func line(_ time: String, _ text: String) -> String { "2026-11-20 \(time)+0100 Kite[602:1] \(text)" }
        let open = [
            line("09:00:00.100", "application:didFinishLaunchingWithOptions:"),
            line("09:00:00.200", "scene(_:willConnectTo:options:)"),
            line("09:00:00.300", "sceneWillEnterForeground(_:)"),
            line("09:00:00.400", "sceneDidBecomeActive(_:)"), line("09:05:00.000", "scene(_:willConnectTo:options:)"),
            line("09:05:00.100", "sceneWillEnterForeground(_:)"), line("09:05:00.500", "sceneDidBecomeActive(_:)"),
        ]
        let discard = line("09:40:30.000", "application(_:didDiscardSceneSessions:)")
        let logs = try Logs(["app.log": open + [discard]])
        try logs.ingest("app.log")
        let scenes =
            "SELECT instance, group_concat(state, ' ') FROM (SELECT * FROM visits ORDER BY instance, line) WHERE layer = 'scene' GROUP BY 1"
        let both = ["scene0,unattached fg_inactive fg_active", "scene0#2,unattached fg_inactive fg_active"]
        #expect(try logs.rows(scenes) == both)
        #expect(
            try logs.rows("SELECT instance, layer, verdict FROM events WHERE callback = 'didDiscardSceneSessions'") == [
                "app,scene,"
            ])
        #expect(try logs.rows("SELECT rule FROM findings") == [])
        // Where one of them has disconnected, it is of that one, whichever spoke last.
        let away = ["sceneWillResignActive(_:)", "sceneDidEnterBackground(_:)", "sceneDidDisconnect(_:)"].enumerated()
            .map {
                line("09:3\($0):00.000", $1)
            }
        let gone = try Logs(["app.log": open + away + [discard]])
        try gone.ingest("app.log")
        #expect(
            try gone.rows(
                "SELECT instance, left_by FROM visits WHERE layer = 'scene' AND left_by = 'didDiscardSceneSessions'"
            ).count == 1)
        #expect(try gone.rows("SELECT count(DISTINCT instance) FROM visits WHERE layer = 'scene'") == ["2"])
    }

    @Test("a signal in another log is no reason: the state of the app decides, as in one log")
    func signal() throws {
        func line(_ time: String, _ pid: Int, _ text: String) -> String {
            "2026-11-20 \(time).000000+0100 Kite[\(pid):1] \(text)"
        }
        func exit(_ time: String, _ pid: Int) -> String {
            "2026-11-20 \(time).000000+0100 SpringBoard[60:1] [app<com.example.kite(UUID)>:\(pid)] Process exited: "
                + "<RBSProcessExitContext| specific, status:<RBSProcessExitStatus| domain:signal(2) code:SIGKILL(9)>>."
        }
        let launch = ["application:didFinishLaunchingWithOptions:", "applicationDidBecomeActive:"]
        let away = ["applicationWillResignActive:", "applicationDidEnterBackground:"]
        let app =
            zip(["10:00:00", "10:00:01", "10:00:30", "10:00:31"], launch + away).map { line($0, 570, $1) }
            + zip(["10:50:00", "10:50:01"], launch).map { line($0, 580, $1) }
        let exits = [exit("10:01:00", 570), exit("10:51:00", 580)]
        let logs = try Logs(["app.log": app, "sys.log": exits])
        logs.device = "P"
        try logs.ingest("app.log", "sys.log")
        let one = try Logs(["one.log": Array(app[..<4]) + exits.prefix(1) + app[4...] + exits.suffix(1)])
        one.device = "P"
        try one.ingest("one.log")
        for database in [logs, one] {
            #expect(
                try database.rows("SELECT pid, end_reason, end_evidence, substr(ended, 12, 8) FROM runs ORDER BY pid")
                    == [
                        "570,killed_in_background,observed,09:01:00", "580,abnormal_in_foreground,observed,09:51:00",
                    ])
            #expect(try database.rows("SELECT rule FROM findings ORDER BY 1") == ["R-APP-16", "R-APP-17"])
        }
        #expect(try logs.digest() == logs.cleanDigest("sys.log", "app.log"))
    }
}
