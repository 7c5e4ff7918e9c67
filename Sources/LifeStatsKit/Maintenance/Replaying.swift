import LifecycleModel
import LogReading
import TraceRecords
import TraceStore

/// How to derive everything again.
public struct ReplayRequest: Sendable {
    public var database: String
    /// Files of models beside the built-in ones.
    public var models: [String] = []
    /// Silence in background after which a process counts as suspended; `nil` leaves it as it is.
    public var suspendGrace: SuspendGrace?
    /// Profile of rules to follow, or `auto`, which lets the callbacks decide; `nil` leaves it as it is.
    public var profile: String?

    public init(database: String) { self.database = database }
}

/// Derives visits, transitions, findings and scenarios again from the stored facts.
public enum Replaying {
    /// - Returns: what was done, in a sentence.
    /// - Throws: ``LifeStatsError`` when the database or a model cannot be read.
    public static func run(_ request: ReplayRequest, notice: (String) -> Void) throws -> String {
        try LifeStatsError.translated {
            let models = try ModelLoading.catalog(with: request.models)
            _ = try TraceReader(path: request.database)
            let writer = try TraceWriter(
                path: request.database, callbacks: Vocabulary(models: models.models).names, waiting: notice)
            let before = try DerivationSettings.stored(in: writer) ?? DerivationSettings()
            let settings = try before.changed(by: request, models: models)
            let logs = try writer.logs()
            try writer.atomically {
                try writer.setModels(models)
                try settings.store(in: writer)
                let derivation = Derivation(
                    writer: writer, models: models, settings: settings,
                    progress: IngestProgress(bytesInAll: nil, stop: StopRequest()))
                var report = IngestReport(IngestOptions(paths: [], database: request.database))
                let sources = Dictionary(grouping: try writer.sources(), by: \.stream)
                for log in logs.sorted(by: { $0.id < $1.id }) {
                    try derivation.deriveAgain(LogPlan(known: sources[log.stream] ?? [], number: log.id), &report)
                }
                try writer.attachEvidence(grace: settings.suspendGrace.nanoseconds)
            }
            try writer.close(notice: notice)
            return "derived \(logs.count) \(logs.count == 1 ? "log" : "logs") again" + settings.changes(since: before)
        }
    }
}

extension LogPlan {
    /// Derives what is known of a log again, without reading anything.
    ///
    /// - Parameter known: its sources, in order.
    init(known: [SourceRecord], number: Int32) {
        self.init(
            log: number, stream: known.first?.stream ?? "", way: .deriveAgain,
            sources: known.map {
                SourcePlan(record: $0, memory: SourceMemory(text: $0.resume), description: nil, isKnown: true)
            })
    }
}

/// How everything in a database is derived from its facts. The database keeps it, so that later ingests, `forget` and
/// `replay` derive in the same way.
struct DerivationSettings: Equatable {
    /// Silence in background after which a process counts as suspended.
    var suspendGrace = SuspendGrace.usual
    /// Profile of rules to follow; `nil` lets the callbacks decide.
    var profile: String?
    /// The models beside the built-in ones, in alphabetical order.
    var models: [String] = []

    private static let graceName = "suspend_grace"
    private static let profileName = "profile"
    private static let modelsName = "models"
    /// Stands for ``profile`` being `nil`.
    private static let profileByCallbacks = "auto"

    /// What a database was made with; `nil` for a new one.
    static func stored(in writer: TraceWriter) throws -> DerivationSettings? {
        guard let grace = try writer.setting(graceName).flatMap(SuspendGrace.init(rawValue:)) else { return nil }
        return DerivationSettings(
            suspendGrace: grace, profile: try writer.setting(profileName),
            models: try writer.setting(modelsName)?.split(separator: " ").map(String.init) ?? [])
    }

    /// What an ingest or `forget` follows: what the database was made with, and models that are new to it.
    ///
    /// - Parameters:
    ///   - grace: what the user asks for; `nil` takes what there is.
    ///   - models: all models of the ingest.
    /// - Throws: ``LifeStatsError`` when the grace is another one, or a model is missing: runs would not be comparable.
    static func settled(
        for grace: SuspendGrace?, models: ModelCatalog, writer: TraceWriter, path: String
    ) throws -> DerivationSettings {
        let own = try names(of: models)
        guard var settings = try stored(in: writer) else {
            let new = DerivationSettings(suspendGrace: grace ?? .usual, models: own)
            try writer.atomically { try new.store(in: writer) }
            return new
        }
        if let grace, grace != settings.suspendGrace {
            throw LifeStatsError(
                "\(path) was made with --suspend-grace \(settings.suspendGrace.rawValue), not \(grace.rawValue): runs "
                    + "of both kinds would not be comparable",
                remedy: "omit the option, or derive everything again: lifestats replay --suspend-grace "
                    + grace.rawValue)
        }
        if let missing = settings.models.first(where: { !own.contains($0) }) {
            throw LifeStatsError(
                "\(path) was made with the model '\(missing)': runs with and without it would not be comparable",
                remedy: "name its file with --model, or derive everything again without it: lifestats replay")
        }
        if own != settings.models {
            settings.models = own
            try writer.atomically { try settings.store(in: writer) }
        }
        return settings
    }

    /// The models beside the built-in ones.
    private static func names(of catalog: ModelCatalog) throws -> [String] {
        let builtIn = Set(try ModelCatalog.builtIn().models.map(\.id))
        return catalog.models.map(\.id).filter { !builtIn.contains($0) }.sorted()
    }

    func store(in writer: TraceWriter) throws {
        try writer.set(Self.graceName, to: suspendGrace.rawValue)
        try writer.set(Self.profileName, to: profile)
        try writer.set(Self.modelsName, to: models.isEmpty ? nil : models.joined(separator: " "))
    }

    /// The settings that a request asks for.
    ///
    /// - Throws: ``LifeStatsError`` when there is no such profile.
    func changed(by request: ReplayRequest, models: ModelCatalog) throws -> DerivationSettings {
        var settings = self
        settings.models = try Self.names(of: models)
        if let grace = request.suspendGrace { settings.suspendGrace = grace }
        if let profile = request.profile {
            settings.profile = profile == Self.profileByCallbacks ? nil : profile
        }
        let profiles = models.settings.profiles.map(\.id)
        if let profile = settings.profile, !profiles.contains(profile) {
            throw LifeStatsError(
                "there is no profile '\(profile)'",
                remedy: Suggestion.remedy(
                    profile, among: profiles + [Self.profileByCallbacks],
                    or: "`lifestats model show settings` lists them; auto chooses it by the callbacks"))
        }
        return settings
    }

    func changes(since before: DerivationSettings) -> String {
        var changes: [String] = []
        if before.suspendGrace != suspendGrace {
            changes.append("--suspend-grace \(suspendGrace.rawValue) in place of \(before.suspendGrace.rawValue)")
        }
        if before.profile != profile {
            let names = [self, before].map { $0.profile ?? Self.profileByCallbacks }
            changes.append("--profile \(names[0]) in place of \(names[1])")
        }
        if before.models != models {
            changes.append("\(models.isEmpty ? "no model" : models.joined(separator: ", ")) beside the built-in ones")
        }
        return changes.isEmpty ? "" : "; the database now uses " + changes.joined(separator: " and ")
    }
}

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
            let models = try ModelLoading.catalog(with: request.models)
            let writer = try TraceWriter(
                path: request.database, callbacks: Vocabulary(models: models.models).names, waiting: notice)
            let known = try writer.sources()
            guard let record = try find(source, among: known, writer, request.database) else {
                throw LifeStatsError(
                    "\(request.database) has no source \(source)",
                    remedy: Suggestion.remedy(
                        source, among: known.map(\.path),
                        or: "`lifestats query \"select source_id, path from sources\"` lists them")
                ).asking(request.database)
            }
            let settings = try DerivationSettings.settled(
                for: request.suspendGrace, models: models, writer: writer, path: request.database)
            let derivation = Derivation(
                writer: writer, models: models, settings: settings,
                progress: IngestProgress(bytesInAll: nil, stop: StopRequest()))
            try writer.atomically {
                var log = LogPlan(known: known.filter { $0.log == record.log }, number: record.log)
                log.sources.removeAll { $0.record.id == record.id }
                log.removed = [record.id]
                var report = IngestReport(IngestOptions(paths: [], database: request.database))
                try derivation.deriveAgain(log, &report)
                try writer.attachEvidence(grace: settings.suspendGrace.nanoseconds)
            }
            try writer.close(notice: notice)
            return "forgot \(record.path): " + Plural.text(record.position.counts.lines, "line")
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
