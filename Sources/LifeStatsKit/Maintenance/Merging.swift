import Foundation
import LifecycleModel
import TraceRecords
import TraceStore

/// Makes one database of shards: the one that a single ingest of all logs would have made.
public enum Merging {
    /// The settings that all shards must share, and what they are called.
    private static let settings = [
        "suspend_grace": "--suspend-grace", "profile": "the profile of rules", "models": "the models of --model",
        "redaction": "the key of --redact", "rules": "the rules and limits of the models",
    ]

    /// - Parameters:
    ///   - shards: paths of the databases to merge, which are only read.
    ///   - database: path of the one that is made.
    /// - Returns: what was done, in a sentence.
    /// - Throws: ``LifeStatsError`` when a shard cannot be read or does not fit the others, a log is split over shards, or
    ///   the database exists. Nothing is left then.
    public static func run(_ shards: [String], into database: String, notice: (String) -> Void) throws -> String {
        try LifeStatsError.translated {
            let exists = LifeStatsError(
                "\(database) exists", why: "a merge creates a new database and never replaces one",
                remedy: "name another file; to add shards to this one, merge it with them into a new file")
            guard !FileManager.default.fileExists(atPath: database) else { throw exists }
            let common = try commonSettings(of: shards)
            let models = try ModelCatalog.builtIn()
            let writer = try TraceWriter(
                path: database, callbacks: Vocabulary(models: models.models).names, waiting: notice)
            // Another process may have made it meanwhile.
            guard writer.isFirstLoad else { throw exists }
            let stop = StopRequest()
            let interruption = Interruption { stop.make() }
            defer { interruption.cancel() }
            do {
                let total = try merge(shards, common, into: writer, stop)
                try writer.close(notice: notice)
                let counted = Plural.text(total.logs, "log")
                let repeated = total.repeatedLogs
                return "merged \(Plural.text(shards.count, "database")) into \(database): \(counted)"
                    + (repeated > 0 ? "; \(repeated) were in several shards and count once" : "")
            } catch is CancellationError {
                throw LifeStatsError("the merge was stopped; nothing was written")
            }
        }
    }

    private static func merge(
        _ shards: [String], _ common: [String: String], into writer: TraceWriter, _ stop: StopRequest
    ) throws -> MergedShard {
        var ranges = ShardRanges()
        var total = MergedShard()
        var isFirst = true
        for path in shards {
            let shard = try TraceReader(path: path)
            if isFirst, try !shard.documentedModels().isEmpty || path == shards.last {
                try writer.adopt(settings: common, modelsOf: shard)
                isFirst = false
            }
            do {
                let merged = try writer.merge(shard, into: &ranges) { !stop.isMade }
                total.logs += merged.logs
                total.repeatedLogs += merged.repeatedLogs
            } catch let split as SplitLog {
                throw LifeStatsError(
                    "the log \(split.stream) is in \(split.first) and in \(path), with different files, lines or options",
                    why: "a log that is split across shards cannot be reassembled",
                    remedy:
                        "ingest all of its files into one shard; if these are two logs with one name, ingest them from "
                        + "folders with different names")
            }
        }
        let grace = common["suspend_grace"].flatMap(SuspendGrace.init(rawValue:)) ?? .usual
        try writer.attachEvidence(among: ranges, grace: grace.nanoseconds)
        return total
    }

    /// The settings of the shards.
    ///
    /// - Throws: ``LifeStatsError`` when shards differ: their runs would not be comparable.
    private static func commonSettings(of shards: [String]) throws -> [String: String] {
        var first: (path: String, settings: [String: String])?
        var models: (path: String, models: [String: [String]])?
        for path in shards {
            let shard = try TraceReader(path: path)
            let own = try shard.settings()
            if let first {
                for name in Set(own.keys).union(first.settings.keys).sorted() where own[name] != first.settings[name] {
                    let isKey = name == "redaction"
                    throw difference(
                        settings[name] ?? name, isKey ? nil : (first.settings[name], own[name]), first.path, path,
                        canBeReplayed: !isKey)
                }
            } else {
                first = (path, own)
            }
            let documented = try shard.documentedModels()
            guard !documented.isEmpty else { continue }
            if let models {
                for name in Set(documented.keys).union(models.models.keys).sorted()
                where documented[name] != models.models[name] {
                    throw difference("the model '\(name)'", nil, models.path, path)
                }
            } else {
                models = (path, documented)
            }
        }
        return first?.settings ?? [:]
    }

    private static func difference(
        _ what: String, _ values: (String?, String?)?, _ one: String, _ other: String,
        canBeReplayed: Bool = true
    ) -> LifeStatsError {
        let why = values.map { "\($0 ?? "none") and \($1 ?? "none")" }
        return LifeStatsError(
            "\(one) and \(other) differ in \(what)" + (why.map { ": \($0)" } ?? ""),
            why: "their runs would not be comparable",
            remedy: "ingest the logs of one of them again with the settings of the other"
                + (canBeReplayed ? ", or use `lifestats replay`" : ""))
    }
}
