import Foundation
import Testing

@Suite("lifestats query")
struct QueryCommandTests {
    private func program() throws -> Program {
        let program = try Program()
        // A run without a launch; 4 s in active, 1 s in inactive.
        try program.write(
            """
            2024-03-09 10:00:00.000 Demo[7:1] applicationWillEnterForeground:
            2024-03-09 10:00:01.000 Demo[7:1] applicationDidBecomeActive:
            2024-03-09 10:00:05.000 Demo[7:1] applicationWillResignActive:
            2024-03-09 10:00:06.000 Demo[7:1] applicationDidEnterBackground:

            """, to: "app.log")
        #expect(try program.run("ingest", "app.log").status == 0)
        return program
    }

    @Test("a file with a header has typed parameters with defaults, like a named query, and no others")
    func header() throws {
        let program = try program()
        try program.write(
            """
            -- Stays that last long enough.
            --
            -- Parameters:
            --   $least_s  real  = 2     how long
            --   $state    text  = none  only this state
            --   $since    time  = none  only stays entered at or after this time
            -- Columns:
            --   state  text  the state
            SELECT v.state AS state FROM visits AS v
            WHERE v.dwell_s >= $least_s AND ($state IS NULL OR v.state = $state)
                AND ($since IS NULL OR v.entered >= rtrim($since, 'Z'))
            ORDER BY v.entered;
            """, to: "mine.sql")
        func ask(_ parameters: String...) throws -> Program.Outcome {
            try program.run(
                ["query", "--file", "mine.sql", "--format", "csv"] + parameters.flatMap { ["--param", $0] })
        }
        #expect(try ask().text == "state\nactive\n")
        #expect(try ask("least_s=0.5").text == "state\nactive\ninactive\n")
        #expect(try ask("least_s=0.5", "state=inactive").text == "state\ninactive\n")
        #expect(try ask("least_s=0.5", "since=2024-03-09 10:00:03Z").text == "state\ninactive\n")
        let wrong = try ask("least_s=long")
        #expect(wrong.status == 2 && wrong.errors.contains("not a real number"), "\(wrong.errors)")
        let unknown = try ask("laest_s=1")
        #expect(unknown.status == 2 && unknown.errors.contains("mine.sql has no such parameter"), "\(unknown.errors)")
        #expect(unknown.errors.contains("did you mean least_s?"), "\(unknown.errors)")
    }

    @Test("an app with scenes is counted once by the hour, and a scene that comes back is no launch")
    func throughScenes() throws {
        let program = try Program()
        let launch = ["application:didFinishLaunchingWithOptions:", "scene:willConnectToSession:options:"]
        let active = [
            "sceneWillEnterForeground:", "sceneDidBecomeActive:", "sceneWillResignActive:", "sceneDidEnterBackground:",
        ]
        func log(_ callbacks: [String]) -> String {
            callbacks.enumerated().map { "2026-05-04 07:10:\(10 + $0).000 Tea[100:1] -[Delegate \($1)]\n" }.joined()
        }
        try program.write(log(launch + active + active), to: "tea.log")
        let hours = try program.run("query", "time_of_day", "--from", "tea.log", "--format", "csv").text
        #expect(hours == "hour,launches,activations,active_s,backgrounded\n7,1,2,2.0,2\n", "\(hours)")
        try program.write(log(active.suffix(2) + active), to: "cut.log")
        let times = try program.run("query", "launch_times", "--from", "cut.log", "--format", "csv").text
        #expect(times.contains("\nscene,resume,1,1.0,") && !times.contains("background"), "\(times)")
    }

    @Test("an answer without rows says why, on standard error")
    func emptyAnswers() throws {
        let program = try program()
        let why = [
            (["launch_times"], "no rows: no app or scene becomes active"),
            // What other rows there are, the reason does not know.
            (["launch_times", "--param", "since=2030-01-01"], "no rows with since=2030-01-01\n"),
            (["limit_overruns"], "no rows: no documented time limit is exceeded\n"),
            (["stays_over_limit"], "no rows: no visit in background is longer than 5 s\n"),
            (
                ["stays_over_limit", "--param", "limit_s=100", "--param", "state=active"],
                "no rows with limit_s=100, state=active: no visit in active is longer than 100 s\n"
            ),
            (["killed_in_background"], "no rows: no run is known to have been killed in the background, by a line or"),
            (["select * from runs where app = 'X'"], "no rows\n"),
        ]
        for (words, reason) in why {
            let outcome = try program.run(["query", "--format", "csv"] + words)
            #expect(outcome.status == 0 && outcome.errors.contains(reason), "\(outcome.errors)")
        }
        // A column of another view is no help; those of the view that is asked are named.
        for (sql, hint) in [
            ("select state, ended from visits", "visits has visit_id, run_id,"),
            // Not `state`, which differs by two letters.
            ("select started from visits", "visits has visit_id, run_id,"),
            ("select entred from visits", "did you mean entered?"),
        ] {
            let outcome = try program.run("query", sql)
            #expect(outcome.status == 2 && outcome.errors.contains("→ \(hint)"), "\(outcome.errors)")
        }
        let limit = try program.run("query", "limit_overruns", "--param", "rule=TL-00")
        #expect(
            limit.status == 2 && limit.errors.contains("there is no such limit in lifestats.db\n  → did you mean TL-0"))
        let unbroken = try program.run("query", "limit_overruns", "--param", "rule=TL-07")
        #expect(unbroken.status == 0 && unbroken.errors == "no rows with rule=TL-07\n")
        let few = try program.run("query", "killed_in_background", "--param", "lines=-1")
        #expect(few.status == 2 && few.errors.contains("--param lines=-1: must be at least 1"), "\(few.errors)")
        try program.write("", to: "empty.log")
        try program.run("ingest", "empty.log", "--db", "empty.db")
        let empty = try program.run("query", "dwell_times", "--db", "empty.db")
        #expect(empty.errors == "no rows: nothing in the logs was recognised as a lifecycle event\n")
        #expect(try program.run("query", "dwell_times").errors.isEmpty)
    }

    @Test("the filters of other commands lead to parameters, and a wrong name is found before logs are read")
    func filters() throws {
        let program = try program()
        for (option, parameter) in [
            ("--app", "app=Demo"), ("--app-version", "app_version=Demo"), ("--since", "since=Demo"),
            ("--by", "by=Demo"), ("--layer", "layer=Demo"),
        ] {
            let outcome = try program.run("query", "dwell_times", option, "Demo")
            #expect(outcome.status == 64 && outcome.errors.contains("write --param \(parameter)."), "\(outcome.errors)")
        }
        let wrong = try program.run("query", "dwel_times", "--from", "app.log")
        #expect(wrong.status == 2 && wrong.errors.contains("did you mean dwell_times?"))
        #expect(!wrong.errors.contains("Read 1 file"))
    }

    @Test(
        "times outside the range of nanoseconds exclude nothing or everything",
        arguments: [
            (["until=9999-12-31"], true), (["until=2262-12-31"], true), (["since=0001-01-01"], true),
            (["since=1677-01-01", "until=9999-12-31T23:59:59.999999999-23:59"], true),
            (["since=9999-12-31"], false), (["until=0000-01-01T00:00+23:59"], false),
        ])
    func farTimes(bounds: [String], leavesAll: Bool) throws {
        let program = try program()
        func answer(_ arguments: [String]) throws -> String {
            let asked = try program.run(["query", "dwell_times", "--format", "csv"] + arguments)
            #expect(asked.status == 0, "\(asked.errors)")
            return asked.text
        }
        let all = try answer([])
        let parameters = try answer(bounds.flatMap { ["--param", $0] })
        #expect(all.contains("active") && (parameters == all) == leavesAll)
        #expect(leavesAll || parameters.split(separator: "\n").count == 1)
        let options = bounds.flatMap { bound in
            let parts = bound.split(separator: "=").map(String.init)
            return ["--\(parts[0])", parts[1]]
        }
        for command in ["check", "timeline"] where leavesAll {
            let bounded = try program.run([command] + options)
            let whole = try program.run([command])
            #expect(bounded.status == whole.status && bounded.text.isEmpty == whole.text.isEmpty, "\(bounded.errors)")
        }
        let drawn = try program.run(["diagram", "-o", "app.svg"] + options)
        #expect(drawn.status == (leavesAll ? 0 : drawn.status) && drawn.status <= 2, "\(drawn.errors)")
    }

    @Test(
        "an impossible day is not a time",
        arguments: ["2026-02-29", "2026-02-31", "1900-02-29", "2026-04-31", "2026-12-32", "2026-01-00"])
    func noDay(day: String) throws {
        let asked = try program().run("query", "dwell_times", "--param", "since=\(day)")
        #expect(asked.status == 2 && asked.errors.contains("since=\(day): not a time"), "\(asked.errors)")
    }

    @Test("the last days of months are valid", arguments: ["2024-02-29", "2000-02-29", "2026-12-31", "2026-04-30"])
    func lastDay(day: String) throws {
        let asked = try program().run("query", "dwell_times", "--param", "since=\(day)")
        #expect(asked.status == 0, "\(asked.errors)")
    }

    @Test("a parameter of ad-hoc SQL is a number if it looks like one; a type can be given")
    func typed() throws {
        let program = try program()
        func kind(_ parameter: String) throws -> Program.Outcome {
            try program.run(
                "query", "select typeof($v) || ' ' || $v as v", "--param", parameter, "--format", "csv")
        }
        for (parameter, value) in [
            ("v=7", "integer 7"), ("v=1.5", "real 1.5"), ("v=007", "text 007"), ("v=1.10", "text 1.10"),
            ("v=1e3", "text 1e3"), ("v:text=1.5", "text 1.5"), ("v:real=2", "real 2.0"),
            ("v:time=2024-03-09T10:00:00Z", "text 2024-03-09T10:00:00.000000000Z"),
        ] {
            #expect(try kind(parameter).text == "v\n\(value)\n", "\(parameter)")
        }
        let wrong = try kind("v:txt=1")
        #expect(wrong.status == 2 && wrong.errors.contains("there is no type txt"), "\(wrong.errors)")
        #expect(wrong.errors.contains("did you mean text?"), "\(wrong.errors)")
        let number = try kind("v:integer=x")
        #expect(number.status == 2 && number.errors.contains("not a whole number"), "\(number.errors)")
    }

    @Test("the header of SQL declares its types, wherever the SQL comes from")
    func headerAnywhere() throws {
        let program = try program()
        let sql = """
            -- Stays.
            --
            -- Parameters:
            --   $state  text  = none  only this state
            -- Columns:
            --   n  integer  how many
            SELECT count(*) AS n FROM visits AS v WHERE $state IS NULL OR v.state = $state
            """
        try program.write(sql, to: "mine.sql")
        let given = try program.run("query", sql, "--format", "csv", "--param", "state=active")
        #expect(given.text == "n\n1\n", "\(given.errors)")
        for arguments in [
            "query - < mine.sql", "query --file /dev/stdin < <(cat mine.sql)", "query --file <(cat mine.sql)",
        ] {
            let piped = try program.shell("$LIFESTATS \(arguments) --format csv --param state=active")
            #expect(piped.text == "n\n1\n", "\(arguments): \(piped.errors)")
        }
    }

    @Test("a parameter of SQL without a value is an error with advice")
    func unbound() throws {
        let program = try program()
        let missing = try program.run("query", "select count(*) from visits where state = :state and app = $app")
        #expect(missing.status == 2 && missing.output.isEmpty)
        #expect(missing.errors.contains(":state has no value") && missing.errors.contains("--param state="))
        let nameless = try program.run("query", "select ?")
        #expect(nameless.status == 2 && nameless.errors.contains("has no name"), "\(nameless.errors)")
        let sql = "select count(*) as n from visits where state = :state"
        let bound = try program.run("query", sql, "--param", "state=active", "--format", "csv")
        #expect(bound.text == "n\n1\n", "\(bound.errors)")
        let none = try program.run("query", "select 1", "--param", "state=active")
        #expect(none.status == 2 && none.errors.contains("no parameters"), "\(none.errors)")
    }

    @Test("a statement that would exhaust the memory before its first row is stopped")
    func memory() throws {
        // Each step refers to the previous one twice: sixty steps are 2 to the power of 60 tables.
        let doubled = (1..<60).map { "c\($0) as (select * from c\($0 - 1) union all select * from c\($0 - 1))" }
        let sql = "with c0 as (select 1), \(doubled.joined(separator: ", ")) select count(*) from c59"
        let outcome = try program().run("query", sql)
        #expect(outcome.status == 2 && outcome.errors.contains("more memory than allowed"), "\(outcome.errors)")
    }

    @Test("times in nanoseconds are readable in tables, and numbers for programs")
    func times() throws {
        let program = try program()
        let table = try program.run("query", "runs_without_launch").text
        #expect(table.contains("2024-03-09 10:00:00.000") && table.contains("2024-03-09 10:00:06.000"), "\(table)")
        for arguments in [["--raw"], ["--format", "csv"], ["--format", "json"]] {
            let text = try program.run(["query", "runs_without_launch"] + arguments).text
            #expect(text.contains("1709978400000000000") && !text.contains("T10:00"), "\(text)")
        }
        // Also under an alias.
        let own = try program.run(
            "query", "select max(time_ns) as newest_ns, min(dwell_ns) as least_ns from transitions")
        #expect(own.text.contains("2024-03-09 10:00:06.000") && own.text.contains("1 s"), "\(own.text)")
        // A heading does not name a unit that the values do not have.
        let sql = "select dwell_s, at_least_ns, state from visits"
        let readable = try program.run("query", sql).text
        #expect(readable.contains(/^ *dwell  at_least  state/), "\(readable)")
        let raw = try program.run("query", sql, "--raw").text
        #expect(raw.contains(/^ *dwell_s  at_least_ns  state/), "\(raw)")
        // A column with the name of a duration is one, however large the sum of a fleet.
        let sum = try program.run("query", "select 315360000000000000 as total_ns, 315360000000000000 as dwell_ns")
        #expect(sum.text.components(separatedBy: "3,650 d").count == 3, "\(sum.text)")
    }

    @Test(
        "contradictory or missing arguments are usage errors",
        arguments: [
            (["dwell_times", "--list"], Int32(64), "'dwell_times' and --list"),
            (["--list", "--show", "dwell_times"], 64, "--list and --show dwell_times"),
            (["--list", "--param", "app=x"], 64, "--param"),
            (["dwell_times", "--param", "=x"], 64, "name=value"),
            ([], 64, "Missing query"),
            (["dwel_times"], 2, "did you mean dwell_times?"),
            (["visits"], 2, "it is a view: `lifestats query \"SELECT * FROM visits LIMIT 10\"`"),
            (["transitions_count"], 2, "did you mean"),
            (["dwell_times", "--param", "ap=x"], 2, "did you mean app?"),
            (["dwell_times", "--param", "by=devcie"], 2, "did you mean device?"),
            (["dwell_times", "--param", "layer=scen"], 2, "did you mean scene?"),
            (["longest_stays", "--param", "state=actve"], 2, "did you mean active?"),
            (["findings_by_rule", "--param", "severity=warn"], 2, "did you mean warning?"),
            (["--file", "blank.sql"], 2, "blank.sql is empty"),
            (["-"], 2, "standard input is empty"),
            (["select 1", "--db", "void.db"], 2, "the database is empty"),
            (["select 1", "--db", "dangling.db"], 2, "a link to nowhere.db"),
            (["select 1", "--db", "missing.db"], 2, "such as `lifestats query … --from logs/`"),
        ])
    func contradictions(arguments: [String], status: Int32, words: String) throws {
        let program = try program()
        try program.write(" \n", to: "blank.sql")
        try program.write("", to: "void.db")
        try FileManager.default.createSymbolicLink(
            atPath: program.folder.url.appendingPathComponent("dangling.db").path, withDestinationPath: "nowhere.db")
        let files = try FileManager.default.contentsOfDirectory(atPath: program.folder.url.path).filter {
            !$0.hasPrefix(".")
        }
        let outcome = try program.run(["query"] + arguments)
        #expect(outcome.status == status && outcome.errors.contains(words), "\(outcome.status): \(outcome.errors)")
        #expect(outcome.output.isEmpty)
        let after = try FileManager.default.contentsOfDirectory(atPath: program.folder.url.path).filter {
            !$0.hasPrefix(".")
        }
        #expect(Set(after) == Set(files))
    }

    @Test(
        "unknown names get suggestions",
        arguments: [
            (["check", "--explain", "R-APP-15b"], "did you mean R-APP-15?"),
            (["check", "--explain", "duplicat"], "did you mean duplicate?"),
            (["schema", "vists"], "did you mean visits?"), (["schema", "visti"], "did you mean visits?"),
            (["ingest", "app.log", "--timezone", "Europe/Zurch"], "did you mean Europe/Zurich?"),
            (["diagram", "--lang", "zh-Hant-TW", "-o", "x.svg"], "did you mean zh-Hant?"),
            (["diagram", "-o", "x.pgn"], "did you mean png?"),
            (["model", "export", "app", "--format", "mermiad"], "did you mean mermaid?"),
            (["model", "show", "scnee"], "did you mean scene?"),
            (["diagram", "--layer", "veiw"], "did you mean view?"),
            (["replay", "--profile", "ios12"], "did you mean ios12-?"),
            (["ingest", "app.log", "--format", "oslgo"], "there is no format"),
        ])
    func suggestions(arguments: [String], words: String) throws {
        let outcome = try program().run(arguments)
        #expect(outcome.status == 2 && outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test("the dwell times of all samples are one table of at most 100 columns, whatever groups them")
    func dwellTimesFit() throws {
        let program = try Program()
        try program.run("ingest", Program.project.appendingPathComponent("samples").path)
        for by in ["none", "app", "app_version", "os_version", "device", "day", "run"] {
            let parameter = by == "none" ? [] : ["--param", "by=\(by)"]
            let shown = try PseudoTerminal(program, ["query", "dwell_times"] + parameter).ends()
            let lines = shown.split(whereSeparator: \.isNewline)
            #expect(lines.count > 10 && lines.allSatisfy { $0.count <= 100 }, "\(by): \(shown.prefix(2_000))")
            #expect(
                lines.count { $0.contains("p50") } == 1 && !shown.contains("row 1"), "\(by): \(shown.prefix(2_000))")
        }
    }

    @Test("the list of queries has a short line each, in groups, in a terminal as on a pipe")
    func list() throws {
        let program = try program()
        let piped = try program.run("query", "--list").text.split(separator: "\n")
        #expect(piped.contains { $0.hasPrefix("  dwell_times ") } && piped.contains("Visits"), "\(piped)")
        let shown = try PseudoTerminal(program, ["query", "--list"]).ends()
        let lines = shown.split(whereSeparator: \.isNewline)
        #expect(lines.allSatisfy { $0.count <= 100 }, "\(shown)")
        // Nothing is cut off.
        func words(_ text: some StringProtocol) -> [Substring] {
            text.split(whereSeparator: \.isWhitespace).map { Substring($0) }
        }
        #expect(words(shown) == piped.flatMap { words($0) })
    }

    @Test("a statement that cannot be stopped ends the shell")
    func disobedience() throws {
        let program = try program()
        let terminal = try PseudoTerminal(program, ["shell"])
        terminal.shows("\u{1B}[?2004h")
        // The first rows are shown as soon as there are 2,000, and 64 KiB. Then comes one call of a function that never ends:
        // SQLite cannot stop it.
        let endless = "instr(hex(zeroblob(8000000)), hex(zeroblob(4000000)) || '1')"
        let rows =
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000) select printf('%060d', i) from n"
        terminal.type("\(rows) union all select \(endless)\r")
        terminal.shows("2000\r\n")
        kill(terminal.process.processIdentifier, SIGINT)
        #expect(terminal.ends().contains("The query was stopped"))
        #expect(terminal.process.terminationStatus == 2)
    }

    @Test("CSV for spreadsheets: texts run no formula, lines end with LF unless CRLF is asked for; show adds nothing")
    func spreadsheets() throws {
        let program = try program()
        let sql = "select '=1+1' as a, '-[App x]' as b, -1 as c, -0.5 as d, '' as e, null as f"
        let csv = try program.run("query", sql, "--format", "csv").text
        #expect(csv == "a,b,c,d,e,f\n'=1+1,'-[App x],-1,-0.5,\"\",\n")
        #expect(try program.run("query", sql, "--format", "csv", "--crlf").text == csv.replacing("\n", with: "\r\n"))
        #expect(try program.run("query", sql, "--format", "ndjson").text.contains(#""a":"=1+1","b":"-[App x]""#))
        try program.write(
            "2024-03-09 10:00:00.000 =Demo[7:1] application:didFinishLaunchingWithOptions:\n", to: "formula.log")
        try program.run("ingest", "formula.log", "--db", "formula.db")
        let shown = try program.run("show", "run:65537", "--db", "formula.db")
        #expect(shown.text.hasPrefix("Run 65537: =Demo [7]\n"), "\(shown.text)")
    }

    @Test("The last event before a kill is the last line, also where the clock went back")
    func killedAfterAStep() throws {
        let program = try Program()
        let log = Program.project.appendingPathComponent("samples/deviations/outbox.log").path
        try program.run("ingest", log)
        let answer = try program.run("query", "killed_in_background", "--param", "app=Outbox", "--format", "csv").text
        // Line 21 has a later time than lines 22 and 23.
        #expect(answer.contains("applicationDidEnterBackground,\(log),23,"), "\(answer)")
    }
}
