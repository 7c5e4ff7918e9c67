import GRDB
import TraceRecords

extension TraceWriter {
    /// Row ids that no row has yet; a replay numbers its rows from there.
    package struct FreeIDs: Sendable, Hashable {
        package var step: Int64
        package var run: Int64
        package var instance: Int64
        package var source: Int32
    }

    /// The next free row ids.
    package var freeIDs: FreeIDs {
        FreeIDs(
            step: known.step + 1, run: known.run + 1, instance: known.instance + 1, source: Int32(known.source + 1))
    }

    /// The sources that the database knows, in order of their numbers.
    package func sources() throws -> [SourceRecord] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM raw_sources ORDER BY source_id").map(SourceRecord.init)
        }
    }

    /// Adds sources, or brings their rows up to date. The count of events is the store's own.
    func register(_ sources: [SourceRecord], in db: Database) throws {
        let insert = BulkInsert(
            into: "raw_sources",
            [
                "source_id", "path", "stream", "ordinal", "format", "device", "app_version", "bytes", "byte_offset",
                "lines",
                "entry_lines", "continuation_lines", "other_lines", "rejected_lines", "first_ns", "last_ns",
                "timezone", "assumptions", "fingerprint", "ingested_at", "resume", "events",
            ],
            conflict: """
                ON CONFLICT (source_id) DO UPDATE SET path = excluded.path, stream = excluded.stream,
                ordinal = excluded.ordinal, format = excluded.format, device = excluded.device,
                bytes = excluded.bytes, byte_offset = excluded.byte_offset, lines = excluded.lines,
                entry_lines = excluded.entry_lines, continuation_lines = excluded.continuation_lines,
                other_lines = excluded.other_lines, rejected_lines = excluded.rejected_lines,
                first_ns = excluded.first_ns, last_ns = excluded.last_ns, timezone = excluded.timezone,
                assumptions = excluded.assumptions, fingerprint = excluded.fingerprint,
                ingested_at = excluded.ingested_at, resume = excluded.resume
                """)
        try insert.insert(sources, in: db) { source, row in
            row.integer(Int64(source.id))
            row.text(source.path)
            row.text(source.stream)
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
            row.text(SourceSeal.sealed(source))
            row.integer(0)
        }
        for source in sources { known.source = max(known.source, Int64(source.id)) }
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
            id: row.value("source_id"), path: row.value("path"), stream: row.value("stream"),
            ordinal: row.value("ordinal"),
            format: row.value("format"), device: row.value("device"), appVersion: row.value("app_version"),
            bytes: row.value("bytes"),
            position: position,
            timezone: row.value("timezone"), assumptions: row.value("assumptions"),
            fingerprint: row.value("fingerprint"),
            ingestedAt: row.value("ingested_at"), resume: row.value("resume"))
        try SourceSeal.open(&self)
    }
}
