import LifecycleReplay
import TraceStore

/// How everything in a database is derived from its facts. The database remembers it, so that whatever is ingested,
/// forgotten or replayed later is derived in the same way.
struct DerivationSettings: Equatable {
    /// Silence in background after which a process counts as suspended.
    var suspendGrace = SuspendGrace.usual
    /// Profile of rules to follow; `nil` lets the callbacks decide.
    var profile: String?

    private static let graceName = "suspend_grace"
    private static let profileName = "profile"
    /// Stands for ``profile`` being `nil`.
    static let profileByCallbacks = "auto"

    /// What a database was made with; `nil` for a new one.
    static func stored(in writer: TraceWriter) throws -> DerivationSettings? {
        guard let grace = try writer.setting(graceName).flatMap(SuspendGrace.init(rawValue:)) else { return nil }
        return DerivationSettings(suspendGrace: grace, profile: try writer.setting(profileName))
    }

    /// What an ingest or the forgetting of a source goes by: what the database was made with.
    ///
    /// - Parameter grace: what the person asks for; `nil` takes what there is.
    /// - Throws: ``LifeStatsError`` when that is another value than that of the database, whose runs would then not be
    ///   comparable.
    static func settled(for grace: SuspendGrace?, writer: TraceWriter, path: String) throws -> DerivationSettings {
        guard let stored = try stored(in: writer) else {
            let new = DerivationSettings(suspendGrace: grace ?? .usual)
            try new.store(in: writer)
            return new
        }
        if let grace, grace != stored.suspendGrace {
            throw LifeStatsError(
                "\(path) was made with --suspend-grace \(stored.suspendGrace.rawValue), not \(grace.rawValue): runs of both kinds would "
                    + "not be comparable",
                remedy:
                    "leave the option out, or derive everything anew: lifestats replay --suspend-grace \(grace.rawValue)"
            )
        }
        return stored
    }

    /// Remembers them.
    func store(in writer: TraceWriter) throws {
        try writer.set(Self.graceName, to: suspendGrace.rawValue)
        try writer.set(Self.profileName, to: profile)
    }

    var replayOptions: ReplayOptions { ReplayOptions(suspendGrace: suspendGrace.nanoseconds, profile: profile) }
}
