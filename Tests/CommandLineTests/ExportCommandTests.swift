import Foundation
import Testing
import Yams

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Exports are read by other programs, so their tests read them with the parsers of others.
@Suite("Exports of hostile names")
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

    /// The names of the processes, as the database has them.
    private func apps(_ program: Program) throws -> [String] {
        let json = try program.run("query", "select distinct app from runs order by run_id", "--format", "json").output
        let rows = try #require(try JSONSerialization.jsonObject(with: json) as? [[String: Any]])
        return rows.compactMap { $0["app"] as? String }
    }

    private final class Values: NSObject, XMLParserDelegate {
        var apps: Set<String> = []
        var events = 0

        func parser(
            _: XMLParser, didStartElement name: String, namespaceURI _: String?, qualifiedName _: String?,
            attributes: [String: String]
        ) {
            if attributes["key"] == "app" { apps.insert(attributes["value"] ?? "") }
            if name == "event" { events += 1 }
        }
    }

    @Test("libxml2 reads XES")
    func xes() throws {
        let program = try program()
        let apps = try apps(program)
        #expect(apps.count >= 10)
        let (values, parser) = (Values(), XMLParser(data: try program.run("export", "xes").output))
        parser.delegate = values
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        #expect(values.apps.count == apps.count)
        #expect(values.apps.isSuperset(of: apps.filter { ["]]>", "<a & 'b'>", "\"q\\", "=1+1", "-x"].contains($0) }))
        // XML 1.0 allows most C1 controls, but a terminal may obey them.
        #expect(values.apps.contains("a<U+009B>2Jb") || !apps.contains("a\u{9B}2Jb"))
        let events = try program.run("query", "select count(*) from events", "--format", "ndjson").text
        #expect(values.events == Int(events.filter(\.isNumber)))
    }

    @Test("A trace for Perfetto is a sequence of packets, and names each process")
    func perfetto() throws {
        let program = try program()
        let trace = try program.run("export", "perfetto").output
        var (rest, packets) = (trace[...], 0)
        while let tag = rest.popFirst() {
            #expect(tag == 0x0A)
            var (length, shift) = (0, 0)
            while let byte = rest.popFirst() {
                length |= Int(byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 { break }
            }
            try #require(length <= rest.count)
            rest = rest.dropFirst(length)
            packets += 1
        }
        #expect(packets > 50)
        for app in try apps(program) { #expect(trace.range(of: Data(app.utf8)) != nil, "\(app.debugDescription)") }
    }

    @Test("Foundation reads OCEL and every line of OTLP, and SQLite its own form of OCEL")
    func documents() throws {
        let program = try program()
        let apps = try apps(program)
        let root = try JSONSerialization.jsonObject(with: program.run("export", "ocel").output)
        let objects = try #require((root as? [String: Any])?["objects"] as? [[String: Any]])
        #expect(
            Set(objects.filter { $0["type"] as? String == "app" }.compactMap { $0["id"] as? String })
                == Set(apps.map { "app:\($0)" }))
        #expect(try program.run("export", "otlp", "telemetry").status == 0)
        for name in ["traces", "logs"] {
            let text = try program.shell("cat telemetry/\(name).jsonl").text
            for line in text.split(separator: "\n") {
                #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
            }
        }
        #expect(try program.run("export", "ocel", "-o", "log.sqlite").status == 0)
        let check = "sqlite3 log.sqlite 'PRAGMA integrity_check; PRAGMA foreign_key_check; SELECT count(*) FROM event'"
        let events = try program.run("query", "select count(*) from events", "--format", "ndjson").text
        #expect(try program.shell(check).text == "ok\n\(events.filter(\.isNumber))\n")
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
        #expect(Int(parts.filter(\.isNumber)) == (try apps(program)).count)
        let again = try program.run("export", "csv", "tables")
        #expect(again.status == 2)
        #expect(again.errors.contains("it is not empty"), "\(again.errors)")
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

    @Test("libxml2 reads JUnit, and Foundation reads SARIF and JSON")
    func findings() throws {
        let program = try program()
        let parser = XMLParser(data: try program.run("check", "--format", "junit").output)
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        for format in ["sarif", "json"] {
            let output = try program.run("check", "--format", format).output
            #expect(try JSONSerialization.jsonObject(with: output) is [String: Any])
        }
    }
}
