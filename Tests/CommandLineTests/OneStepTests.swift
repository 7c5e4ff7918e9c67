import Foundation
import Testing

/// From a log to an answer in one command.
@Suite("One step")
struct OneStepTests {
    /// Active for 9 s, then straight into the background, which UIKit does not do; then active for 10 s as it should be.
    private static let log = """
        2026-03-01 08:00:00.000 Tour[500:1a2b] didFinishLaunchingWithOptions
        2026-03-01 08:00:00.400 Tour[500:1a2b] applicationDidBecomeActive
        2026-03-01 08:00:05.000 Tour[500:1a2b] tile loaded
        2026-03-01 08:00:09.400 Tour[500:1a2b] applicationDidEnterBackground
        2026-03-01 08:01:00.000 Tour[500:1a2b] applicationWillEnterForeground
        2026-03-01 08:01:00.500 Tour[500:1a2b] applicationDidBecomeActive
        2026-03-01 08:01:10.500 Tour[500:1a2b] applicationWillResignActive
        2026-03-01 08:01:11.000 Tour[500:1a2b] applicationDidEnterBackground

        """

    private func program() throws -> Program {
        let program = try Program()
        try program.write(Self.log, to: "logs/app.log")
        return program
    }

    @Test("a temporary database answers and leaves nothing; --db keeps what was read")
    func temporary() throws {
        let program = try program()
        let temporary = program.folder.url.appendingPathComponent("tmp")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        func run(_ arguments: String...) throws -> Program.Outcome {
            try program.run(arguments, environment: ["TMPDIR": temporary.path])
        }
        let query = try run("query", "dwell_times", "--format", "csv", "--from", "logs/")
        #expect(query.text.contains("app,active,2,2,0,19.0,"))
        #expect(query.errors.hasPrefix("Read 1 file, 8 lines"))
        #expect(try run("check", "logs/", "--fail-on", "error").status == 1)
        #expect(try run("diagram", "logs/", "-o", "app.svg").status == 0)
        #expect(try run("report", "logs/", "-o", "report.html").status == 0)
        #expect(try run("timeline", "logs/").text.contains("Tour"))
        for name in ["app.svg", "report.html"] {
            #expect(FileManager.default.fileExists(atPath: program.folder.url.appendingPathComponent(name).path))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
        #expect(try run("query", "dwell_times").status == 2, "nothing was kept")

        #expect(try run("check", "logs/", "--fail-on", "never", "--db", "kept.db").status == 0)
        #expect(try run("query", "dwell_times", "--db", "kept.db").status == 0)
    }

    @Test("errors speak of the logs, and hints lead on from them")
    func errors() throws {
        let program = try program()
        let app = try program.run("diagram", "logs/", "--app", "Tuor")
        #expect(app.status == 2)
        #expect(app.errors.contains("there is no such app in the logs"))
        #expect(app.errors.contains("did you mean Tour?"))
        #expect(!app.errors.contains("lifestats.db"))
        try FileManager.default.createDirectory(
            at: program.folder.url.appendingPathComponent("empty"), withIntermediateDirectories: false)
        for command in ["diagram", "timeline", "report"] {
            let nothing = try program.run(command, "empty/")
            #expect(
                nothing.status == 2 && nothing.output.isEmpty && nothing.errors.contains("there is no log in empty/"))
        }
        #expect(try program.run("check", "empty/", "--allow-empty").status == 0)
        let page = try program.run("report", "logs/", "-o", "report.pdf")
        #expect(page.status == 64 && page.errors.contains("use .html") && !page.errors.contains("Read "))
        for command in [
            "diagram logs -o none/a.svg", "report logs -o none/a.html", "check logs --since x",
            "diagram logs -o a.txt", "diagram logs -o a.svg --layer ap", "diagram logs -o a.svg --lang xx",
            "report logs -o a.html --lang xx", "timeline logs -o a.txt", "timeline logs --lang xx",
            "show 12 --from logs", "check logs --baseline none.txt", "check logs --baseline logs/app.log",
        ] {
            let late = try program.run(command.split(separator: " ").map(String.init))
            #expect(late.status == 2 && !late.errors.contains("Read "), "\(late.errors)")
        }
        let missing = try program.run("report", "none/", "-o", "report.html")
        #expect(missing.status == 2)
        #expect(!missing.errors.contains("lifestats.db"))
        let output = try program.run("diagram", "logs/", "-o", "logs/app.log")
        #expect(output.errors.contains("will not write to logs/app.log: it is one of the logs (source logs/app.log)"))
    }

    @Test("the summary says where events have no time")
    func untimed() throws {
        let program = try program()
        try program.write("applicationDidBecomeActive\napplicationWillResignActive\n", to: "bare.log")
        let bare = try program.run("check", "bare.log").errors
        #expect(bare.contains("2 events in 1 run; no time was read, so there are counts but no durations"))
        try program.write(Self.log + "applicationWillTerminate\n", to: "mixed.log")
        for command in ["check", "ingest"] {
            let mixed = try program.run(command, "mixed.log").errors
            #expect(mixed.contains("events without a time, first mixed.log:9"), "\(mixed)")
        }
        #expect(try !program.run("check", "logs").errors.contains("no time"))
    }

    @Test("lines are shown from another folder, where the database is beside the logs")
    func otherFolder() throws {
        let program = try program()
        #expect(try program.run("ingest", "logs/app.log").status == 0)
        let shown = try program.shell(
            "mkdir elsewhere; cd elsewhere; id=$($LIFESTATS check --db ../lifestats.db | grep -o 'finding:[0-9]*' | head -1);"
                + "$LIFESTATS show $id --db ../lifestats.db; mv ../logs ../moved; $LIFESTATS show $id --db ../lifestats.db"
        )
        #expect(shown.text.contains("logs/app.log:4, now in ../logs/app.log\n"), "\(shown.text)")
        #expect(shown.text.contains("> 4  2026-03-01 08:00:09.400 Tour"))
        #expect(
            shown.text.contains("logs/app.log:4 can no longer be read: there is no such file, seen from this folder"))
    }

    @Test("a log in which nothing is recognised shows the nearest lines and what to do")
    func nothingRecognised() throws {
        let program = try Program()
        try program.write(
            """
            2026-03-01 08:00:00.000 Tour[500:1] reading tiles
            2026-03-01 08:00:09.400 Tour[500:1] app left the foreground, enter sleep

            """, to: "app.log")
        let ingest = try program.run("ingest", "app.log").errors
        #expect(ingest.contains("app.log:2  app left the foreground, enter sleep"))
        #expect(ingest.contains("lifestats formats explain app.log"))
        // A pipe cannot be read twice.
        let piped = try program.shell("cat app.log | \"$LIFESTATS\" ingest -").errors
        #expect(piped.contains("save the log as app.log") && !piped.contains("explain -"), "\(piped)")
        #expect(ingest.contains("--aliases"))
        let check = try program.run("check", "app.log")
        #expect(check.status == 2)
        #expect(check.errors.contains("lifestats formats entries app.log"))
    }

    @Test("a log whose only event is a mistyped callback shows no state: the nearest lines, and no pass")
    func noState() throws {
        let program = try Program()
        try program.write(
            """
            2026-03-01 08:00:00.000 Tour[500:1] applicationDidBecomActive
            2026-03-01 08:00:05.000 Tour[500:1] scene(_:willConectTo:options:)
            2026-03-01 08:00:09.400 Tour[500:1] app left the foregrond, enter sleep

            """, to: "app.log")
        let check = try program.run("check", "app.log")
        #expect(check.status == 2 && check.errors.contains("no line of the logs shows a state"), "\(check.errors)")
        #expect(check.errors.contains("2 events in 1 run of Tour; no line shows a state\n"))
        #expect(check.errors.contains("app.log:3  app left the foregrond, enter sleep"))
        #expect(check.errors.contains("lifestats check app.log --aliases spellings.yaml"))
        #expect(try program.run("ingest", "app.log").errors.contains("--aliases"))
        try program.write("2026-03-01 08:00:00.000 Tour[500:1] went live\n", to: "own.log")
        #expect(try program.run("ingest", "own.log", "--db", "own.db").errors.contains("check own.log --aliases"))
        let passed = try program.run("check", "app.log", "--allow-empty")
        #expect(passed.status == 0)
        #expect(
            passed.text.contains(
                "applicationDidBecomActive is not a callback of the platform; applicationDidBecomeActive is\n"))
        #expect(passed.text.contains("scene(_:willConectTo… is not a callback of the platform\n"))
        // The name is kept with the line: it is there again when the log is replayed, and when more is read.
        _ = try program.run("ingest", "app.log")
        #expect(try program.run("replay").status == 0)
        #expect(try program.run("check", "--allow-empty").text.contains("applicationDidBecomActive is not a callback"))
    }

    @Test("lines without a date before dated ones are no stay of decades")
    func undatedBeginning() throws {
        let program = try Program()
        try program.write(
            """
            08:00:00.000 Tour[500:1] applicationDidEnterBackground
            08:00:09.000 Tour[500:1] applicationWillEnterForeground
            08:00:10.000 Tour[500:1] applicationDidBecomeActive
            2026-03-01 08:00:20.000 Tour[500:1] applicationWillResignActive
            2026-03-01 08:00:21.000 Tour[500:1] applicationDidEnterBackground

            """, to: "app.log")
        let sql = "SELECT state, dwell_s FROM visits WHERE dwell_s IS NOT NULL OR state = 'active' ORDER BY seq"
        let visits = try program.run("query", sql, "--format", "csv", "--from", "app.log").text
        #expect(visits.contains("active,\n") && visits.contains("inactive,1.0\n"), "\(visits)")
        let check = try program.run("check", "app.log").text
        #expect(
            check.contains(
                "clock-regression  The clock goes back\n  this line has a full date and the event before has none"))
        #expect(check.contains("app.log:4  finding:"))
        let estimates = try program.run(
            "query", "SELECT max(suspended_ns) FROM suspensions", "--format", "csv", "--from", "app.log"
        ).text
        #expect(!estimates.contains(/\d{12}/), "\(estimates)")
        let run = "SELECT started IS NULL, first_seen_ns IS NULL, last_seen FROM runs"
        let life = try program.run("query", run, "--format", "csv", "--from", "app.log").text
        #expect(life.hasSuffix("\n1,1,2026-03-01T08:00:21.000000000Z\n"), "when it began is unknown: \(life)")
    }

    @Test("formats entries prints each entry with its fields and what is recognised in it")
    func entries() throws {
        let program = try program()
        try program.write(
            "2026-03-01 08:00:09.400000+0000 0x1f2e Default 0x0 500 0 Tour: (UIKitCore) [com.apple.UIKit:AppLifecycle] Deactivation reason added: 0\n",
            to: "show.log")
        let lines = try program.run("formats", "entries", "logs/app.log").text.split(separator: "\n")
        #expect(lines.count == 8)
        #expect(
            !lines[1].contains("null") && !lines[1].contains("subsystem"), "what an entry does not have is left out")
        let entries = try lines.map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(entries.map { $0["line"] as? Int } == Array(1...8))
        #expect(entries[1]["time_ns"] as? Int == 1_772_352_000_400_000_000)
        #expect(entries[1]["process"] as? String == "Tour")
        #expect(entries[1]["pid"] as? Int == 500)
        #expect(entries[1]["thread"] as? String == "1a2b")
        #expect(entries[1]["message"] as? String == "applicationDidBecomeActive")
        #expect(entries[1]["format"] as? String == "nslog")
        let recognised = entries.map { ($0["recognised"] as? [[String: Any]])?.map { $0["callback"] as? String } }
        #expect(recognised[1] == ["applicationDidBecomeActive"])
        #expect(recognised[2] == [])
        let shown = try program.run("formats", "entries", "show.log").text
        let entry = try #require(JSONSerialization.jsonObject(with: Data(shown.utf8)) as? [String: Any])
        #expect(entry["subsystem"] as? String == "com.apple.UIKit")
        #expect(entry["category"] as? String == "AppLifecycle")
        #expect(entry["level"] as? String == "Default")
        #expect(entry["thread"] as? String == "0x1f2e")
        #expect(entry["activity"] as? String == "0x0" && entry["library"] as? String == "UIKitCore")
    }

    @Test("formats test checks spellings and evidence of the user's own, and shows the lines that they add")
    func ownWords() throws {
        let program = try program()
        try program.write("evidence:\n  origin: tea\n  background: \"kettle -> {any}cold\"\n", to: "words.yaml")
        try program.write(
            "2026-03-01 08:00:09.400 Tea[1:2] viewDidLoad\n2026-03-01 08:00:10.400 Tea[1:2] kettle -> stone cold\n",
            to: "tea.log")
        let text = try program.run("formats", "test", "words.yaml", "tea.log").text
        #expect(text.hasPrefix("words.yaml: no errors; 1 line of tea.log recognised:\n"))
        #expect(text.contains("line 2: tea proves background  kettle -> stone cold"))
        try program.write("evidence:\n  asleep: the kettle sleeps\n", to: "words.yaml")
        let wrong = try program.run("formats", "test", "words.yaml", "tea.log")
        #expect(wrong.status != 0 && wrong.errors.contains("words.yaml:2"))
    }

    @Test("a visit whose first callback may repeat an earlier one says so, and has no launch time")
    func mayHaveBegunEarlier() throws {
        let program = try Program()
        // willFinishLaunching may have been logged before: a cut log looks like this.
        let lines = [
            ("00.000", "application:didFinishLaunchingWithOptions:"), ("00.350", "applicationDidBecomeActive:"),
        ]
        try program.write(
            lines.map { "2026-05-04 07:10:\($0.0) Tea[100:1] -[AppDelegate \($0.1)]\n" }.joined(), to: "tea.log")
        let id = try program.run(
            "query", "SELECT visit_id FROM visits WHERE state = 'inactive'", "--format", "csv", "--from", "tea.log"
        ).text.split(separator: "\n")[1]
        let visit = try program.run("show", "visit:\(id)", "--from", "tea.log").text
        #expect(visit.contains("entered  2026-05-04 07:10:00.000 UTC, shown by didFinishLaunchingWithOptions\n"))
        #expect(visit.contains("lasted   at least 350 ms\n  but      it may have begun before the log: "))
        #expect(
            visit.replacing(/\s+/, with: " ").contains(
                "may repeat an earlier line, such as the first callback of a launch"))
        #expect(visit.contains("  end is   observed\n"), "its beginning is not")
        let empty = try program.run("query", "launch_times", "--from", "tea.log").errors
        #expect(empty.contains("no rows") && empty.contains("the launch may have begun before it"))
        // A later launch cannot have: its process was started after one whose launch is in the log. Two others can.
        let later = [
            ("30.000", "101:1] -[AppDelegate application:didFinishLaunchingWithOptions:"),
            ("30.250", "101:1] -[AppDelegate applicationDidBecomeActive:"),
            ("40.000", "99:1] -[AppDelegate application:didFinishLaunchingWithOptions:"),
            ("40.500", "99:1] -[AppDelegate applicationDidBecomeActive:"),
            ("50.000", "101:1] -[AppDelegate application:didFinishLaunchingWithOptions:"),
            ("50.750", "101:1] -[AppDelegate applicationDidBecomeActive:"),
        ]
        try program.write(
            lines.map { "2026-05-04 07:10:\($0.0) Tea[100:1] -[AppDelegate \($0.1)]\n" }.joined()
                + later.map { "2026-05-04 07:10:\($0.0) Tea[\($0.1)]\n" }.joined(), to: "tea.log")
        let times = try program.run("query", "launch_times", "--format", "csv", "--from", "tea.log").text
        #expect(times.hasSuffix("\napp,cold,2,0.25,0.5,0.7,0.745,0.75\n"), "\(times)")
    }

    @Test("from a figure to its visits, and from a finding to its lines")
    func figures() throws {
        let program = try program()
        let rows = try program.run("query", "dwell_times", "--rows", "2", "--format", "csv", "--from", "logs").text
        let cells = try #require(rows.split(separator: "\n").dropFirst().first).split(
            separator: ",", omittingEmptySubsequences: false)
        #expect(rows.hasPrefix("visit_id,run_id,app,"))
        #expect(rows.split(separator: "\n").count == 3)
        let visit = try program.run("show", "visit:\(cells[0])", "--from", "logs").text
        #expect(visit.contains("active"))
        #expect(visit.contains("lasted    9 s"))
        #expect(visit.contains("by applicationDidBecomeActive"))
        #expect(!visit.contains("but  ") && !visit.contains("shown by"))
        let run = try program.run("show", "run:\(cells[1])", "--from", "logs").text
        #expect(run.contains("Tour [500]"))
        #expect(run.contains("the log ends first"))
        #expect(run.contains("> 4  2026-03-01 08:00:09.400 Tour[500:1a2b] applicationDidEnterBackground"))
        let raw = try program.run("show", "run:\(cells[1])", "--raw", "--from", "logs").text
        #expect(raw.contains("end_reason"))
        let check = try program.run("check", "logs").text
        let id = try #require(check.firstMatch(of: /finding:(\d+)/)).output.1
        #expect(try program.run("show", "finding:\(id)", "--from", "logs").text.contains("would conform"))
        let hint = "lifestats show finding:\(id)"
        #expect(try program.run("check", "logs").errors.contains("\(hint) --from logs  "))
        #expect(try program.run("check", "logs", "--year", "2026").errors.contains("\(hint) --from logs --year 2026  "))
        #expect(try program.run("check", "logs", "--db", "it's.db").errors.contains("\(hint) --db 'it'\\''s.db'  "))
        let piped = try program.run("check", "-", input: Self.log).errors
        #expect(piped.contains("add --db FILE to keep what is read"))
        #expect(piped.contains("standard input: times without a zone"))
        #expect(run.contains("`lifestats show run:\(cells[1]) --raw --from logs`"))
        let behind = try program.run("query", "dwell_times", "--rows", "2", "--from", "logs").errors
        #expect(behind.contains("`lifestats show visit:ID --from logs` shows one"))
        let cut = try program.run("query", "dwell_times", "--rows", "2", "--max-rows", "1", "--from", "logs").errors
        #expect(cut.contains("stopped after 1 row (--max-rows)\n") && cut.contains("visit:ID --from logs"), "\(cut)")
        let none = try program.run("query", "dwell_times", "--rows", "99", "--from", "logs")
        #expect(none.status == 2)
        let longest = try program.run("query", "longest_stays", "--rows", "1", "--from", "logs", "--format", "csv").text
        #expect(
            longest.split(separator: "\n").count == 2 && longest.contains("applicationDidEnterBackground"), "\(longest)"
        )
        let runs = try program.run("query", "run_summary", "--rows", "1", "--from", "logs").errors
        #expect(runs.contains("`lifestats show run:ID --from logs` shows one"))
        let background = try program.run(
            "query", "background_stays", "--rows", "1", "--from", "logs", "--format", "csv"
        ).text
        #expect(background.split(separator: "\n").count == 3, "two stays, and no other states: \(background)")
        let other = try program.run("query", "variants", "--rows", "1", "--from", "logs")
        #expect(other.errors.contains("it works for background_stays, clock_faults"))
    }

    @Test("hints say how to keep what came through a pipe, wherever it stands among the logs")
    func pipedHints() throws {
        let program = try program()
        func errors(_ arguments: String...) throws -> String { try program.run(arguments, input: Self.log).errors }
        try program.write("2026-03-02 08:00:00.000 Tour[700:1] applicationWillEnterForeground\n", to: "other.log")
        for paths in [["-"], ["other.log", "-"]] {
            let checked = try program.run(["check"] + paths, input: Self.log).errors
            #expect(
                checked.contains(/add --db FILE to keep what is read; then `lifestats show finding:\d+ --db FILE`/),
                "\(checked)")
            #expect(!checked.contains("--from"))
        }
        let rows = try errors("query", "dwell_times", "--rows", "1", "--from", "-")
        #expect(
            rows.contains("add --db FILE to keep what is read; then `lifestats show visit:ID --db FILE`"), "\(rows)")
        let pipe = try program.shell("$LIFESTATS check <(cat logs/app.log)").errors
        #expect(pipe.contains("then `lifestats show finding:"), "\(pipe)")

        let ids = try program.run("query", "select min(run_id) from runs", "--format", "csv", "--from", "logs").text
        let id = try #require(ids.split(separator: "\n").last)
        let shown = try program.run("show", "run:\(id)", "--from", "-", input: Self.log).text
        #expect(shown.contains("line 4 of standard input cannot be shown: it was not kept"), "\(shown)")
        #expect(shown.contains("add --db FILE") && shown.contains("`lifestats show run:\(id) --raw --db FILE`"))
    }

    @Test("a name that begins with a dash is spelled so that it is no option")
    func dashedName() throws {
        let program = try program()
        try program.write(Self.log, to: "-x.log")
        let errors = try program.run("check", "--", "-x.log").errors
        let id = try #require(errors.firstMatch(of: /lifestats show finding:(\d+) --from \.\/-x\.log/), "\(errors)")
        let shown = try program.run("show", "finding:\(id.output.1)", "--from", "./-x.log")
        #expect(shown.text.contains("> 4  2026-03-01 08:00:09.400 Tour"), "\(shown.errors)")
    }

    @Test("the id of a change that follows for the app from a line about a scene leads to that line")
    func derivedChange() throws {
        let program = try Program()
        let lines = [
            "didFinishLaunchingWithOptions", "sceneWillEnterForeground: session: A", "sceneDidBecomeActive: session: A",
        ]
        let text = lines.enumerated().map { "2026-03-01 08:00:0\($0).000 Tour[500:1] \($1)\n" }.joined()
        try program.write(text, to: "app.log")
        try program.run("ingest", "app.log")
        let sql = "select transition_id from transitions where layer = 'app' and to_state = 'active'"
        let change = try program.run("query", sql, "--format", "csv").figure
        let shown = try program.run("show", "event:\(change)")
        #expect(shown.status == 0 && shown.text.contains("> 3  2026-03-01 08:00:02.000"), "\(shown)")
    }

    @Test("the id of a silent end, which no line shows, leads to its run")
    func silentEnd() throws {
        let program = try program()
        try program.write(
            Self.log + "2026-03-01 09:00:00.000 Tour[501:1] didFinishLaunchingWithOptions\n", to: "logs/app.log")
        func ask(_ arguments: String...) throws -> Program.Outcome {
            try program.run(["query"] + arguments + ["--from", "logs"])
        }
        let sql = "select transition_id, run_id from transitions where transition_id < 0"
        let silent = try #require(
            try ask(sql, "--format", "csv").text.split(separator: "\n").last?.split(separator: ","))
        let counts = try ask("transition_counts", "--format", "csv").text.split(separator: "\n").dropFirst()
        let hints = try counts.indices.map { try ask("transition_counts", "--rows", "\($0)") }
        for hint in hints {
            #expect(hint.errors.contains("`lifestats show event:ID --from logs` shows one"))
            #expect(hint.text.contains(silent[0]) == hint.errors.contains("silent end"), "\(hint.errors)")
        }
        #expect(
            hints.contains { $0.errors.contains("a negative id is a silent end, which no line shows: show run:ID") })
        let shown = try program.run("show", "event:\(silent[0])", "--from", "logs")
        #expect(
            shown.status == 2 && shown.errors.contains("lifestats show run:\(silent[1]) --from logs"), "\(shown.errors)"
        )
    }
}
