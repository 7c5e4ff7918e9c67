import ArgumentParser
import LifeStatsKit

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Exports data for other tools.",
        discussion: """
            Parquet, CSV and OTLP are written into a folder, the other formats into a file. Parquet and CSV contain \
            every public view (`lifestats schema`). Ids in Parquet, CSV, OCEL and OTLP are the same in every \
            database, so exports of several databases can be combined; source and line lead back to the log.

            Examples:
              lifestats export parquet tables               for DuckDB, pandas, Spark
              lifestats export parquet parts --partition-by app,date
              lifestats export csv sheets
              lifestats export ocel -o log.sqlite           OCEL 2.0 (.sqlite or .json)
              lifestats export xes -o log.xes               IEEE 1849, for process mining
              lifestats export perfetto -o trace.pftrace    for ui.perfetto.dev
              lifestats export otlp telemetry               OpenTelemetry
              lifestats export datasette -o datasette.yaml  for Datasette
            """
    )

    @Argument(help: "Export format.")
    var format: ExportFormat

    @Argument(help: ArgumentHelp("The new folder for Parquet, CSV and OTLP.", valueName: "folder"))
    var folder: String?

    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp(
            "Divide the Parquet files by app and day (UTC), into folders named as in Hive.",
            valueName: "app|date|app,date"))
    var partitionBy: String?

    @OptionGroup var reading: ReadingOptions

    @OptionGroup(title: "Filters") var filters: FilterOptions

    func validate() throws {
        if format.isFolder {
            if folder == nil { throw ValidationError("Missing folder: write `lifestats export \(format) FOLDER`.") }
            if output.path != nil { throw ValidationError("-o: \(format) is written into a folder, not a file.") }
        } else if let folder {
            throw ValidationError("\(folder): \(format) is written into a file; name it with -o.")
        }
        if partitionBy != nil, format != .parquet {
            throw ValidationError("--partition-by applies to parquet only.")
        }
    }

    func run() throws {
        var request = ExportRequest(database: reading.path, format: format)
        request.filter = try filters.filter()
        request.limit = reading.limit
        request.partitionBy = partitionBy
        if let folder {
            try TemporaryFiles.removing { try Exporter.write(request, into: folder) }
            return Console.say("wrote \(folder)")
        }
        let file = try output.file(besides: reading.path)
        if let kind = format.kindOfFile { try output.require(kind.extensions, kind.name) }
        if format.isBinary, file == nil, Console.outputIsTerminal {
            throw LifeStatsError("will not write binary data to the terminal", remedy: "name a file with -o")
        }
        try output.write(to: file) { append in
            try Exporter.write(request, named: output.path, output: append)
        }
    }
}
