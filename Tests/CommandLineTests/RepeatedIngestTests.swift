import Foundation
import Testing

/// What was read is never counted twice, and what was appended is read once.
@Suite("Repeated ingest")
struct RepeatedIngestTests {
    /// A log of three runs: a full tour, a silent kill in the background, a clean end.
    static let log = [
        "2026-03-01 08:00:00.000 Tour[500:1] willFinishLaunchingWithOptions",
        "2026-03-01 08:00:00.100 Tour[500:1] didFinishLaunchingWithOptions",
        "2026-03-01 08:00:00.400 Tour[500:1] applicationDidBecomeActive",
        "2026-03-01 08:10:00.400 Tour[500:1] applicationWillResignActive",
        "2026-03-01 08:10:01.400 Tour[500:1] applicationDidEnterBackground",
        "2026-03-01 08:10:02.000 Tour[500:1] uploading 3 photos",
        "2026-03-01 08:10:02.400 Tour[500:1] upload done",
        "2026-03-01 09:00:00.000 Tour[500:1] applicationWillEnterForeground",
        "2026-03-01 09:00:00.250 Tour[500:1] applicationDidBecomeActive",
        "2026-03-01 09:05:00.250 Tour[500:1] applicationWillResignActive",
        "2026-03-01 09:05:00.750 Tour[500:1] applicationDidEnterBackground",
        "2026-03-01 11:00:00.000 Tour[731:1] willFinishLaunchingWithOptions",
        "2026-03-01 11:00:00.080 Tour[731:1] didFinishLaunchingWithOptions",
        "2026-03-01 11:00:00.300 Tour[731:1] applicationDidBecomeActive",
        "2026-03-01 11:20:00.300 Tour[731:1] applicationWillResignActive",
        "2026-03-01 11:20:00.900 Tour[731:1] applicationDidEnterBackground",
        "2026-03-01 11:20:03.900 Tour[731:1] applicationWillTerminate",
        "2026-03-01 12:00:00.000 Tour[802:1] didFinishLaunchingWithOptions",
        "2026-03-01 12:00:00.200 Tour[802:1] applicationDidBecomeActive",
    ]

    static func text(_ lines: some Sequence<String>) -> String { lines.map { $0 + "\n" }.joined() }

    static func digest(_ program: Program) throws -> String {
        let outcome = try program.run("verify")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.hasPrefix("digest "))
        return outcome.text
    }

    /// The digest of one clean ingest, made once for all tests.
    static func cleanDigest() throws -> String { try clean.get() }

    private static let clean = Result { try digest(of: log) }
    private static let cleanLabelled = Result { try digest(of: labelled) }

    private static func digest(of lines: [String]) throws -> String {
        let program = try Program()
        try program.write(text(lines), to: "logs/app.log")
        #expect(try program.run("ingest", "logs").status == 0)
        return try digest(program)
    }

    @Test("an offset west of Greenwich is a zone, and an option that follows is none")
    func west() throws {
        let program = try Program()
        try program.write("2026-02-09 23:59:58 Tea[41:1] applicationDidBecomeActive\n", to: "tea.log")
        #expect(try program.run("ingest", "tea.log", "--timezone", "-03:00").status == 0)
        #expect(
            try program.run("query", "select time from events", "--format", "csv").figure
                == "2026-02-10T02:59:58.000000000Z")
        let mistake = try program.run("ingest", "tea.log", "--timezone", "--db", "x.db")
        #expect(mistake.status == 2)
        #expect(mistake.errors.contains("--timezone --db"), "\(mistake.errors)")
    }

    @Test(
        "who says anew how to read what was read before is told that it stays as it was, and how to read it anew",
        arguments: [
            (["--year", "2024"], true), (["--timezone", "Europe/Zurich"], true), (["--format", "log-compact"], true),
            (["--device", "Pan"], true), (["--app-version", "2.1"], true), (["--os-version", "18.1"], true),
            (["--format", "syslog"], false), ([], false),
        ])
    func readOtherwise(options: [String], isTold: Bool) throws {
        let program = try Program()
        try program.write("Feb  9 23:59:58 Pot Tea[41] <Notice>: applicationDidBecomeActive\n", to: "tea.log")
        #expect(try program.run("ingest", "tea.log").errors.contains("(give --year)"))
        let again = try program.run(["ingest", "tea.log"] + options)
        #expect(again.status == 0)
        #expect(again.errors.contains("tea.log: read before with another format") == isTold, "\(again.errors)")
        guard isTold else { return }
        #expect(again.errors.contains("`lifestats forget tea.log` first"))
        try program.run("ingest", "tea.log", "--db", "tea.db")
        let other = try program.run(["ingest", "tea.log", "--db", "tea.db"] + options).errors
        #expect(other.contains("`lifestats forget tea.log --db tea.db` first"), "\(other)")
        #expect(try program.run("forget", "tea.log").status == 0)
        #expect(!(try program.run(["ingest", "tea.log"] + options)).errors.contains("read before"))
        // A layout that fits no line leaves none behind.
        guard options.first != "--format" else { return }
        #expect(!(try program.run(["ingest", "tea.log"] + options)).errors.contains("read before"))
    }

    @Test("the runs, their ends and the suspension are what a reader of the log would say")
    func content() throws {
        let program = try Program()
        try program.write(Self.text(Self.log), to: "logs/app.log")
        let ingest = try program.run("ingest", "logs")
        #expect(ingest.errors.contains("3 runs"), "\(ingest.errors)")
        let runs = try program.run(
            "query", "select pid, end_reason from runs order by run_id", "--format", "csv")
        #expect(
            runs.text.split(whereSeparator: \.isNewline).map(String.init)
                == ["pid,end_reason", "500,killed_in_background", "731,terminated", "802,log_end"])
        // The first background stay: 08:10:01.4 to 09:00:00; the last sign of life is 08:10:02.4, and 5 s later the
        // silence counts as suspension, until the app comes back.
        let suspension = try program.run(
            "query",
            "select suspended_ns from suspensions where pid = 500 order by from_ns limit 1", "--format", "csv")
        let expected: Int64 = (49 * 60 + 57) * 1_000_000_000 + 600_000_000 - 5_000_000_000
        #expect(suspension.text.split(whereSeparator: \.isNewline).last.map(String.init) == "\(expected)")
    }

    @Test("ingesting twice changes nothing")
    func twice() throws {
        let program = try Program()
        try program.write(Self.text(Self.log), to: "logs/app.log")
        try program.run("ingest", "logs")
        let first = try Self.digest(program)
        #expect(try program.run("ingest", "logs").status == 0)
        #expect(try Self.digest(program) == first)
        #expect(try first == Self.cleanDigest())
    }

    @Test("a log that grows line by line gives what it gives at once")
    func grown() throws {
        #expect(try Self.digestGrown(Self.log) == Self.cleanDigest())
    }

    /// The digest of a log that was ingested again after each of its lines; it is well at every one.
    private static func digestGrown(_ lines: [String]) throws -> String {
        let program = try Program()
        var last = ""
        for end in 1...lines.count {
            try program.write(text(lines[..<end]), to: "logs/app.log")
            #expect(try program.run("ingest", "logs").status == 0)
            last = try digest(program)
        }
        return last
    }

    @Test("a log cut inside a line is completed when the rest arrives")
    func unterminated() throws {
        let program = try Program()
        let whole = Self.text(Self.log)
        for cut in stride(from: 40, to: whole.utf8.count, by: 97) {
            try program.write(String(decoding: whole.utf8.prefix(cut), as: UTF8.self), to: "logs/app.log")
            #expect(try program.run("ingest", "logs").status == 0)
        }
        try program.write(whole, to: "logs/app.log")
        try program.run("ingest", "logs")
        #expect(try Self.digest(program) == Self.cleanDigest())
    }

    /// Scenes and controllers with labels, lines without a process, a process that comes back after another.
    static let labelled = [
        "2026-03-01 08:00:00.000 Tour[500:1] application(_:didFinishLaunchingWithOptions:)",
        "2026-03-01 08:00:00.050 Tour[500:1] -[HomeViewController viewDidLoad]",
        "2026-03-01 08:00:00.060 Tour[500:1] -[HomeViewController viewWillAppear:]",
        "-> sceneDidBecomeActive",
        "2026-03-01 08:00:00.300 Tour[500:1] -[HomeViewController viewDidAppear:]",
        "2026-03-01 08:00:09.000 Other[77:1] -[MapViewController viewDidLoad]",
        "2026-03-01 08:00:09.100 Tour[500:1] -[MapViewController viewDidLoad]",
        "2026-03-01 08:00:09.200 Tour[500:1] -[HomeViewController viewWillDisappear:]",
        "2026-03-01 08:00:09.300 Tour[500:1] -[MapViewController viewWillAppear:]",
        "2026-03-01 08:00:09.600 Tour[500:1] -[MapViewController viewDidAppear:]",
        "2026-03-01 08:00:09.700 Tour[500:1] -[HomeViewController viewDidDisappear:]",
        "-> sceneWillResignActive",
        "2026-03-01 08:00:12.000 Tour[500:1] sceneDidEnterBackground",
    ]

    @Test("labels and lines without a process survive a growing log")
    func grownWithLabels() throws {
        #expect(try Self.digestGrown(Self.labelled) == Self.cleanLabelled.get())
    }

    @Test("a rotation that begins with lines without a process goes on where the one before it ended, in any order")
    func rotationWithoutProcess() throws {
        let whole = try Program()
        try whole.write(Self.text(Self.labelled), to: "logs/app.log")
        try whole.run("ingest", "logs")
        for order in [["app.log.2", "app.log.1", "app.log"], ["app.log", "app.log.1", "app.log.2"]] {
            let program = try Program()
            try program.write(Self.text(Self.labelled[..<3]), to: "logs/app.log.2")
            try program.write(Self.text(Self.labelled[3..<11]), to: "logs/app.log.1")
            try program.write(Self.text(Self.labelled[11...]), to: "logs/app.log")
            for name in order { #expect(try program.run("ingest", "logs/\(name)").status == 0) }
            #expect(try Self.digest(program) == Self.digest(whole), "\(order)")
        }
    }

    @Test("lines without a process at the beginning of a rotation belong to the process of the last line before it")
    func rotationBehindAnotherProcess() throws {
        let older = [
            "2026-03-01 08:00:00.000 Tour[500:1] -[HomeViewController viewDidAppear:]",
            "2026-03-01 08:00:01.000 Other[77:1] application(_:willFinishLaunchingWithOptions:)",
        ]
        // Something may still write into a file that was renamed.
        let late = ["2026-03-01 08:00:01.100 Third[78:1] application(_:willFinishLaunchingWithOptions:)"]
        let newer = ["-> didFinishLaunchingWithOptions", "2026-03-01 08:00:02.000 Tour[500:1] drawing"]
        let program = try Program()
        for (begin, end) in [(older, newer), (older + late, newer)] {
            try program.write(Self.text(begin + end), to: "whole/app.log")
            try program.run("ingest", "whole", "--db", "whole\(begin.count).db")
            try program.write(Self.text(begin), to: "logs/app.log.1")
            try program.write(Self.text(end), to: "logs/app.log")
            try program.run("ingest", "logs")
            let whole = try program.run("verify", "--db", "whole\(begin.count).db").text
            #expect(try Self.digest(program) == whole, "\(begin.count) older lines")
        }
    }

    @Test(
        "forgetting a rotation gives the lines without a process behind it to the process of the last line before it",
        arguments: ["app.log.3", "app.log.2", "app.log.1"])
    func forgottenProcess(name: String) throws {
        let files = [
            "app.log.3": ["2026-03-01 08:00:00.000 Tour[500:1] application(_:willFinishLaunchingWithOptions:)"],
            "app.log.2": ["2026-03-01 08:00:01.000 Other[77:1] application(_:willFinishLaunchingWithOptions:)"],
            "app.log.1": ["-> didFinishLaunchingWithOptions", "-> working"],
            "app.log": ["-> applicationDidBecomeActive", "2026-03-01 08:00:03.000 Tour[500:1] drawing"],
        ]
        let (program, without) = (try Program(), try Program())
        for (file, lines) in files {
            try program.write(Self.text(lines), to: "logs/\(file)")
            if file != name { try without.write(Self.text(lines), to: "logs/\(file)") }
        }
        #expect(try program.run("ingest", "logs").status == 0)
        #expect(try program.run("forget", "logs/\(name)").status == 0)
        #expect(try without.run("ingest", "logs").status == 0)
        #expect(try Self.digest(program) == Self.digest(without))
    }

    @Test("lines before the first that names a process belong to it, wherever the reading paused", arguments: 1..<5)
    func unnamedBeginning(cut: Int) throws {
        let lines = [
            "-> -[HomeViewController viewDidAppear:]",
            "Other[77:1] drawing",
            "2026-03-01 08:00:00.000 Tour[500:1] 3 photos",
            "2026-03-01 08:00:00.100 Tour[500:1] application(_:willFinishLaunchingWithOptions:)",
            "2026-03-01 08:00:01.000 Other[77:1] -[HomeViewController viewWillDisappear:]",
        ]
        let program = try Program()
        try program.write(Self.text(lines), to: "whole.log")
        try program.run("ingest", "whole.log", "--db", "whole.db")
        for count in [cut, lines.count] {
            try program.write(Self.text(lines[..<count]), to: "app.log")
            try program.run("ingest", "app.log")
        }
        #expect(try Self.digest(program) == program.run("verify", "--db", "whole.db").text)
        let first = try program.run("query", "select app from events where line = 1", "--format", "csv")
        #expect(first.figure == "Other")
    }

    @Test("signs of life of a process without events are remembered until its first event, in a later ingest")
    func earlyLife() throws {
        let lines = [
            "2026-03-01 08:00:00.000 Tour[500:1] opening the database",
            "2026-03-01 08:05:00.000 Tour[500:1] database is open",
            "2026-03-01 08:06:00.000 Tour[500:1] applicationWillResignActive",
        ]
        let whole = try Program()
        try whole.write(Self.text(lines), to: "logs/app.log")
        try whole.run("ingest", "logs")
        let grown = try Program()
        for count in 1...3 {
            try grown.write(Self.text(lines[..<count]), to: "logs/app.log")
            try grown.run("ingest", "logs")
        }
        #expect(try Self.digest(grown) == Self.digest(whole))
        // The process was active for six minutes at least.
        let stay = try grown.run("query", "select at_least_ns from visits where state = 'active'", "--format", "csv")
        #expect(stay.figure == "360000000000")
    }

    @Test(
        "forgetting a rotation leaves what an ingest without it gives",
        arguments: ["app.log.2", "app.log.1", "app.log"])
    func forget(name: String) throws {
        let files = ["app.log.2": Self.log[..<6], "app.log.1": Self.log[6..<12], "app.log": Self.log[12...]]
        let program = try Program()
        let without = try Program()
        for (file, lines) in files {
            try program.write(Self.text(lines), to: "logs/\(file)")
            if file != name { try without.write(Self.text(lines), to: "logs/\(file)") }
        }
        #expect(try program.run("ingest", "logs", "--keep-messages").status == 0)
        #expect(try program.run("forget", "logs/\(name)").status == 0)
        #expect(try without.run("ingest", "logs", "--keep-messages").status == 0)
        #expect(try Self.digest(program) == Self.digest(without))
        let messages = "select count(message) from events"
        #expect(try program.run("query", messages).text == without.run("query", messages).text)
    }

    @Test(
        "a copy of a line belongs to the run of its original, also when the stored facts are replayed",
        arguments: [
            // The copy stands among the lines of a launch that follows its original.
            [
                "applicationDidBecomeActive", "didFinishLaunchingWithOptions", "applicationDidBecomeActive",
                "application(_:willFinishLaunchingWithOptions:)",
            ],
            // Words of a framework that say what the app does.
            [
                "AppLifecycleState.paused", "didFinishLaunchingWithOptions", "AppLifecycleState.paused",
                "application(_:willFinishLaunchingWithOptions:)",
            ],
        ])
    func copies(messages: [String]) throws {
        let program = try Program()
        try program.write(
            Self.text(messages.map { "2026-03-01 08:00:00.000 Tour[500:1] \($0)" }), to: "logs/app.log")
        try program.run("ingest", "logs")
        let first = try Self.digest(program)
        let runs = try program.run("query", "select count(*) from runs", "--format", "csv").text
        try program.run("replay")
        #expect(try Self.digest(program) == first)
        #expect(try program.run("query", "select count(*) from runs", "--format", "csv").text == runs)
    }

    @Test(
        "forgetting a rotation leaves each run the version that its own source was read with",
        arguments: ["app.log.2", "app.log.1", "app.log"])
    func versions(name: String) throws {
        // What is left of the first process is in one rotation signs of life, in another events.
        let files = [
            ("app.log.2", "3.1", Self.log[..<3]), ("app.log.1", "3.2", Self.log[5..<7]),
            ("app.log", "3.3", Self.log[7...]),
        ]
        let program = try Program()
        let without = try Program()
        for (file, version, lines) in files {
            try program.write(Self.text(lines), to: "logs/\(file)")
            #expect(try program.run("ingest", "logs/\(file)", "--app-version", version).status == 0)
            guard file != name else { continue }
            try without.write(Self.text(lines), to: "logs/\(file)")
            #expect(try without.run("ingest", "logs/\(file)", "--app-version", version).status == 0)
        }
        #expect(try program.run("forget", "logs/\(name)").status == 0)
        #expect(try Self.digest(program) == Self.digest(without))
        // What is read again without a version is as if it had never had one; the rest keeps what it has.
        #expect(try program.run("ingest", "logs").status == 0)
        let sql = "select coalesce(app_version, 'none') from runs order by started_ns"
        let versions = try program.run("query", sql, "--format", "csv").text.split(separator: "\n").dropFirst()
        let expected = files.map { $0.0 == name ? "none" : $0.1 }
        #expect(versions.map(String.init) == [expected[0], expected[2], expected[2]])
    }

    @Test("times that no log has are rejected, not turned into others", arguments: ["1700", "9999"])
    func impossibleYear(year: String) throws {
        let program = try Program()
        try program.write(
            "\(year)-03-01 08:00:00.000 Tour[500:1] applicationDidBecomeActive\n" + Self.text(Self.log), to: "app.log")
        let ingest = try program.run("ingest", "app.log")
        #expect(ingest.status == 0, "\(ingest.errors)")
        #expect(ingest.errors.contains("1 line"), "\(ingest.errors)")
        let times = try program.run("query", "select min(time) from events", "--format", "csv")
        #expect(times.text.contains("2026-03-01T08:00:00"))
        #expect(try program.run("ingest", "app.log", "--year", year).status == 2)
    }
}
