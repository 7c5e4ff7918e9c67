import LogReading
import TraceStore

/// Removes a source and everything that came from it.
public enum Forgetting {
    /// Leaves the database as it would be without the source: its log is derived again from what is left. All or nothing.
    ///
    /// - Parameters:
    ///   - source: path or number of the source.
    ///   - request: the database, and the models of its ingests.
    /// - Returns: what was removed, in a sentence.
    /// - Throws: ``LifeStatsError`` when there is no such database or source.
    public static func forget(_ source: String, _ request: ReplayRequest, notice: (String) -> Void) throws -> String {
        try LifeStatsError.translated {
            _ = try TraceReader(path: request.database)
            let writer = try TraceWriter(path: request.database, waiting: notice)
            let known = try writer.sources()
            guard let record = try find(source, among: known, writer, request.database) else {
                throw LifeStatsError(
                    "\(request.database) has no source \(source)",
                    remedy: "see `lifestats query \"select source_id, path from sources\"`")
            }
            let settings = try DerivationSettings.settled(
                for: request.suspendGrace, writer: writer, path: request.database)
            let derivation = Derivation(
                writer: writer, models: try ModelLoading.catalog(with: request.models), settings: settings,
                progress: IngestProgress(bytesInAll: nil, stop: StopRequest()))
            try writer.atomically {
                var log = LogPlan(
                    known: known.filter { $0.stream == record.stream }, number: try writer.logs()[record.stream] ?? 0)
                log.sources.removeAll { $0.record.id == record.id }
                log.removed = [record.id]
                var report = IngestReport(IngestOptions(paths: [], database: request.database))
                try derivation.deriveAgain(log, &report)
                try writer.attachEvidence(grace: settings.suspendGrace.nanoseconds)
            }
            try writer.close(notice: notice)
            return "forgot \(record.path): \(record.position.counts.lines) lines"
        }
    }

    /// The source of a path as it was ingested, of its number, or of the path of a file in a redacted database.
    private static func find(
        _ source: String, among known: [SourceRecord], _ writer: TraceWriter, _ database: String
    ) throws -> SourceRecord? {
        if let found = known.last(where: { $0.path == source }) ?? known.first(where: { "\($0.id)" == source }) {
            return found
        }
        let redaction = try Redaction.begin(wanted: false, writer: writer, path: database)
        let path = SourceNames(known: known, redaction: redaction).known(SourceDescription(file: source)).path
        return known.last { $0.path == path }
    }
}
