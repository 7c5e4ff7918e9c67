import Foundation
import Testing

/// Logs of one device are evidence about each other's processes; logs without a device are not.
@Suite("Logs of one device")
struct DeviceTests {
    private static let app = [
        "2026-03-01 10:00:00.000 Tour[100:1] didFinishLaunchingWithOptions",
        "2026-03-01 10:00:01.000 Tour[100:1] applicationDidBecomeActive",
        "2026-03-01 10:00:10.000 Tour[100:1] applicationWillResignActive",
        "2026-03-01 10:00:10.500 Tour[100:1] applicationDidEnterBackground",
        "2026-03-01 10:01:10.500 Tour[100:1] applicationWillEnterForeground",
        "2026-03-01 10:01:11.000 Tour[100:1] applicationDidBecomeActive",
    ]
    private static let system = [
        "2026-03-01 09:59:59.900 runningboardd[33:1] Now tracking process: [app<com.example.tour(0F0E0D0C)>:100]",
        "2026-03-01 10:00:20.000 Tour[100:1] uploading",
        "2026-03-01 10:00:20.900 Tour[100:1] uploading",
        "2026-03-01 10:00:21.800 Tour[100:1] uploading",
        "2026-03-01 10:00:30.000 runningboardd[33:1] [app<com.example.tour(0F0E0D0C)>:100] Suspending task.",
        "2026-03-01 10:01:10.000 runningboardd[33:1] [app<com.example.tour(0F0E0D0C)>:100] Resuming task.",
        "2026-03-01 10:05:10.000 kernel[0:1] memorystatus: killing process 100 [Tour]",
    ]

    private func program() throws -> Program {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(Self.app), to: "logs/app.log")
        try program.write(RepeatedIngestTests.text(Self.system), to: "logs/system.log")
        return program
    }

    private func rows(_ program: Program, _ sql: String) throws -> [String] {
        let outcome = try program.run("query", sql, "--format", "csv")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.text.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
    }

    @Test("in one log of two devices, a run on one of them ends none on the other")
    func twoInOneLog() throws {
        let program = try Program()
        func lines(_ device: String, _ pid: Int) -> [String] {
            ["10:00:00", "10:00:09"].map {
                "Mar  1 \($0) \(device) Tour(UIKitCore)[\(pid)] <Notice>: applicationDidBecomeActive:"
            }
        }
        let joined = lines("Pia", 10) + lines("Ben", 20) + lines("Ben", 21)
        try program.write(RepeatedIngestTests.text(joined), to: "logs/app.log")
        try program.run("ingest", "logs", "--year", "2026")
        let ends = try rows(program, "select device, pid, end_reason, next_seen_ns is null from runs order by pid")
        #expect(ends == ["Pia,10,log_end,1", "Ben,20,abnormal_in_foreground,0", "Ben,21,log_end,1"])
    }

    @Test("a crash report tells why the run in the app's log ended, and begins none of its own")
    func crashReport() throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(Array(Self.app.prefix(2))), to: "logs/app.log")
        try program.write(
            """
            {"app_name":"Tour","timestamp":"2026-03-01 10:00:09.00 +0000","bug_type":"309"}
            {
              "procRole" : "Foreground",
              "captureTime" : "2026-03-01 10:00:08.5000 +0000",
              "pid" : 100,
              "procName" : "Tour",
              "procLaunch" : "2026-03-01 10:00:00.4000 +0000",
              "termination" : {"code" : 11, "namespace" : "SIGNAL"}
            }

            """, to: "logs/Tour.ips")
        let ingest = try program.run("ingest", "logs", "--device", "Phone")
        #expect(ingest.status == 0, "\(ingest.errors)")
        #expect(try rows(program, "select pid, end_reason from runs") == ["100,crash"])
        #expect(try rows(program, "select count(*) from events where source = 'logs/Tour.ips'") == ["4"])
        #expect(try rows(program, "select distinct pid from events") == ["100"])
        #expect(try !program.run("check").text.contains("R-APP-18"))
        // Without the report the run goes on, and the report has its own run without the log.
        try program.run("forget", "logs/Tour.ips")
        #expect(try rows(program, "select pid, end_reason from runs") == ["100,log_end"])
    }

    @Test("a kill that another log shows ends a stay in the background at its time")
    func killElsewhere() throws {
        let program = try program()
        let leaving = [
            "2026-03-01 10:02:10.000 Tour[100:1] applicationWillResignActive",
            "2026-03-01 10:02:10.500 Tour[100:1] applicationDidEnterBackground",
        ]
        try program.write(RepeatedIngestTests.text(Self.app + leaving), to: "logs/app.log")
        try program.run("ingest", "logs", "--device", "Phone")
        // What the system logged is among the last events of the run.
        let killed = try program.run("query", "killed_in_background", "--param", "lines=2", "--format", "csv").text
        let last = killed.split(whereSeparator: \.isNewline).dropFirst()
        #expect(last.map { $0.contains("logs/system.log,7") } == [true, false], "\(killed)")
        #expect(last.last?.contains("applicationDidEnterBackground,logs/app.log,8") == true, "\(killed)")
        let deaths = try program.run("query", "time_to_death", "--format", "csv").text
        #expect(deaths.hasSuffix("\nTour,1,179.5,179.5,179.5,179.5\n"), "\(deaths)")
    }

    @Test("evidence in one log tells how a run in another one went and ended")
    func evidence() throws {
        let program = try program()
        let ingest = try program.run("ingest", "logs", "--device", "Phone")
        #expect(ingest.errors.contains("10 events in 1 run of Tour"), "\(ingest.errors)")
        #expect(
            try rows(program, "select app, pid, end_reason, ended from runs")
                == ["Tour,100,jetsam,2026-03-01T10:05:10.000000000Z"])
        // It was active.
        #expect(try program.run("query", "killed_in_background").errors.hasPrefix("no rows"))
        // The visits are those that the app's own log shows.
        #expect(
            try rows(
                program, "select state, dwell_ns / 1000000, source, line from visits where complete order by entered_ns"
            )
                == [
                    "active,9000,logs/app.log,2", "inactive,500,logs/app.log,3", "background,60000,logs/app.log,4",
                    "inactive,500,logs/app.log,5",
                ])
        // Silent from 10.5 to 20.0: 5 s later it counts as suspended. From 21.8 on to 30.0 the system says that it ran.
        #expect(
            try rows(program, "select suspended_ns / 1000000, evidence from suspensions order by from_ns")
                == ["4500,inferred", "40000,observed"])
        // Without estimates the observed suspension stays.
        #expect(try program.run("replay", "--suspend-grace", "off").status == 0)
        #expect(try rows(program, "select suspended_ns / 1000000, evidence from suspensions") == ["40000,observed"])
        #expect(try program.run("verify").status == 0)
    }

    /// A silence that ends in a run which is evidence is no suspension of the run that it is about, which has its own.
    @Test("a process that the system calls by its bundle only is known by a line that names both, even a later one")
    func namedLater() throws {
        let program = try Program()
        func life(_ pid: Int, _ hour: Int) -> [String] {
            [
                "2026-03-01 \(hour):00:00.000 TourApp[\(pid):1] didFinishLaunchingWithOptions",
                "2026-03-01 \(hour):00:01.000 TourApp[\(pid):1] applicationDidBecomeActive",
            ]
        }
        func system(_ pid: Int, _ hour: Int, _ end: String) -> [String] {
            [
                "2026-03-01 \(hour - 1):59:59.800 runningboardd[33:1] Executing launch request for app<com.example.tour(0F)>",
                "2026-03-01 \(hour - 1):59:59.900 runningboardd[33:1] Now tracking process: [app<com.example.tour(0F)>:\(pid)]",
                "2026-03-01 \(hour):05:00.000 \(end)",
            ]
        }
        let crash = "runningboardd[33:1] [app<com.example.tour(0F)>:100] termination reported by launchd (2, 11, 11)"
        let kill = "kernel[0:1] memorystatus: killing_highwater_process pid 200 [TourApp] (highwater 30) 51200KB"
        try program.write(RepeatedIngestTests.text(life(100, 10) + life(200, 12)), to: "logs/app.log")
        try program.write(
            RepeatedIngestTests.text(system(100, 10, crash) + system(200, 12, kill)), to: "logs/system.log")
        let ingest = try program.run("ingest", "logs", "--device", "Phone")
        #expect(ingest.status == 0, "\(ingest.errors)")
        #expect(
            try rows(program, "select app, pid, end_reason from runs order by pid")
                == ["TourApp,100,crash", "TourApp,200,jetsam"])
    }

    @Test("where a log of evidence was rotated changes nothing")
    func rotatedEvidence() throws {
        let suspending = "runningboardd[33:1] [app<com.example.tour(0F0E0D0C)>:100] Suspending task."
        let lines = [
            "2026-03-01 10:00:20 \(suspending)", "2026-03-01 10:00:20 Tour[100:1] uploading",
            "2026-03-01 10:00:50 Tour[100:1] uploading", "2026-03-01 10:00:50 \(suspending)",
            "2026-03-01 10:00:50 Tour[100:1] uploading",
        ]
        var digests: Set<String> = []
        for cut in 1...lines.count {
            let program = try Program()
            try program.write(RepeatedIngestTests.text(Self.app), to: "logs/app.log")
            try program.write(RepeatedIngestTests.text(Array(lines[..<cut])), to: "logs/system.log.1")
            if cut < lines.count {
                try program.write(RepeatedIngestTests.text(Array(lines[cut...])), to: "logs/system.log")
            }
            #expect(try program.run("ingest", "logs", "--device", "Phone").status == 0)
            digests.insert(try program.run("verify").text)
        }
        #expect(digests.count == 1)
    }

    @Test("without a device, or on two, no log tells of another one's runs")
    func strangers() throws {
        let program = try program()
        #expect(try program.run("ingest", "logs").errors.contains("2 runs"))
        #expect(try rows(program, "select end_reason from runs order by 1") == ["jetsam", "log_end"])
        let other = try self.program()
        #expect(try other.run("ingest", "logs/app.log", "--device", "Phone").status == 0)
        #expect(try other.run("ingest", "logs/system.log", "--device", "Tablet").status == 0)
        #expect(try rows(other, "select end_reason from runs order by 1") == ["jetsam", "log_end"])
    }

    @Test("the order of the files, pieces, a replay and forgetting change nothing")
    func order() throws {
        let whole = try program()
        #expect(try whole.run("ingest", "logs", "--device", "Phone").status == 0)
        let digest = try RepeatedIngestTests.digest(whole)
        for order in [["app", "system"], ["system", "app"]] {
            let program = try Program()
            for length in 1...7 {
                for name in order {
                    let lines = name == "app" ? Self.app : Self.system
                    try program.write(RepeatedIngestTests.text(lines.prefix(length)), to: "logs/\(name).log")
                    let ingest = try program.run("ingest", "logs/\(name).log", "--device", "Phone")
                    #expect(ingest.status == 0, "\(ingest.errors)")
                }
            }
            #expect(try RepeatedIngestTests.digest(program) == digest)
            #expect(try program.run("replay").status == 0)
            #expect(try RepeatedIngestTests.digest(program) == digest)
            for (gone, left) in [("app", "system"), ("system", "app")] {
                #expect(try program.run("forget", "logs/\(gone).log").status == 0)
                let alone = try Program()
                try alone.write(
                    RepeatedIngestTests.text(left == "app" ? Self.app : Self.system), to: "logs/\(left).log")
                #expect(try alone.run("ingest", "logs", "--device", "Phone").status == 0)
                #expect(try RepeatedIngestTests.digest(program) == RepeatedIngestTests.digest(alone))
                #expect(try program.run("ingest", "logs/\(gone).log", "--device", "Phone").status == 0)
                #expect(try RepeatedIngestTests.digest(program) == digest)
            }
        }
    }

    @Test("a log whose callbacks are forgotten is one of evidence")
    func witnessAfterForgetting() throws {
        let files = [
            "app.log": "2026-03-10 04:45:05.519 Other[77:1] applicationWillResignActive",
            "other.log": "2026-03-10 04:44:49.729 Other[77:1] loading",
            "other.log.1": "2026-03-10 04:44:42.285 Other[77:1] applicationDidBecomeActive",
        ]
        let program = try Program()
        let without = try Program()
        for (name, line) in files {
            try program.write(line + "\n", to: "logs/\(name)")
            if name != "other.log.1" { try without.write(line + "\n", to: "logs/\(name)") }
        }
        for ingested in [program, without] { try ingested.run("ingest", "logs", "--device", "Phone") }
        try program.run("forget", "logs/other.log.1")
        let seen = "select app, pid, first_seen from runs"
        #expect(try rows(program, seen) == ["Other,77,2026-03-10T04:45:05.519000000Z"])
        #expect(try RepeatedIngestTests.digest(program) == RepeatedIngestTests.digest(without))
    }

    @Test("where the reading of a log paused says nothing about when its process was awake", arguments: 5..<9)
    func pauses(cut: Int) throws {
        let chatter = [".200", ".600", ".900"].map { "2026-03-01 10:00:29\($0) Tour[100:1] uploading" }
        let app = Array(Self.app[..<4]) + chatter + ["2026-03-01 10:00:30.300 Tour[100:1] uploading"] + Self.app[4...]
        let program = try Program()
        try program.write(RepeatedIngestTests.text(Self.system), to: "logs/system.log")
        try program.write(RepeatedIngestTests.text(app), to: "logs/app.log")
        try program.run("ingest", "logs", "--device", "Phone", "--db", "whole.db")
        for length in [cut, app.count] {
            try program.write(RepeatedIngestTests.text(app.prefix(length)), to: "logs/app.log")
            try program.run("ingest", "logs", "--device", "Phone")
        }
        #expect(try RepeatedIngestTests.digest(program) == program.run("verify", "--db", "whole.db").text)
    }

    @Test("a half line is no sign of life once the rest of it tells of a new run")
    func halfLine() throws {
        let launch = "2026-03-01 10:00:30.400 Tour[100:1] willFinishLaunchingWithOptions\n"
        let app = RepeatedIngestTests.text(
            Self.app.prefix(4) + [
                "2026-03-01 10:00:30.000 Tour[100:1] uploading", "2026-03-01 10:00:30.100 Other[77:1] viewDidLoad",
            ])
        let program = try Program()
        try program.write(RepeatedIngestTests.text(Self.system.prefix(1)), to: "logs/system.log")
        try program.write(app + launch, to: "logs/app.log")
        try program.run("ingest", "logs", "--device", "Phone", "--db", "whole.db")
        try program.write(app + launch.dropLast(12), to: "logs/app.log")
        try program.run("ingest", "logs", "--device", "Phone")
        try program.write(app + launch, to: "logs/app.log")
        try program.run("ingest", "logs", "--device", "Phone")
        let seen = "select last_seen from runs where pid = 100 order by first_seen limit 1"
        #expect(try rows(program, seen) == ["2026-03-01T10:00:30.000000000Z"])
        #expect(try RepeatedIngestTests.digest(program) == program.run("verify", "--db", "whole.db").text)
    }

    @Test(
        "what is derived again stays what it was, also lines that do not say of which process they are",
        arguments: [
            // A callback without a process id belongs to the run that evidence has told of, which another log has taken.
            [
                "{\"timestamp\": \"2026-03-01 09:24:02.100Z\", \"process\": \"Tea\", "
                    + "\"message\": \"applicationWillTerminate:\"}",
                "2026-03-01 09:24:02.300 runningboardd[33:1] [app<com.example.tea(0F0E)>:7] Suspending task.",
                "2026-03-01 09:24:05.000 Tea[7:1] hello",
            ],
            [
                "{\"ts\": 1772359202, \"msg\": \"[app<com.example.tea(0F0E)>:7] Suspending task.\", \"pid\": 33}",
                "{\"ts\": 1772359320.5, \"msg\": \"hello\", \"pid\": 7}",
                "{\"ts\": 1772359380.5, \"msg\": \"hello\", \"pid\": 7}",
            ],
        ])
    func derivedAgain(other: [String]) throws {
        let program = try Program()
        let own = ["2026-03-01 10:00:00.000 Tea[7:1] applicationDidBecomeActive"]
        let more = ["2026-03-01 10:30:00.000 Tea[7:1] applicationWillResignActive"]
        try program.write(RepeatedIngestTests.text(other), to: "logs/other.log")
        try program.write(RepeatedIngestTests.text(own), to: "logs/device.log")
        try program.run("ingest", "logs", "--device", "Phone")
        let before = try RepeatedIngestTests.digest(program)
        for _ in 1...2 {
            #expect(try program.run("replay").status == 0)
            #expect(try RepeatedIngestTests.digest(program) == before)
        }
        try program.write(RepeatedIngestTests.text(own + more), to: "logs/device.log")
        try program.run("ingest", "logs", "--device", "Phone")
        try program.run("ingest", "logs", "--device", "Phone", "--db", "whole.db")
        #expect(try RepeatedIngestTests.digest(program) == program.run("verify", "--db", "whole.db").text)
    }

    @Test("a device that is said of a file is not that of the rotation before it")
    func saidOfOne() throws {
        let program = try Program()
        try program.write(
            "Mar  1 10:00:00 Phone Tea[71] <Notice>: applicationDidBecomeActive\n", to: "logs/app.log.1")
        try program.write("Mar  1 10:05:00 Pad Tea[72] <Notice>: applicationDidBecomeActive\n", to: "logs/app.log")
        try program.run("ingest", "logs/app.log.1", "--year", "2026")
        try program.run("ingest", "logs/app.log", "--year", "2026", "--device", "Mine")
        #expect(try rows(program, "select pid, device from runs order by pid") == ["71,Phone", "72,Mine"])
    }

    @Test("a log whose evidence another one has taken goes on as if nothing had been taken")
    func takenBefore() throws {
        func record(_ time: String, _ process: String, _ message: String) -> String {
            #"{"timestamp": "2026-03-01 \#(time).000Z", "process": "\#(process)", "message": "\#(message)"}"#
        }
        let system = [
            record("10:00:00", "runningboardd", "Calculated state for app<com.x.brew(0F0E)>: none (role: None)"),
            record("10:00:00", "runningboardd", "[app<com.x.brew(0F0E)>:71] termination reported by launchd (0, 0, 0)"),
            record("10:00:01", "Brew", "hello"),
            record("10:09:00", "SpringBoard", "[app<com.x.brew(0F0E)>:71] Bootstrap success!"),
            record("10:20:00", "runningboardd", "[app<com.h.zed(0F0E)>:7] Suspending task."),
        ]
        let program = try Program()
        try program.write(
            "2026-03-01 10:10:00.000 Brew[71:1] application(_:willFinishLaunchingWithOptions:)\n", to: "logs/tea.log")
        try program.write(RepeatedIngestTests.text(system), to: "logs/app.log")
        try program.run("ingest", "logs", "--device", "Phone", "--db", "whole.db")
        for count in 3...system.count {
            try program.write(RepeatedIngestTests.text(system.prefix(count)), to: "logs/app.log")
            try program.run("ingest", "logs", "--device", "Phone")
        }
        #expect(try RepeatedIngestTests.digest(program) == program.run("verify", "--db", "whole.db").text)
        #expect(try program.run("replay").status == 0)
        #expect(try RepeatedIngestTests.digest(program) == program.run("verify", "--db", "whole.db").text)
    }

    @Test("a database keeps the grace time that it was made with")
    func grace() throws {
        let program = try program()
        #expect(try program.run("ingest", "logs/app.log", "--suspend-grace", "20").status == 0)
        let estimate = "select suspended_ns / 1000000 from suspensions where evidence = 'inferred'"
        #expect(try rows(program, estimate) == ["40000"])
        let refused = try program.run("ingest", "logs/system.log", "--suspend-grace", "30")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("was made with --suspend-grace 20, not 30"), "\(refused.errors)")
        #expect(refused.errors.contains("lifestats replay --suspend-grace 30"))
        #expect(try rows(program, "select count(*) from sources") == ["1"])
        // Nobody who does not ask changes it.
        #expect(try program.run("replay").status == 0)
        #expect(try rows(program, estimate) == ["40000"])
        let changed = try program.run("replay", "--suspend-grace", "30")
        #expect(changed.errors.contains("--suspend-grace 30 in place of 20"), "\(changed.errors)")
        #expect(try rows(program, estimate) == ["30000"])
        try program.write(
            RepeatedIngestTests.text(
                Self.app + ["2026-03-01 10:02:11.000 Tour[100:1] applicationWillResignActive"]), to: "logs/app.log")
        #expect(try program.run("ingest", "logs/app.log").status == 0)
        #expect(try rows(program, estimate) == ["30000"])
    }

    @Test("a source has the device that its lines name, as its runs do; the user's word comes first")
    func deviceOfSource() throws {
        let program = try Program()
        try program.write(
            "Nov 12 12:24:37 Teas-iPad Tea(UIKitCore)[510] <Notice>: -[AppDelegate applicationDidBecomeActive:]\n",
            to: "device.log")
        #expect(try program.run("ingest", "device.log").status == 0)
        let sql = "select s.device, r.device from sources s, runs r"
        #expect(try program.run("query", sql, "--format", "csv").text.contains("Teas-iPad,Teas-iPad"))
        let other = try Program()
        try other.write(
            "2021-05-04 09:08:07.250 Tea[512:1f03] applicationDidBecomeActive\n", to: "app.log")
        #expect(try other.run("ingest", "app.log", "--device", "Phone").status == 0)
        #expect(try other.run("query", sql, "--format", "csv").text.contains("Phone,Phone"))
    }
}
