import GRDB
import TraceRecords

/// What evidence in other logs makes of suspensions: observed ones are shown, and estimated ones are shortened.
extension TraceWriter {
    /// Gives runs the suspensions that their evidence shows, and takes from the estimated ones the time in which it shows
    /// that the process ran.
    func adjustSuspensions(_ pairs: [EvidencePair], grace: Int64?, in db: Database) throws {
        var estimates: [Int64: [EstimatedSuspension]] = [:]
        if let grace {
            for run in Set(pairs.map(\.run)).sorted() {
                let own = try EstimatedSuspension.all(ofRun: run, in: db)
                if !own.isEmpty { estimates[run] = own }
            }
            var signs: [Int64: [SignOfLife]] = [:]
            var ended: [Int64: Int64] = [:]
            let wanted = pairs.filter { estimates[$0.run] != nil }
            for (log, pairs) in Dictionary(grouping: wanted, by: \.log) {
                for (run, found) in try activity(inLog: log, of: pairs, db) { signs[run, default: []] += found }
            }
            for pair in wanted {
                signs[pair.run, default: []] += try events(of: pair, in: db) + suspensions(of: pair, in: db)
                if let end = pair.ended { ended[pair.run] = min(ended[pair.run] ?? .max, end) }
            }
            // A launch that never ended was no background stay.
            for run in estimates.keys where try isFailedLaunch(run, in: db) { ended[run] = .min }
            for run in estimates.keys.sorted() {
                let signs = (signs[run] ?? []).sorted()
                for suspension in estimates[run] ?? [] {
                    try shorten(suspension, by: signs, ended: ended[run] ?? .max, grace: grace, in: db)
                }
            }
        }
        for (run, pairs) in Dictionary(grouping: pairs, by: \.run).sorted(by: { $0.key < $1.key }) {
            let observed = try pairs.flatMap { try suspensions(of: $0, in: db) }.sorted()
            if !observed.isEmpty { try lend(observed, toRun: run, in: db) }
        }
    }

    private func isFailedLaunch(_ run: Int64, in db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT \(Self.isFailedLaunch) FROM (SELECT ? AS run) AS i", arguments: [run])
            ?? false
    }

    /// The suspensions that a run which is evidence has observed.
    private func suspensions(of pair: EvidencePair, in db: Database) throws -> [SignOfLife] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT p.from_ns, p.until_ns FROM raw_instances AS i JOIN raw_suspensions AS p ON p.instance = i.instance_id
                JOIN raw_suspension_kinds AS b ON b.kind_id = p.kind WHERE i.own_run = ? AND b.evidence = 'observed'
                """, arguments: [pair.evidence]
        ).map { SignOfLife(from: try $0.value(0), until: try $0.value(1) ?? .max, isSuspension: true) }
    }

    /// Shows observed suspensions in the background visits of a run, each as far as it lies in the one in which it begins.
    ///
    /// - Parameter observed: in order.
    private func lend(_ observed: [SignOfLife], toRun run: Int64, in db: Database) throws {
        let visits = try Row.fetchCursor(
            db,
            sql: Schema.expand(
                """
                SELECT coalesce(s.step_id - s.to_opener, -s.instance), s.instance,
                    coalesce(time_of(s.step_id - s.to_opener), (s.time - s.dwell) * k.unit_ns) AS began,
                    s.time * k.unit_ns, k.state_after
                FROM raw_instances AS i
                CROSS JOIN raw_steps AS s ON s.step_id BETWEEN i.first_step AND i.last_step OR s.step_id = -i.instance_id
                JOIN raw_kinds AS k ON k.kind_id = +s.kind
                WHERE i.run = ? AND i.own_run IS NULL AND i.layer = 'app' AND s.instance = i.instance_id
                    AND k.is_visit AND k.state_before = 'background' AND began IS NOT NULL
                ORDER BY began
                """), arguments: [run])
        var rest = observed[...]
        while let visit = try visits.next(), !rest.isEmpty {
            let (began, left): (Int64, Int64?) = (try visit.value(2), try visit.value(3))
            while let span = rest.first, span.from < left ?? .max {
                rest.removeFirst()
                guard span.from >= began else { continue }
                let isCut = span.until > left ?? .max
                let kind = SuspensionKind(
                    evidence: "observed", basis: "a line of another log says that the process is suspended",
                    leadsTo: isCut ? try visit.value(4) : span.until == .max ? nil : "background", role: .rest)
                let until = isCut ? left : span.until == .max ? nil : span.until
                try addRest(
                    .init(from: span.from, until: until), visit: try visit.value(0), instance: try visit.value(1), kind,
                    in: db)
            }
        }
    }

    /// The times of the events of a run that is evidence.
    private func events(of pair: EvidencePair, in db: Database) throws -> [SignOfLife] {
        try Int64.fetchAll(
            db,
            sql: """
                SELECT s.time * k.unit_ns FROM raw_instances AS i CROSS JOIN raw_attached_steps AS a
                JOIN raw_steps AS s ON s.step_id = a.step_id JOIN raw_kinds AS k ON k.kind_id = s.kind
                WHERE i.own_run = ? AND a.step_id BETWEEN i.first_step AND i.last_step AND a.instance = i.instance_id
                    AND k.is_event AND s.time IS NOT NULL
                """, arguments: [pair.evidence]
        ).map { SignOfLife(from: $0, until: $0) }
    }

    /// The spans in which a log shows that processes ran, by the run that they are evidence about.
    private func activity(inLog log: Int32, of pairs: [EvidencePair], _ db: Database) throws -> [Int64: [SignOfLife]] {
        let byPid = Dictionary(grouping: pairs, by: \.pid)
        var signs: [Int64: [SignOfLife]] = [:]
        let sources = try Int32.fetchAll(db, sql: "SELECT source_id FROM raw_sources WHERE log = ?", arguments: [log])
        for source in sources {
            var batches = facts(ofSource: source)
            var rest = try lastEntry(ofSource: source)
            while let batch = try batches.next() ?? rest.take() {
                for case .activity(let interval) in batch.facts {
                    guard let from = interval.from, let until = interval.until,
                        let pid = batch.speakers[Int(interval.speaker)].pid
                    else { continue }
                    for pair in byPid[pid] ?? [] where from <= pair.until && until >= pair.from {
                        signs[pair.run, default: []].append(SignOfLife(from: from, until: until))
                    }
                }
            }
        }
        return signs
    }

    /// Replaces a suspension by what signs of life and the end of the process leave of it, when they leave less.
    private func shorten(
        _ suspension: EstimatedSuspension, by signs: [SignOfLife], ended: Int64, grace: Int64, in db: Database
    ) throws {
        var alive = suspension
        if alive.span.until ?? .max > ended { alive.span.until = ended }
        let rests = alive.span.from < ended ? alive.rests(after: signs, grace: grace) : []
        guard rests != [suspension.span] else { return }
        try hide(suspension.kind, suspension.kindID, in: suspension.column, suspension.idColumn, suspension.id, db)
        var kind = suspension.kind
        kind.role = .rest
        kind.after = nil
        for rest in rests {
            if rest.until == ended { kind.leadsTo = "not_running" }
            try addRest(rest, visit: suspension.visit, instance: suspension.instance, kind, in: db)
        }
    }

    /// Hides a suspension until the evidence is detached.
    func hide(
        _ kind: SuspensionKind, _ kindID: Int64, in column: String, _ idColumn: String, _ id: Int64, _ db: Database
    ) throws {
        var kind = kind
        (kind.role, kind.hiddenOf) = (.hidden, kindID)
        try db.execute(
            sql: "UPDATE \(column) = ? WHERE \(idColumn) = ?",
            arguments: [try known.suspensionKinds.id(kind, in: db), id])
    }

    /// Adds a suspension that is removed again when the evidence is detached.
    private func addRest(
        _ span: EstimatedSuspension.Span, visit: Int64, instance: Int64, _ kind: SuspensionKind, in db: Database
    ) throws {
        let block = Block.ids(Block.of(instance))
        try db.execute(
            sql: """
                INSERT INTO raw_suspensions (suspension_id, visit, instance, from_ns, until_ns, kind)
                SELECT coalesce(max(suspension_id), ?1) + 1, ?2, ?3, ?4, ?5, ?6 FROM raw_suspensions
                WHERE suspension_id >= ?1 AND suspension_id < ?7
                """,
            arguments: [
                block.lowerBound, visit, instance, span.from, span.until,
                try known.suspensionKinds.id(kind, in: db), block.upperBound,
            ])
    }
}

/// A suspension that follows from silence.
struct EstimatedSuspension {
    /// Begin and end; an end of `nil` is after the log.
    struct Span: Equatable {
        var from: Int64
        var until: Int64?
    }

    /// Where its kind is: a table and, after `SET`, the column.
    var column: String
    var idColumn: String
    var id: Int64
    var visit: Int64
    var instance: Int64
    var span: Span
    var kindID: Int64
    var kind: SuspensionKind

    static func all(ofRun run: Int64, in db: Database) throws -> [EstimatedSuspension] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT 'raw_steps SET silence', 'step_id', s.step_id, s.step_id - s.to_opener, i.instance_id,
                    (s.time - s.dwell) * k.unit_ns + b.after_ns, s.time * k.unit_ns, b.*
                FROM raw_instances AS i CROSS JOIN raw_steps AS s
                    ON s.step_id BETWEEN i.first_step AND i.last_step AND s.instance = i.instance_id
                JOIN raw_suspension_kinds AS b ON b.kind_id = s.silence JOIN raw_kinds AS k ON k.kind_id = s.kind
                WHERE i.run = :run AND i.own_run IS NULL AND b.evidence = 'inferred' AND b.role = 'own'
                UNION ALL
                SELECT 'raw_suspensions SET kind', 'suspension_id', p.suspension_id, p.visit, p.instance, p.from_ns, p.until_ns,
                    b.*
                FROM raw_instances AS i JOIN raw_suspensions AS p ON p.instance = i.instance_id
                JOIN raw_suspension_kinds AS b ON b.kind_id = p.kind
                WHERE i.run = :run AND i.own_run IS NULL AND b.evidence = 'inferred' AND b.role = 'own'
                """, arguments: ["run": run])
        return try rows.map { row in
            try EstimatedSuspension(
                column: row.value(0), idColumn: row.value(1), id: row.value(2), visit: row.value(3),
                instance: row.value(4), span: Span(from: row.value(5), until: row.value(6)), kindID: row.value(7),
                kind: SuspensionKind(
                    evidence: row.value(8), basis: row.value(9), leadsTo: row.value(10), after: row.value(11)))
        }
    }

    /// What is left when the process is known to have run at times: silences in between that are longer than the grace
    /// time, from when it is over.
    ///
    /// - Parameter signs: in order.
    func rests(after signs: [SignOfLife], grace: Int64) -> [Span] {
        var rests: [Span] = []
        var last = span.from - grace
        for sign in signs where sign.until > span.from - grace && sign.from < span.until ?? .max {
            // Until it was suspended it ran.
            if !sign.isSuspension, sign.from > last + grace { rests.append(Span(from: last + grace, until: sign.from)) }
            if sign.until == .max { return rests }
            last = max(last, sign.until)
        }
        if span.until ?? .max > last + grace { rests.append(Span(from: last + grace, until: span.until)) }
        return rests
    }
}

/// A span in which a process ran, or in which it was observed to be suspended after it had run.
struct SignOfLife: Comparable {
    var from: Int64
    var until: Int64
    var isSuspension = false

    static func < (one: SignOfLife, other: SignOfLife) -> Bool {
        (one.from, one.isSuspension ? 0 : 1, one.until) < (other.from, other.isSuspension ? 0 : 1, other.until)
    }
}
