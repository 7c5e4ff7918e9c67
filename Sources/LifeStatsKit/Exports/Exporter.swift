import Foundation
import NamedQueries
import Reports
import TraceStore

/// Export formats: the values of `lifestats export`.
public enum ExportFormat: String, Sendable, CaseIterable {
    /// Event logs for process mining (IEEE 1849).
    case xes
    /// Trace events for Perfetto and Chrome.
    case perfetto
    /// Titles, units and canned queries for Datasette.
    case datasette
}

/// Exports a database for other tools.
public enum Exporter {
    /// - Parameter output: receives the bytes in pieces.
    /// - Throws: ``LifeStatsError`` when there is no database, or the filter matches nothing.
    public static func run(
        _ format: ExportFormat, database: String, filter: Filter, limit: ReadingLimit = ReadingLimit(),
        output: @escaping ([UInt8]) -> Void
    ) throws {
        try DatabaseReading.run(database, limit: limit) { reader in
            try filter.requireMatch(in: reader)
            switch format {
            case .xes: try xes(reader, filter, output)
            case .perfetto: try perfetto(reader, filter, output)
            case .datasette: output(Array(datasette(database).yaml.utf8))
            }
        }
    }

    /// One trace for each instance, one event for each callback.
    private static func xes(_ reader: DatabaseReading, _ filter: Filter, _ output: @escaping ([UInt8]) -> Void) throws {
        var writer = XESWriter { bytes in reader.whileWriting { output(bytes) } }
        try writer.begin()
        var open: Int64?
        try reader.query(ExportQueries.events, filter.values) { row in
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

    /// One process for each run, one thread for each instance, one slice for each visit.
    private static func perfetto(
        _ reader: DatabaseReading, _ filter: Filter, _ output: @escaping ([UInt8]) -> Void
    ) throws {
        var writer = TraceEventWriter { bytes in reader.whileWriting { output(bytes) } }
        var runs: Set<Int64> = []
        var instances: Set<Int64> = []
        try reader.query(ExportQueries.visits, filter.values) { row in
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

/// The queries of the exports.
enum ExportQueries {
    private static let chosen = """
        ($app IS NULL OR v.app = $app) AND ($device IS NULL OR v.device = $device)
            AND ($run IS NULL OR v.run_id = $run)
            AND ($app_version IS NULL OR v.run_id IN (SELECT run_id FROM runs WHERE app_version = $app_version))
        """

    static let events = """
        SELECT v.instance_id, coalesce(v.app, '') || ' ' || v.run_id || ' ' || coalesce(v.instance, v.layer), v.app,
            v.layer, v.run_id, coalesce(v.callback, v.kind || ':' || v.proves), v.time_ns, v.state_after
        FROM events AS v
        WHERE \(chosen) AND ($since IS NULL OR v.time >= $since) AND ($until IS NULL OR v.time < $until)
        ORDER BY v.instance_id, v.seq
        """

    static let visits = """
        SELECT v.run_id, v.instance_id, coalesce(v.app, '?') || ' ' || coalesce(v.pid, ''),
            coalesce(v.instance, v.layer), v.layer, v.state, v.entered_ns, v.left_ns, v.source, v.line
        FROM visits_estimated AS v
        WHERE \(chosen) AND ($since IS NULL OR v.entered >= $since) AND ($until IS NULL OR v.entered < $until)
        ORDER BY v.run_id, v.instance_id, v.seq
        """
}
