import Foundation
import Testing

/// Bad input gives a clear error or a located diagnostic, the right exit code, and no half-written database.
@Suite("Bad input")
struct BadInputTests {
    private func databaseExists(_ program: Program) -> Bool {
        FileManager.default.fileExists(atPath: program.folder.url.appendingPathComponent("lifestats.db").path)
    }

    @Test("a path that does not exist is an error and leaves no database")
    func missingPath() throws {
        let program = try Program()
        let outcome = try program.run("ingest", "nowhere.log")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("nowhere.log"))
        #expect(!databaseExists(program))
    }

    @Test("a format that does not exist is an error before anything is read")
    func unknownFormat() throws {
        let program = try Program()
        try program.write(ReferenceRunTests.timed, to: "tour.log")
        let outcome = try program.run("ingest", "tour.log", "--format", "nope")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("there is no format 'nope'") && !outcome.errors.contains("Read 1 file"))
    }

    @Test("what stands in the place of something else gets the option that is meant, and the usage of its own command")
    func wrongPlaces() throws {
        let program = try Program()
        try program.write(ReferenceRunTests.timed, to: "logs/tour.log")
        let path = try program.run("query", "dwell_times", "logs")
        #expect(path.status == 64 && path.errors.contains("Unexpected argument 'logs': write --from logs."))
        #expect(try program.run("ingest", "logs").status == 0)
        let database = try program.run("check", "lifestats.db")
        #expect(database.status == 2)
        #expect(database.errors.contains("lifestats.db: is a database, not a log; write --db lifestats.db"))
        let twice = try program.run("check", "logs", "logs", "--fail-on", "never")
        #expect(twice.status == 0 && twice.errors.contains("logs: was already searched\n"), "\(twice.errors)")
        for command in ["diagram --compare a b --device x -o x.svg", "report -o x.pdf"] {
            let words = command.split(separator: " ").map(String.init)
            let late = try program.run(words)
            #expect(
                late.status == 64 && late.errors.contains("Usage: lifestats \(words[0]) [<options>]"), "\(late.errors)")
            #expect(late.errors.contains("See 'lifestats \(words[0]) --help'"))
        }
        for (command, hint) in [
            ("report -o x.html", "report logs/"), ("timeline", "timeline logs/"), ("show run:1", "show … --from logs/"),
            ("check", "check logs/"),
        ] {
            let missing = try program.run(command.split(separator: " ").map(String.init) + ["--db", "none.db"])
            #expect(missing.errors.contains("such as `lifestats \(hint)`"), "\(missing.errors)")
        }
        // Logs that are read in one step leave nothing to verify.
        let verified = try program.run("verify", "--db", "none.db").errors
        #expect(verified.contains("Create it with `lifestats ingest` or name another with --db.\n"), "\(verified)")
        for (cohort, hint) in [
            ("logs/tour.log", "lifestats ingest logs/tour.log --db a.db"), ("1.0", "app_version=1.0"),
        ] {
            let cohorts = try program.run("compare", cohort, "1.1")
            #expect(cohorts.status == 2 && cohorts.errors.contains(hint), "\(cohorts.errors)")
        }
        let severity = try program.run("check", "--fail-on", "remark").errors
        #expect(severity.contains("'--fail-on <fail-on>'. Did you mean info?"), "\(severity)")
        let language = try program.run("diagram", "--language", "es").errors
        #expect(language.contains("'--language'. Did you mean '--lang'?\nUsage: "), "\(language)")
        #expect(try program.run("check", "logs", "--year", "26").errors.contains("four digits: --year 2026"))
        let model = try program.run("query", "dwell_times", "--model", "tour.yaml")
        #expect(model.status == 64 && model.errors.contains("--from"))
    }

    @Test("lines of plain text are entries, but not of a log")
    func plainText() throws {
        let program = try Program()
        try program.write("milk\nbread\n", to: "shopping.txt")
        let errors = try program.run("ingest", "shopping.txt").errors
        #expect(errors.contains("1 file: plain text: no line has a time or anything else that logs have, shopping.txt"))
        #expect(!errors.contains("no line looks like a log entry"), "\(errors)")
    }

    @Test("an empty file is read without errors and has no events")
    func emptyFile() throws {
        let program = try Program()
        try program.write("", to: "empty.log")
        let outcome = try program.run("ingest", "empty.log")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("0 events"))
    }

    @Test("a binary file inside a folder is named in the summary and does not stop the others")
    func binaryFile() throws {
        let program = try Program()
        try program.write(Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }), to: "logs/picture.bin")
        try program.write(ReferenceRunTests.timed, to: "logs/tour.log")
        let outcome = try program.run("ingest", "logs")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("picture.bin"))
        #expect(outcome.errors.contains("7 events"))
    }

    @Test("a folder without logs says so")
    func emptyFolder() throws {
        let program = try Program()
        try FileManager.default.createDirectory(
            at: program.folder.url.appendingPathComponent("logs"), withIntermediateDirectories: true)
        let outcome = try program.run("ingest", "logs")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("0 files"))
    }

    @Test("a file that is not a database is never changed", arguments: ["query", "ingest", "verify", "diagram"])
    func foreignDatabase(command: String) throws {
        let program = try Program()
        let text = "this is a shopping list\n" + String(repeating: "milk\n", count: 400)
        try program.write(text, to: "lifestats.db")
        try program.write(ReferenceRunTests.timed, to: "tour.log")
        let arguments =
            switch command {
            case "query": ["query", "dwell_times"]
            case "ingest": ["ingest", "tour.log"]
            default: [command]
            }
        let outcome = try program.run(arguments)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("lifestats.db"))
        let after = try String(contentsOf: program.folder.url.appendingPathComponent("lifestats.db"), encoding: .utf8)
        #expect(after == text)
    }

    @Test("a database of another program is never changed", arguments: ["query", "ingest", "verify", "replay"])
    func databaseOfAnother(command: String) throws {
        let program = try Program()
        try program.write(ReferenceRunTests.timed, to: "tour.log")
        try program.run("ingest", "tour.log", "--db", "photos.db")
        // Bytes 68 to 71 of a database file identify its application.
        let before = try program.shell(
            "printf FOTO | dd of=photos.db bs=1 seek=68 conv=notrunc status=none; cksum < photos.db")
        let arguments =
            switch command {
            case "query": ["query", "dwell_times"]
            case "ingest": ["ingest", "tour.log"]
            default: [command]
            }
        let outcome = try program.run(arguments + ["--db", "photos.db"])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("photos.db: this is a database of another program"), "\(outcome.errors)")
        #expect(try program.shell("cksum < photos.db; ls -A | grep photos").text == before.text + "photos.db\n")
    }

    @Test("querying a missing database is an error and creates nothing")
    func missingDatabase() throws {
        let program = try Program()
        let outcome = try program.run("query", "dwell_times")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("lifestats ingest"))
        #expect(!databaseExists(program))
    }

    @Test("an option that does not exist is a usage error")
    func usage() throws {
        #expect(try Program().run("ingest", "--no-such-option").status == 64)
        #expect(try Program().run("query").status == 64)
    }

    @Test("binary data is named as such, from a file and from standard input")
    func binaryInput() throws {
        let program = try Program()
        try program.write(Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 / 7) }), to: "noise")
        for command in ["check noise", "check - < noise", "cat noise | \"$LIFESTATS\" check -"] {
            let outcome = try program.shell(command.hasPrefix("cat") ? command : "\"$LIFESTATS\" \(command)")
            #expect(outcome.status == 2 && outcome.errors.contains("is binary data: not text"), "\(outcome.errors)")
        }
        // A crash leaves a gap of NUL bytes in a file.
        try program.write(
            Data(repeating: 0, count: 64) + Data("2026-03-01 08:00:00.000 Tour[5:1] applicationDidBecomeActive\n".utf8),
            to: "gap.log")
        let gap = try program.shell("cat gap.log | \"$LIFESTATS\" ingest -")
        #expect(gap.status == 0 && gap.errors.contains("1 event"), "\(gap.errors)")
    }
}
