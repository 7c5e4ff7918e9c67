import ArgumentParser
import LifeStatsKit

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Exports data for other tools: process mining, Perfetto, Datasette.",
        discussion: """
            Examples:
              lifestats export xes -o log.xes
              lifestats export perfetto -o trace.json      open it at ui.perfetto.dev
              lifestats export datasette > datasette.yaml
            """
    )

    @Argument(help: ArgumentHelp("Export format.", valueName: "xes|perfetto|datasette"))
    var format: ExportFormat

    @OptionGroup var reading: ReadingOptions

    @OptionGroup var output: OutputOptions

    @OptionGroup(title: "Filters") var filters: FilterOptions

    func run() throws {
        let file = try output.file(besides: reading.path)
        let filter = try filters.filter()
        try output.write(to: file) { append in
            try Exporter.run(format, database: reading.path, filter: filter, limit: reading.limit, output: append)
        }
    }
}
