import Foundation
import GRDB
package import TraceRecords

/// Logs, sources and their facts, and what holds for a database as a whole.
extension TraceWriter {
    /// Free numbers.
    package var nextLog: Int32 { known.lastLog + 1 }
    package var nextSource: Int32 { known.lastSource + 1 }
    package var nextBlock: Int64 { known.lastBlock + 1 }

    /// Whether nothing was ingested yet.
    package var isNew: Bool { known.lastSource == 0 }

    // MARK: - Records

    /// The sources that the database knows, log by log in their order.
    package func sources() throws -> [SourceRecord] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT s.*, l.stream FROM raw_sources AS s JOIN raw_logs AS l ON l.log_id = s.log
                    ORDER BY l.stream, l.log_id, s.ordinal, s.source_id
                    """
            ).map(SourceRecord.init)
        }
    }

    /// The logs that the database knows, in order of their streams.
    package func logs() throws -> [LogRecord] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT l.log_id, l.stream, coalesce(f.count, 0), l.state IS NOT NULL
                    FROM raw_logs AS l LEFT JOIN (
                        SELECT s.log, sum(f.count) AS count FROM raw_facts AS f
                        JOIN raw_sources AS s ON s.source_id = f.source GROUP BY s.log
                    ) AS f ON f.log = l.log_id
                    ORDER BY l.stream, l.log_id
                    """
            ).map { row in
                try LogRecord(
                    id: row.value(0), stream: row.value(1), factCount: row.value(2), hasState: row.value(3))
            }
        }
    }

    /// Replaces the records of known sources.
    package func update(sources: [SourceRecord]) throws {
        try transaction { try register(sources, in: $0) }
    }

    /// Adds sources and their logs, or replaces their records.
    func register(_ sources: [SourceRecord], in db: Database) throws {
        let log = try db.cachedStatement(
            sql: """
                INSERT INTO raw_logs (log_id, stream) VALUES (?, ?)
                ON CONFLICT (log_id) DO UPDATE SET stream = excluded.stream WHERE stream <> excluded.stream
                """)
        for source in sources {
            try log.execute(arguments: [source.log, source.stream])
            known.lastLog = max(known.lastLog, source.log)
            known.lastSource = max(known.lastSource, source.id)
        }
        try Tables.sources.insert(sources, in: db) { source, row in
            row.integer(Int64(source.id))
            row.integer(Int64(source.log))
            row.text(source.path)
            row.integer(source.ordinal)
            row.text(source.format)
            row.text(source.device)
            row.text(source.appVersion)
            row.integer(source.bytes)
            row.integer(source.position.byteOffset)
            row.integer(source.position.counts.lines)
            row.integer(source.position.counts.entry)
            row.integer(source.position.counts.continuation)
            row.integer(source.position.counts.other)
            row.integer(source.position.counts.rejected)
            row.integer(source.position.firstTime)
            row.integer(source.position.lastTime)
            row.text(source.timezone)
            row.text(source.assumptions)
            row.text(source.fingerprint)
            row.integer(source.ingestedAt)
            row.text(source.resume)
        }
    }

    // MARK: - The state of a replay

    /// Stores the state from which the replay of a log continues.
    package func setState(_ state: [UInt8]?, ofLog log: Int32) throws {
        try transaction { db in
            try db.cachedStatement(sql: "UPDATE raw_logs SET state = ? WHERE log_id = ?")
                .execute(arguments: [state.map { Data($0) }, log])
        }
    }

    /// The state from which the replay of a log continues; `nil` when it is derived again.
    package func state(ofLog log: Int32) throws -> [UInt8]? {
        try read { try $0.bytes("SELECT state FROM raw_logs WHERE log_id = ?", [log]) }
    }

    // MARK: - Facts

    /// The stable facts of a source in their order, batch by batch.
    package func facts(ofSource source: Int32) -> StoredFacts {
        StoredFacts(writer: self, source: source)
    }

    /// The provisional facts of a source; `nil` when there are none.
    package func lastEntry(ofSource source: Int32) throws -> FactBatch? {
        let bytes = try read {
            try $0.bytes("SELECT facts FROM raw_facts WHERE source = ? AND is_provisional", [source])
        }
        return try bytes.map(decoded)
    }

    /// The facts of a stored batch.
    func decoded(_ bytes: [UInt8]) throws -> FactBatch {
        do {
            return try codec.decode(bytes)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    // MARK: - The database as a whole

    /// A setting; `nil` when it was never set.
    package func setting(_ name: String) throws -> String? {
        try read { try String.fetchOne($0, sql: "SELECT value FROM raw_settings WHERE name = ?", arguments: [name]) }
    }

    /// Sets a setting; `nil` removes it.
    package func set(_ name: String, to value: String?) throws {
        try transaction { db in
            if let value {
                try db.execute(sql: "REPLACE INTO raw_settings VALUES (?, ?)", arguments: [name, value])
            } else {
                try db.execute(sql: "DELETE FROM raw_settings WHERE name = ?", arguments: [name])
            }
        }
    }

    /// Replaces what the models document.
    ///
    /// - Parameters:
    ///   - states: the rows of `raw_documented_states`, column by column.
    ///   - transitions: the rows of `raw_documented_transitions`.
    package func setModels(states: [[SQLValue]], transitions: [[SQLValue]]) throws {
        try transaction { db in
            try db.execute(sql: "DELETE FROM raw_documented_states; DELETE FROM raw_documented_transitions")
            for (table, rows) in [(Tables.documentedStates, states), (Tables.documentedTransitions, transitions)] {
                try table.insert(rows, in: db) { values, row in for value in values { row.value(value) } }
            }
        }
    }
}

/// The stored facts of a source, one batch in memory at a time. The database may be written meanwhile.
package struct StoredFacts {
    private let writer: TraceWriter
    private let source: Int32
    private var last: (line: Int64, id: Int64) = (.min, 0)

    init(writer: TraceWriter, source: Int32) {
        self.writer = writer
        self.source = source
    }

    /// The next batch; `nil` after the last one.
    package mutating func next() throws -> FactBatch? {
        let (source, last) = (source, last)
        let found: (place: (line: Int64, id: Int64), bytes: [UInt8])? = try writer.read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT first_line, facts_id, facts FROM raw_facts
                    WHERE source = ?1 AND is_provisional = 0 AND (first_line, facts_id) > (?2, ?3)
                    ORDER BY first_line, facts_id LIMIT 1
                    """)
            return try Row.fetchOne(statement, arguments: [source, last.line, last.id]).map {
                ((try $0.value(0), try $0.value(1)), [UInt8](try $0.value(2) as Data))
            }
        }
        guard let found else { return nil }
        self.last = found.place
        return try writer.decoded(found.bytes)
    }
}

extension Database {
    /// The bytes in the first column of the first row; `nil` without a row, and for NULL.
    func bytes(_ sql: String, _ arguments: StatementArguments) throws -> [UInt8]? {
        let row = try Row.fetchOne(try cachedStatement(sql: sql), arguments: arguments)
        return try (row?.value(0) as Data?).map { [UInt8]($0) }
    }
}

extension SourceRecord {
    init(_ row: Row) throws {
        var position = SourcePosition()
        position.byteOffset = try row.value("byte_offset")
        position.counts.lines = try row.value("lines")
        position.counts.entry = try row.value("entry_lines")
        position.counts.continuation = try row.value("continuation_lines")
        position.counts.other = try row.value("other_lines")
        position.counts.rejected = try row.value("rejected_lines")
        position.firstTime = try row.value("first_ns")
        position.lastTime = try row.value("last_ns")
        try self.init(
            id: row.value("source_id"), log: row.value("log"), path: row.value("path"), stream: row.value("stream"),
            ordinal: row.value("ordinal"), format: row.value("format"), device: row.value("device"),
            appVersion: row.value("app_version"), bytes: row.value("bytes"), position: position,
            timezone: row.value("timezone"), assumptions: row.value("assumptions"),
            fingerprint: row.value("fingerprint"), ingestedAt: row.value("ingested_at"), resume: row.value("resume"))
    }
}
