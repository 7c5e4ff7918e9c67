import LifecycleModel
import LifecycleReplay
import TraceStore

/// Removes a source and what came from it.
public enum Forgetting {
    /// Leaves the database as it would be without the source.
    ///
    /// - Parameter request: how to derive what is left; the same as at the ingest.
    /// - Returns: what was removed, in a sentence.
    /// - Throws: ``LifeStatsError`` when the database or the source is not there.
    public static func forget(_ source: String, _ request: ReplayRequest, notice: (String) -> Void) throws -> String {
        try LifeStatsError.translated {
            let database = request.database
            _ = try TraceReader(path: database)
            let writer = try TraceWriter(path: database) { notice("another process is writing; waiting for it") }
            let known = try writer.sources()
            guard
                let record = known.last(where: { $0.path == source }) ?? known.first(where: { "\($0.id)" == source })
            else {
                throw LifeStatsError(
                    "\(database) has no source \(source)",
                    remedy: "see `lifestats query \"select source_id, path from sources\"`")
            }
            let options = ReplayOptions(suspendGrace: request.suspendGrace, profile: request.profile)
            try Rederivation(writer: writer, catalog: ModelLoading.catalog(with: request.models), options: options)
                .run(stream: record.stream, without: record.id)
            try writer.close()
            return "forgot \(record.path): \(record.position.counts.lines) lines"
        }
    }
}
