import Foundation
import Reports

/// Export formats: the values of `lifestats export`.
public enum ExportFormat: String, Sendable, CaseIterable {
    /// Every public view as a Parquet file.
    case parquet
    /// Every public view as a CSV file.
    case csv
    /// Object-centric event logs for process mining (OCEL 2.0).
    case ocel
    /// Event logs for process mining (IEEE 1849).
    case xes
    /// Traces for Perfetto.
    case perfetto
    /// Spans and log records for OpenTelemetry.
    case otlp
    /// Titles, units and canned queries for Datasette.
    case datasette

    /// Whether it is written into a folder, of several files.
    public var isFolder: Bool { self == .parquet || self == .csv || self == .otlp }

    /// What its file is, and the usual extensions of such files, the best one first; `nil` where the extension chooses
    /// between several, or the result is a folder.
    public var kindOfFile: (name: String, extensions: [String])? {
        switch self {
        case .perfetto: ("a binary trace of Perfetto", ["pftrace", "perfetto-trace", "perfetto", "trace", "pb", "bin"])
        case .xes: ("XES, which is XML", ["xes", "xml"])
        case .datasette: ("metadata in YAML", ["yaml", "yml"])
        case .parquet, .csv, .ocel, .otlp: nil
        }
    }

    /// Whether its files are no text.
    public var isBinary: Bool { self == .perfetto }
}

/// What to export, and how.
public struct ExportRequest: Sendable {
    public var database: String
    public var format: ExportFormat
    public var filter = Filter.none
    public var limit = ReadingLimit()
    /// What Parquet files are partitioned by: `app`, `date` or `app,date`; `nil` for one file a view.
    public var partitionBy: String?

    public init(database: String, format: ExportFormat) {
        self.database = database
        self.format = format
    }
}

/// Exports a database for other tools.
public enum Exporter {
    /// Writes an export of several files.
    ///
    /// - Parameter folder: a folder that does not exist yet, or is empty.
    /// - Throws: ``LifeStatsError`` when there is no database, the filter matches nothing, or the folder cannot be written.
    public static func write(_ request: ExportRequest, into folder: String) throws {
        let parts = try request.partitionBy.map(TableExport.Part.list) ?? []
        let tables: TableExport
        switch request.format {
        case .parquet:
            let program = "lifestats version \(LifeStatsVersion.current)"
            tables = TableExport(filter: request.filter, parts: parts, fileExtension: "parquet") {
                ParquetWriter(columns: $0.columns.map(\.declared), purpose: $0.purpose, program: program, output: $1)
            }
        case .csv:
            tables = TableExport(filter: request.filter, parts: parts, fileExtension: "csv") {
                CSVTableWriter(columns: $0.columns.map(\.declared), output: $1)
            }
        default:
            return try reading(request) { try TelemetryExport(reader: $0, filter: request.filter).run(into: folder) }
        }
        try reading(request) { _ in }
        try tables.run(request.database, limit: request.limit, into: folder)
    }

    /// Writes an export of one file.
    ///
    /// - Parameters:
    ///   - name: the name of the file, whose extension chooses between SQLite and JSON for OCEL.
    ///   - output: receives the bytes in pieces.
    /// - Throws: ``LifeStatsError`` when there is no database, or the filter matches nothing.
    public static func write(
        _ request: ExportRequest, named name: String? = nil, output: @escaping ([UInt8]) -> Void
    ) throws {
        try reading(request) { reader in
            let unhurried: ([UInt8]) -> Void = { bytes in reader.whileWriting { output(bytes) } }
            switch request.format {
            case .ocel:
                let export = OCELExport(reader: reader, filter: request.filter)
                if try OCELExport.isDatabase(name) {
                    try export.writeDatabase(unhurried)
                } else {
                    try export.write(OCELJSONWriter(output: unhurried))
                }
            case .xes: try XESExport.write(reader, request.filter, unhurried)
            case .perfetto: try PerfettoExport(reader: reader, filter: request.filter).write(unhurried)
            default: output(Array(DatasetteExport.yaml(request.database).utf8))
            }
        }
    }

    private static func reading(_ request: ExportRequest, _ body: (DatabaseReading) throws -> Void) throws {
        try DatabaseReading.run(request.database, limit: request.limit) { reader in
            try request.filter.requireMatch(in: reader)
            try body(reader)
        }
    }
}

/// What exports share.
enum ExportQueries {
    /// The part of a filter that names something, for a view `v` with a run.
    static let named = """
        ($app IS NULL OR v.app = $app) AND ($device IS NULL OR v.device = $device)
            AND ($run IS NULL OR v.run_id = $run)
            AND ($app_version IS NULL OR v.run_id IN (SELECT run_id FROM runs WHERE app_version = $app_version))
        """

    /// The whole filter, with the time in an ISO 8601 column.
    static func chosen(_ time: String) -> String {
        "\(named) AND ($since IS NULL OR v.\(time) >= $since) AND ($until IS NULL OR v.\(time) < $until)"
    }

    /// The name of an event: its callback, or what it is evidence of.
    static let activity = "coalesce(v.callback, v.kind || ':' || v.proves)"
}
