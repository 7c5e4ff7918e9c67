import LifecycleModel
import LifecycleReplay
import TraceStore

/// Derives visits, transitions, findings and scenarios again from the stored facts.
public enum Replaying {
    /// - Returns: what was done, in a sentence.
    /// - Throws: ``LifeStatsError`` when the database or a model cannot be read.
    public static func run(_ request: ReplayRequest, notice: (String) -> Void) throws -> String {
        try LifeStatsError.translated {
            let models = try ModelLoading.catalog(with: request.models)
            _ = try TraceReader(path: request.database)
            let writer = try TraceWriter(path: request.database) {
                notice("another process is writing; waiting for it")
            }
            try writer.setModels(models)
            let options = ReplayOptions(suspendGrace: request.suspendGrace, profile: request.profile)
            let streams = Set(try writer.sources().map(\.stream)).sorted()
            for stream in streams {
                try Rederivation(writer: writer, catalog: models, options: options).run(stream: stream)
            }
            try writer.close()
            return "derived \(streams.count) \(streams.count == 1 ? "log" : "logs") again"
        }
    }
}
