import GRDB
package import TraceRecords

extension TraceWriter {
    /// Stores a batch of the replay and the progress of the sources that it came from, all or nothing.
    ///
    /// - Parameters:
    ///   - batch: rows to add, replace and remove.
    ///   - kinds: the numbers of this replay's kinds; the same value for all batches of a replay.
    ///   - sources: the sources as they stand after the batch.
    ///   - takenBack: what of the sources was read again, so that its rejects and totals are replaced.
    ///   - rejects: lines that could not be read, by source.
    ///   - dailyTotals: totals that sources state themselves, by source.
    ///   - copyKeys: what the last lines of sources said, in place of what was kept of them before.
    ///   - stream: the stream that the batch belongs to; its early life is replaced by that of the batch, and
    ///     what other logs took of it is the batch's to say.
    /// - Throws: ``StoreError``; the database then is as it was before.
    package func write(
        _ batch: ReplayBatch, kinds numbers: inout KindNumbers, sources: [SourceRecord] = [],
        takenBack: [Int32: TakenBack] = [:], rejects: [Int32: [Reject]] = [:],
        dailyTotals: [Int32: [DailyTotal]] = [:], copyKeys: [Int32: [CopyKey]] = [:], stream: String? = nil
    ) throws {
        var rows = numbers.rows
        try transaction { db in
            if !batch.isEmpty { try db.execute(sql: "UPDATE raw_summary_state SET is_current = 0") }
            try register(sources, in: db)
            if !batch.forgottenRuns.isEmpty { try forget(runs: batch.forgottenRuns, in: db) }
            for kind in batch.kinds { rows.append(try kinds.id(kind, in: db)) }
            try write(runs: batch.runs, in: db)
            try write(steps: batch.steps, kinds: rows, instances: batch.instances, in: db)
            try revise(batch.revisedSteps, kinds: rows, in: db)
            try writeTails(batch.instances, in: db)
            try write(suspensions: batch.suspensions, in: db)
            try writeDetails(batch, in: db)
            try takeBack(takenBack, in: db)
            try write(rejects: rejects, dailyTotals: dailyTotals, in: db)
            try write(copyKeys: copyKeys, in: db)
            if let stream {
                try replaceEarlyLife(ofStream: stream, by: batch.earlyLife, in: db)
                try noteChange(of: stream, by: batch, in: db)
            }
        }
        numbers.rows = rows
    }

    private func write(runs: [RunRecord], in db: Database) throws {
        let insert = BulkInsert(
            "REPLACE", into: "raw_runs",
            [
                "run_id", "source", "device", "app", "pid", "profile", "os_version", "app_version", "started_ns",
                "ended_ns", "end_reason", "end_evidence", "first_seen_ns", "last_seen_ns", "next_seen_ns", "run_key",
                "bundle", "first_name", "has_callbacks", "reported_version", "is_at_hand",
            ])
        try insert.insert(runs, in: db) { run, row in
            row.integer(run.id)
            row.integer(Int64(run.source))
            row.text(run.device)
            row.text(run.app)
            row.integer(run.pid.map(Int64.init))
            row.text(run.profile)
            row.text(run.osVersion)
            row.text(run.appVersion)
            row.integer(run.started)
            row.integer(run.ended)
            row.text(run.endReason.rawValue)
            row.text(run.endEvidence.rawValue)
            row.integer(run.firstSeen)
            row.integer(run.lastSeen)
            row.integer(run.nextSeen)
            row.text(run.key)
            row.text(run.bundle)
            row.text(run.firstName)
            row.integer(run.hasCallbacks ? 1 : 0)
            row.text(run.reportedVersion)
            row.integer(run.isAtHand ? 1 : 0)
        }
        for run in runs { known.run = max(known.run, run.id) }
    }

    private func write(steps: [Step], kinds rows: [Int64], instances: [InstanceRecord], in db: Database) throws {
        var spans = StepSpans(steps)
        let traits = kinds.traits(of: rows)
        var events = EventCounts(traits)
        var follows = FollowLedger(traits)
        var dwells = DwellLedger(traits)
        try Self.steps("INSERT").insert(steps, in: db) { step, row in
            spans.add(step)
            events.add(step)
            follows.add(step)
            dwells.add(step.stay, kind: Int(step.kind), instance: step.instance)
            Self.bind(step, kind: rows[Int(step.kind)], to: &row)
        }
        if let last = steps.last { known.step = max(known.step, last.id) }
        try events.store(in: db)
        try follows.store(in: db)
        try dwells.store(sign: 1, kinds: rows, in: db)

        let insert = BulkInsert(
            into: "raw_instances",
            ["instance_id", "run", "layer", "model", "label", "printed_label", "first_step", "last_step"],
            conflict: """
                ON CONFLICT (instance_id) DO UPDATE SET run = excluded.run, layer = excluded.layer,
                model = excluded.model, label = excluded.label, printed_label = excluded.printed_label,
                first_step = coalesce(min(first_step, excluded.first_step), first_step, excluded.first_step),
                last_step = coalesce(max(last_step, excluded.last_step), last_step, excluded.last_step)
                """)
        // A continued instance may lose the suspension that was open at the end of what was known of it.
        let reopen = try db.cachedStatement(
            sql: """
                DELETE FROM raw_suspensions WHERE until_ns IS NULL AND visit =
                (SELECT coalesce(opener, -instance) FROM raw_steps WHERE step_id = ?)
                """)
        for instance in instances where instance.id <= known.instance {
            try reopen.execute(arguments: [-instance.id])
        }
        try insert.insert(instances, in: db) { instance, row in
            let span = spans.take(instance.id)
            row.integer(instance.id)
            row.integer(instance.run)
            row.text(instance.layer)
            row.text(instance.model)
            row.text(instance.label)
            row.text(instance.printedLabel)
            row.integer(span?.first)
            row.integer(span?.last)
        }
        for instance in instances { known.instance = max(known.instance, instance.id) }

        let extend = try db.cachedStatement(
            sql: """
                UPDATE raw_instances SET first_step = coalesce(min(first_step, ?1), ?1),
                last_step = coalesce(max(last_step, ?2), ?2) WHERE instance_id = ?3
                """)
        try spans.forEachRest { instance, span in
            try extend.execute(arguments: [span.first, span.last, instance])
        }
    }

    private func revise(_ steps: [Step], kinds rows: [Int64], in db: Database) throws {
        guard !steps.isEmpty else { return }
        let before = try db.cachedStatement(sql: "SELECT kind, stay, instance FROM raw_steps WHERE step_id = ?")
        var gone = DwellLedger.Rows(sign: -1)
        var dwells = DwellLedger(kinds.traits(of: rows))
        for step in steps {
            if let row = try Row.fetchOne(before, arguments: [step.id]) {
                try gone.add(
                    row.value(1), kind: row.value(0), instance: row.value(2), isVisit: kinds.areVisits(row.value(0)),
                    in: db)
            }
            dwells.add(step.stay, kind: Int(step.kind), instance: step.instance)
        }
        try gone.store(in: db)
        try dwells.store(sign: 1, kinds: rows, in: db)
        try Self.steps("REPLACE").insert(steps, in: db) { step, row in
            Self.bind(step, kind: rows[Int(step.kind)], to: &row)
        }
    }

    /// The visits that are still open: rows of the steps' table, so that visits are found in one place.
    private func writeTails(_ instances: [InstanceRecord], in db: Database) throws {
        let gone = try db.cachedStatement(sql: "DELETE FROM raw_steps WHERE step_id = ?")
        var tails: [(instance: Int64, kind: Int64, opener: Int64?, atLeast: Int64?)] = []
        for instance in instances {
            if let tail = instance.tail {
                let kind = try kinds.id(KindTable.tail(tail, of: instance), isTail: true, in: db)
                tails.append((instance.id, kind, tail.opener, tail.atLeast))
            } else {
                try gone.execute(arguments: [-instance.id])
            }
        }
        try Self.steps("REPLACE").insert(tails, in: db) { tail, row in
            row.integer(-tail.instance)
            row.integer(tail.kind)
            row.integer(tail.atLeast)
            row.integer(nil)
            row.integer(tail.instance)
            row.integer(tail.opener)
            row.integer(nil)
            row.integer(nil)
        }
    }

    private static func steps(_ verb: String) -> BulkInsert {
        BulkInsert(
            verb, into: "raw_steps", ["step_id", "kind", "stay", "time", "instance", "opener", "source", "line"])
    }

    @inline(__always)
    private static func bind(_ step: Step, kind: Int64, to row: inout RowBinder) {
        row.integer(step.id)
        row.integer(kind)
        row.integer(step.stay)
        row.integer(step.time)
        row.integer(step.instance)
        row.integer(step.opener)
        row.integer(Int64(step.source))
        row.integer(step.line)
    }
}
