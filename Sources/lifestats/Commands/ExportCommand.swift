import ArgumentParser
import LifeStatsKit

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes files for other tools: process mining, Perfetto, Datasette.",
        discussion: """
            Examples:
              lifestats export xes > log.xes
              lifestats export perfetto > trace.json      open it in Perfetto
              lifestats export datasette > datasette.yaml
            """
    )

    @Argument(help: ArgumentHelp("What for.", valueName: "xes|perfetto|datasette"))
    var format: ExportFormat

    @OptionGroup var database: DatabaseOptions

    @OptionGroup(title: "Filters") var filters: FilterOptions

    func run() throws {
        try Exporter.run(format, database: database.path, filter: try filters.filter()) { Console.write($0) }
    }
}
