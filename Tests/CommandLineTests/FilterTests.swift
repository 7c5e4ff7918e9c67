import Testing

@Suite("Filters, limits and names that do not exist")
struct FilterTests {
    private func program() throws -> Program {
        let program = try Program()
        try program.write(
            """
            2024-03-09 10:00:00.000 Postbox[7:1] application:didFinishLaunchingWithOptions:
            2024-03-09 10:00:01.000 Postbox[7:1] applicationDidBecomeActive:
            2024-03-09 10:00:05.000 Postbox[7:1] applicationWillResignActive:

            """, to: "postbox.log")
        try program.write(
            """
            2024-03-10 10:00:00.000 Harbour[8:1] application:didFinishLaunchingWithOptions:
            2024-03-10 10:00:01.000 Harbour[8:1] applicationDidBecomeActive:

            """, to: "harbour.log")
        #expect(try program.run("ingest", "postbox.log", "--device", "iPhone", "--app-version", "1.4").status == 0)
        #expect(try program.run("ingest", "harbour.log", "--device", "iPad", "--app-version", "2.0").status == 0)
        return program
    }

    /// Every command with filters.
    static let commands = [
        ["check", "--fail-on", "never"], ["diagram"], ["timeline"], ["report"], ["export", "xes"],
        ["export", "perfetto"], ["export", "datasette"], ["model", "coverage"],
    ]

    @Test("a value that matches nothing is an error that names the nearest", arguments: commands)
    func unknownValues(command: [String]) throws {
        let program = try program()
        for (option, value, advice) in [
            ("--app", "Postbx", "did you mean Postbox?"), ("--app", "Unlike", "choose one of Harbour, Postbox"),
            ("--run", "999", "the nearest is 65537"), ("--device", "iPhne", "did you mean iPhone?"),
            ("--app-version", "1.5", "did you mean 1.4?"),
        ] {
            let outcome = try program.run(command + [option, value])
            #expect(outcome.status == 2, "\(command) \(option) \(value)")
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("\(option) \(value)"), "\(outcome.errors)")
            #expect(outcome.errors.contains(advice), "\(outcome.errors)")
        }
        let both = try program.run(command + ["--app", "Postbox", "--device", "iPad"])
        #expect(both.status == 2)
        #expect(both.errors.contains("no run of lifestats.db matches app Postbox, device iPad"), "\(both.errors)")
        #expect(try program.run(command + ["--since", "2030-01-01"]).status == 2)
        #expect(
            try program.run(command + ["--app", "Postbox", "--device", "iPhone", "--app-version", "1.4"]).status == 0)
    }

    @Test("a parameter of a named query that matches nothing is an error; ad-hoc SQL is not restricted")
    func unknownParameters() throws {
        let program = try program()
        for (parameter, advice) in [
            ("app=Postbx", "did you mean Postbox?"), ("run=999", "the nearest is 65537"), ("device=iPhne", "iPhone"),
            ("app_version=1.5", "1.4"),
        ] {
            let outcome = try program.run("query", "dwell_times", "--param", parameter)
            #expect(outcome.status == 2)
            #expect(
                outcome.errors.contains("--param \(parameter)") && outcome.errors.contains(advice), "\(outcome.errors)")
        }
        #expect(try program.run("query", "dwell_times", "--param", "app=Postbox").status == 0)
        let own = try program.run("query", "select count(*) as n from runs where app = :app", "--param", "app=Postbx")
        #expect(own.status == 0 && own.text.contains("0"))
    }

    @Test("an id that does not exist is an error that names the nearest; so is a cohort without runs")
    func nearest() throws {
        let program = try program()
        for kind in ["run", "visit", "event"] {
            let ids = try program.run("query", "select \(kind)_id from \(kind)s order by 1", "--format", "csv").text
                .split(separator: "\n").compactMap { Int64($0) }
            let (first, last) = (try #require(ids.first), try #require(ids.last))
            for (id, near) in [(1, first), (first - 1, first), (last + 1, last), (.max, last), (.min, first)] {
                let outcome = try program.run("show", "\(kind):\(id)")
                #expect(outcome.status == 2)
                #expect(outcome.errors.contains("the nearest is \(kind):\(near);"), "\(outcome.errors)")
            }
        }
        for (arguments, advice) in [
            (["device=iPhne", "device=iPad"], "did you mean iPhone?"),
            (["app_version=1.4", "app_version=2.1"], "did you mean 2.0?"),
            (["device=iPhone", "device=iPad", "--app", "Postbx"], "did you mean Postbox?"),
        ] {
            let outcome = try program.run(["compare"] + arguments)
            #expect(outcome.status == 2 && outcome.errors.contains(advice), "\(outcome.errors)")
        }
        try program.write("2024-03-09 10:00:09.000 Postbox[9:1] applicationDidBecomeActive:\n", to: "third.log")
        #expect(try program.run("ingest", "third.log", "--device", "iPhone").status == 0)
        let twice = try program.run("check", "--device", "iPhne")
        #expect(twice.errors.contains("did you mean iPhone? Choose one of iPad, iPhone\n"), "\(twice.errors)")
    }

    @Test("a check without runs or events fails, unless --allow-empty is given")
    func emptyCheck() throws {
        let program = try Program()
        try program.write("", to: "empty/nothing.log")
        try program.write("2024-03-09 10:00:00.000 Demo[7:1] hello\n", to: "without.log")
        for path in ["empty", "without.log"] {
            let database = ["--db", path.prefix(5) + ".db"]
            for format in ["text", "junit", "json"] {
                let outcome = try program.run(["check", path, "--format", format] + database)
                #expect(outcome.status == 2, "\(path) \(format)")
                #expect(outcome.output.isEmpty)
                #expect(outcome.errors.contains("nothing to check") && outcome.errors.contains("--allow-empty"))
            }
            #expect(try program.run(["check", "--allow-empty"] + database).status == 0)
        }
        #expect(try program.run("check", "--help").text.contains("--allow-empty"))
    }

    @Test(
        "a command that exceeds its time limit names the query and the option",
        arguments: [
            ["check"], ["diagram"], ["timeline"], ["report"], ["export", "xes"], ["show", "run:ID"], ["verify"],
            ["model", "coverage"], ["compare", "app=Postbox", "app=Harbour"],
        ])
    func timeLimit(command: [String]) throws {
        let program = try program()
        let run = try program.run("query", "select min(run_id) from runs", "--format", "ndjson").text
            .filter(\.isNumber)
        let command = command.map { $0.replacingOccurrences(of: "ID", with: run) }
        let outcome = try program.run(command + ["--timeout", "0.000001"])
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("took longer than 1e-06 s") && outcome.errors.contains("--timeout"))
        #expect(outcome.errors.contains("the last query was: "), "\(outcome.errors)")
        #expect(try program.run(command + ["--timeout", "-1"]).status == 64)
        let unlimited = try program.run(command + ["--timeout", "0"])
        #expect(unlimited.status == 0 || unlimited.errors.contains("too few to compare"), "\(unlimited.errors)")
        #expect(try program.run(["help"] + command.prefix(1)).text.contains("--timeout") || command[0] == "model")
    }

    @Test("a result that the time limit cuts says so, and no part of a file is left")
    func cutResult() throws {
        let program = try program()
        let endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select i from n"
        let cut = try program.run("query", endless, "--format", "csv", "--timeout", "1")
        #expect(cut.status == 2)
        #expect(cut.output.isEmpty || cut.errors.contains("what was printed before is not the whole result"))
        let before = try program.shell("ls -A").text
        for command in [
            "report -o x.html", "diagram -o x.svg", "timeline -o x.svg", "export xes -o x", "export csv x",
            "export ocel -o x.sqlite", "export otlp x",
        ] {
            let arguments = command.split(separator: " ").map(String.init) + ["--timeout", "0.000001"]
            #expect(try program.run(arguments).status == 2, "\(command)")
            #expect(try program.shell("ls -A").text == before, "\(command)")
        }
    }

    @Test(
        "a mistyped command gets a suggestion",
        arguments: [
            (["repot"], "did you mean report?"), (["help", "repotr"], "did you mean report?"),
            (["querry", "dwell_times"], "did you mean query?"),
            (["model", "shw", "app"], "did you mean show?"), (["formats", "explan", "x"], "did you mean explain?"),
            (["nothing"], "lists the commands"), (["explain"], "use `lifestats check --explain RULE`"),
            (["dwell_times"], "it is a query: `lifestats query dwell_times`"),
            (["/etc/"], "`lifestats report /etc/ -o report.html`"), (["formats", "/etc/"], "formats explain /etc/`"),
        ])
    func mistyped(arguments: [String], advice: String) throws {
        let outcome = try Program().run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("there is no command") && outcome.errors.contains(advice), "\(outcome.errors)")
    }

    @Test(
        "a mistyped value of an option gets a suggestion, beside all the values",
        arguments: [
            (["check", "--fail-on", "warn"], "Did you mean warning?"),
            (["export", "perfeto"], "Did you mean perfetto?"),
            (["diagram", "--view", "overlya"], "Did you mean overlay?"),
            (["query", "dwell_times", "--format", "cvs"], "Did you mean csv?"),
            (["check", "--format", "gitub"], "Did you mean github?"),
            (["query", "dwell_times", "by=device"], "write --param by=device."),
            (["diagram", "--fold-below", "3", "-o", "x.svg"], "a share from 0 to 1"),
        ])
    func mistypedValues(arguments: [String], advice: String) throws {
        let outcome = try Program().run(arguments)
        #expect(outcome.status == 64 && outcome.output.isEmpty && outcome.errors.contains(advice), "\(outcome.errors)")
    }

    @Test("a mistyped path gets the nearest one that there is, in every folder of it")
    func mistypedPaths() throws {
        let program = try Program()
        try program.write("2026-05-04 07:10:00.500 MyApp[1:1] applicationDidBecomeActive\n", to: "logs/day/app.log")
        try program.run("ingest", "logs", "--db", "kept.db")
        try program.write("name: x\n", to: "my.yaml")
        for (arguments, advice) in [
            (["report", "lgos", "-o", "x.html"], "did you mean logs?"),
            (["check", "logs/dya/app.lgo"], "did you mean logs/day/app.log?"),
            (["query", "dwell_times", "--from", "Logs/day"], "did you mean logs/day?"),
            (["watch", "logs/day/ap.log"], "did you mean logs/day/app.log?"),
            (["formats", "explain", "logs/day/aap.log"], "did you mean logs/day/app.log?"),
            (["query", "dwell_times", "--db", "keep.db"], "did you mean kept.db?"),
            (["ingest", "logs", "--model", "mi.yaml"], "did you mean my.yaml?"),
            (["check", "nothing/of/it"], "check the spelling"), (["check", "away.log"], "check the spelling"),
            (["check", "logs/*.lgo"], "no file or folder has such a name"),
            (["forget", "logs/day/ap.log", "--db", "kept.db"], "did you mean logs/day/app.log?"),
        ] {
            let outcome = try program.run(arguments)
            #expect(outcome.status == 2 && outcome.errors.contains(advice), "\(arguments): \(outcome.errors)")
        }
    }

    @Test("a mistyped view, column or id gets a suggestion")
    func mistypedNames() throws {
        let program = try Program()
        let log = Program.project.appendingPathComponent("samples/deviations/outbox.log").path
        #expect(try program.run("ingest", log, "--db", "a.db").status == 0)
        for (arguments, advice) in [
            (["query", "select * from vists"], "did you mean visits?"),
            (["query", "select dwel_s from visits"], "did you mean dwell_s?"),
            (
                ["show", "run:99"],
                "the nearest is run:65537; `lifestats query \"SELECT * FROM runs LIMIT 10\" --db a.db` shows some"
            ),
            (["show", "65537"], "write run:65537, visit:65537, event:65537 or finding:65537"),
        ] {
            let outcome = try program.run(arguments + ["--db", "a.db"])
            #expect(outcome.status == 2 && outcome.errors.contains(advice), "\(outcome.errors)")
        }
    }

    @Test("A time span includes its first nanosecond, even if given in whole seconds")
    func span() throws {
        let program = try Program()
        let lines = ["didFinishLaunchingWithOptions:", "applicationDidBecomeActive:", "applicationWillResignActive:"]
            .enumerated().map { "2026-05-04 07:10:0\($0.offset).500 MyApp[1:1] -[AppDelegate \($0.element)]" }
        try program.write(lines.joined(separator: "\n") + "\n", to: "a.log")
        try program.run("ingest", "a.log")
        func visits(since: String) throws -> Int {
            let rows = try program.run("query", "dwell_times", "--param", "since=\(since)", "--format", "csv").text
                .split(whereSeparator: \.isNewline).dropFirst()
            return rows.compactMap { Int($0.split(separator: ",", omittingEmptySubsequences: false)[2]) }.reduce(0, +)
        }
        // The visits begin half a second after each full one.
        let all = try visits(since: "2026-05-04T07:10:00Z")
        #expect(all >= 2)
        #expect(try visits(since: "2026-05-04T07:10:00.500Z") == all)
        #expect(try visits(since: "2026-05-04T07:10:02Z") == 1)
        #expect(try visits(since: "2026-05-04T07:10:02.501Z") == 0)
    }

    @Test(
        "a time span means the same in the report, in pictures and in queries: runs that lived in it, and what happened then"
    )
    func oneSpan() throws {
        let program = try Program()
        let lines = [
            "10:00:00.000 Tour[7:1] application:willFinishLaunchingWithOptions:",
            "10:00:01.000 Tour[7:1] applicationDidBecomeActive:", "11:00:00.000 Tour[7:1] applicationWillResignActive:",
            "11:00:01.000 Tour[7:1] applicationDidEnterBackground:",
            "12:00:00.000 Tour[8:1] application:willFinishLaunchingWithOptions:",
            "12:00:01.000 Tour[8:1] applicationDidBecomeActive:",
        ]
        try program.write(lines.map { "2026-03-01 \($0)\n" }.joined(), to: "tour.log")
        try program.run("ingest", "tour.log")
        func answer(_ query: String) throws -> [Substring] {
            try program.run(
                "query", query, "--param", "since=2026-03-01T10:30", "--param", "until=2026-03-01T11:30", "--format",
                "csv"
            ).text.split(separator: "\n").dropFirst().map(\.self)
        }
        let span = ["--since", "2026-03-01T10:30", "--until", "2026-03-01T11:30"]
        // The first run began before and ended after its last line, with no line that shows it.
        #expect(try answer("run_summary").count == 1)
        #expect(try answer("end_reasons") == ["Tour,killed_in_background,inferred,1,1.0"])
        #expect(try answer("killed_in_background").count == 1)
        #expect(try answer("transition_counts").count == 3)
        #expect(try program.run(["timeline"] + span).text.contains("\n1 run · since"))
        let report = try program.run(["report"] + span).text
        #expect(report.contains(">3 transitions · 1 run") && report.contains("All 3 transitions are documented."))
        // The launch lies before the span.
        #expect(try answer("scenario_times").allSatisfy { !$0.contains("SC-A01") })
        #expect(report.contains("SC-A02") || !report.contains("SC-A01"))
    }
}
