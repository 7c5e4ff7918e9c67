import Foundation
import Testing

@Suite("Output files")
struct OutputFileTests {
    private static let log = """
        2024-03-09 10:00:00.000 Demo[7:1] application:didFinishLaunchingWithOptions:
        2024-03-09 10:00:01.000 Demo[7:1] applicationDidBecomeActive:
        2024-03-09 10:00:05.000 Demo[7:1] applicationWillResignActive:
        2024-03-09 10:00:06.000 Demo[7:1] applicationDidEnterBackground:

        """

    /// Every command that writes a file; `FILE` is where.
    static let writers = [
        "report -o FILE", "diagram -o FILE --format svg", "timeline -o FILE", "check --write-baseline FILE",
        "simulate -o simulated/FILE --callbacks 100 --truth FILE", "model export app -o FILE", "export xes -o FILE",
        "export perfetto -o FILE", "export datasette -o FILE",
    ]

    /// A database, what it was made from, and other names for them.
    private func program() throws -> Program {
        let program = try Program()
        try program.write(Self.log, to: "logs/app.log")
        let made = try program.shell(
            """
            set -e
            sed s/Demo/Other/ logs/app.log > member.log; tar czf logs/packed.tgz member.log; rm member.log
            $LIFESTATS ingest logs --db a.db
            ln -s a.db to-database; ln a.db same-database; ln -s logs/app.log to-log; ln logs/app.log same-log
            sqlite3 other.data 'CREATE TABLE t(a)'
            """)
        #expect(made.status == 0, "\(made.errors)")
        return program
    }

    private func arguments(_ command: String, to file: String) -> [String] {
        command.replacing("FILE", with: file).split(separator: " ").map(String.init) + ["--db", "a.db"]
    }

    private func content(_ program: Program) throws -> [String: Data] {
        var content: [String: Data] = [:]
        for name in ["a.db", "logs/app.log", "logs/packed.tgz", "other.data"] {
            content[name] = try Data(contentsOf: program.folder.url.appendingPathComponent(name))
        }
        return content
    }

    @Test("never replace a database or an ingested log, under any name", arguments: writers)
    func refuses(command: String) throws {
        let program = try program()
        let before = try content(program)
        let targets = [
            ("a.db", "it is the database a.db"), ("./logs/../a.db", "it is the database"),
            ("to-database", "it is the database"), ("same-database", "it is the database"),
            ("a.db-wal", "belongs to the database"), ("a.db-shm", "belongs to the database"),
            ("other.data", "it is a SQLite database"), ("logs/app.log", "a.db was made from it (source logs/app.log)"),
            ("to-log", "a.db was made from it"), ("same-log", "a.db was made from it"),
            ("logs/packed.tgz", "a.db was made from it"),
        ]
        for (file, why) in targets {
            let outcome = try program.run(arguments(command, to: file))
            #expect(outcome.status == 2, "\(command) to \(file)")
            #expect(outcome.errors.contains("will not write to \(file)"), "\(outcome.errors)")
            #expect(outcome.errors.contains(why), "\(command) to \(file): \(outcome.errors)")
            #expect(outcome.errors.contains("choose another name"))
            #expect(outcome.output.isEmpty)
        }
        #expect(try content(program) == before)
        #expect(try program.run("verify", "--db", "a.db").status == 0)
    }

    @Test("replace another file as a whole, and leave no other file", arguments: writers)
    func writes(command: String) throws {
        let program = try program()
        try program.write("old", to: "out/result")
        for file in ["out/result", "out/new"] {
            let outcome = try program.run(arguments(command, to: file))
            #expect(outcome.status == 0, "\(command): \(outcome.errors)")
            let written = try Data(contentsOf: program.folder.url.appendingPathComponent(file))
            #expect(written.count > 20)
        }
        let folder = program.folder.url.appendingPathComponent("out").path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["new", "result"])
        let denied = try program.run(arguments(command, to: "nowhere/result"))
        #expect(denied.status == 2)
        #expect(denied.errors.contains("cannot write nowhere/result") && denied.errors.contains("No such file"))
    }

    @Test("never replace an ingested log, from whichever folder it was named, nor do simulated logs")
    func otherFolder() throws {
        let program = try program()
        let before = try content(program)
        for file in ["app.log", "packed.tgz"] {
            let outcome = try program.shell("cd logs && $LIFESTATS report --db ../a.db -o \(file)")
            #expect(outcome.status == 2 && outcome.errors.contains("a.db was made from it"), "\(outcome.errors)")
        }
        let simulated = try program.run("simulate", "-o", "logs", "--callbacks", "100", "--db", "a.db")
        #expect(simulated.status == 2 && simulated.errors.contains("was made from it"), "\(simulated.errors)")
        #expect(try content(program) == before)
        // A file of that name with other content is no source.
        try program.write("old", to: "elsewhere/app.log")
        #expect(try program.run("diagram", "--format", "svg", "--db", "a.db", "-o", "elsewhere/app.log").status == 0)
    }

    @Test("Appending standard output to the database or a log is refused")
    func redirections() throws {
        let program = try program()
        let before = try content(program)
        for command in ["report", "diagram", "export xes"] {
            for file in ["a.db", "logs/app.log"] {
                let outcome = try program.shell("$LIFESTATS \(command) --db a.db >> \(file)")
                #expect(outcome.status == 2, "\(command) >> \(file)")
                #expect(outcome.errors.contains("will not write to standard output"), "\(outcome.errors)")
            }
            #expect(try program.shell("$LIFESTATS \(command) --db a.db > \(command.suffix(3)).out").status == 0)
        }
        #expect(try content(program) == before)
    }

    @Test("never replace a log of another database, nor take the place of a file of SQLite")
    func otherLogs() throws {
        let program = try program()
        try program.write(Self.log.replacingOccurrences(of: "Demo", with: "Third"), to: "third.log")
        for command in Self.writers {
            let outcome = try program.run(arguments(command, to: "third.log"))
            #expect(outcome.status == 2 && outcome.errors.contains("third.log"), "\(command): \(outcome.errors)")
            #expect(outcome.errors.contains("it is a log (format nslog)"), "\(command): \(outcome.errors)")
        }
        for (sample, format) in [
            ("06-log-json.log", "log-json"), ("15-crash-report.ips", "crash-report"),
            ("18-metrickit.json", "metrickit"), ("22-json-lines.log", "json-lines"),
            ("25-lifecycle-log.jsonl", "lifecycle-log"),
        ] {
            let log = Program.project.appendingPathComponent("samples/formats/\(sample)")
            let text = try String(contentsOf: log, encoding: .utf8)
            try program.write(text, to: "third.json")
            let outcome = try program.run("diagram", "--db", "a.db", "-o", "third.json")
            #expect(outcome.errors.contains("it is a log (format \(format)"), "\(sample): \(outcome.errors)")
            #expect(outcome.status == 2)
        }
        // What a command wrote as JSON is no log.
        for command in [
            "diagram -o FILE --format json", "export ocel -o FILE",
            "simulate -o simulated --callbacks 100 --truth FILE",
        ] {
            for turn in ["first", "second"] {
                let command = command.replacing("simulated", with: turn)
                let outcome = try program.run(arguments(command, to: "own.json"))
                #expect(outcome.status == 0, "\(command): \(outcome.errors)")
            }
        }
        // Nor do simulated logs, whose names may be those of others.
        let (name, other) = ("made/harbour-0001.log", Self.log.replacingOccurrences(of: "Demo", with: "Harbour"))
        try program.write(other, to: name)
        for options in [["--callbacks", "20"], ["--scenario", "SC-U01"]] {
            if options[0] == "--scenario" { _ = try program.shell("mv \(name) made/SC-U01.log") }
            let outcome = try program.run(["simulate", "-o", "made"] + options)
            #expect(outcome.status == 2 && outcome.errors.contains("it is a log (format nslog)"), "\(outcome.errors)")
            #expect(try program.shell("cat made/*").text == other)
        }
        for command in [
            "merge a.db-wal a.db", "ingest third.log --db a.db-journal", "ingest third.log --db new.db-shm",
        ] {
            let outcome = try program.run(command.split(separator: " ").map(String.init))
            #expect(outcome.status == 2 && outcome.errors.contains("choose another name"), "\(outcome.errors)")
        }
        #expect(try program.shell("ls *-wal *-shm *-journal").text.isEmpty)
    }

    @Test("are standard output with -o -, where there is one result")
    func standardOutput() throws {
        let program = try program()
        for (command, beginning) in [
            ("report", "<!doctype html>"), ("diagram", "<?xml"), ("timeline", "<?xml"), ("export xes", "<?xml"),
            ("model export app", "model: app"),
        ] {
            let outcome = try program.run(arguments(command + " -o FILE", to: "-"))
            #expect(outcome.status == 0 && outcome.text.lowercased().hasPrefix(beginning), "\(command)")
        }
        for command in ["check --write-baseline FILE", "simulate -o x --callbacks 100 --truth FILE", "export csv FILE"]
        {
            let outcome = try program.run(arguments(command, to: "-"))
            #expect(outcome.status == 2 && outcome.errors.contains("will not write to -"), "\(command)")
        }
        #expect(try program.shell("test -e ./-").status != 0)
    }

    @Test("have a known extension if they are pictures")
    func extensions() throws {
        let program = try program()
        try program.write("", to: "folder.svg/other")
        for (command, known) in [("diagram", ".svg, .png, .pdf, .dot, .json"), ("timeline", ".svg, .png, .pdf")] {
            for name in ["x.gif", "x.svgz", "x.", "folder.svg/x.jpeg"] {
                let outcome = try program.run(command, "--db", "a.db", "-o", name)
                #expect(outcome.status == 2, "\(command) \(name)")
                #expect(outcome.errors.contains("no picture format") && outcome.errors.contains(known))
            }
            for (name, beginning) in [("x.SVG", "<?xml"), ("x", "<?xml"), (".hidden", "<?xml"), ("x.png", "\u{89}PNG")]
            {
                #expect(try program.run(command, "--db", "a.db", "-o", name).status == 0, "\(command) \(name)")
                let bytes = try Data(contentsOf: program.folder.url.appendingPathComponent(name))
                let text = String(bytes.prefix(8).map { Character(Unicode.Scalar($0)) })
                #expect(text.hasPrefix(beginning) || text.hasPrefix("<svg"), "\(command) \(name): \(text)")
            }
        }
        #expect(try program.run("diagram", "--db", "a.db", "-o", "x.gif", "--format", "svg").status == 0)
    }
}
