import GRDB
import TraceRecords

/// Evidence in other logs of a device: crash reports, the system's log.
///
/// A run without callbacks whose device, process and pid are those of a run with callbacks in another log, and which does
/// not end before that one begins or go on when the next one has begun, is evidence about it and is attached to it: its
/// events are shown there, it says how the run ended where the run's own log does not, and its signs of life shorten the
/// run's estimated suspensions. Logs are not merged, and nothing is replayed. Whenever runs of a device change, all of it is
/// undone and done again for the device.
///
/// Reports name no device, so they may be about a run of any device or of none; among logs without a device, only reports
/// count. That of a crash has both ends of its process: a run of the same app and process id that began when the report's
/// process did is that process; if it goes on, it has not ended, whatever the report says (ExcUserFault). A run that began
/// later, because its log did or because the system had started the process ahead, may be that process, and so may be any
/// that lives when a report shows nothing but an end, as that of jetsam does: it is if there is only one such run, and if its
/// reports agree about the end.
///
/// Of the findings of evidence, only the one about the end of the run is shown, where the run's own log does not have that
/// end; what that log only guesses about it is then hidden. A report with another error that the run's own log does not have
/// stays a run, and so does one that alone says that UIKit refused the app.
extension TraceWriter {
    /// Attaches evidence for the devices whose runs have changed.
    ///
    /// - Parameters:
    ///   - grace: longest silence that is not a suspension, in nanoseconds; `nil` when none is.
    ///   - first: first block of what is being stored.
    /// - Returns: what the runs from that block on that were attached, and so no longer count by themselves, consist of.
    @discardableResult
    package func attachEvidence(grace: Int64?, since first: Int64 = 0) throws -> RemovedRows {
        var attached = RemovedRows()
        guard !known.devices.isEmpty else { return attached }
        try transaction { db in
            try settle()
            var pairs: [EvidencePair] = []
            let reports = try attachedReports(in: db)
            // A report may be about a run of another device than before, or of none.
            let concerned = try reports.values + evidencePairs(device: nil, besides: [], in: db).compactMap(\.device)
            if !concerned.isEmpty { known.devices.formUnion(concerned + [""]) }
            for device in known.devices.sorted() {
                let attached = try Row.fetchAll(
                    db,
                    sql: """
                        SELECT r.run_id FROM raw_runs AS r WHERE \(Self.isOf(device))
                            AND (r.attached_run IS NOT NULL OR r.witness IS NOT NULL)
                        """, arguments: ["device": device])
                if !attached.isEmpty { try detachEvidence(device: device, in: db) }
                let known = Set(try attached.map { try $0.value(0) as Int64 })
                pairs += try evidencePairs(device: device, besides: known, in: db)
            }
            let taken = Set(pairs.map(\.evidence))
            pairs += try evidencePairs(device: nil, besides: Set(reports.keys), in: db)
                .filter { known.devices.contains($0.device ?? "") && !taken.contains($0.evidence) }
            try attach(pairs, in: db)
            try adjustSuspensions(pairs, grace: grace, in: db)
            if !pairs.isEmpty { try db.execute(sql: "UPDATE raw_answers_state SET is_current = 0") }
            known.devices = []
            for pair in pairs where pair.isNew {
                if Block.of(pair.evidence) >= first { attached.runs += 1 }
                try countFindings(
                    "f.run = ? AND f.finding_id >= ? AND NOT k.awaits_end",
                    [pair.evidence, Block.ids(first).lowerBound], in: db, &attached)
            }
            for (run, pairs) in Dictionary(grouping: pairs, by: \.run) {
                let first = pairs.allSatisfy(\.isNew) ? 0 : Block.ids(first).lowerBound
                try countFindings(
                    "f.run = ? AND f.finding_id >= ? AND k.awaits_end AND ends_by(w)", [run, first], sign: -1, in: db,
                    &attached)
            }
        }
        return attached
    }

    /// How long before a run's first line its evidence may end: the system shows a launch before the app does.
    package static let evidenceHead: Int64 = 60_000_000_000

    /// How long after a run's last line the end of its process may come, where no log names a device: ids come again.
    private static let longestSilence = 86_400_000_000_000
    /// How far reports of one end may differ about when it was.
    private static let reportDelay: Int64 = 60_000_000_000
    /// How long after the start of its process an app may log its launch.
    private static let launchDelay: Int64 = 5_000_000_000

    /// The condition that a finding of kind `k` is one that a report `e` has and the run `r` will not show.
    private static let isLost =
        "k.severity = 'error' AND (k.guess IS NULL OR r.end_evidence = 'observed' AND NOT ends_by(e))"

    /// The condition that a run `r` may have evidence among a device's runs, or be evidence. The device "" means none.
    private static func isOf(_ device: String) -> String {
        device.isEmpty
            ? """
            r.device IS NULL AND :device = '' AND (r.attached_run IS NOT NULL OR r.witness IS NOT NULL)
                AND NOT EXISTS (SELECT 1 FROM raw_runs AS w WHERE w.run_id = r.attached_run AND w.device IS NOT NULL)
            """
            : """
            (r.device = :device
                OR r.device IS NULL AND r.attached_run IN (SELECT w.run_id FROM raw_runs AS w WHERE w.device = :device))
            """
    }

    /// The reports without a device that are evidence about runs of devices, with these devices.
    private func attachedReports(in db: Database) throws -> [Int64: String] {
        let sql = """
            SELECT e.run_id, r.device FROM raw_runs AS e JOIN raw_runs AS r ON r.run_id = e.attached_run
            WHERE e.device IS NULL AND r.device IS NOT NULL
            """
        return try Dictionary(
            uniqueKeysWithValues: Row.fetchAll(db, sql: sql).map { (try $0.value(0), try $0.value(1)) })
    }

    /// The condition that a run `e` and a run `r` are of the device, and perhaps of one process. A report and a log may differ
    /// by a second about a launch, and by a minute about an end; a process logs its launch within five seconds.
    ///
    /// - Parameter device: `nil` for reports without a device about runs of devices `d`.
    private static func mayBeOne(_ device: String?) -> String {
        if let device, !device.isEmpty {
            return """
                e.device = :device AND r.device = e.device AND r.pid = e.pid
                    AND (e.started_ns IS NULL OR coalesce(r.started_ns, r.first_seen_ns) >= e.started_ns - \(evidenceHead))
                """
        }
        return """
            e.device IS NULL AND \(device == nil ? "r.device = d.device" : "r.device IS NULL AND :device = ''")
                AND r.pid = e.pid
                AND CASE WHEN e.started_ns IS NULL THEN e.first_seen_ns = e.ended_ns AND (r.end_evidence = 'inferred'
                    OR r.ended_ns BETWEEN e.ended_ns - \(reportDelay) AND e.ended_ns + \(reportDelay))
                ELSE instr(s.format, 'crash-report') AND coalesce(r.started_ns, r.first_seen_ns)
                    BETWEEN e.started_ns - 1000000000 AND e.ended_ns + 1000000000 END
                AND (NOT (\(isVague)) OR r.last_seen_ns
                    BETWEEN e.ended_ns - \(longestSilence) AND e.ended_ns + \(reportDelay))
            """
    }

    /// The condition that the process of `e` need not be that of `r`, but for want of another one.
    private static let isVague = """
        coalesce(:device, '') = '' AND coalesce(coalesce(r.started_ns, r.first_seen_ns) > e.started_ns + \(launchDelay), 1)
        """

    // MARK: - Which run is evidence about which

    /// - Parameters:
    ///   - device: `nil` for reports without a device about runs of devices.
    ///   - known: what was evidence before.
    private func evidencePairs(device: String?, besides known: Set<Int64>, in db: Database) throws -> [EvidencePair] {
        let rows = try Row.fetchAll(
            db,
            sql: Schema.expand(
                """
                SELECT e.run_id, r.run_id, e.app, e.bundle, r.app, r.bundle, s.log, e.pid, e.first_seen_ns,
                    e.last_seen_ns, coalesce(\(Self.isVague), 0) AS is_vague, CASE WHEN ends_by(e) THEN e.ended_ns END,
                    r.device
                FROM raw_runs AS e JOIN raw_sources AS s ON s.source_id = e.source
                \(device == nil ? "CROSS JOIN (SELECT DISTINCT device FROM raw_runs WHERE device IS NOT NULL) AS d" : "")
                JOIN raw_runs AS r ON \(Self.mayBeOne(device))
                JOIN raw_sources AS t ON t.source_id = r.source
                WHERE NOT e.has_callbacks AND r.has_callbacks AND s.log <> t.log
                    AND e.last_seen_ns >= coalesce(r.started_ns, r.first_seen_ns) - :head
                    AND (r.next_seen_ns IS NULL OR e.last_seen_ns <= r.next_seen_ns)
                    AND NOT EXISTS (
                        SELECT 1 FROM raw_findings AS f JOIN raw_finding_kinds AS k ON k.kind_id = f.kind
                        WHERE f.run = e.run_id AND \(device ?? "" == "" ? Self.isLost : "k.rule = 'R-MIG-02'")
                            AND NOT EXISTS (
                                SELECT 1 FROM raw_findings AS g JOIN raw_finding_kinds AS h ON h.kind_id = g.kind
                                WHERE g.run = r.run_id
                                    AND (h.rule = k.rule OR k.guess IS NOT NULL AND h.guess IS NOT NULL)))
                ORDER BY e.run_id, is_vague, coalesce(r.started_ns, r.first_seen_ns) DESC, r.run_key, t.path, r.run_id
                """), arguments: ["device": device, "head": Self.evidenceHead])
        let named = try Row.fetchAll(
            db,
            sql:
                "SELECT DISTINCT bundle, app FROM raw_runs WHERE device = ? AND bundle IS NOT NULL AND app IS NOT NULL",
            arguments: [device])
        let processes = try Set(named.map { [try $0.value(0) as String, try $0.value(1)] })
        var (pairs, rivals): ([EvidencePair], [Int64: Int]) = ([], [:])
        for row in rows {
            let (evidence, isVague): (Int64, Bool) = (try row.value(0), try row.value(10))
            let names: [String?] = try (2...5).map { try row.value($0) }
            guard Self.isSameProcess(names[0], names[1], names[2], names[3], processes) else { continue }
            if isVague { rivals[evidence, default: 0] += 1 }
            guard pairs.last?.evidence != evidence else { continue }
            pairs.append(
                try EvidencePair(
                    evidence: evidence, run: row.value(1), log: row.value(6), pid: row.value(7), from: row.value(8),
                    until: row.value(9), ended: row.value(11), isVague: isVague, isNew: !known.contains(evidence),
                    device: row.value(12)))
        }
        let ends = Dictionary(grouping: pairs, by: \.run).mapValues { $0.compactMap(\.ended).sorted() }
        return pairs.filter { pair in
            let ends = ends[pair.run] ?? []
            let agree = (ends.last ?? 0) - (ends.first ?? 0) <= Self.reportDelay
            return !pair.isVague || rivals[pair.evidence] == 1 && agree
        }
    }

    /// Whether two runs are of one process, by the names of both and the identifiers of their bundles.
    ///
    /// - Parameter processes: bundles, each with a name that a run of it has: a line that names the process by both may
    ///   have come later in the log, or in another one.
    private static func isSameProcess(
        _ app: String?, _ bundle: String?, _ other: String?, _ otherBundle: String?, _ processes: Set<[String]>
    ) -> Bool {
        if let bundle, let otherBundle { return bundle == otherBundle }
        guard let app, let other else { return false }
        if let bundle, processes.contains([bundle, other]) { return true }
        if let otherBundle, processes.contains([otherBundle, app]) { return true }
        // A name that follows from a bundle is like that of the process, not equal to it.
        return bundle == nil && otherBundle == nil
            ? app == other : RunRecord.foldedName(app) == RunRecord.foldedName(other)
    }

    // MARK: - Attaching and detaching

    private func attach(_ pairs: [EvidencePair], in db: Database) throws {
        for pair in pairs {
            try attachSteps(of: pair, in: db)
            try db.execute(
                sql: """
                    UPDATE raw_runs SET attached_run = :run WHERE run_id = :evidence;
                    UPDATE raw_instances SET own_run = run, run = :run WHERE run = :evidence;
                    """, arguments: ["run": pair.run, "evidence": pair.evidence])
        }
        for (run, pairs) in Dictionary(grouping: pairs, by: \.run) {
            let evidence = pairs.map { String($0.evidence) }.joined(separator: ", ")
            try db.execute(
                sql: Schema.expand(
                    """
                    UPDATE raw_runs SET witness = (
                        SELECT e.run_id FROM raw_runs AS r JOIN raw_runs AS e ON e.run_id IN (\(evidence))
                        JOIN raw_sources AS s ON s.source_id = e.source WHERE r.run_id = :run
                        ORDER BY ends_by(e) DESC, e.reported_version IS NULL, e.ended_ns, e.run_key, s.path, e.run_id
                        LIMIT 1)
                    WHERE run_id = :run
                    """), arguments: ["run": run])
            try exchangeFindings(ofRun: run, in: db)
            try showLaunch(ofRun: run, in: db)
        }
    }

    /// The condition that the launch of a run `i.run` never ended, by a finding about its end.
    static let isFailedLaunch = """
        EXISTS (SELECT 1 FROM raw_findings AS f JOIN raw_finding_kinds AS n ON n.kind_id = f.kind
            WHERE f.run = i.run AND n.rule = 'R-APP-18')
        """

    /// Shows a launch that never ended as such, where its own log takes the silence after it for one into the background.
    private func showLaunch(ofRun run: Int64, in db: Database) throws {
        let sql = """
            SELECT s.step_id, s.kind, s.instance FROM raw_instances AS i
            CROSS JOIN raw_steps AS t ON t.step_id = -i.instance_id JOIN raw_steps AS o ON o.step_id = t.step_id - t.to_opener
            JOIN raw_kinds AS a ON a.kind_id = o.kind
            JOIN raw_steps AS s ON s.step_id BETWEEN o.step_id AND i.last_step OR s.step_id = t.step_id
            JOIN raw_kinds AS k ON k.kind_id = s.kind
            WHERE i.run = ? AND i.own_run IS NULL AND i.layer = 'app' AND \(Self.isFailedLaunch)
                AND a.state_before = 'not_running' AND a.state_after = 'background' AND a.evidence = 'inferred'
                AND s.instance = i.instance_id AND 'background' IN (k.state_before, k.state_after)
            """
        for step in try Row.fetchAll(db, sql: sql, arguments: [run]) {
            let (id, kind, instance): (Int64, Int64, Int64) = (
                try step.value(0), try step.value(1), try step.value(2)
            )
            try db.execute(
                sql: "REPLACE INTO raw_attached_steps VALUES (?, ?, ?)", arguments: [id, kind, instance])
            try db.execute(
                sql: "UPDATE raw_steps SET kind = ? WHERE step_id = ?",
                arguments: [try known.kinds.launching(kind, in: db), id])
        }
    }

    /// Shows what the run that is evidence finds about the end of a run, in place of what the log of that one guesses.
    private func exchangeFindings(ofRun run: Int64, in db: Database) throws {
        let sql = """
            UPDATE raw_findings AS f SET run = CASE f.run WHEN r.run_id THEN w.run_id ELSE r.run_id END
            FROM raw_runs AS r JOIN raw_runs AS w ON w.run_id = r.witness
            WHERE r.run_id = ? AND f.run IN (r.run_id, w.run_id) AND ends_by(w)
                AND f.kind IN (SELECT kind_id FROM raw_finding_kinds WHERE guess IS NOT NULL)
                AND (w.end_reason = 'terminated' AND w.end_detail IS NOT NULL AND w.silent_reason IS NULL OR EXISTS (
                    SELECT 1 FROM raw_findings AS g JOIN raw_finding_kinds AS k ON k.kind_id = g.kind
                    WHERE g.run = w.run_id AND k.guess IS NOT NULL))
            """
        try db.execute(sql: Schema.expand(sql), arguments: [run])
    }

    private func detachEvidence(device: String, in db: Database) throws {
        // A finding belongs to the run of its instance, whatever that is attached to.
        try db.execute(
            sql: """
                UPDATE raw_findings AS f SET run = coalesce(i.own_run, i.run) FROM raw_instances AS i
                WHERE i.instance_id = f.instance
                    AND f.kind IN (SELECT kind_id FROM raw_finding_kinds WHERE guess IS NOT NULL)
                    AND f.run IN (
                        SELECT r.run_id FROM raw_runs AS r
                        WHERE \(Self.isOf(device)) AND coalesce(r.attached_run, r.witness) IS NOT NULL
                        UNION SELECT r.attached_run FROM raw_runs AS r WHERE \(Self.isOf(device))
                        UNION SELECT r.witness FROM raw_runs AS r WHERE \(Self.isOf(device)))
                """, arguments: ["device": device])
        // Steps that the replay has written again since are as they should be.
        try db.execute(
            sql: """
                CREATE TEMP TABLE detached AS SELECT a.* FROM raw_attached_steps AS a
                JOIN raw_instances AS i ON i.instance_id = a.instance
                JOIN raw_runs AS r ON r.run_id = coalesce(i.own_run, i.run) WHERE \(Self.isOf(device));
                UPDATE raw_steps AS s SET kind = d.kind, instance = d.instance FROM temp.detached AS d
                WHERE s.step_id = d.step_id AND s.kind IN (SELECT kind_id FROM raw_kinds WHERE attached_of IS NOT NULL);
                DELETE FROM raw_attached_steps WHERE step_id IN (SELECT step_id FROM temp.detached);
                DROP TABLE temp.detached;
                """, arguments: ["device": device])
        try db.execute(
            sql: """
                UPDATE raw_instances SET run = own_run, own_run = NULL
                WHERE own_run IN (SELECT r.run_id FROM raw_runs AS r WHERE \(Self.isOf(device)));
                DELETE FROM raw_suspensions
                WHERE kind IN (SELECT kind_id FROM raw_suspension_kinds WHERE role = 'rest')
                    AND instance IN (SELECT i.instance_id FROM raw_runs AS r JOIN raw_instances AS i ON i.run = r.run_id
                        WHERE \(Self.isOf(device)));
                """, arguments: ["device": device])
        let hidden = "IN (SELECT kind_id FROM raw_suspension_kinds WHERE role = 'hidden')"
        try db.execute(
            sql: """
                UPDATE raw_suspensions AS t
                SET kind = (SELECT hidden_of FROM raw_suspension_kinds WHERE kind_id = t.kind)
                WHERE kind \(hidden) AND EXISTS (
                    SELECT 1 FROM raw_instances AS i JOIN raw_runs AS r ON r.run_id = i.run
                    WHERE i.instance_id = t.instance AND \(Self.isOf(device)));
                UPDATE raw_steps AS t
                SET silence = (SELECT hidden_of FROM raw_suspension_kinds WHERE kind_id = t.silence)
                WHERE step_id IN (
                    SELECT s.step_id FROM raw_runs AS r CROSS JOIN raw_instances AS i ON i.run = r.run_id
                    CROSS JOIN raw_steps AS s ON s.step_id BETWEEN i.first_step AND i.last_step
                    WHERE s.instance = i.instance_id AND s.silence \(hidden) AND \(Self.isOf(device)));
                """, arguments: ["device": device])
        try db.execute(
            sql: "UPDATE raw_runs AS r SET attached_run = NULL, witness = NULL WHERE \(Self.isOf(device))",
            arguments: ["device": device])
    }

    /// Makes the steps of a run events of the app of another one. The visits that are still open keep their instance.
    private func attachSteps(of pair: EvidencePair, in db: Database) throws {
        let steps = try Row.fetchAll(
            db,
            sql: """
                SELECT s.step_id, s.kind, s.instance, s.silence FROM raw_instances AS i CROSS JOIN raw_steps AS s
                WHERE i.run = :run AND s.step_id BETWEEN i.first_step AND i.last_step AND s.instance = i.instance_id
                UNION ALL
                SELECT s.step_id, s.kind, s.instance, s.silence FROM raw_instances AS i
                CROSS JOIN raw_steps AS s ON s.step_id = -i.instance_id WHERE i.run = :run
                """, arguments: ["run": pair.evidence])
        let app = try Int64.fetchOne(
            db,
            sql: """
                SELECT instance_id FROM raw_instances WHERE run = ? AND own_run IS NULL
                ORDER BY layer <> 'app', instance_id LIMIT 1
                """, arguments: [pair.run])
        let note = try db.makeStatement(sql: "REPLACE INTO raw_attached_steps VALUES (?, ?, ?)")
        let update = try db.makeStatement(sql: "UPDATE raw_steps SET kind = ?, instance = ? WHERE step_id = ?")
        for step in steps {
            let (id, kind, instance): (Int64, Int64, Int64) = (try step.value(0), try step.value(1), try step.value(2))
            try note.execute(arguments: [id, kind, instance])
            try update.execute(
                arguments: [try known.kinds.attached(kind, in: db), id > 0 ? app ?? instance : instance, id])
            // The run that the step now belongs to has estimates of its own.
            if let silence: Int64 = try step.value(3) { try hide(silence, ofStep: id, in: db) }
        }
    }

    /// Takes an estimated suspension from the step that ends it, until the evidence is detached.
    private func hide(_ silence: Int64, ofStep step: Int64, in db: Database) throws {
        let sql = """
            SELECT evidence, basis, leads_to, after_ns FROM raw_suspension_kinds WHERE kind_id = ? AND evidence = 'inferred'
            """
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [silence]) else { return }
        let kind = SuspensionKind(
            evidence: try row.value(0), basis: try row.value(1), leadsTo: try row.value(2), after: try row.value(3))
        try hide(kind, silence, in: "raw_steps SET silence", "step_id", step, db)
    }
}

/// A run that is evidence, and the run that it is about.
struct EvidencePair {
    var evidence: Int64
    var run: Int64
    /// The log of the evidence.
    var log: Int32
    var pid: Int32
    var from: Int64
    var until: Int64
    /// When the process ended, where the evidence shows that.
    var ended: Int64?
    /// Whether another run might be meant, and another end.
    var isVague: Bool
    /// Whether it was not evidence before.
    var isNew: Bool
    /// The device of the run.
    var device: String?
}
