import Foundation
import Testing
import Yams

/// Outputs are read by other programs, so their tests read them with the parsers of others.
@Suite("Outputs of hostile names")
struct ExportCommandTests {
    /// C0 and C1 controls, line separators, direction marks, markup, formulas, and what JSON, XML and YAML quote.
    static let names = [
        "a\u{1B}[2Jb", "a\u{9B}2Jb", "a\u{85}b", "a\u{7F}b", "a\u{FFFE}b", "a\u{202E}b", "a\u{2028}b", "]]>",
        "<a & 'b'>",
        "\"q\\", "=1+1", "-x", "{{y}}: #",
    ]

    /// A database with these names as processes and as classes of controllers.
    private func program() throws -> Program {
        let program = try Program()
        var lines: [String] = []
        for (number, name) in Self.names.enumerated() {
            let begin = "2024-03-09 10:\(10 + number):"
            lines += [
                "00.000 \(name)[\(100 + number):1] application:didFinishLaunchingWithOptions:",
                "01.000 \(name)[\(100 + number):1] <My\(name)Controller: 0x1> viewDidLoad",
                "02.000 \(name)[\(100 + number):1] applicationDidBecomeActive:",
            ].map { begin + $0 }
        }
        try program.write(lines.joined(separator: "\n") + "\n", to: "a.log")
        let outcome = try program.run("ingest", "a.log")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return program
    }

    @Test(
        "Python's parsers read every export, table, picture and report, with the elements that harmless names give",
        .enabled(if: ExactnessTests.hasPython))
    func everyOutput() throws {
        let script = Program.project.appendingPathComponent("Tests/scripts/hostile_names.py").path
        let outcome = try Program().shell("python3 '\(script)' --lifestats $LIFESTATS")
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
    }

    @Test("Tables go into a new folder, also divided by hostile names; a folder with content is left alone")
    func tables() throws {
        let program = try program()
        #expect(try program.run("export", "parquet", "tables").status == 0)
        #expect(try program.run("export", "csv", "sheets").status == 0)
        let views = try program.run("query", "select name from sqlite_schema where type = 'view'", "--format", "csv")
            .text
            .split(separator: "\n").dropFirst()
        for view in views {
            #expect(
                try program.shell("head -c 4 tables/\(view).parquet; tail -c 4 tables/\(view).parquet").text
                    == "PAR1PAR1")
            #expect(try program.shell("test -s sheets/\(view).csv").status == 0, "\(view)")
        }
        #expect(try program.run("export", "parquet", "parts", "--partition-by", "app,date").status == 0)
        let parts = try program.shell("ls parts/visits | wc -l").text
        let apps = try program.run("query", "select count(distinct app) from runs", "--format", "ndjson").text
        #expect(parts.filter(\.isNumber) == apps.filter(\.isNumber))
        // A folder has a name of at most 255 bytes.
        let app = String(repeating: "茶", count: 28)
        try program.write(
            "2024-03-09 07:30:00.123456+0100 0x1 Default 0x0 412 0 \(app): -[AppDelegate applicationDidBecomeActive:]\n",
            to: "long.log")
        #expect(try program.run("ingest", "long.log", "--db", "long.db").status == 0)
        let long = try program.run("export", "parquet", "long", "--partition-by", "app", "--db", "long.db")
        #expect(
            long.status == 2 && long.errors.contains("the name of an app is too long for a folder"), "\(long.errors)")
        #expect(try program.run("export", "csv", "long", "--db", "long.db").status == 0)
        let again = try program.run("export", "csv", "tables")
        #expect(again.status == 2)
        #expect(again.errors.contains("it is not empty"), "\(again.errors)")
    }

    @Test("A file whose extension promises another format is refused, with the right one")
    func extensions() throws {
        let program = try program()
        for (format, file, right) in [
            ("perfetto", "trace.json", "use .pftrace"), ("xes", "log.json", "use .xes"),
            ("datasette", "x.txt", "use .yaml"),
        ] {
            let outcome = try program.run("export", format, "-o", file)
            #expect(outcome.status == 64 && outcome.errors.contains(right), "\(outcome.errors)")
        }
        #expect(try program.run("export", "perfetto", "-o", "trace.perfetto-trace").status == 0)
    }

    @Test("libyaml reads the metadata for Datasette, whatever the database is called")
    func datasette() throws {
        let program = try program()
        let name = "a: \"b\" #{{c}}\u{9B}"
        #expect(try program.shell("cp lifestats.db '\(name).db'").status == 0)
        let yaml = try program.run("export", "datasette", "--db", "\(name).db").text
        let root = try #require(try Yams.load(yaml: yaml) as? [String: Any])
        let databases = try #require(root["databases"] as? [String: Any])
        #expect(databases.count == 1)
        let queries = (databases.values.first as? [String: Any])?["queries"] as? [String: Any]
        #expect(queries?["dwell_times"] != nil)
    }
}
