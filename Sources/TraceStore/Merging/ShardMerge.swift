import GRDB
import GRDBSQLite
import TraceRecords

/// How much a merge took over from a shard.
package struct MergedShard: Sendable, Hashable {
    /// Logs that are new.
    package var logs = 0
    /// Logs that another shard has as well, and that count once.
    package var repeatedLogs = 0

    package init(logs: Int = 0, repeatedLogs: Int = 0) {
        self.logs = logs
        self.repeatedLogs = repeatedLogs
    }
}

/// A log that two shards have, but not with the same content.
package struct SplitLog: Error {
    package var stream: String
    /// Path of the shard that was merged before.
    package var first: String
}

extension TraceWriter {
    /// Whether everything goes into a new file, which appears when it is complete.
    package var isFirstLoad: Bool { load != nil }

    /// Adds the logs of a shard, with all that was derived from them. Nothing is replayed.
    ///
    /// - Parameters:
    ///   - shard: a database with the same settings and models.
    ///   - goesOn: asked now and then; `false` gives up.
    /// - Throws: ``SplitLog``, ``StoreError``, or `CancellationError` when it is given up.
    package func merge(_ shard: TraceReader, into ranges: inout ShardRanges, goesOn: () -> Bool) throws -> MergedShard {
        let selection = try selection(of: shard, ranges)
        let merged = MergedShard(
            logs: selection.logs.count - selection.droppedLogs.count, repeatedLogs: selection.droppedLogs.count)
        guard merged.logs > 0 else { return merged }
        try transaction { db in
            try translated(shard) {
                let numbers = try ShardNumbers(shard, in: &known, db)
                for table in MergedTable.all {
                    try TableMerge(table, shard, numbers, selection).run(into: load, db) {
                        if !goesOn() { throw CancellationError() }
                    }
                }
            }
            known.lastLog += try Int32(shard.last("log_id", "raw_logs"))
            known.lastSource += try Int32(shard.last("source_id", "raw_sources"))
            known.lastBlock += try shard.last("block_id", "raw_blocks")
            known.hasNewSteps = true
        }
        ranges.add(shard.path, lastLog: known.lastLog, lastBlock: known.lastBlock)
        return merged
    }

    /// Makes the evidence that shards have about each other's runs count, as if all logs had been ingested into one
    /// database.
    package func attachEvidence(among ranges: ShardRanges, grace: Int64?) throws {
        try transaction { db in
            let devices = try Row.fetchCursor(
                db,
                sql: """
                    SELECT coalesce(device, ''), min(run_id), max(run_id) FROM raw_runs GROUP BY 1
                    """)
            // A report that names no device may be about a run of any.
            known.devices.insert("")
            while let row = try devices.next() {
                let (first, last): (Int64, Int64) = (try row.value(1), try row.value(2))
                if ranges.shard(ofBlock: Block.of(first)) != ranges.shard(ofBlock: Block.of(last)) {
                    known.devices.insert(try row.value(0))
                }
            }
        }
        try attachEvidence(grace: grace)
    }

    /// The logs of a shard, and those among them that are there already.
    private func selection(of shard: TraceReader, _ ranges: ShardRanges) throws -> ShardSelection {
        var selection = ShardSelection()
        var streams: [(log: Int64, stream: String)] = []
        try shard.query("SELECT log_id, stream FROM raw_logs ORDER BY log_id") { row in
            streams.append((row.integer(0) ?? 0, row.text(1) ?? ""))
        }
        for (log, stream) in streams {
            selection.logs.insert(log)
            let present = try read { db in
                try Int64.fetchOne(
                    db.cachedStatement(sql: "SELECT log_id FROM raw_logs WHERE stream = ?"), arguments: [stream])
            }
            guard let present else { continue }
            var there: [String] = []
            try shard.query(Self.content, parameters: ["log": .integer(log)]) {
                there.append($0.text(0) ?? "")
            }
            let here = try read { db in
                try String.fetchAll(db.cachedStatement(sql: Self.content), arguments: ["log": present])
            }
            guard here == there else { throw SplitLog(stream: stream, first: ranges.path(ofLog: present)) }
            selection.droppedLogs.insert(log)
        }
        guard !selection.droppedLogs.isEmpty else { return selection }
        try shard.query("SELECT source_id, log FROM raw_sources") { row in
            guard selection.droppedLogs.contains(row.integer(1) ?? 0) else { return }
            selection.droppedSources.insert(row.integer(0) ?? 0)
        }
        try shard.query("SELECT block_id, log FROM raw_blocks") { row in
            guard selection.droppedLogs.contains(row.integer(1) ?? 0) else { return }
            selection.droppedBlocks.insert(row.integer(0) ?? 0)
        }
        return selection
    }

    /// What was read of the sources of a log, and how, in the order of the log.
    private static let content: String = {
        let columns = [
            "fingerprint", "byte_offset", "lines", "entry_lines", "continuation_lines", "other_lines", "rejected_lines",
            "format", "device", "app_version", "timezone", "assumptions",
        ]
        return "SELECT \(columns.map { "quote(\($0))" }.joined(separator: " || ")) FROM raw_sources WHERE log = $log "
            + "ORDER BY ordinal, source_id"
    }()

    /// Runs something that reads a shard; what is damaged is damaged there.
    private func translated<T>(_ shard: TraceReader, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as DamagedRow {
            throw StoreError(error, path: shard.path)
        }
    }
}

/// Which numbers of logs and blocks came from which shard.
package struct ShardRanges {
    private var shards: [(path: String, lastLog: Int32, lastBlock: Int64)] = []

    package init() {}

    mutating func add(_ path: String, lastLog: Int32, lastBlock: Int64) {
        shards.append((path, lastLog, lastBlock))
    }

    func path(ofLog log: Int64) -> String { shards.first { log <= $0.lastLog }?.path ?? "" }

    func shard(ofBlock block: Int64) -> Int? { shards.firstIndex { block <= $0.lastBlock } }
}

/// The logs of a shard, and what of them is left out.
struct ShardSelection {
    var logs: Set<Int64> = []
    var droppedLogs: Set<Int64> = []
    var droppedSources: Set<Int64> = []
    var droppedBlocks: Set<Int64> = []

    /// Whether a row is left out, by the number in the column that says whose it is.
    @inline(__always)
    func drops(_ owner: Int64, _ rule: MergedTable.Rule) -> Bool {
        switch rule {
        case .row: droppedBlocks.contains(Block.of(abs(owner)))
        case .block: droppedBlocks.contains(owner)
        case .source: droppedSources.contains(owner)
        case .log: droppedLogs.contains(owner)
        default: false
        }
    }
}

extension TraceReader {
    /// The greatest id of a table; 0 when it is empty.
    func last(_ id: String, _ table: String) throws -> Int64 {
        var last: Int64 = 0
        try query("SELECT max(\(id)) FROM \(table)") { last = $0.integer(0) ?? 0 }
        return last
    }
}

extension TraceReader {
    /// The settings of a database: what its rows depend on besides the logs.
    package func settings() throws -> [String: String] {
        var settings: [String: String] = [:]
        try query("SELECT name, value FROM raw_settings") { settings[$0.text(0) ?? ""] = $0.text(1) }
        return settings
    }

    /// The documented models by id, each as the lines of its rows; empty when nothing was ingested.
    package func documentedModels() throws -> [String: [String]] {
        var models: [String: [String]] = [:]
        for table in ["raw_documented_states", "raw_documented_transitions"] {
            try query("SELECT * FROM \(table) ORDER BY model, ordinal") { row in
                let values = (2..<row.count).map { row.text($0) ?? "" }
                models[row.text(0) ?? "", default: []].append(values.joined(separator: "\t"))
            }
        }
        return models
    }
}

extension TraceWriter {
    /// Takes over settings and documented models.
    package func adopt(settings: [String: String], modelsOf shard: TraceReader) throws {
        for (name, value) in settings { try set(name, to: value) }
        func rows(of table: String) throws -> [[SQLValue]] {
            var rows: [[SQLValue]] = []
            try shard.query("SELECT * FROM \(table) ORDER BY ordinal") { rows.append($0.values) }
            return rows
        }
        try setModels(
            states: rows(of: "raw_documented_states"), transitions: rows(of: "raw_documented_transitions"))
    }
}
