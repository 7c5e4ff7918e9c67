import Foundation
import Testing

/// Every command, query, view and format is documented.
@Suite("Documentation")
struct DocumentationTests {
    static let commands = [
        "ingest", "watch", "diagram", "query", "timeline", "report", "check", "compare", "show", "model", "formats",
        "schema", "shell", "replay", "forget", "merge", "export", "simulate", "verify",
    ]

    @Test("every command of the design exists and has help", arguments: commands)
    func help(command: String) throws {
        let outcome = try Program().run("help", command)
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("OVERVIEW"))
        #expect(outcome.text.contains("USAGE: lifestats \(command)"))
    }

    @Test(
        "a command that help names runs as it is written",
        arguments: [["--help"], ["help", "model"], ["help", "formats"]])
    func furtherHelp(arguments: [String]) throws {
        let text = try Program().run(arguments).text
        let way = try #require(text.firstMatch(of: /See '(lifestats )help (.*)<subcommand>' for/))
        #expect(!way.2.contains("lifestats"))
        #expect(try Program().shell("\"$LIFESTATS\" help \(way.2)").status == 0)
    }

    @Test("the overview names every command")
    func overview() throws {
        let text = try Program().run("--help").text
        for command in Self.commands { #expect(text.contains("  \(command) "), "\(command)") }
    }

    @Test("every option is explained", arguments: commands)
    func options(command: String) throws {
        let lines = try Program().run("help", command).text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where line.hasPrefix("  -") {
            // The explanation is in column 26, on the same line or the next.
            let next = index + 1 < lines.count ? lines[index + 1] : ""
            let isExplained = line.dropFirst(26).contains { $0 != " " } || next.hasPrefix("            ")
            #expect(isExplained, "\(command): \(line)")
        }
    }

    @Test("every named query runs on an empty database, and has a header")
    func queries() throws {
        let program = try Program()
        try program.write("", to: "empty.log")
        try program.run("ingest", "empty.log")
        let list = try program.run("query", "--list").text.split(separator: "\n")
            .filter { $0.hasPrefix("  ") }.map { $0.dropFirst(2) }
        #expect(list.count >= 24)
        for line in list {
            let name = String(line.prefix { $0 != " " })
            let outcome = try program.run("query", name, "--format", "csv")
            #expect(outcome.status == 0, "\(name): \(outcome.errors)")
            let header = try program.run("query", "--show", name).text
            #expect(header.hasPrefix("-- "), "\(name)")
            #expect(header.contains("-- Columns:"), "\(name)")
            #expect(header.contains("-- Group: "), "\(name)")
        }
    }

    @Test("every public view has a purpose, and every column a meaning")
    func schema() throws {
        let text = try Program().run("schema", "--format", "csv").text
        let rows = text.split(whereSeparator: \.isNewline).dropFirst()
        for view in [
            "sources", "rejects", "runs", "instances", "events", "visits", "suspensions", "visits_estimated",
            "transitions", "findings", "scenarios", "documented_states", "documented_transitions", "daily_totals",
        ] {
            let columns = rows.filter { $0.hasPrefix("\(view),") }
            #expect(!columns.isEmpty, "\(view)")
            for column in columns { #expect(!column.hasSuffix(","), "\(column)") }
        }
    }
}
