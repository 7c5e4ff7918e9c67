import TraceRecords

/// Ids that mean the same in every database; exports have them in place of row ids.
///
/// A row id is a place in one database; another shard has the same number for another row. A stable id is a hash of what
/// the row is: the name of its log, and its position among the rows of its kind in that log, or for rows that many logs
/// share, their content. So the exports of shards have the ids that an export of all logs has, and the union of the one is
/// the other. Stable ids are positive and have 63 bits: that of a visit which no event began, and of a silent end, is the
/// negative id of the instance, as in the database.
package struct StableIDs {
    /// What the numbers in a column of a view identify.
    package enum Meaning: Sendable, Hashable {
        case run, instance, finding, source, kind, group, scenarioKind
        /// An event, or with a negative number the open visit of an instance.
        case step
        /// The order of rows in their log. Stays small: the position of the event.
        case order
    }

    /// What the numbers in a column of a public view identify; `nil` when they are plain numbers.
    package static func meaning(ofColumn column: String, in view: String) -> Meaning? {
        switch column {
        case "run_id": .run
        case "instance_id": .instance
        case "event_id", "visit_id", "transition_id", "first_event_id", "last_event_id": .step
        case "finding_id": .finding
        case "source_id": .source
        case "seq": .order
        case "kind_id": view.hasPrefix("scenario") ? .scenarioKind : .kind
        case "group_id": .group
        default: nil
        }
    }

    /// The rows that blocks have: the places of their numbers in ``Place/before``.
    private enum Table: Int, CaseIterable { case step, run, instance, finding }

    private struct Place {
        var log: Int64
        /// How many rows of its log come before the block, by ``Table``.
        var before = SIMD4<Int64>()
    }

    private var places: [Int64: Place] = [:]
    /// The hash that the ids of a log begin with, by ``Table``.
    private var streams: [Int64: [RowHash]] = [:]
    /// The ids of rows that do not belong to a block.
    private var others: [Meaning: [Int64: Int64]] = [:]

    /// Reads what the ids of a database depend on: its logs, blocks, sources and kinds.
    package init(_ reader: TraceReader) throws {
        try reader.query("SELECT log_id, stream FROM raw_logs") { row in
            streams[row.integer(0) ?? 0] = Table.allCases.map { table in
                var hash = RowHash("row")
                hash.add(Int64(table.rawValue))
                hash.add(row.text(1))
                return hash
            }
        }
        // Numbers in a block begin with 1 and have no gaps.
        func last(_ id: String, _ table: String) -> String {
            "coalesce((SELECT max(\(id)) FROM \(table) WHERE \(id) >= b.block_id << 16 AND \(id) < b.block_id + 1 << 16) "
                + "& \(Block.size - 1), 0)"
        }
        var next = Place(log: 0)
        let blocks = """
            SELECT b.block_id, b.log, \(last("step_id", "raw_steps")), \(last("run_id", "raw_runs")),
                \(last("instance_id", "raw_instances")), \(last("finding_id", "raw_findings"))
            FROM raw_blocks AS b ORDER BY b.log, b.block_id
            """
        try reader.query(blocks) { row in
            let log = row.integer(1) ?? 0
            if log != next.log { next = Place(log: log) }
            places[row.integer(0) ?? 0] = next
            for table in Table.allCases { next.before[table.rawValue] += row.integer(2 + table.rawValue) ?? 0 }
        }
        try read(.source, "SELECT source_id, path, fingerprint FROM raw_sources", reader)
        try read(.group, "SELECT kind_id, layer, state_before FROM raw_kinds", reader)
        try read(.scenarioKind, "SELECT kind_id, scenario, class FROM raw_scenario_kinds", reader)
        try read(
            .kind,
            """
            SELECT kind_id, role, model, layer, kind, callback, proves, state_before, state_after, verdict, evidence,
                closed_evidence, closed_censoring, attached_of IS NULL, unit_ns
            FROM raw_kinds
            """, reader)
    }

    /// Makes ids of all columns but the first one.
    private mutating func read(_ meaning: Meaning, _ sql: String, _ reader: TraceReader) throws {
        var ids: [Int64: Int64] = [:]
        try reader.query(sql) { row in
            var hash = RowHash("other")
            for column in 1..<row.count { hash.add(row.text(column)) }
            ids[row.integer(0) ?? 0] = hash.id
        }
        others[meaning] = ids
    }

    /// The stable id of a row.
    ///
    /// - Parameters:
    ///   - id: row id as a public view has it.
    ///   - meaning: what it identifies.
    package func id(_ id: Int64, _ meaning: Meaning) -> Int64 {
        switch meaning {
        case .order: position(id, .step)?.number ?? id
        case .step: id < 0 ? -hashed(-id, .instance) : hashed(id, .step)
        case .run: hashed(id, .run)
        case .instance: hashed(id, .instance)
        case .finding: hashed(id, .finding)
        case .source, .kind, .group, .scenarioKind: others[meaning]?[id] ?? id
        }
    }

    /// The log of a row, and its position there, from 1. The silent end after the last row of a full block has a number
    /// beyond the block.
    private func position(_ id: Int64, _ table: Table) -> (log: Int64, number: Int64)? {
        guard id > 0, let place = places[Block.of(id - 1)] else { return nil }
        return (place.log, place.before[table.rawValue] + (id - 1) % Block.size + 1)
    }

    private func hashed(_ id: Int64, _ table: Table) -> Int64 {
        guard let (log, number) = position(id, table), var hash = streams[log]?[table.rawValue] else { return id }
        hash.add(number)
        return hash.id
    }
}

extension RowHash {
    /// A positive number of 63 bits.
    fileprivate var id: Int64 { max(1, Int64(truncatingIfNeeded: (low ^ high) & UInt64(Int64.max))) }
}
