/// Checks what must hold in every database, and sums up its content. Prints nothing.
package struct Verifier {
    let reader: TraceReader
    var result = Verification()
    var instances: [InstanceTrack] = []
    /// Places among ``instances``, by row id: ids have gaps wherever something was derived again.
    var places: [Int64: Int] = [:]
    var kinds: [Int64: KindFacts] = [:]
    /// How many lines each source has.
    var lines: [Int64: Int64] = [:]
    /// What the steps say of the callbacks, visits and transitions that the summaries count.
    var follows: [FollowedCallback: Int64] = [:]
    var tallies: [Int64: KindTally] = [:]
    static let unlimited = QueryLimits(timeout: nil)

    /// Checks a database.
    ///
    /// - Throws: ``StoreError`` when it cannot be read.
    package static func verify(path: String) throws -> Verification {
        var verifier = Verifier(reader: try TraceReader(path: path))
        try verifier.checkFile()
        let other = try verifier.checkSchema()
        do {
            try verifier.checkSources()
            try verifier.checkSeals()
            // It asks for tables that nothing else here needs.
            if other == nil { try verifier.checkLines() }
            try verifier.readAll()
            try verifier.checkSummaries()
        } catch {
            // Without a table there is nothing to check, nor a content.
            throw other.map { StoreError.otherTable(path: path, name: $0) } ?? error
        }
        return verifier.result
    }

    /// The digest alone, without the checks of the file itself.
    package static func digest(path: String) throws -> ContentDigest {
        var verifier = Verifier(reader: try TraceReader(path: path))
        try verifier.readAll()
        return verifier.result.digest
    }

    private mutating func readAll() throws {
        try readKinds()
        try readLines()
        try readInstances()
        try readSteps()
        try readTails()
        try readDetails()
    }

    private mutating func checkFile() throws {
        try each("PRAGMA integrity_check") { result, row in
            let message = row.text(0) ?? ""
            if message != "ok" { result.report("integrity", message) }
        }
        try each("PRAGMA foreign_key_check") { result, row in
            result.report(
                "references", "\(row.text(0) ?? "") row \(row.integer(1) ?? 0) refers to a missing \(row.text(2) ?? "")"
            )
        }
    }

    /// Returns the first table, index or view that is not as it should be.
    private mutating func checkSchema() throws -> String? {
        var found: [String: String] = [:]
        try reader.query(Schema.definitions, limits: Self.unlimited) { found[$0.text(0) ?? ""] = $0.text(1) }
        let others = Schema.differences(found, from: Schema.tables + Schema.views)
        for (name, isMissing) in others {
            result.report("schema", isMissing ? "\(name) is missing" : "\(name) is not as this lifestats makes it")
        }
        return others.first?.name
    }

    private mutating func checkSources() throws {
        let sql = """
            SELECT path, lines, entry_lines + continuation_lines + other_lines + rejected_lines, rejected_lines,
                (SELECT count(*) FROM raw_rejects WHERE source = source_id), raw_sources.events,
                coalesce(found.events, 0)
            FROM raw_sources LEFT JOIN (
                SELECT s.source, count(*) AS events FROM raw_steps AS s JOIN raw_kinds AS k ON k.kind_id = s.kind
                WHERE k.is_event GROUP BY s.source
            ) AS found ON found.source = source_id
            """
        try each(sql) { result, row in
            let path = row.text(0) ?? ""
            if row.integer(1) != row.integer(2) {
                result.report(
                    "lines", "\(path): \(row.integer(1) ?? 0) lines, but \(row.integer(2) ?? 0) accounted for")
            }
            if row.integer(3) != row.integer(4) {
                result.report(
                    "lines", "\(path): \(row.integer(3) ?? 0) rejected lines, but \(row.integer(4) ?? 0) rejects")
            }
            if row.integer(5) != row.integer(6) {
                result.report("events", "\(path): \(row.integer(5) ?? 0) events, but \(row.integer(6) ?? 0) stored")
            }
        }
    }

    /// Checks what the next ingest goes by.
    private mutating func checkSeals() throws {
        try each("SELECT path, stream, ordinal, fingerprint, resume FROM raw_sources") { result, row in
            var source = SourceRecord(
                id: 0, path: row.text(0) ?? "", stream: row.text(1) ?? "", ordinal: row.integer(2) ?? 0,
                fingerprint: row.text(3) ?? "", resume: row.text(4))
            do { try SourceSeal.open(&source) } catch { result.report("sources", "\(error)") }
        }
    }

    private mutating func readLines() throws {
        var lines: [Int64: Int64] = [:]
        try each("SELECT source_id, lines FROM raw_sources") { _, row in lines[row.integer(0) ?? 0] = row.integer(1) }
        self.lines = lines
    }

    /// Checks what stands beside the steps: that it is of lines and steps that there are.
    private mutating func checkLines() throws {
        let impossible = """
            SELECT path FROM raw_sources WHERE byte_offset > bytes OR min(bytes, byte_offset, lines, entry_lines,
                continuation_lines, other_lines, rejected_lines, events) < 0
            """
        try each(impossible) { $0.report("lines", "\($1.text(0) ?? ""): a count or size that no file can have") }
        for (table, first, last) in [
            ("raw_life", "first_line", "last_line"), ("raw_early_life", "first_line", "last_line"),
            ("raw_witnesses", "line", "line"),
        ] {
            let sql = """
                SELECT c.path, t.\(first) FROM \(table) AS t JOIN raw_sources AS c ON c.source_id = t.source
                WHERE t.\(first) < 1 OR t.\(last) < t.\(first) OR t.\(last) > c.lines
                """
            try each(sql) {
                $0.report(
                    "lines", "\($1.text(0) ?? ""): \(table) has line \($1.integer(1) ?? 0), but the source has not")
            }
        }
        for (table, column, range) in [
            ("raw_runs", "pid", "-2147483648 AND 2147483647"), ("raw_early_life", "pid", "-2147483648 AND 2147483647"),
            ("raw_witnesses", "pid", "-2147483648 AND 2147483647"), ("raw_life", "naming", "0 AND 255"),
            ("raw_early_life", "naming", "0 AND 255"),
        ] {
            try each("SELECT \(column) FROM \(table) WHERE \(column) NOT BETWEEN \(range)") {
                $0.report("numbers", "\(table) has the \(column) \($1.integer(0) ?? 0), which none can be")
            }
        }
        for (table, step) in [("raw_messages", "step"), ("raw_other_names", "abs(step)")] {
            try each("SELECT step FROM \(table) WHERE \(step) NOT IN (SELECT step_id FROM raw_steps)") {
                $0.report("lines", "\(table) has a row for step \($1.integer(0) ?? 0), which does not exist")
            }
        }
    }

    /// Runs a query over all its rows.
    mutating func each(_ sql: String, _ body: (inout Verification, ResultRow) -> Void) throws {
        var result = result
        try reader.query(sql, limits: Self.unlimited) { row in body(&result, row) }
        self.result = result
    }
}
