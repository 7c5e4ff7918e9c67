import Foundation
import Testing

/// After a rotation was forgotten the database is what an ingest of the others gives; no file is needed for it.
@Suite("Forgetting a rotation that the next ones go on from")
struct ForgetTests {
    struct Log: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var files: [String: String]
        /// The rotation that is forgotten.
        var gone = "app.log.1"

        init(_ testDescription: String, _ files: [String: String], without gone: String = "app.log.1") {
            self.testDescription = testDescription
            self.files = files
            self.gone = gone
        }
    }

    private static let began = "2026-03-01 08:00:01.000 Tea[5:1] applicationDidBecomeActive\n"
    private static let inactive = "2026-03-01 08:00:02.000 Tea[5:1] applicationWillResignActive\n"
    private static let ended = "2026-03-01 08:00:03.000 Tea[5:1] applicationDidEnterBackground\n"
    private static let onPhone = "Mar  1 08:00:02 Phone Tea[5] <Notice>: applicationWillResignActive\n"

    static let devices = [
        Log("a device that the lines behind name no more", ["app.log.1": onPhone, "app.log": ended]),
        Log(
            "a device that a run has which began before",
            ["app.log.2": began, "app.log.1": onPhone, "app.log": ended]),
        Log(
            "a device whose name changed",
            ["app.log.1": onPhone, "app.log": onPhone.replacing("Phone", with: "Tablet").replacing(":02", with: ":03")]),
        Log(
            "a device that comes back among others",
            [
                "app.log.1": onPhone,
                "app.log": (0..<20).map { "Mar  1 08:00:03 \(["Tablet", "Phone"][$0 % 2]) Milk[6] <Notice>: hi\n" }
                    .joined() + onPhone.replacing("Phone", with: "Tablet").replacing(":02", with: ":04"),
            ]),
        Log(
            "a device that goes through a file which names none",
            ["app.log.2": onPhone, "app.log.1": "Tea[5:1] hello\n", "app.log": ended], without: "app.log.2"),
        Log(
            "a device that the file before named as well",
            ["app.log.2": onPhone.replacing(":02", with: ":01"), "app.log.1": onPhone, "app.log": ended]),
    ]

    private static func line(_ second: Int, _ message: String, pid: Int? = nil, name: String? = nil) -> String {
        let names = (name.map { ", \"process\": \"\($0)\"" } ?? "") + (pid.map { ", \"pid\": \($0)" } ?? "")
        return "{\"time\": \"2026-03-22T19:24:\(second).861Z\", \"msg\": \"\(message)\"\(names)}\n"
    }

    /// Lines that say one of the name and the id of their process, and take up the other one.
    static let processes = [
        Log(
            "an id that the lines behind say themselves",
            [
                "app.log.1": line(10, "hello", pid: 48722),
                "app.log": line(20, "applicationDidEnterBackground", pid: 48722)
                    + line(30, "applicationDidBecomeActive", pid: 48722)
                    + line(31, "applicationWillResignActive", pid: 48722)
                    + line(32, "applicationDidEnterBackground", pid: 50),
            ]),
        Log(
            "a name, and an id that the second line behind says itself",
            [
                "app.log.2": line(10, "hello", pid: 4, name: "Milk"),
                "app.log.1": line(11, "hello", pid: 5, name: "Tea"),
                "app.log": line(20, "applicationDidEnterBackground") + line(21, "hello", pid: 5)
                    + line(30, "applicationDidBecomeActive", pid: 5) + line(31, "applicationWillResignActive"),
            ]),
        Log(
            "a name that goes through a file which says ids alone",
            [
                "app.log.2": line(11, "applicationDidBecomeActive", pid: 5, name: "Tea"),
                "app.log.1": line(20, "applicationWillResignActive", pid: 6),
                "app.log": line(30, "applicationDidEnterBackground"),
            ], without: "app.log.2"),
    ]

    static let clocks = [
        Log(
            "the date, through two files without one",
            [
                "app.log.2": began, "app.log.1": "08:00:02.000 Tea[5:1] applicationWillResignActive\n",
                "app.log": "08:00:03.000 Tea[5:1] applicationDidEnterBackground\n",
            ], without: "app.log.2"),
        Log(
            "the date, through a file without any time",
            [
                "app.log.2": began, "app.log.1": "Tea[5:1] hello\n",
                "app.log": "08:00:03.000 Tea[5:1] applicationDidEnterBackground\n",
            ], without: "app.log.2"),
        Log(
            "the year",
            [
                "app.log.1": "Dec 31 23:59:59 Phone Tea[5] <Notice>: applicationDidBecomeActive\n",
                "app.log": "Jan  1 00:00:02 Phone Tea[5] <Notice>: applicationWillResignActive\n",
            ]),
        Log(
            "the sum of intervals",
            [
                "app.log.1": "[+1000 ms] flutter: AppLifecycleState.resumed\n",
                "app.log": "[+1000 ms] flutter: AppLifecycleState.paused\n",
            ]),
    ]

    private static let report = [
        "Process:             TeaTimer [412]", "Version:             3.1 (77)",
        "OS Version:          iPhone OS 17.4 (21E219)", "Date/Time:           2024-03-09 07:30:00.1234 +0100",
        "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)",
    ]

    static let reports = [
        Log(
            "the versions of a report that was cut in two",
            ["app.log.1": RepeatedIngestTests.text(report[..<3]), "app.log": RepeatedIngestTests.text(report[3...])]),
        Log(
            "the versions of a report of which one line follows",
            ["app.log.1": RepeatedIngestTests.text(report[..<3]), "app.log": RepeatedIngestTests.text(report[3..<4])]),
        Log(
            "the time and the version of a report whose header is gone",
            [
                "app.log.1": #"{"bug_type":"298","timestamp":"2024-03-09 07:40:00.00 +0100","os_version":"17.4"}"#
                    + "\n",
                "app.log": #"{"states":[],"pid":412,"rpages":9,"reason":"per-process-limit","name":"Tea"}"# + "\n",
            ]),
    ]

    /// Reads all files, forgets one, and reads those that are left into another database. Then a copy of the database
    /// forgets the source once more when all files are gone.
    private func compare(_ log: Log, options: [String] = [], environment: [String: String] = [:]) throws {
        let (program, without) = (try Program(), try Program())
        for (name, text) in log.files {
            try program.write(text, to: "logs/\(name)")
            if name != log.gone { try without.write(text, to: "logs/\(name)") }
        }
        #expect(try program.run(["ingest", "logs"] + options, environment: environment).status == 0)
        #expect(try without.run(["ingest", "logs"] + options, environment: environment).status == 0)
        let database = program.folder.url.appendingPathComponent("lifestats.db")
        let whole = try Data(contentsOf: database)
        try forget(log, in: program, environment: environment)
        let expected = try (content(of: without), RepeatedIngestTests.digest(without))
        #expect(try (content(of: program), RepeatedIngestTests.digest(program)) == expected)
        // What is appended goes on from what is left.
        for place in [program, without] {
            try place.write(
                (log.files["app.log"] ?? "") + "09:00:00.000 applicationWillTerminate\n", to: "logs/app.log")
            #expect(try place.run(["ingest", "logs/app.log"] + options, environment: environment).status == 0)
        }
        #expect(try RepeatedIngestTests.digest(program) == RepeatedIngestTests.digest(without))
        try whole.write(to: database)
        for name in log.files.keys { try remove("logs/\(name)", from: program) }
        try forget(log, in: program, environment: environment)
        #expect(try (content(of: program), RepeatedIngestTests.digest(program)) == expected)
    }

    private func forget(_ log: Log, in program: Program, environment: [String: String]) throws {
        let outcome = try program.run(["forget", "logs/\(log.gone)"], environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// What a user sees of the sources and the messages of a database. Pseudonyms of paths depend on the folder.
    private func content(of program: Program) throws -> String {
        let shown = """
            select iif(path like 'log-%', '', path), device, events, lines, timezone, assumptions, (select count(message) from events) as messages
            from sources order by 1, lines, events
            """
        return try program.run("query", shown).text
    }

    private func remove(_ name: String, from program: Program) throws {
        try FileManager.default.removeItem(at: program.folder.url.appendingPathComponent(name))
    }

    @Test("what is left is as if it had never been there", arguments: devices + processes + clocks + reports)
    func forgotten(log: Log) throws {
        try compare(log)
    }

    @Test(
        "what is left stays as it was read",
        arguments: [
            (clocks[0], ["--device", "Mine", "--keep-messages"]),
            (clocks[1], ["--timezone", "Europe/Zurich", "--app-version", "7"]), (clocks[2], ["--year", "2024"]),
            (clocks[1], ["--date", "2025-07-08"]), (clocks[0], ["--redact", "--keep-messages"]),
            (clocks[3], ["--redact", "--device", "Mine"]),
        ])
    func wishes(log: Log, options: [String]) throws {
        try compare(log, options: options, environment: ["LIFESTATS_REDACTION_KEY": "key"])
    }

    @Test("a source of a redacted database can be forgotten by its number")
    func pseudonyms() throws {
        let program = try Program()
        let key = ["LIFESTATS_REDACTION_KEY": "key"]
        for (name, text) in Self.clocks[2].files { try program.write(text, to: "logs/\(name)") }
        #expect(try program.run(["ingest", "logs", "--redact"], environment: key).status == 0)
        let path = "select min(source_id) from sources where path like '%.1'"
        let id = try program.run("query", path, "--format", "csv").figure
        #expect(try program.run(["forget", id], environment: key).status == 0)
        #expect(try program.run("query", "select count(*) from sources", "--format", "csv").figure == "1")
        #expect(try program.run("verify").status == 0)
    }

    @Test("spellings of the user's own are not lost when an older rotation turns up without them")
    func ownFilesStay() throws {
        let (program, whole) = (try Program(), try Program())
        for place in [program, whole] {
            try place.write("applicationDidBecomeActive: [woke up]\n", to: "aliases.yaml")
            try place.write(Self.ended, to: "logs/app.log.1")
            try place.write("-> woke up\n", to: "logs/app.log")
        }
        #expect(try program.run("ingest", "logs/app.log", "--aliases", "aliases.yaml").status == 0)
        #expect(try program.run("ingest", "logs/app.log.1").status == 0)
        #expect(try program.run("query", "select count(*) from events", "--format", "csv").figure == "2")
        // With them, what the older one tells the next one comes true.
        for place in [program, whole] {
            #expect(try place.run("ingest", "logs", "--aliases", "aliases.yaml").status == 0)
            #expect(try place.run("query", "select app from runs", "--format", "csv").figure == "Tea")
        }
        #expect(try RepeatedIngestTests.digest(program) == RepeatedIngestTests.digest(whole))
        #expect(try program.run("ingest", "logs", "--aliases", "aliases.yaml").errors.contains("Nothing new"))
    }

    @Test("the files of the others, and how they were read, are not needed")
    func ownFiles() throws {
        let program = try Program()
        try program.write("applicationDidBecomeActive: [woke up]\n", to: "aliases.yaml")
        try program.write(Self.ended, to: "logs/app.log.1")
        try program.write("2026-03-01 08:00:09.000 Tea[5:1] -> woke up\n", to: "logs/app.log")
        #expect(try program.run("ingest", "logs", "--aliases", "aliases.yaml").status == 0)
        try remove("logs/app.log", from: program)
        #expect(try program.run("forget", "logs/app.log.1").status == 0)
        #expect(
            try program.run("query", "select callback from events", "--format", "csv").figure
                == "applicationDidBecomeActive")
    }

    @Test(
        "a rotation does not say the device of the next file, whatever comes first",
        arguments: [([], "Milk Phone"), (["--device", "Mine"], "Milk Phone Tea Mine")])
    func lateDevice(options: [String], devices: String) throws {
        let program = try Program()
        try program.write(Self.onPhone.replacing("Tea", with: "Milk"), to: "logs/app.log.1")
        try program.write("Tea[5:1] applicationDidBecomeActive\n", to: "logs/app.log")
        #expect(try program.run(["ingest", "logs/app.log"] + options).status == 0)
        #expect(try program.run("ingest", "logs/app.log.1").status == 0)
        let all = "select group_concat(app || ' ' || device, ' ') from (select app, device from runs order by app)"
        #expect(try program.run("query", all, "--format", "csv").figure == devices)
    }
}
