import Testing

/// What an ingest says of lines that two logs share, and of windows that no line names.
@Suite("Notices about logs")
struct NoticeTests {
    private static let monday = lines(
        "Tour[500:1]",
        [
            ("08:00:00.000", "applicationDidBecomeActive"), ("08:00:10.000", "applicationWillResignActive"),
            ("08:00:10.500", "applicationDidEnterBackground"), ("08:00:40.000", "applicationWillEnterForeground"),
            ("08:00:40.500", "applicationDidBecomeActive"), ("08:00:50.500", "applicationWillResignActive"),
        ])
    private static let tuesday = lines(
        "Tour[500:1]",
        [("08:00:51.500", "applicationDidEnterBackground"), ("08:10:40.000", "applicationWillEnterForeground")])

    private static func lines(_ speaker: String, _ callbacks: [(time: String, name: String)]) -> [String] {
        callbacks.map { "2026-03-02 \($0.time) \(speaker) \($0.name)\n" }
    }

    private func noticed(_ files: [String: [String]], _ options: String...) throws -> String {
        let program = try Program()
        for (name, lines) in files { try program.write(lines.joined(), to: "logs/\(name)") }
        let said = try program.run(["ingest", "logs"] + options).errors
        #expect(said.contains("Read \(files.count) file"), "\(said)")
        return said.split(separator: "\n").filter { $0.contains("count twice") || $0.contains("counts twice") }
            .joined(separator: "\n")
    }

    @Test("exports that overlap are named, with the first line of the second one, and what to do")
    func overlap() throws {
        let whole = Self.monday + Self.tuesday
        let way = "join the two files in order, where repeated lines count once, or leave one out"
        for rest in [1, 3] {
            let said = try noticed(["mon.log": Self.monday, "tue.log": Array(whole[rest...])])
            #expect(said == "  logs/tue.log:1: logs/mon.log has the same lines of Tour[500], which count twice; \(way)")
        }
        let untold = whole.map { $0.replacing(" Tour[500:1]", with: "") }
        let said = try noticed(["mon.log": Array(untold[..<6]), "tue.log": Array(untold[2...])])
        #expect(said.hasPrefix("  logs/tue.log:1: logs/mon.log has the same lines of an app, which count twice"))
        let again = whole + Self.lines("Tour[501:1]", [("08:20:00.000", "application:didFinishLaunchingWithOptions:")])
        #expect(
            try noticed(["mon.log": again, "tue.log": Array(again[1...])]).contains(
                "of Tour[500] and of 1 further run, which"))
    }

    @Test("what is joined counts once, and logs that only seem alike are not taken for one")
    func alike() throws {
        let whole = Self.monday + Self.tuesday
        #expect(try noticed(["app.log": Self.monday + whole[2...]]) == "")
        #expect(try noticed(["app.log.1": Self.monday, "app.log": Array(whole[2...])]) == "")
        #expect(try noticed(["mon.log": Self.monday, "tue.log": Self.tuesday]) == "", "one after the other")
        let other = Self.lines(
            "Tour[500:1]",
            [("08:00:01.000", "applicationDidBecomeActive"), ("08:00:31.000", "applicationWillResignActive")])
        #expect(
            try noticed(["mon.log": Self.monday, "tue.log": other]) == "", "another device may have this id as well")
        #expect(
            try noticed(["mon.log": Self.monday, "tue.log": other], "--device", "Pad").hasPrefix(
                "  logs/tue.log:1: logs/mon.log shows Tour[500] at the same time, which counts twice"))
        let next = Self.lines(
            "Tour[500:1]", [("08:00:50.000", "viewDidLoad"), ("08:00:51.500", "applicationDidEnterBackground")])
        #expect(try noticed(["mon.log": Self.monday, "tue.log": next], "--device", "Pad") == "", "half a second")
        let elsewhere = Self.monday.map { $0.replacing("Tour", with: "Mail") }
        #expect(try noticed(["mon.log": Self.monday, "tue.log": elsewhere]) == "")
    }

    @Test("the time of the logs is that of the dated ones, as in the report")
    func span() throws {
        let program = try Program()
        let undated = Self.monday.map { $0.replacing("2026-03-02 ", with: "") }
        try program.write(undated.joined(), to: "undated.log")
        let alone = try program.run("ingest", "undated.log").errors
        #expect(alone.contains("time       1970-01-01 08:00:00 to 1970-01-01 08:00:50 UTC"), "\(alone)")
        try program.write(Self.monday.joined(), to: "dated.log")
        let both = try program.run("ingest", "undated.log", "dated.log", "--db", "both.db").errors
        #expect(both.contains("time       2026-03-02 08:00:00 to 2026-03-02 08:00:50 UTC"), "\(both)")
    }

    @Test("a system's log about the processes of an app's log is named, unless a device is")
    func oneDevice() throws {
        let life = Self.monday + Self.monday.map { $0.replacing(" 08:", with: " 09:").replacing("500", with: "501") }
        let system = [("08", 500), ("09", 501)].flatMap { hour, pid in
            Self.lines(
                "runningboardd[33:1]",
                [
                    ("\(hour):00:00.000", "Now tracking process: [app<com.example.tour(0F)>:\(pid)]"),
                    ("\(hour):00:30.000", "[app<com.example.tour(0F)>:\(pid)] Suspending task."),
                ])
        }
        let said = try noticed(["app.log": life, "system.log": system])
        #expect(
            said
                == "  logs/system.log: 2 processes have the ids of runs in logs/app.log at the same time and count twice; if "
                + "both logs are of one device, say so when you ingest them: `lifestats ingest … --device NAME`")
        #expect(try noticed(["app.log": life, "system.log": system], "--device", "Phone") == "")
        #expect(
            try noticed(["app.log": life, "system.log": Array(system[..<2])]) == "", "one may have the id by chance")
    }

    @Test("a crash report that no run can be joined to is named, with what keeps them apart")
    func unmatched() throws {
        let report = [
            #"{"app_name":"Tour","timestamp":"2026-03-02 08:00:51.00 +0100","app_version":"2","bug_type":"309"}"#, "{",
            #"  "captureTime" : "2026-03-02 08:00:51.0000 +0100","#, #"  "pid" : 500,"#,
            #"  "procLaunch" : "2026-03-02 07:59:59.0000 +0100","#, #"  "procName" : "Tour""#, "}",
        ].map { $0 + "\n" }
        func said(_ log: [String], _ options: String...) throws -> String? {
            let program = try Program()
            try program.write(log.joined(), to: "app.log")
            try program.write(report.joined(), to: "Tour.ips")
            let lines = try program.run(["ingest", "."] + options).errors.split(separator: "\n")
            return lines.first { $0.contains("separately") }.map(String.init)
        }
        #expect(
            try said(Self.monday)
                == "  ./Tour.ips: 1 report counts separately from the runs in ./app.log, because none there was launched at the "
                + "same time; the times there have no zone and were read as UTC: give theirs (--timezone)")
        #expect(try said(Self.monday, "--timezone", "Europe/Zurich") == nil)
        let nameless = Self.monday.map { $0.replacing(" Tour[500:1] ", with: "+0100 ") }
        #expect(
            try said(nameless)
                == "  ./Tour.ips: 1 report counts separately from the runs in ./app.log, because that log has no process ids; "
                + "one that has them shows which run is meant")
    }

    @Test("lines that do not name their window are counted where several are open, also in the report")
    func windows() throws {
        let life = ["scene(_:willConnectTo:options:)", "sceneWillEnterForeground", "sceneDidBecomeActive"]
        let names = ["application(_:didFinishLaunchingWithOptions:)"] + life + life + ["sceneWillResignActive"]
        let lines = names.enumerated().map { "2026-03-02 08:0\($0.offset):00.000 Tour[500:1] \($0.element)\n" }
        let program = try Program()
        let sentence = "several windows are open, and 4 lines from here on do not name theirs"
        try program.write(lines.joined(), to: "two.log")
        let said = try program.run("report", "two.log", "-o", "two.html").errors
        #expect(said.contains("  two.log:5: \(sentence)"), "\(said)")
        #expect(try program.shell("cat two.html").text.contains(sentence))
        try program.write(lines[..<4].joined(), to: "one.log")
        try program.write(
            lines.enumerated().map { $1.replacing("\n", with: " session: \($0 / 4)\n") }.joined(), to: "named.log")
        // The first window is gone when the next one connects.
        let leave = ["sceneWillResignActive", "sceneDidEnterBackground", "sceneDidDisconnect"]
        let announced = ["application(_:configurationForConnecting:options:)"] + life
        let later = (announced + leave + announced + ["application(_:didDiscardSceneSessions:)"]).enumerated()
        try program.write(
            later.map { "2026-03-02 08:\($0.offset + 10):00.000 Tour[500:1] \($0.element)\n" }.joined(), to: "later.log"
        )
        for name in ["one.log", "named.log", "later.log"] {
            #expect(try !program.run("query", "dwell_times", "--from", name).errors.contains("windows"))
        }
    }

    @Test("a database among the logs is named as one, unless it is the one that is written")
    func databases() throws {
        let program = try Program()
        try program.write(Self.monday.joined(), to: "app.log")
        #expect(try program.run("ingest", ".", "--db", "other.db").status == 0)
        #expect(try program.run("ingest", ".").errors.contains("  ./other.db: is a database, not a log\n"))
        #expect(try !program.run("ingest", ".").errors.contains("lifestats.db: is"))
    }

    @Test("a log of scenes says that the states of the app are inferred, unless it has a launch or one scene")
    func scenesOnly() throws {
        let program = try Program()
        func phases(_ name: String) -> String {
            ["active", "inactive", "background", "active"].enumerated().map {
                "2026-03-01 08:00:1\($0).000 Tour[500:1] scenePhase: \($1)\(name)\n"
            }.joined()
        }
        try program.write(phases(" session=A1"), to: "app.log")
        let notice = "the states of the app are inferred from its scenes; `diagram --layer scene` shows those"
        #expect(try program.run("ingest", "app.log").errors.contains(notice))
        #expect(try program.run("query", "dwell_times", "--from", "app.log").errors.contains(notice))
        let launch = "2026-03-01 08:00:00.000 Tour[500:1] didFinishLaunchingWithOptions\n"
        try program.write(launch + phases(" session=A1"), to: "whole.log")
        try program.write(phases(""), to: "unnamed.log")
        for name in ["whole.log", "unnamed.log"] {
            #expect(try !program.run("query", "dwell_times", "--from", name).errors.contains(notice))
        }
    }

    @Test("words for a state that the scenes of an app never show are named, with the way on")
    func overruledWords() throws {
        let program = try Program()
        let words = "2026-03-02 08:10:00.000 Tour[500:1] App entered background\n"
        try program.write(words, to: "app.log")
        let scenes = Self.lines(
            "Tour[500:1]",
            [("08:00:00.000", "scene(_:willConnectTo:options:)"), ("08:00:00.500", "sceneDidBecomeActive(_:)")])
        try program.write(scenes.joined() + words, to: "scenes.log")
        let said = try program.run("ingest", "scenes.log", "--db", "scenes.db").errors
        #expect(said.contains("scenes.log:3: words say that the app is background, and do not count"), "\(said)")
        #expect(said.contains("--aliases"))
        #expect(try !program.run("ingest", "app.log").errors.contains("words say"))
    }

    @Test("where no line shows the background, those that come nearest are named, and none where one does")
    func nearLines() throws {
        let program = try Program()
        let scenes = Self.lines(
            "Tour[500:1]",
            [
                ("08:00:00.000", "scene(_:willConnectTo:options:)"), ("08:00:00.100", "sceneWillEnterForeground(_:)"),
                ("08:00:00.500", "sceneDidBecomeActive(_:)"), ("08:00:05.000", "background fetch of 3 images"),
                ("08:00:10.000", "App goes to bg"), ("08:00:30.100", "sceneWillEnterForeground(_:)"),
                ("08:00:30.500", "sceneDidBecomeActive(_:)"),
            ])
        try program.write(scenes.joined(), to: "scenes.log")
        let said = try program.run("ingest", "scenes.log").errors
        #expect(
            said.contains(
                """
                No line shows the app in state background; nearest to it (--aliases adds your words)
                  scenes.log:5  App goes to bg
                """) && !said.contains("images"), "\(said)")
        #expect(try program.run("check", "scenes.log").errors.contains("scenes.log:5  App goes to bg"))
        try program.write("sceneDidEnterBackground: [App goes to bg]\n", to: "words.yaml")
        #expect(
            try !program.run("check", "scenes.log", "--aliases", "words.yaml").errors.contains("nearest to it"))
        // Neither without such words, nor of an app that says it in its callbacks.
        let plain = Self.monday.filter { !$0.contains("Background") && !$0.contains("Foreground") }
        try program.write(plain.joined(), to: "plain.log")
        #expect(try !program.run("check", "plain.log").errors.contains("nearest to it"))
        try program.write((Self.monday + [scenes[4]]).joined(), to: "whole.log")
        #expect(try !program.run("check", "whole.log").errors.contains("nearest to it"))
    }

    @Test("where the app's words are hidden, a notice says so instead of asking for words")
    func hiddenWords() throws {
        let program = try Program()
        let lines = ["phase: <private>", "request <private> sent", "scenePhase changed to <private>"].enumerated().map {
            "2026-05-12 09:00:0\($0).102 Df Bakery[4121:15836] [com.example.bakery:lifecycle] \($1)\n"
        }
        try program.write(lines.joined(), to: "app.log")
        let said = try program.run("check", "app.log").errors
        #expect(
            said.contains(
                "2 lines hide what the app says as <private>, first app.log:1: log it with privacy: .public"),
            "\(said)")
        #expect(!said.contains("--aliases"))
    }

    @Test("a time zone that the format overrides is named")
    func overriddenZone() throws {
        let program = try Program()
        try program.write("2024/03/09 07:30:00:410  viewDidAppear(_:)\n", to: "lumber.log")
        let zone = ["--timezone", "Europe/Zurich", "--db", "zone.db"]
        let errors = try program.run(["ingest", "lumber.log"] + zone).errors
        #expect(
            errors.contains("read as UTC, as their layout states, and not as in --timezone Europe/Zurich"), "\(errors)")
        #expect(!(try program.run("ingest", "lumber.log").errors).contains("--timezone"))
    }

    @Test("JSON with keys of an app's own is named, and the layout of docs/formats.md reads it")
    func unknownKeys() throws {
        let program = try Program()
        let lines = [("00", "opened"), ("09", "applicationDidEnterBackground")].map {
            "{\"when\":\"2026-05-20T09:00:\($0)Z\",\"what\":\"\($1)\"}\n"
        }
        try program.write(lines.joined(), to: "app.jsonl")
        let errors = try program.run("ingest", "app.jsonl", "--db", "plain.db").errors
        #expect(errors.contains("JSON with keys that no layout knows (when, what)"), "\(errors)")
        // Most lines of a jetsam report say nothing of the app.
        let header = #"{"bug_type":"298","timestamp":"2026-03-02 08:00:51.00 +0100","incident_id":"B0"}"#
        try program.write(
            "\(header)\n{\n  \"kernel\" : \"Darwin\",\n  \"product\" : \"iPhone12,1\",\n", to: "jetsam.ips")
        #expect(!(try program.run("ingest", "jetsam.ips", "--db", "jetsam.db").errors.contains("no layout")))
        let guide = try String(
            contentsOf: Program.project.appendingPathComponent("docs/formats.md"), encoding: .utf8)
        let layout = try #require(guide.firstMatch(of: /name: kettle-json\n[^`]*/)).output
        try program.write("\(layout)\n", to: "kettle.yaml")
        let read = try program.run("ingest", "app.jsonl", "--formats", "kettle.yaml").errors
        #expect(
            read.contains("2026-05-20 09:00:00 to 2026-05-20 09:00:09 UTC") && !read.contains("no layout"), "\(read)")
    }
}
