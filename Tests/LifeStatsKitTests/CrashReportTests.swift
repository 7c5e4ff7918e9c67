import Testing

@testable import LifeStatsKit

@Suite("Crash reports of one file")
struct CrashReportTests {
    private static let header = #"{"app_name":"TeaTimer","timestamp":"2024-03-09 07:31:13.00 +0100","bug_type":"309"}"#

    /// The members of a report's body. In real reports the role and the time of the crash stand before the pid.
    private static func members(pid: Int, hour: String, reasons: String) -> [String] {
        [
            #""procRole" : "Foreground""#, #""captureTime" : "2024-03-09 \#(hour):31:12.8710 +0100""#,
            #""pid" : \#(pid)"#, #""procName" : "TeaTimer""#,
            #""procLaunch" : "2024-03-09 \#(hour):30:00.1180 +0100""#,
            #""termination" : {"code" : 2343432205, "namespace" : "FRONTBOARD"\#(reasons)}"#,
        ]
    }

    private static let reasons =
        #", "reasons" : ["scene-create watchdog transgression: application<com.example.tea>:412 exhausted real time"]"#

    /// Bodies that say the same: of several lines, of as many as there can be, of one.
    private static func bodies(pid: Int, hour: String, reasons: String) -> [String] {
        let lines = members(pid: pid, hour: hour, reasons: reasons)
        let broken = lines.map { line in
            ["{", "[", ","].reduce(line) { $0.replacing($1, with: "\($1)\n    ") }.replacing("}", with: "\n  }")
        }
        return [
            "{\n  \(lines.joined(separator: ",\n  "))\n}", "{\n  \(broken.joined(separator: ",\n  "))\n}",
            "{\(lines.joined(separator: ",").replacing(" : ", with: ":"))}",
        ]
    }

    @Test(
        "an end of which no line says more is observed, at its time; who says more of it later is believed",
        arguments: [
            ("", "terminated"),
            (
                "SpringBoard[34:1] [app<com.example.tea>:102] Process exited: <RBSProcessExitContext| "
                    + "status:<RBSProcessExitStatus| domain:signal(2) code:SIGSEGV(11)>>.", "crash"
            ),
        ])
    func endWithoutState(later: String, reason: String) throws {
        var text = "2026-03-09 10:00:00.000 runningboardd[33:1] [app<com.example.tea(0F0E0D0C)>:102] "
        text += "termination reported by launchd\n"
        if !later.isEmpty { text += "2026-03-09 10:00:01.000 \(later)\n" }
        let ingested = try Ingested(text: text)
        #expect(
            try ingested.rows("select ended, end_reason, end_evidence from runs") == [
                "2026-03-09T10:00:00.000000000Z,\(reason),observed"
            ])
        #expect(try DatabaseCheck.verify(ingested.database).problems == [])
    }

    @Test("a callback in the stack of a report has not come", arguments: ["\n  ", ""])
    func callbackInStack(between members: String) throws {
        let body = [
            #""procRole" : "Foreground""#, #""captureTime" : "2024-03-09 07:31:12.8710 +0100""#, #""pid" : 412"#,
            #""procName" : "TeaTimer""#, #""procLaunch" : "2024-03-09 07:30:00.1180 +0100""#,
            #""exception" : {"type":"EXC_BREAKPOINT","signal":"SIGTRAP"}"#,
            #""termination" : {"code":5,"namespace":"SIGNAL","indicator":"Trace/BPT trap: 5"}"#,
            #""threads" : [{"frames":[{"symbol":"TeaViewController.viewDidLoad()"},{"symbol":"-[AppDelegate application:didFinishLaunchingWithOptions:]"}]}]"#,
        ]
        let report = "\(Self.header)\n{\(members)\(body.joined(separator: ",\(members)"))\n}"
        let ingested = try Ingested(text: report)
        #expect(try ingested.rows("select app, end_reason from runs") == ["TeaTimer,crash"])
        #expect(try ingested.rows("select callback from events where callback is not null").isEmpty)
    }

    @Test("a crash ends the stays of scenes and controllers, wherever the log then goes on")
    func endOfInstances() throws {
        let process = "2026-05-12 10:00:"
        let lines = [
            "00.000 Kettle[41:1] application:didFinishLaunchingWithOptions:",
            "00.100 Kettle[41:1] sceneWillEnterForeground: session: A",
            "00.400 Kettle[41:1] sceneDidBecomeActive: session: A",
            "01.000 Kettle[41:1] -[TeaViewController viewDidLoad]",
            "01.200 Kettle[41:1] -[TeaViewController viewWillAppear:]",
            "02.000 Kettle[41:1] -[TeaViewController viewDidAppear:]",
            "09.000 Kettle[41:1] *** Terminating app due to uncaught exception 'NSRangeException', reason: 'x'",
        ]
        let late = [
            "09.500 Kettle[41:1] sceneWillResignActive: session: A",
            "09.600 Kettle[41:1] -[TeaViewController viewWillDisappear:]",
        ]
        for further in [[], late] {
            let ingested = try Ingested(text: (lines + further).map { process + $0 + "\n" }.joined())
            #expect(
                try ingested.rows(
                    "select layer, state, dwell_s, left_by from visits where left_by like '%signal' and complete order by 1"
                )
                    == [
                        "app,active,8.6,crash-report:exited:signal", "scene,fg_active,8.6,crash-report:exited:signal",
                        "view,appeared,7.0,crash-report:exited:signal",
                    ])
            #expect(
                try ingested.rows("select from_state from transitions where layer = 'view' and to_state is null") == [])
            // What the end of its process took along was not deallocated.
            let leaks = try QueryCatalog.description(of: "undeallocated_controllers")
            #expect(try ingested.rows(leaks) == ["Kettle,TeaViewController,1,0,0,"])
            #expect(try DatabaseCheck.verify(ingested.database).problems == [])
        }
    }

    @Test("the detail of an end is its code with the explanation, wherever the report has it")
    func detail() throws {
        let explanation =
            "scene-create watchdog transgression: app<com.example.tea(1F)>:412 exhausted real (wall clock) time allowance "
            + "of 19.97 seconds"
        let context = "<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:\(explanation)"
        let ips =
            "\(Self.header)\n{\n\"procName\" : \"TeaTimer\",\n\"captureTime\" : \"2024-03-09 07:31:12.8710 +0100\",\n"
            + "\"pid\" : 412,\n\"termination\" : {"
        let reports = [
            ips + "\"code\":2343432205,\"flags\":6,\"namespace\":\"FRONTBOARD\",\"reasons\":[\"\(context)\"]}\n}\n",
            ips
                + "\n  \"code\" : 2343432205,\n  \"namespace\" : \"FRONTBOARD\",\n  \"reasons\" : [\n    \"\(context)\",\n"
                + "    \"ProcessVisibility: Foreground\"\n  ]\n}\n}\n",
            "Process:             TeaTimer [412]\nDate/Time:           2024-03-09 07:31:12.8710 +0100\n\n"
                + "Exception Type:  EXC_CRASH (SIGKILL)\nTermination Reason: FRONTBOARD 2343432205\n\(context)\n",
        ]
        for report in reports {
            let ingested = try Ingested(text: report)
            let rows = try ingested.rows("SELECT end_reason || ' ' || end_detail FROM runs")
            #expect(
                rows.count == 1 && rows[0].hasPrefix("watchdog 0x8badf00d watchdog: ") && rows[0].contains(explanation),
                "\(rows)\n\(report)")
        }
    }

    @Test("what the kernel and the runtimes print of an end is its detail, whatever signal is reported afterwards")
    func printed() throws {
        let kernel = "memorystatus: killing_idle_process pid 412 [Kettle] (vm-pageshortage 1)"
        let failure = "Kettle/Pour.swift:21: Fatal error: Index out of range"
        let ends = [
            (DeviceLines.line(30, "kernel", 0, kernel), "jetsam,\(kernel)"),
            (DeviceLines.line(30, "Kettle", 412, failure), "crash,\(failure)"),
            (
                DeviceLines.line(
                    30, "SpringBoard", 60,
                    "[app<org.tea.Kettle>:412] Process exited: <RBSProcessExitContext| "
                        + "specific, status:<RBSProcessExitStatus| domain:jetsam(1) code:vm-pageshortage(3)>>."),
                "jetsam,[app<org.tea.Kettle>:412] Process exited: "
            ),
        ]
        for (line, expected) in ends {
            let ingested = try Ingested(
                text: DeviceLines.line(1, "Kettle", 412, "applicationDidBecomeActive:") + line
                    + DeviceLines.line(
                        31, "runningboardd", 33, "[app<org.tea.Kettle>:412] termination reported by launchd (0, 9, 9)"))
            let rows = try ingested.rows("SELECT end_reason || ',' || end_detail FROM runs")
            #expect(rows.count == 1 && rows[0].replacing("\"", with: "").contains(expected.prefix(30)), "\(rows)")
        }
    }

    @Test("a process that goes on after the text of a crash has not ended with it")
    func refutedEnds() throws {
        func line(_ second: Int, _ message: String) -> String { DeviceLines.line(second, "Kettle", 412, message) }
        let start = line(1, "didFinishLaunchingWithOptions") + line(2, "applicationDidBecomeActive:")
        let crash = line(3, "*** Terminating app due to uncaught exception 'NSRangeException', reason: 'x'")
        let further = line(9, "applicationWillResignActive:")
        func ends(_ text: String) throws -> [String] {
            try Ingested(text: text).rows(
                "SELECT end_reason, (SELECT group_concat(state) FROM visits WHERE visits.run_id = runs.run_id) FROM runs"
            )
        }
        #expect(try ends(start + crash) == ["crash,\"inactive,active\""])
        #expect(try ends(start + crash + further) == ["log_end,\"inactive,active,inactive\""])
        // Other processes say nothing of it, and what follows the crash at once may have been on its way.
        let other = DeviceLines.line(8, "Pot", 413, "applicationDidBecomeActive:")
        #expect(try ends(start + crash + other + further).contains("log_end,\"inactive,active,inactive\""))
        #expect(try ends(start + crash + other).contains("crash,\"inactive,active\""))
        // The end of an app that has crashed is not called off.
        #expect(try ends(start + crash + line(3, "applicationWillTerminate:")).first?.hasPrefix("crash,") == true)
        // A new launch confirms it.
        let next = DeviceLines.line(9, "Kettle", 414, "didFinishLaunchingWithOptions")
        #expect(try ends(start + crash + next).first == "crash,\"inactive,active\"")
        // In the last session of a log it ends that one, whatever its lines are called.
        let earlier = start + further + line(10, "applicationDidEnterBackground:")
        let last =
            DeviceLines.line(20, "Kettle", 414, "didFinishLaunchingWithOptions")
            + DeviceLines.line(21, "Kettle", 414, "applicationDidBecomeActive:")
            + DeviceLines.line(22, "Kettle", 414, "*** Terminating app due to uncaught exception 'A', reason: 'x'")
            + DeviceLines.line(22, "Kettle", 414, "libc++abi: terminating with uncaught exception of type NSException")
        #expect(try ends(earlier + last).map { $0.prefix { $0 != "," } } == ["killed_in_background", "crash"])
        let untold = (earlier + last).replacing(#/Kettle\[\d+:1\] /#, with: "")
        #expect(try ends(untold).map { $0.prefix { $0 != "," } } == ["killed_in_background", "crash"])
        // Whether another process does so too, or its lines are repeated, changes nothing.
        let crashOfOther = DeviceLines.line(
            4, "Pot", 413, "*** Terminating app due to uncaught exception 'A', reason: 'x'")
        let both = start + DeviceLines.line(2, "Pot", 413, "applicationDidBecomeActive:") + crash + crashOfOther
        let furtherOfOther = DeviceLines.line(11, "Pot", 413, "applicationWillResignActive:")
        #expect(try ends(both + further + furtherOfOther).map { $0.prefix(7) } == ["log_end", "log_end"])
        #expect(try ends(both + furtherOfOther + further).map { $0.prefix(7) } == ["log_end", "log_end"])
        #expect(try ends(both + further).map { $0.prefix(6) } == ["log_en", "crash,"])
        let back = DeviceLines.line(2, "Pot", 413, "applicationDidBecomeActive:")
        #expect(try ends(both + back + further).first?.hasPrefix("log_end") == true)
        // Read in two pieces, the log says the same.
        let halves = try Ingested(text: both, thenAppending: further + furtherOfOther)
        #expect(try halves.rows("SELECT DISTINCT end_reason FROM runs") == ["log_end"])
        let grown = try Ingested(text: start + crash, thenAppending: further)
        #expect(try grown.rows("SELECT end_reason FROM runs") == ["log_end"])
        #expect(try grown.rows("SELECT count(*) FROM findings WHERE rule = 'R-APP-17'") == ["0"])
    }

    @Test("what a process ends itself was neither killed nor crashed")
    func voluntaryExits() throws {
        let ends = [
            ("runningboardd", "[app<org.tea.Kettle>:412] Process exited: <RBSProcessExitContext| voluntary>."),
            ("SpringBoard", "Application 'org.tea.Kettle' exited voluntarily."),
            ("launchd", "(UIKitApplication:org.tea.Kettle[0x1][rb-legacy] [412]) exited due to exit(0), ran for 9s"),
        ]
        for (process, end) in ends {
            let ingested = try Ingested(
                text: DeviceLines.line(1, "Kettle", 412, "applicationDidBecomeActive:")
                    + DeviceLines.line(2, "Kettle", 412, "applicationWillResignActive:")
                    + DeviceLines.line(3, "Kettle", 412, "applicationDidEnterBackground:")
                    + DeviceLines.line(9, process, 33, end))
            let rows = try ingested.rows(
                "SELECT end_reason, end_evidence, end_detail LIKE 'exited by itself: %' FROM runs")
            #expect(rows == ["terminated,observed,1"], "\(process)")
            #expect(try ingested.rows("SELECT rule FROM findings WHERE rule LIKE 'R-APP-1%'").isEmpty)
        }
    }

    @Test("a signal says least of an end, in whatever order the lines come")
    func signalsAndReasons() throws {
        let ends = [
            ("(1, 7, 7)", "jetsam,it exceeded its own memory limit"),
            ("(1, 4, 9)", "jetsam,memory taken by the system"),
            ("(20, 1, 1)", "watchdog,watchdog"),
            ("(10, 2343432205, 2343432205)", "watchdog,0x8badf00d watchdog"),
        ]
        for (end, expected) in ends {
            for codes in [[end, "(2, 9, 9)"], ["(2, 9, 9)", end], ["(2, 11, 11)", end]] {
                let lines = codes.map {
                    DeviceLines.line(
                        30, "runningboardd", 33, "[app<org.tea.Kettle>:412] termination reported by launchd \($0)")
                }
                let ingested = try Ingested(
                    text: DeviceLines.line(1, "Kettle", 412, "applicationDidBecomeActive:") + lines.joined())
                let rows = try ingested.rows("SELECT end_reason || ',' || end_detail FROM runs")
                #expect(rows.count == 1 && rows[0].replacing("\"", with: "").hasPrefix(expected), "\(codes) \(rows)")
            }
        }
    }

    @Test("the lines that a report is broken into change neither its pid nor why and when the run ended")
    func lineBreaks() throws {
        for reasons in [Self.reasons, ""] {
            for body in Self.bodies(pid: 412, hour: "07", reasons: reasons) {
                let ingested = try Ingested(text: "\(Self.header)\n\(body)\n")
                #expect(
                    try ingested.rows("select app, pid, started, ended, end_reason, end_evidence from runs") == [
                        "TeaTimer,412,2024-03-09T06:30:00.118000000Z,2024-03-09T06:31:12.871000000Z,watchdog,observed"
                    ], "\(body)")
            }
        }
    }

    @Test("in whatever order a report tells why and when the process ended, and whether it names it, that is one run")
    func order() throws {
        let watchdog = "Termination Reason: Namespace SPRINGBOARD, Code 0x8badf00d"
        let times = ["Date/Time:  2020-05-30 18:14:51.9352 +0900", "Launch Time:  2020-05-30 18:14:44.1799 +0900"]
        let end = "2020-05-30T09:14:44.179900000Z,2020-05-30T09:14:51.935200000Z,watchdog"
        for lines in [[watchdog] + times, times + [watchdog], [times[0], watchdog, times[1]]] {
            let ingested = try Ingested(text: lines.joined(separator: "\n") + "\n")
            #expect(try ingested.rows("select started, ended, end_reason from runs") == [end], "\(lines)")
        }
        let body = Self.members(pid: 412, hour: "07", reasons: Self.reasons)
        for members in [body, Array(body[3...] + body[..<3])] {
            let ingested = try Ingested(text: "  \(members.joined(separator: ",\n  ")),\n")
            #expect(
                try ingested.rows("select pid, started, ended, end_reason from runs") == [
                    "412,2024-03-09T06:30:00.118000000Z,2024-03-09T06:31:12.871000000Z,watchdog"
                ], "\(members)")
        }
    }

    @Test("two reports with the same pid are two runs, each with its own end, in whatever order they stand")
    func samePid() throws {
        let first = Self.bodies(pid: 412, hour: "07", reasons: "")
        let second = Self.bodies(pid: 412, hour: "09", reasons: Self.reasons)
        for (one, other) in zip(first + second, second + first) {
            let ingested = try Ingested(text: "\(Self.header)\n\(one)\n\(Self.header)\n\(other)\n")
            #expect(
                try ingested.rows("select pid, started, ended, end_reason from runs order by started") == [
                    "412,2024-03-09T06:30:00.118000000Z,2024-03-09T06:31:12.871000000Z,watchdog",
                    "412,2024-03-09T08:30:00.118000000Z,2024-03-09T08:31:12.871000000Z,watchdog",
                ], "\(one)")
        }
    }

    @Test("two reports in one file are two runs, whatever their lines")
    func two() throws {
        let first = Self.bodies(pid: 412, hour: "07", reasons: "")
        let second = Self.bodies(pid: 500, hour: "08", reasons: "")
        for (one, other) in zip(first, second) {
            let ingested = try Ingested(text: "\(Self.header)\n\(one)\n\(Self.header)\n\(other)\n")
            #expect(
                try ingested.rows("select pid, started, ended, end_reason from runs order by started") == [
                    "412,2024-03-09T06:30:00.118000000Z,2024-03-09T06:31:12.871000000Z,watchdog",
                    "500,2024-03-09T07:30:00.118000000Z,2024-03-09T07:31:12.871000000Z,watchdog",
                ], "\(one)")
            #expect(try ingested.rows("select distinct pid from events where line > 2 order by pid").contains("500"))
        }
    }

    private static func versioned(_ app: String, _ system: String) -> String {
        header.replacing("{", with: #"{"app_version":"\#(app)","os_version":"\#(system)","#)
    }

    @Test("a report tells the versions of the app and of the system, each of its own run")
    func versions() throws {
        let reports = zip(["1.2", "1.3"], ["07", "09"]).flatMap { version, hour in
            [Self.versioned(version, "iPhone OS 17.\(hour)"), Self.bodies(pid: 412, hour: hour, reasons: "")[0]]
        }
        let ingested = try Ingested(text: reports.joined(separator: "\n") + "\n")
        let rows = "select app_version, os_version from runs order by started"
        #expect(try ingested.rows(rows) == ["1.2,iPhone OS 17.07", "1.3,iPhone OS 17.09"])
        let before = try DatabaseCheck.verify(ingested.database)
        _ = try Replaying.run(ReplayRequest(database: ingested.database)) { _ in }
        let after = try DatabaseCheck.verify(ingested.database)
        #expect(before.problems == [] && after.problems == [] && before.digest == after.digest)
        #expect(try ingested.rows(rows) == ["1.2,iPhone OS 17.07", "1.3,iPhone OS 17.09"])
    }

    @Test(
        "the text of a report tells them too, whichever stands first, the version or the build",
        arguments: [
            ("1.2 (34)", "1.2"), ("34 (1.2)", "1.2"), ("1.2", "1.2"), ("3 (3)", "3"), ("34 (12)", "34 (12)"),
            ("1.2.3 (1.2)", "1.2.3 (1.2)"),
        ])
    func textVersions(written: String, version: String) throws {
        let ingested = try Ingested(
            text: """
                Incident Identifier: 0F0E0D0C-0B0A-0908-0706-050403020100
                Process:             TeaTimer [412]
                Identifier:          com.example.tea
                Version:             \(written)

                Date/Time:           2024-03-09 07:31:12.8710 +0100
                Launch Time:         2024-03-09 07:30:00.1180 +0100
                OS Version:          iPhone OS 17.4 (21E219)
                Report Version:      104

                """)
        #expect(
            try ingested.rows("select app, pid, app_version, os_version, end_reason from runs") == [
                "TeaTimer,412,\(version),iPhone OS 17.4 (21E219),crash"
            ])
    }

    @Test("a jetsam report tells the version of the system for each process that it killed, and no other")
    func jetsamVersion() throws {
        let ingested = try Ingested(
            text: """
                {"bug_type":"298","timestamp":"2024-03-09 07:40:00.00 +0100","os_version":"iPhone OS 17.4"}
                {
                  "processes" : [
                  {"states":["suspended"],"pid":412,"rpages":90112,"reason":"per-process-limit","name":"TeaTimer"},
                  {"states":["suspended"],"pid":413,"rpages":9,"reason":"highwater","name":"Milk"}
                ]}
                2024-03-09 08:00:00.000 Sugar[500:1] applicationDidBecomeActive:

                """)
        #expect(
            try ingested.rows("select app, app_version, os_version from runs order by pid") == [
                "TeaTimer,,iPhone OS 17.4", "Milk,,iPhone OS 17.4", "Sugar,,",
            ])
    }

    @Test("what an app itself writes of versions is not taken for its own")
    func otherVersions() throws {
        let ingested = try Ingested(
            text: """
                2024-03-09 08:00:00.000 Sugar[500:1] applicationDidBecomeActive:
                2024-03-09 08:00:01.000 Sugar[500:1] {"app_version":"9.9","os_version":"99"}
                2024-03-09 08:00:02.000 Sugar[500:1] OS Version:   99

                """)
        #expect(try ingested.rows("select app_version, os_version from runs") == [","])
    }
}
