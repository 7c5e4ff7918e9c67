import Foundation
import NamedQueries
import Reports
import TraceStore

/// Writes a database's content for other tools.
public enum Exporter {
    /// - Parameter output: gets the bytes in pieces.
    /// - Throws: ``LifeStatsError`` when the database is not there.
    public static func run(
        _ format: ExportFormat, database: String, filter: Filter, output: @escaping ([UInt8]) -> Void
    ) throws {
        try LifeStatsError.translated {
            let reader = try TraceReader(path: database)
            switch format {
            case .xes: try xes(reader, filter, output)
            case .perfetto: try perfetto(reader, filter, output)
            case .datasette: output(Array(datasette(database).yaml.utf8))
            }
        }
    }

    /// One trace an instance, one event a callback.
    private static func xes(_ reader: TraceReader, _ filter: Filter, _ output: @escaping ([UInt8]) -> Void) throws {
        var writer = XESWriter { output($0) }
        try writer.begin()
        var open: Int64?
        try reader.query(ExportQueries.events, parameters: filter.values, limits: QueryLimits(timeout: nil)) { row in
            let instance = row.integer(0) ?? 0
            if instance != open {
                if open != nil { try writer.endTrace() }
                open = instance
                try writer.beginTrace(
                    name: row.text(1) ?? "",
                    attributes: [
                        XESAttribute("app", Cell(row[2])), XESAttribute("layer", Cell(row[3])),
                        XESAttribute("run", Cell(row[4])),
                    ])
            }
            try writer.write(
                XESEvent(
                    name: row.text(5) ?? "", time: row.integer(6),
                    attributes: [XESAttribute("lifecycle:state", Cell(row[7]))]))
        }
        if open != nil { try writer.endTrace() }
        try writer.finish()
    }

    /// One process a run, one thread an instance, one slice a stay.
    private static func perfetto(
        _ reader: TraceReader, _ filter: Filter, _ output: @escaping ([UInt8]) -> Void
    ) throws {
        var writer = TraceEventWriter { output($0) }
        var runs: Set<Int64> = []
        var instances: Set<Int64> = []
        try reader.query(ExportQueries.stays, parameters: filter.values, limits: QueryLimits(timeout: nil)) { row in
            let run = row.integer(0) ?? 0
            let instance = row.integer(1) ?? 0
            if runs.insert(run).inserted { try writer.process(run, name: row.text(2) ?? "") }
            if instances.insert(instance).inserted {
                try writer.thread(instance, process: run, name: row.text(3) ?? "")
            }
            guard let from = row.integer(6), let until = row.integer(7) else { return }
            try writer.slice(
                row.text(5) ?? "", category: row.text(4) ?? "", process: run, thread: instance, from: from,
                until: until, details: [("source", Cell(row[8])), ("line", Cell(row[9]))])
        }
        try writer.finish()
    }

    private static func datasette(_ database: String) -> DatasetteMetadata {
        let name = URL(fileURLWithPath: database).deletingPathExtension().lastPathComponent
        return DatasetteMetadata(
            database: name, title: "lifestats", description: "The observed lifecycle of iOS apps.",
            views: SchemaDocumentation.views.map { view in
                DatasetteMetadata.View(
                    name: view.name, description: view.purpose,
                    columns: view.columns.map { DatasetteMetadata.ViewColumn(name: $0.name, description: $0.purpose) })
            },
            queries: NamedQueries.all.map { query in
                DatasetteMetadata.Query(
                    name: query.name, purpose: query.purpose, sql: query.sql,
                    parameters: query.parameters.map { DatasetteMetadata.Parameter(name: $0.name, type: $0.type) })
            })
    }
}
