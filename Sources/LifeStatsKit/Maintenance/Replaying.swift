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
            let writer = try TraceWriter(path: request.database, waiting: notice)
            let before = try DerivationSettings.stored(in: writer) ?? DerivationSettings()
            var settings = before
            if let grace = request.suspendGrace { settings.suspendGrace = grace }
            if let profile = request.profile {
                settings.profile = profile == DerivationSettings.profileByCallbacks ? nil : profile
            }
            if let profile = settings.profile, !models.settings.profiles.contains(where: { $0.id == profile }) {
                throw LifeStatsError(
                    "there is no profile '\(profile)'",
                    remedy: Suggestion.remedy(
                        profile, among: models.settings.profiles.map(\.id) + [DerivationSettings.profileByCallbacks],
                        or: "`lifestats model show settings` lists them; auto lets the callbacks decide"))
            }
            var streams = 0
            try writer.atomically {
                try writer.setModels(models)
                try settings.store(in: writer)
                streams = try Rederivation(writer: writer, catalog: models, options: settings.replayOptions).runAll()
            }
            try writer.close(notice: notice)
            return "derived \(streams) \(streams == 1 ? "log" : "logs") again" + change(from: before, to: settings)
        }
    }

    /// What is different from now on, in words.
    private static func change(from before: DerivationSettings, to now: DerivationSettings) -> String {
        var changes: [String] = []
        if before.suspendGrace != now.suspendGrace {
            changes.append("--suspend-grace \(now.suspendGrace.rawValue) in place of \(before.suspendGrace.rawValue)")
        }
        if before.profile != now.profile {
            let names = [now, before].map { $0.profile ?? DerivationSettings.profileByCallbacks }
            changes.append("--profile \(names[0]) in place of \(names[1])")
        }
        guard !changes.isEmpty else { return "" }
        return "; from now on the database goes by " + changes.joined(separator: " and ")
    }
}
