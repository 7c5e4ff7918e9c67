import Foundation
import Testing

/// Timelines of real databases, as the program writes them.
@Suite("Timelines of databases")
struct TimelineRunTests {
    @Test("A finding about the end of a run is marked where the run ends, and cites its last line")
    func endOfARun() throws {
        let program = try PictureTests.program("day")
        let lines = try program.run("timeline", "--app", "Harbour", "--axis", "launch").text.split(separator: "\n")
        // The sign is in the last cell of the lane, 39 s after the last callback, and the text below it.
        let place = try #require(lines.firstIndex { $0.contains("R-APP-17") })
        let mark = Array(lines[place - 1]).firstIndex(of: "▲")
        #expect(mark != nil && mark == Array(lines[place - 2]).lastIndex(of: "█"), "\(lines)")
        #expect(lines[place + 1].contains("(harbour.log:45)"))
    }

    @Test("A heading of one's own replaces the names of the apps, in text and in pictures")
    func title() throws {
        let sample = Program.project.appendingPathComponent("samples/deviations/outbox.log").path
        let (program, title) = (try Program(), "One launch took too long")
        #expect(try program.run("timeline", sample, "--title", title).text.hasPrefix("\(title)\n4 runs\n"))
        let svg = try program.run("timeline", sample, "--title", title, "-o", "-", "--format", "svg").text
        #expect(svg.contains(">\(title)</text>") && !svg.contains("Runs: Outbox"))
    }

    @Test("A report that draws some lanes of a run names the command that draws them all")
    func manyLanes() throws {
        let program = try Program()
        let views = (10..<30).map { "2026-05-04 07:10:\($0).500 Tour[12:1] [Screen\($0)ViewController viewDidLoad]\n" }
        try program.write(views.joined(), to: "app.log")
        let page = try program.run("report", "app.log").text
        #expect(page.contains("Drawn: 16 of 20 lanes."))
        #expect(page.contains("The command below, lifestats timeline, draws all 20 lanes."))
        #expect(!page.contains("each run from its launch on"), "there is only one")
    }

    @Test("Runs are drawn by their begin, and the picture says which; over more than a week, each from its launch on")
    func orderOfRuns() throws {
        let program = try Program()
        func log(_ app: String, _ day: String) -> String {
            ["didFinishLaunchingWithOptions:", "applicationDidBecomeActive:", "applicationWillResignActive:"]
                .enumerated()
                .map { "2026-05-\(day) 07:10:0\($0).500 \(app)[1:1] -[AppDelegate \($1)]\n" }.joined()
        }
        for (app, day) in [("Last", "18"), ("First", "04"), ("Second", "05")] {
            try program.write(log(app, day), to: "\(app).log")
        }
        try program.run("ingest", "Last.log", "First.log", "Second.log")
        let text = try program.run("timeline").text
        let titles = text.split(separator: "\n").filter { $0.contains(" · 2026-05") }
        #expect(titles.map { $0.prefix { $0 != " " } } == ["First", "Second", "Last"], "\(text)")
        #expect(text.contains("the runs span more than a week"))
        let two = try program.run("timeline", "--most", "2").text
        #expect(two.contains("the first 2 of 3 runs") && !two.contains("the runs span more than a week"))
        #expect(!(try program.run("timeline", "--axis", "clock").text).contains("the runs span more than a week"))
        #expect(try program.run("timeline", "--worst", "2").text.contains("the worst 2 of 3 runs"))
    }

    @Test("A run with lines before its first date begins with that date, and its length is unknown")
    func datedLate() throws {
        let program = try Program()
        let sample = Program.project.appendingPathComponent("samples/formats/13-frameworks.log").path
        for axis in ["launch", "clock"] {
            let text = try program.run("timeline", sample, "--axis", axis).text
            #expect(text.contains("length unknown") && !text.contains(/[0-9],[0-9]{3}\s*d/), "\(text)")
        }
        try program.run("ingest", Program.project.appendingPathComponent("samples").path, "--db", "all.db")
        let page = try program.run("report", "--db", "all.db").text
        #expect(!page.contains(/<text[^>]*>1970-/) && !page.contains(/[0-9],[0-9]{3}\s*d/))
    }

    @Test("A run that ends in the log has a length, whatever else was open")
    func knownEnd() throws {
        let program = try Program()
        let lines = [
            "-[AppDelegate application:didFinishLaunchingWithOptions:]", "[ShopViewController viewDidLoad]",
            "[ShopViewController viewWillAppear:]", "[ShopViewController viewDidAppear:]",
            "-[AppDelegate applicationDidBecomeActive:]", "-[AppDelegate applicationWillResignActive:]",
            "-[AppDelegate applicationDidEnterBackground:]", "-[AppDelegate applicationWillTerminate:]",
        ]
        try program.write(
            lines.enumerated().map { "2026-05-12 07:10:0\($0).500 Shop[1:1] \($1)\n" }.joined(), to: "app.log")
        let text = try program.run("timeline", "app.log").text
        #expect(text.contains("ShopViewController") && text.contains(#/ 7.s\n/#) && !text.contains("≥"), "\(text)")
    }

    @Test("A visit of unknown length does not hide that the runs span more than a week")
    func longSpan() throws {
        let program = try PictureTests.program("day", "deviations")
        #expect(try program.run("timeline").text.contains("the runs span more than a week"))
    }

    @Test("Runs that are too short to be seen on a common clock are drawn from their launch on")
    func shortRuns() throws {
        let program = try PictureTests.program("scenarios")
        #expect(try program.run("timeline").text.contains("most runs are too short"))
        #expect(!(try program.run("timeline", "--axis", "clock").text).contains("most runs are too short"))
        // Three of the four runs are long enough.
        let long = try PictureTests.program("deviations")
        #expect(!(try long.run("timeline").text).contains("most runs are too short"))
    }

    @Test("The worst runs of a report have a scale each where time is left out of one of them")
    func reportedRuns() throws {
        let program = try Program()
        let runs = [(1, "02:00"), (2, "45:00")].map { pid, back in
            [
                ("00:00.0", "didFinishLaunching"), ("00:00.1", "applicationDidBecomeActive"),
                ("00:55.0", "applicationWillResignActive"), ("00:56.0", "applicationDidEnterBackground"),
                ("\(back).0", "applicationWillEnterForeground"), ("\(back).5", "applicationDidBecomeActive"),
            ].map { "2026-05-04 0\(pid):\($0)00 App[\(pid):1] -[AppDelegate \($1):]\n" }.joined()
        }
        try program.write(runs.joined(), to: "app.log")
        let page = try program.run("report", "app.log").text
        let picture = try #require(page.components(separatedBy: "id=\"section-runs\"").last)
        #expect(picture.contains("on a scale of its own") && picture.contains("time left out"))
        // An axis tells the time of both.
        #expect(picture.contains(">30\u{A0}s<") && picture.contains(">15\u{A0}s<"))
    }

    @Test("Up to 18 runs are drawn without being asked for, and of more the first twelve")
    func numberOfRuns() throws {
        let program = try Program()
        func log(_ runs: Int) throws -> String {
            let lines = (10..<10 + runs).flatMap { minute in
                ["didFinishLaunchingWithOptions:", "applicationDidBecomeActive:"].enumerated().map {
                    "2026-05-04 07:\(minute):0\($0).500 App\(minute)[1:1] -[AppDelegate \($1)]\n"
                }
            }
            try program.write(lines.joined(), to: "\(runs).log")
            return try program.run("timeline", "\(runs).log").text
        }
        let thirteen = try log(13)
        #expect(thirteen.contains("13 runs") && thirteen.contains("App22 [1]"))
        #expect(try log(19).contains("the first 12 of 19 runs"))
    }

    @Test("Only what the log itself cuts is torn, and a strip ends with the last line")
    func torn() throws {
        let program = try PictureTests.program("day", "deviations")
        func picture(_ filter: String...) throws -> String {
            try program.run(["timeline", "--format", "svg"] + filter).text
        }
        // A background launch whose launch itself may be missing; a kill in the background; an end in use.
        let cut = "begins or ends outside the log"
        let runs = try program.run("query", "SELECT run_id, pid FROM runs", "--format", "csv").text
            .split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
        let run = { (pid: String) in String(try #require(runs.first { $0[1] == pid })[0]) }
        for pid in ["498", "988", "702"] { #expect(!(try picture("--run", run(pid)).contains(cut)), "\(pid)") }
        #expect(try picture("--run", run("1204")).contains(cut))
        #expect(try picture("--run", run("988")).contains("≥ 38.7\u{A0}s"))
        // The last line is of 09:00:03; five seconds of silence later it would count as suspended.
        let strip = try program.run("show", "run:\(run("498"))").text
        #expect(strip.contains("09:00:03╵") && !strip.contains("09:00:08"))
    }

    @Test("A run that begins without a date and goes on with one has no length, and no begin in its name")
    func undatedBegin() throws {
        let program = try Program()
        let lines = [
            "08:00:00.000 App[10:1] application:didFinishLaunchingWithOptions:",
            "08:00:00.100 App[10:1] applicationDidBecomeActive:",
            "2026-03-01 08:00:05.000 App[10:1] applicationWillResignActive:",
            "2026-03-01 08:00:05.400 App[10:1] applicationDidEnterBackground:",
        ]
        try program.write(lines.joined(separator: "\n") + "\n", to: "a.log")
        for axis in ["clock", "launch"] {
            let text = try program.run("timeline", "a.log", "--axis", axis).text
            #expect(!text.contains("20,513") && text.contains("08:00:05") == (axis == "clock"), "\(text)")
            #expect(text.contains("\nApp [10]\n") && text.contains(" length unknown\n"), "\(text)")
        }
    }

    @Test("Runs without a date come last and are on no clock with others; runs without any time are counted")
    func undatedRuns() throws {
        let program = try Program()
        func log(_ app: String, _ begin: String) -> String {
            ["didFinishLaunchingWithOptions:", "applicationDidBecomeActive:", "applicationWillResignActive:"]
                .enumerated()
                .map { "\(begin)07:10:0\($0).500 \(app)[1:1] -[AppDelegate \($1)]\n" }.joined()
        }
        try program.write(log("Undated", ""), to: "a.log")
        try program.write(log("Dated", "2026-05-04 "), to: "b.log")
        try program.write(log("Untimed", "").replacing(#/07:10:0..500 /#, with: ""), to: "c.log")
        try program.run("ingest", "a.log", "b.log", "c.log")
        let text = try program.run("timeline").text
        let titles = text.split(separator: "\n").filter { $0.contains(" · ") && $0.contains("07:10") }
        #expect(titles == ["Dated [1] · 2026-05-04 07:10:00", "Undated [1] · 07:10:00 · no date"], "\(text)")
        #expect(text.contains("1 run without a timed visit is not drawn") && !text.contains("Untimed"))
        #expect(text.contains("some times have no date") && !text.contains("1970"))
        let clock = try program.run("timeline", "--axis", "clock").text
        #expect(clock.contains("1 run without a date has no place on a clock") && !clock.contains("Undated"))
        #expect(try program.run("timeline", "--app", "Untimed").text.contains("Untimed"))
    }

    @Test("A timeline is text on a terminal and a picture where one is asked for, by format or by name of the file")
    func timelineFormats() throws {
        let program = try PictureTests.program("today")
        #expect(try program.run("timeline").text.contains("█"))
        #expect(try program.run("timeline", "--format", "svg").text.hasPrefix("<?xml"))
        #expect(try program.run("timeline", "--format", "png").output.starts(with: [0x89, 0x50]))
        #expect(try program.run("timeline", "-o", "-").text.hasPrefix("<?xml"))
        #expect(try program.run("timeline", "--format", "text", "-o", "t.svg").status == 0)
        #expect(
            try String(contentsOf: program.folder.url.appendingPathComponent("t.svg"), encoding: .utf8).contains("█"))
        // Where nothing of a lane is left out, there is no mark for what is left out.
        let lanes = try program.run("timeline", "--app", "Larder").text.split(separator: "\n")
        #expect(!lanes.contains { $0.contains("   ⫽   ") })
    }

    @Test("The worst runs are those with errors, then those with warnings, not those with the most remarks")
    func worstRuns() throws {
        let program = try Program()
        let launched = ["00:00.0 didFinishLaunching", "00:00.1 applicationDidBecomeActive"]
        let terminated = [
            "08:00.0 applicationWillResignActive", "08:00.1 applicationDidEnterBackground",
            "08:01.0 applicationWillTerminate",
        ]
        // Inactive for longer than ten seconds, four times: remarks.
        let idle = (1...4).flatMap {
            ["0\($0):00.0 applicationWillResignActive", "0\($0):20.0 applicationDidBecomeActive"]
        }
        // Another launch while it is active: a warning. Into the background from there: an error.
        let logs = [
            "Slow": launched + idle + terminated, "Gone": launched + ["20:00.0 didFinishLaunching"],
            "Bad": launched + idle.prefix(2) + ["02:00.0 applicationDidEnterBackground"],
        ]
        for (app, lines) in logs {
            let pids = lines.enumerated().map { $0.offset > 0 && $0.element.hasSuffix("Launching") ? 42 : 41 }
            let text = zip(lines, pids).map { line, pid in
                "2026-05-04 07:\(line.prefix(7))00 \(app)[\(pid):1] -[AppDelegate \(line.dropFirst(8)):]\n"
            }
            try program.write(text.joined(), to: "\(app).log")
        }
        try program.run("ingest", "Slow.log", "Gone.log", "Bad.log")
        let timeline = try program.run("timeline", "--worst", "3").text
        let titles = timeline.split(separator: "\n").filter { $0.contains(" · 2026-05-04") }
        #expect(titles.map { $0.prefix { $0 != " " } } == ["Bad", "Gone", "Slow"], "\(timeline)")
        // A click on the change that ends a run finds it in the report.
        try program.run("report", "-o", "r.html")
        let page = try String(contentsOf: program.folder.url.appendingPathComponent("r.html"), encoding: .utf8)
        #expect(page.contains(#/id="run-\d+" data-path="[^"]*active&gt;not_running/#))
    }

    @Test("A censored visit is drawn for its known minimum duration")
    func cutVisits() throws {
        let program = try PictureTests.program("scenes")
        try program.run("timeline", "-o", "t.svg")
        let svg = try String(contentsOf: program.folder.url.appendingPathComponent("t.svg"), encoding: .utf8)
        #expect(PictureTests().texts(svg).contains("PlaceListViewController 0x108c40"))
        // On the screen from line 159 of the log on, when the app is swiped away in line 163.
        let lane = try #require(
            svg.components(separatedBy: "<g class=\"lane ").first { $0.contains("0x108c40\" data-run") })
        #expect(lane.contains("2026-05-13 10:31:26 – 10:31:59") && lane.contains("≥ 32.6\u{A0}s"))
        #expect(!PictureTests().texts(svg).contains { $0.hasSuffix("…") })
        #expect(try program.run("timeline").text.contains("  PlaceListViewController 0x108c40  "))
    }

    @Test("Findings call states by their titles")
    func titles() throws {
        let program = try PictureTests.program("deviations")
        let text = try program.run("timeline", "--worst", "1").text
        #expect(text.contains("in state Active; willResignActive is missing"), "\(text)")
        #expect(try program.run("show", "run:65537").text.contains("in state Active; willResignActive is missing"))
    }

    @Test("The end that a report of another log shows is marked, and the state is inferred until then")
    func attachedReport() throws {
        let program = try Program()
        let callbacks = [
            "00.100 Outbox[610:1] application:willFinishLaunchingWithOptions:",
            "01.102 Outbox[610:1] applicationDidBecomeActive:",
        ]
        let report = """
            {"app_name":"Outbox","timestamp":"2026-05-20 09:21:03.00 +0000","bug_type":"309"}
            {
              "pid" : 610,
              "procRole" : "Foreground",
              "procName" : "Outbox",
              "captureTime" : "2026-05-20 09:21:02.1000 +0000",
              "procLaunch" : "2026-05-20 09:00:00.0180 +0000",
              "termination" : {"code" : 11, "namespace" : "SIGNAL", "indicator" : "Segmentation fault: 11"}
            }

            """
        let next = "2026-05-20 10:00:00.000 Outbox[700:1] application:willFinishLaunchingWithOptions:\n"
        for later in ["", next] {
            let log = callbacks.map { "2026-05-20 09:00:\($0)\n" }.joined() + later
            try program.write(log, to: "logs/app.log")
            try program.write(report, to: "logs/Outbox.ips")
            try program.run("ingest", "logs", "--device", "iPhone", "--db", "\(later.count).db")
            let database = ["--db", "\(later.count).db"]
            let ids = try program.run(
                ["query", "select run_id from runs where pid = 610", "--format", "csv"] + database
            ).text
            let run = try #require(ids.split(separator: "\n").last)
            let show = try program.run(["show", "run:\(run)"] + database).text
            #expect(show.contains("lasted      21 min 2 s\n") && show.contains("inferred: Active"), "\(show)")
            let timeline = try program.run(["timeline", "--run", "\(run)"] + database).text
            #expect(timeline.contains("R-APP-17"), "\(timeline)")
            // Where the app was launched again, the picture has an edge for the end.
            let picture = try program.run(["diagram", "--format", "svg", "-o", "-"] + database).text
            #expect(picture.contains("R-APP-17") == !later.isEmpty)
        }
    }

    @Test("a run says what ended it, the last event of its log, and no length across a clock that was set back")
    func words() throws {
        let program = try Program()
        func shown(_ lines: [(time: String, text: String)], _ name: String) throws -> String {
            try program.write(lines.map { "\($0.time) \($0.text)\n" }.joined(), to: "app.log")
            #expect(try program.run("ingest", "app.log", "--db", name).status == 0)
            return try program.run("show", "run:65537", "--db", name).text
        }
        let clock = try shown(
            [
                ("2026-03-04 10:00:00.000", "Owl[300:1] application:didFinishLaunchingWithOptions:"),
                ("2026-03-04 10:00:00.500", "Owl[300:1] applicationDidBecomeActive:"),
                ("2026-03-04 09:40:01.000", "Owl[300:1] applicationWillResignActive:"),
                ("2026-03-04 09:46:01.300", "Owl[300:1] applicationWillTerminate:"),
            ], "clock.db")
        #expect(clock.contains("lasted      an unknown time: the clock was set back meanwhile"), "\(clock)")
        #expect(clock.contains("last event  applicationWillTerminate at 2026-03-04 09:46:01.300 UTC"), "\(clock)")
        let crash = try shown(
            [
                ("2026-03-04 09:00:00.300", "Owl[300:1] applicationDidBecomeActive:"),
                (
                    "2026-03-04 09:00:07.500",
                    "Owl[300:1] *** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 4'\n"
                        + "*** First throw call stack:\n(0x1a3c9e9a0 0x1a0c4e3d4)\n"
                        + "libc++abi: terminating due to uncaught exception of type NSException"
                ),
            ], "crash.db")
        #expect(crash.contains("ended       crashed, observed") && crash.contains("09:00:07.500 UTC, app.log:2\n"))
        #expect(!crash.contains("unknown time"), "the last line has no time of its own: \(crash)")
        let killed = try shown(
            [
                ("2026-03-04 09:00:00.000", "Ferry[812:1] application(_:didFinishLaunchingWithOptions:)"),
                ("2026-03-04 09:00:00.300", "Ferry[812:1] applicationDidBecomeActive(_:)"),
                (
                    "2026-03-04 09:30:00.000",
                    "runningboardd[33:1] [app<com.example.Ferry(A1B2)>:812] Terminating with context: <RBSTerminateContext| "
                        + "domain:10 code:0xDEADFA11 explanation:user swiped app away reportType:None>"
                ),
            ], "killed.db")
        #expect(killed.contains("ended       terminated, observed"), "\(killed)")
        #expect(
            killed.contains(
                "detail      0xdeadfa11 ended by the user in the app switcher: user swiped app away\n"),
            "\(killed)")
    }

    @Test("a run begins with its first line, in words as in the strip")
    func firstLine() throws {
        let program = try PictureTests.program("today")
        let run = try program.run("query", "SELECT run_id FROM runs WHERE pid = 812", "--format", "csv").text
        let shown = try program.run("show", "run:\(run.split(separator: "\n")[1])").text
        #expect(shown.contains("lasted      at least 28 s\n") && shown.contains("≥ 28\u{A0}s\n"), "\(shown)")
        // What the process writes before its launch is in no visit.
        let early = try Program()
        let lines = [
            ("00.000", "booting"), ("12.000", "application:didFinishLaunchingWithOptions:"),
            ("13.000", "applicationDidBecomeActive"), ("52.500", "applicationWillResignActive"),
        ]
        try early.write(lines.map { "2024-03-09 07:30:\($0) Tea[41:1] \($1)\n" }.joined(), to: "tea.log")
        let text = try early.run("show", "run:65537", "--from", "tea.log").text
        #expect(
            text.contains("began       2024-03-09 07:30:12.000 UTC, 12 s after the first line of the process\n")
                && text.contains("lasted      at least 40.5 s\n") && text.contains("2024-03-09 07:30:12 – "), "\(text)")
    }

    @Test("a log without years may cross New Year")
    func newYear() throws {
        let program = try Program()
        let lines = [
            ("Dec 31 23:59:50", "didFinishLaunchingWithOptions"), ("Dec 31 23:59:51", "applicationDidBecomeActive"),
            ("Jan  1 00:00:11", "applicationWillResignActive"), ("Jan  1 00:00:12", "applicationDidEnterBackground"),
        ]
        try program.write(lines.map { "\($0) iPhone Fest[612] <Notice>: \($1)\n" }.joined(), to: "app.log")
        let text = try program.run("timeline", "app.log").text
        #expect(text.contains("12-31 23:59:50 – 01-01 00:00:12"), "\(text)")
        #expect(!text.contains("unknown") && !text.contains("1973"), "\(text)")
    }
}
