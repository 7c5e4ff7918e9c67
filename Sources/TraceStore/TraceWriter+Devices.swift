import GRDB
import TraceRecords

/// Streams of one device: what one of them says may tell of the runs of another.
extension TraceWriter {
    /// Streams that are not known to agree with the others of their devices. The value says whether the stream is to be
    /// derived again in any case.
    package func unsettledStreams() throws -> [String: Bool] {
        try read { db in
            Dictionary(
                uniqueKeysWithValues: try Row.fetchAll(db, sql: "SELECT stream, is_due FROM raw_unsettled").map {
                    (try $0.value(0), try $0.value(1))
                })
        }
    }

    /// Pairs of streams of which one was derived with facts of the other.
    package func links() throws -> [(stream: String, other: String)] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT stream, other FROM raw_links ORDER BY stream, other").map {
                (try $0.value(0), try $0.value(1))
            }
        }
    }

    /// Every stream that the database has, in order of their names.
    package func streams() throws -> [String] {
        try read { try String.fetchAll($0, sql: "SELECT DISTINCT stream FROM raw_sources ORDER BY stream") }
    }

    /// The processes of all devices that one of some streams tells of, with the streams that tell of them.
    package func processes(onDevicesOf streams: some Sequence<String>) throws -> [DeviceProcess] {
        try read { db in
            try db.execute(
                sql: """
                    CREATE TEMP TABLE IF NOT EXISTS chosen_streams (stream TEXT PRIMARY KEY) WITHOUT ROWID;
                    DELETE FROM temp.chosen_streams;
                    """)
            try BulkInsert("REPLACE", into: "temp.chosen_streams", ["stream"])
                .insert(Array(streams), in: db) { $1.text($0) }
            let devices = try String.fetchAll(
                db,
                sql: """
                    SELECT r.device FROM temp.chosen_streams AS s JOIN raw_sources AS c ON c.stream = s.stream
                    JOIN raw_runs AS r ON r.source = c.source_id WHERE r.device IS NOT NULL
                    UNION
                    SELECT e.device FROM temp.chosen_streams AS s JOIN raw_sources AS c ON c.stream = s.stream
                    JOIN raw_early_life AS e ON e.source = c.source_id WHERE e.device IS NOT NULL
                    """)
            let all = try db.makeStatement(
                sql: """
                    SELECT c.stream, p.app, p.pid, max(p.has_callbacks) FROM (
                        SELECT source, app, pid, has_callbacks FROM raw_runs WHERE device = ?1
                        UNION ALL SELECT source, process, pid, 0 FROM raw_early_life WHERE device = ?1
                        UNION ALL SELECT source, process, pid, 0 FROM raw_witnesses WHERE device = ?1
                    ) AS p JOIN raw_sources AS c ON c.source_id = p.source
                    GROUP BY c.stream, p.app, p.pid
                    """)
            return try devices.flatMap { device in
                try Row.fetchAll(all, arguments: [device]).map {
                    try DeviceProcess(
                        stream: $0.value(0), device: device, app: $0.value(1), pid: $0.value(2),
                        hasCallbacks: $0.value(3))
                }
            }
        }
    }

    /// Says that streams agree with the others of their devices, and which of them rest on each other.
    package func settle(_ streams: some Sequence<String>, links: [(stream: String, other: String)]) throws {
        try transaction { db in
            for stream in streams {
                try db.execute(sql: "DELETE FROM raw_unsettled WHERE stream = ?", arguments: [stream])
                try db.execute(sql: "DELETE FROM raw_links WHERE stream = ?1 OR other = ?1", arguments: [stream])
            }
            for link in links {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO raw_links VALUES (?, ?)", arguments: [link.stream, link.other])
            }
        }
    }

    /// Writes where known sources lie now; another stream may have them than before, or its sources another order.
    package func move(_ sources: [SourceRecord]) throws {
        try transaction { db in
            let streams = Set(sources.map(\.stream))
            let orders = try streams.map { ($0, try Self.order(of: $0, in: db)) }
            for source in sources {
                let before = try String.fetchOne(
                    db, sql: "SELECT stream FROM raw_sources WHERE source_id = ?", arguments: [source.id])
                guard let before, before != source.stream else { continue }
                // What rests on the stream knows it by its old name.
                try db.execute(
                    sql: """
                        INSERT OR IGNORE INTO raw_unsettled SELECT :old, 0 UNION SELECT :new, 0
                        UNION SELECT other, 0 FROM raw_links WHERE stream = :old
                        UNION SELECT stream, 0 FROM raw_links WHERE other = :old
                        """, arguments: ["old": before, "new": source.stream])
            }
            try register(sources, in: db)
            for (stream, before) in orders {
                let known = Set(before)
                guard try Self.order(of: stream, in: db).filter(known.contains) != before else { continue }
                try db.execute(sql: "REPLACE INTO raw_unsettled VALUES (?, 1)", arguments: [stream])
            }
        }
    }

    private static func order(of stream: String, in db: Database) throws -> [Int32] {
        try Int32.fetchAll(
            db, sql: "SELECT source_id FROM raw_sources WHERE stream = ? ORDER BY ordinal, path, source_id",
            arguments: [stream])
    }

    /// Keeps facts of a stream for the runs of other streams, in place of those kept before.
    package func keep(_ witnesses: [StoredFact], ofStream stream: String) throws {
        try transaction { db in
            try Self.forgetWitnesses(ofStream: stream, in: db)
            for fact in witnesses {
                guard case .event(_, _, let kind, let time, let message) = fact.content else { continue }
                let said = StepKind(
                    role: kind.role, model: kind.model, layer: kind.layer, kind: kind.kind, proves: kind.proves,
                    evidence: kind.evidence, naming: kind.naming)
                try db.execute(
                    sql: """
                        INSERT INTO raw_witnesses
                        (source, line, kind, time, process, name, pid, device, named_device, message)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        fact.source, fact.line, try kinds.id(said, in: db), time, fact.run.app, fact.name,
                        fact.run.pid, fact.run.device, fact.device, message,
                    ])
            }
        }
    }

    /// How many runs, events and findings streams have.
    package func counts(ofStreams streams: some Sequence<String>) throws -> StreamCounts {
        try read { db in
            var counts = StreamCounts()
            for stream in streams {
                let mine = "source IN (SELECT source_id FROM raw_sources WHERE stream = ?)"
                counts.events +=
                    try Int64.fetchOne(
                        db, sql: "SELECT sum(events) FROM raw_sources WHERE stream = ?", arguments: [stream]) ?? 0
                counts.runs +=
                    try Int64.fetchOne(db, sql: "SELECT count(*) FROM raw_runs WHERE \(mine)", arguments: [stream])
                    ?? 0
                let findings = try Row.fetchAll(
                    db,
                    sql: """
                        SELECT severity, count(*) FROM raw_findings
                        WHERE run IN (SELECT run_id FROM raw_runs WHERE \(mine)) GROUP BY severity
                        """, arguments: [stream])
                for row in findings {
                    if let severity = Severity(rawValue: try row.value(0)) {
                        try counts.findings[severity, default: 0] += row.value(1)
                    }
                }
            }
            return counts
        }
    }

    /// A batch of a stream was stored: its facts have changed, and whatever other streams took of it is in it again.
    func noteChange(of stream: String, by batch: ReplayBatch, in db: Database) throws {
        try Self.forgetWitnesses(ofStream: stream, in: db)
        guard batch.runs.contains(where: { $0.device != nil }) || batch.earlyLife.contains(where: { $0.device != nil })
        else { return }
        try db.execute(sql: "INSERT OR IGNORE INTO raw_unsettled VALUES (?, 0)", arguments: [stream])
    }

    private static func forgetWitnesses(ofStream stream: String, in db: Database) throws {
        try db.execute(
            sql: "DELETE FROM raw_witnesses WHERE source IN (SELECT source_id FROM raw_sources WHERE stream = ?)",
            arguments: [stream])
    }
}
