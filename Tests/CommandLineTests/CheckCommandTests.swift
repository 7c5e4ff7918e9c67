import Foundation
import Testing

/// What a build server sees of `check`: exit codes, accepted findings, locations.
@Suite("Check")
struct CheckCommandTests {
    /// Line 3 goes from active straight into the background (errors), although the app logs that it resigns; line
    /// 5 leaves the app inactive for 15 s (info).
    private static let log = """
        2026-03-01 08:00:00.000 Tour[500:1] didFinishLaunchingWithOptions
        2026-03-01 08:00:00.400 Tour[500:1] applicationDidBecomeActive
        2026-03-01 08:00:09.400 Tour[500:1] applicationDidEnterBackground
        2026-03-01 08:01:00.000 Tour[500:1] applicationWillEnterForeground
        2026-03-01 08:01:15.000 Tour[500:1] applicationDidBecomeActive
        2026-03-01 08:01:20.000 Tour[500:1] applicationWillResignActive
        2026-03-01 08:01:20.500 Tour[500:1] applicationDidBecomeActive

        """

    private static let clean = """
        2026-03-01 08:00:00.000 Tour[500:1] didFinishLaunchingWithOptions
        2026-03-01 08:00:00.400 Tour[500:1] applicationDidBecomeActive

        """

    private func program(_ text: String = Self.log) throws -> Program {
        let program = try Program()
        try program.write(text, to: "app.log")
        return program
    }

    @Test("exit code 1 for a finding at or above --fail-on, 2 when nothing could be checked")
    func exitCodes() throws {
        let program = try program()
        #expect(try program.run("check", "app.log", "--db", "lifestats.db").status == 1)
        for (limit, status) in [("error", 1), ("warning", 1), ("info", 1), ("never", 0)] {
            #expect(try program.run("check", "--fail-on", limit).status == Int32(status), "\(limit)")
        }
        #expect(try program.run("check", "none.log", "--db", "none.db").status == 2)
        #expect(try program.run("check", "--db", "none.db").status == 2)
        try program.write(Self.clean, to: "clean.log")
        #expect(try program.run("check", "clean.log", "--fail-on", "info", "--db", "clean.db").status == 0)
        // A remark alone (15 s inactive) fails only with --fail-on info.
        try program.write(
            Self.clean + "2026-03-01 08:00:09.000 Tour[500:1] applicationWillResignActive\n"
                + "2026-03-01 08:00:24.000 Tour[500:1] applicationDidBecomeActive\n", to: "idle.log")
        for (limit, status) in [("error", 0), ("warning", 0), ("info", 1)] {
            let check = try program.run("check", "idle.log", "--fail-on", limit, "--db", "idle.db")
            #expect(check.status == Int32(status), "\(limit): \(check.text)")
        }
    }

    @Test("texts for people call states by their titles, and data by their ids")
    func titles() throws {
        let program = try PictureTests.program("deviations")
        for format in ["text", "markdown"] {
            let text = try program.run("check", "--format", format).text
            #expect(text.contains("in state Active leads to Not running") && !text.contains("not_running"), "\(text)")
        }
        let json = try program.run("check", "--format", "json").text
        #expect(json.contains("in state active leads to not_running"), "\(json)")
    }

    @Test("the verdict says what was not checked: logs in which nothing was recognised, and what could not be read")
    func gaps() throws {
        let program = try Program()
        try program.write(Self.clean, to: "logs/clean.log")
        try program.write("2026-03-01 08:00:00.000 Boat[7:1] request 1 finished\n", to: "logs/quiet.log")
        // A rotation without an event is a part of a log that has some.
        try program.write("2026-02-28 08:00:00.000 Tour[500:1] request 1 finished\n", to: "logs/clean.log.1")
        try FileManager.default.createSymbolicLink(
            atPath: program.folder.url.appendingPathComponent("logs/gone.log").path, withDestinationPath: "/dev/null")
        let check = try program.run("check", "logs")
        #expect(check.status == 0)
        let gaps = "1 file that could not be read, logs/gone.log; 1 log without a lifecycle event, logs/quiet.log"
        #expect(check.text == "Passed at --fail-on error: no findings in 1 run (2 events); not checked: \(gaps)\n")
        #expect(try program.run("check", "logs", "--format", "github").text.contains("not checked: \(gaps)"))
        // What is asked about one app says nothing of other logs.
        #expect(try !program.run("check", "logs", "--app", "Tour").text.contains("not checked"))
        #expect(try !program.run("check", "logs/clean.log").text.contains("not checked"))
    }

    /// Version 1 has the app delegate, version 2 scenes, whose delegate lacks the method for resigning active.
    @Test("--migration lists what replaces the callbacks of the app delegate, and finds the one that nothing does")
    func migration() throws {
        let program = try Program()
        for (build, version) in [("1", "1.0"), ("2", "2.0")] {
            let log = Program.project.appendingPathComponent("samples/today/larder-\(build).log").path
            try program.run("ingest", log, "--db", "\(build).db", "--app-version", version)
            try program.run("ingest", log, "--db", "both.db", "--app-version", version)
        }
        let table = [
            "didFinishLaunchingWithOptions,1,–,1,kept", "applicationDidBecomeActive,2,sceneDidBecomeActive,2,replaced",
            "applicationWillResignActive,2,sceneWillResignActive,0,missing",
            "applicationDidEnterBackground,2,sceneDidEnterBackground,1,replaced",
            "applicationWillEnterForeground,1,sceneWillEnterForeground,2,replaced",
        ]
        for arguments in [["1.db", "2.db"], ["1.0", "2.0", "--db", "both.db"]] {
            let outcome = try program.run(["check", "--migration"] + arguments + ["--format", "markdown"])
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("Nothing replaces applicationWillResignActive."))
            let rows = outcome.text.split(whereSeparator: \.isNewline).dropFirst(2).map { line in
                line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().prefix(5)
                    .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: ",")
            }
            #expect(rows == table)
        }
        #expect(try program.run("check", "--migration", "1.db", "1.db", "--fail-on", "never").status == 0)
        let missing = try program.run("check", "--migration", "1.db")
        #expect(missing.status == 64 && missing.errors.contains("Usage: lifestats check"), "\(missing.errors)")
        let unknown = try program.run("check", "--migration", "1.1", "2.0", "--db", "both.db")
        #expect(unknown.status == 2 && unknown.errors.contains("did you mean 1.0?"), "\(unknown.errors)")
        // A file with the name of a version.
        try program.write("", to: "2.0")
        let both = try program.run("check", "--migration", "1.0", "2.0", "--db", "both.db")
        #expect(both.status == 2 && both.errors.contains("write ./2.0 for the file, or app_version=2.0"))
        #expect(try program.run("check", "--migration", "1.0", "app_version=2.0", "--db", "both.db").status == 1)
    }

    @Test("--migration calls nothing missing whose situation did not occur in the newer build")
    func migrationWithoutOccasion() throws {
        let program = try Program()
        let samples = Program.project.appendingPathComponent("samples/today")
        try program.run("ingest", samples.appendingPathComponent("larder-1.log").path, "--db", "old.db")
        let new = try String(contentsOf: samples.appendingPathComponent("larder-2.log"), encoding: .utf8)
            .split(separator: "\n")
        func outcomes(_ lines: [Substring], _ name: String) throws -> (status: Int32, outcomes: String, errors: String)
        {
            try program.write(lines.map { $0 + "\n" }.joined(), to: "\(name).log")
            try program.run("ingest", "\(name).log", "--db", "\(name).db")
            let outcome = try program.run("check", "--migration", "old.db", "\(name).db", "--format", "markdown")
            let cells = outcome.text.split(separator: "\n").dropFirst(2).map {
                $0.split(separator: "|")[4].trimmingCharacters(in: .whitespaces)
            }
            return (outcome.status, cells.joined(separator: ", "), outcome.errors)
        }
        // The app is launched and stays in use: it never resigns, and never goes to the background.
        let launched = try outcomes(Array(new.prefix(4)), "launched")
        #expect(launched.status == 0, "\(launched.errors)")
        #expect(launched.outcomes == "kept, replaced, not seen, not seen, replaced")
        // The scene goes to the background, so it must have resigned, and did enter the background.
        let left = try outcomes(Array(new.prefix(5)), "left")
        #expect(left.status == 1 && left.outcomes == "kept, replaced, missing, replaced, replaced")
        // What follows shows what was not logged: a return that there was a leave, a second leave that there was a return.
        let lines = Array(new)
        let later = [
            "2026-10-20 08:31:00.000 Larder[520:2610] sceneWillResignActive: session: 1F-22",
            "2026-10-20 08:31:00.500 Larder[520:2610] sceneDidEnterBackground: session: 1F-22",
        ].map { Substring($0) }
        func without(_ name: String) throws -> String {
            let kept = (lines + later).filter { !$0.contains(name) }
            return try outcomes(kept, name).outcomes
        }
        #expect(try without("sceneDidEnterBackground") == "kept, replaced, replaced, missing, replaced")
        #expect(try without("sceneDidBecomeActive") == "kept, missing, replaced, replaced, replaced")
        #expect(try without("sceneWillEnterForeground") == "kept, replaced, replaced, replaced, missing")
        // Only the system shows that the app was on the screen.
        let seen = ["Foreground", "Background", "Foreground"].enumerated().map { hour, word in
            Substring(
                "2026-10-20 1\(hour):00:00.000 SpringBoard[61:1] [app<org.example.Larder(AA-01)>:520] "
                    + "Setting process visibility to: \(word)")
        }
        let unlogged = try outcomes([lines[0]] + seen, "unlogged")
        #expect(unlogged.outcomes == "kept, missing, missing, missing, missing", "\(unlogged.errors)")
        // A launch that came no farther than the screen lost nothing yet.
        #expect(try outcomes([lines[0]] + seen.prefix(1), "refused").outcomes.contains("missing") == false)
        // What the system says of other apps shows nothing.
        let launch = Array(lines.prefix(4))
        let others = seen.map {
            Substring($0.replacing("org.example.Larder(AA-01)>:520", with: "org.tea.Kettle(BB-02)>:77"))
        }
        #expect(try outcomes(launch + others, "others").outcomes == launched.outcomes)
        // SwiftUI's phases tell of every change.
        let phases = ["active", "inactive", "background", "inactive", "active"].enumerated().map { minute, word in
            Substring("2026-10-20 08:0\(minute):00.000 Larder[520:2610] scenePhase changed to \(word)")
        }
        #expect(try outcomes([lines[0]] + phases, "phases").outcomes == "kept, replaced, replaced, replaced, replaced")
        // The delegate of the scene logs nothing at all.
        let silent = try outcomes(Array(new.prefix(1)), "silent")
        #expect(silent.status == 1 && silent.errors.contains("shows no transition of the app"), "\(silent.outcomes)")
    }

    @Test("--migration tells URLs, user activities and quick actions of scenes from those of the app delegate")
    func migrationOfURLs() throws {
        let program = try Program()
        func log(_ texts: [String], _ name: String) throws {
            let lines = texts.enumerated().map { second, text in
                "2026-10-20 08:00:0\(second).000 \(text.contains("FBSystemService") ? "SpringBoard[61:1]" : "Larder[520:2610]") \(text)\n"
            }
            try program.write(lines.joined(), to: "\(name).log")
            try program.run("ingest", "\(name).log", "--db", "\(name).db")
        }
        try log(
            [
                "application(_:didFinishLaunchingWithOptions:)", "applicationDidBecomeActive:",
                "application(_:open:options:) larder://jam", "application(_:continue:restorationHandler:)",
                "application(_:performActionFor:completionHandler:)",
            ], "old")
        let launch = [
            "application(_:didFinishLaunchingWithOptions:)", "scene(_:willConnectTo:options:)", "sceneDidBecomeActive:",
        ]
        try log(
            launch + [
                "scene(_:openURLContexts:) larder://jam", "scene(_:continue:)",
                "windowScene(_:performActionFor:completionHandler:)",
            ], "moved")
        try log(launch, "silent")
        // The URL that an app is launched with is in the options of the connection.
        try log(
            [
                "[FBSystemService][0x1f2a] Received request to open \"org.example.Larder\" with url \"larder:<private>\" from lsd:91."
            ]
                + launch, "cold")
        try log(
            launch + [
                "[FBSystemService][0x1f2a] Received request to open \"org.example.Larder\" with url \"larder:<private>\" from lsd:91."
            ],
            "deaf")
        for (name, outcomes) in [
            ("moved", "replaced, replaced, replaced"), ("silent", "not seen, not seen, not seen"),
            ("cold", "not seen, not seen, not seen"),
            ("deaf", "missing, not seen, not seen"),
        ] {
            let table = try program.run("check", "--migration", "old.db", "\(name).db", "--format", "markdown").text
            let rows = table.split(separator: "\n").dropFirst(4).map {
                $0.split(separator: "|")[4].trimmingCharacters(in: .whitespaces)
            }
            #expect(rows.joined(separator: ", ") == outcomes, "\(name): \(table)")
        }
    }

    @Test("--os-version says of which system the logs are that are checked in one step")
    func systemOfLogs() throws {
        let program = try Program()
        let log = Program.project.appendingPathComponent("samples/today/larder-1.log").path
        let unknown = try program.run("check", log)
        #expect(unknown.status == 0 && unknown.text.contains("R-MIG-01"))
        #expect(try program.run("check", log, "--os-version", "27.0").status == 1)
        #expect(try program.run("check", log, "--os-version", "26.4").status == 0)
        #expect(try program.run("check", log, "--os-version", "seven").status == 2)
        let explained = try program.run("check", "--explain", "R-MIG-01").text
        #expect(explained.contains(/severity +warning, error from iOS 27 on/), "\(explained)")
    }

    @Test("a baseline accepts what it lists and nothing else, ignoring numbers in messages")
    func baseline() throws {
        let program = try program()
        let written = try program.run("check", "app.log", "--db", "lifestats.db", "--write-baseline", "known.txt")
        #expect(written.status == 0, "\(written.errors)")
        let again = try program.run("check", "--baseline", "known.txt", "--fail-on", "info")
        #expect(again.status == 0)
        #expect(again.text.contains("accepted by the baseline"))
        try program.write(Self.log.replacing("08:01:15.000", with: "08:01:17.000"), to: "later.log")
        let later = try program.run(
            "check", "later.log", "--db", "later.db", "--baseline", "known.txt", "--fail-on", "info")
        #expect(later.status == 0, "\(later.text)")
        try program.write(
            Self.log + "2026-03-01 08:02:00.000 Tour[500:1] applicationDidBecomeActive\n", to: "more.log")
        let more = try program.run("check", "more.log", "--db", "more.db", "--baseline", "known.txt")
        #expect(more.status == 1)
        #expect(more.text.contains("more.log:8") && !more.text.contains("more.log:3"), "\(more.text)")
        // Another occurrence of the same deviation is new.
        try program.write(
            Self.log + Self.log.replacing("08:0", with: "09:0").replacing("[500:1]", with: "[501:1]"), to: "twice.log")
        let twice = try program.run("check", "twice.log", "--db", "twice.db", "--baseline", "known.txt")
        #expect(twice.status == 1, "\(twice.text)")
        try program.write("what is this\n", to: "garbage.txt")
        let garbage = try program.run("check", "--baseline", "garbage.txt")
        #expect(garbage.status == 2 && garbage.errors.contains("line 1 of the baseline"), "\(garbage.errors)")
    }

    @Test("a filter that no run matches is an error, and the totals are those of the filter")
    func filters() throws {
        let program = try program(
            Self.clean + Self.clean.replacing("Tour[500", with: "Cafe[501").replacing("08:0", with: "09:0"))
        try program.run("ingest", "app.log")
        let one = try program.run("check", "--app", "Cafe")
        #expect(one.status == 0 && one.text.contains("in 1 run"), "\(one.text)")
        for (filter, why) in [
            (["--app", "Nope"], "no such app"), (["--run", "99"], "no such run"),
            (["--since", "2031-01-01"], "no run of lifestats.db matches since 2031-01-01"),
        ] {
            let none = try program.run(["check"] + filter)
            #expect(none.status == 2 && none.errors.contains(why), "\(filter) \(none.text)\(none.errors)")
        }
    }

    @Test("every format has the file and line of a deviation")
    func places() throws {
        let program = try program()
        for (format, place) in [
            ("text", "app.log:3"), ("github", "::error file=app.log,line=3,"), ("markdown", "app.log:3"),
            ("junit", "app.log:3"), ("sarif", "\"startLine\": 3"), ("json", "\"line\": 3"),
        ] {
            let check = try program.run("check", "app.log", "--db", "lifestats.db", "--format", format)
            #expect(check.status == 1)
            #expect(check.text.contains(place), "\(format): \(check.text)")
            // People read the titles of states, programs their ids.
            let state = ["sarif", "json"].contains(format) ? "active" : "Active"
            #expect(check.text.contains("came in state \(state)"), "\(format): \(check.text)")
        }
    }

    @Test("a finding is shown with the lines around it, and its rule with its sources")
    func showAndExplain() throws {
        let program = try program()
        try program.run("ingest", "app.log")
        let id = try program.run(
            "query", "select finding_id from findings where rule = 'R-APP-15'", "--format", "csv"
        ).text.split(whereSeparator: \.isNewline).last
        let finding = try #require(id)
        let shown = try program.run("show", "finding:\(finding)", "--context", "1").text
        #expect(shown.contains("with applicationWillResignActive before this line"))
        let lines = shown.split(whereSeparator: \.isNewline).filter { $0.contains("Tour[") }
        #expect(lines.map { $0.first { !$0.isWhitespace } } == ["2", ">", "4"], "\(shown)")
        #expect(lines[1].contains("applicationDidEnterBackground") && !shown.contains("(the file ends here)"))
        let end = try program.run("show", "finding:\(finding)", "--context", "40").text
        #expect(end.contains(/Tour\[[^\n]*\n *\(the file ends here\)\n/), "\(end)")
        let explained = try program.run("check", "--explain", "R-APP-15")
        #expect(explained.status == 0)
        let apple = explained.text.firstRange(
            of: "Apple: Managing your app's life cycle, developer.apple.com/documentation/")
        let other = explained.text.firstRange(of: " in Chinese")
        #expect(try #require(apple).lowerBound < #require(other).lowerBound)
        #expect(try program.run("check", "--explain", "R-NONE").status == 2)
    }

    @Test("lines are shown only if the file, or a rotation of it, still has the ingested content")
    func shownLines() throws {
        let program = try program()
        try program.run("ingest", "app.log")
        let event = try program.run("query", "select event_id from events where line = 3", "--format", "csv").figure
        func shown() throws -> String { try program.run("show", "event:\(event)", "--context", "1").text }
        let line = try #require(Self.log.split(whereSeparator: \.isNewline).dropFirst(2).first)
        #expect(try shown().contains("app.log:3\n  2  ") && shown().contains("> 3  \(line)\n  4  "))
        // Appended lines do not matter.
        try program.write(Self.log + "2026-03-01 08:09:00.000 Tour[500:1] nothing\n", to: "app.log")
        #expect(try shown().contains("> 3  \(line)"))
        try program.write(Self.log, to: "app.log.1")
        try program.write(Self.clean.replacing("Tour", with: "Cafe"), to: "app.log")
        #expect(try shown().contains("app.log:3, now in app.log.1\n") && shown().contains("> 3  \(line)"))
        try FileManager.default.removeItem(at: program.folder.url.appendingPathComponent("app.log.1"))
        #expect(try shown().contains("app.log:3 is not shown: the file no longer has the content that was ingested"))
        #expect(try !shown().contains("Cafe"))
        try FileManager.default.removeItem(at: program.folder.url.appendingPathComponent("app.log"))
        #expect(try shown().contains("app.log:3 can no longer be read"))
    }

    @Test("every class of deviations and every finding of the replay is explained", arguments: Fault.allCases)
    func explained(_ fault: Fault) throws {
        let explained = try Program().run("check", "--explain", fault.rawValue)
        #expect(explained.status == 0 && explained.text.hasPrefix("\(fault.rawValue)\n  "), "\(explained.errors)")
    }

    @Test("a log that is cut short is checked, and the verdict says so, also of the database")
    func cutShort() throws {
        let program = try Program()
        let noise = (0..<400).map { "2026-03-01 08:09:00.000 Tour[500:1] tile \($0 &* 2_654_435_761 % 99_991)\n" }
        try program.write(Self.clean + noise.joined(), to: "whole.log")
        try program.shell("gzip -c whole.log | head -c 900 > app.log.gz").expectSuccess()
        let left = "not checked: 1 file not read to the end, app.log.gz"
        let check = try program.run("check", "app.log.gz")
        #expect(check.status == 2 && check.text.contains("Passed at") && check.text.contains(left), "\(check.text)")
        #expect(check.errors.contains("the answer is about a part of the logs: app.log.gz is damaged"))
        #expect(try program.run("ingest", "app.log.gz").status == 2)
        #expect(try program.run("check").text.contains(left))
    }

    @Test("a time without a date is shown without one, as in timelines")
    func undated() throws {
        let program = try Program()
        let lines =
            Self.clean.replacing("2026-03-01 ", with: "") + "08:00:24.000 Tour[500:1] applicationDidBecomeActive\n"
        try program.write(lines, to: "clock.log")
        let check = try program.run("check", "clock.log", "--fail-on", "never").text
        #expect(check.contains("  08:00:24.000  ") && !check.contains("1970"), "\(check)")
        let show = try program.run("show", "run:65537", "--from", "clock.log").text
        #expect(show.contains("began       08:00:00") && !show.contains("1970"), "\(show)")
    }

    @Test("what is found without a rule has a title, too")
    func ownTitles() throws {
        let program = try program(
            "2026-03-01 08:00:00.000 Tour[500:1] *** Terminating app due to uncaught exception 'Oops', reason: 'x'\n")
        let lines = try program.run("check", "app.log").text.split(separator: "\n")
        #expect(
            lines.prefix(2) == [
                "error  abnormal-end  A process crashed, or the system ended it for a fault",
                "  the process ended: a crash",
            ])
    }
}
