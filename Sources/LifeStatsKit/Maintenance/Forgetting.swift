import LifecycleModel
import LifecycleReplay
import LogReading
import TraceStore

/// Removes a source and what came from it.
public enum Forgetting {
    /// Leaves the database as it would be without the source.
    ///
    /// A source behind it whose times or reports rest on it is read again from its file. All or nothing.
    ///
    /// - Parameter request: the database, and the models of its ingests; what is left is derived as it was.
    /// - Returns: what was removed, in a sentence.
    /// - Throws: ``LifeStatsError`` when the database or the source is not there, or the file of one that rests on it.
    public static func forget(_ source: String, _ request: ReplayRequest, notice: (String) -> Void) throws -> String {
        try LifeStatsError.translated {
            let database = request.database
            _ = try TraceReader(path: database)
            let writer = try TraceWriter(path: database, waiting: notice)
            let known = try writer.sources()
            let named =
                try known.last { $0.path == source } ?? known.first { "\($0.id)" == source }
                ?? pseudonym(of: source, writer, database).flatMap { name in known.last { $0.path == name } }
            guard let record = named else {
                throw LifeStatsError(
                    "\(database) has no source \(source)",
                    remedy: "see `lifestats query \"select source_id, path from sources\"`")
            }
            let settings = try DerivationSettings.settled(for: request.suspendGrace, writer: writer, path: database)
            let rederivation = Rederivation(
                writer: writer, catalog: try ModelLoading.catalog(with: request.models),
                options: settings.replayOptions)
            // Beside the file that was named lie the others of its log.
            let redaction = try Redaction.begin(wanted: false, writer: writer, path: database)
            let files = redaction.map { RotationWatch.rotations(of: source, options: ReadingOptions()).map($0.source) }
            let removal = SourceRemoval(
                writer: writer, database: database, models: request.models, settings: settings,
                rederivation: rederivation, files: files ?? [])
            try writer.atomically {
                try removal.remove(record)
                _ = try rederivation.settle()
            }
            try writer.close(notice: notice)
            return "forgot \(record.path): \(record.position.counts.lines) lines"
        }
    }

    /// What a redacted database calls a file.
    private static func pseudonym(of path: String, _ writer: TraceWriter, _ database: String) throws -> String? {
        try Redaction.begin(wanted: false, writer: writer, path: database)?.source(SourceDescription(file: path)).path
    }
}
