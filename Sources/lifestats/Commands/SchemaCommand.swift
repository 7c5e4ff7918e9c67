import ArgumentParser
import LifeStatsKit

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Documents the views and columns of the database.",
        discussion: """
            Example:
              lifestats schema visits
            """
    )

    @Argument(help: ArgumentHelp("One view; all without it.", valueName: "view"))
    var view: String?

    @Option(help: ArgumentHelp("How to write it.", valueName: "table|csv|json|ndjson|markdown"))
    var format: OutputFormat = .table

    func run() throws { Console.write(try SchemaGuide.text(view: view, format: format)) }
}
