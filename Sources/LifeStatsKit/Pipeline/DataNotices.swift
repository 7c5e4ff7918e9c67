import TraceRecords
import TraceStore

/// What the rows of a database show of its logs, while no single line does: lines that are in two of them, and lines of
/// windows that name none.
enum DataNotices {
    /// Databases with more runs are not looked through, and no more pairs of runs are compared.
    private static let mostRuns = 100_000
    private static let mostPairs = 100

    /// Pairs of logs whose lines count twice, and what else to know.
    static func all(_ reader: DatabaseReading) throws -> (copies: [String], others: [String]) {
        guard try Rows.all(reader, "SELECT 1 FROM raw_runs LIMIT 1 OFFSET \(mostRuns)").isEmpty else { return ([], []) }
        return try (repeated(reader), strangers(reader) + unmatched(reader) + guessed(reader))
    }

    // MARK: - Lines in two logs

    private struct Run {
        var id: Int64
        var log: Int64?
        var path: String
        var key: String
        var name: String
        var began: Int64
        var ended: Int64
        var hasPid: Bool
        var hasDevice: Bool

        init(_ row: Rows.Row) {
            id = row.integer("run_id") ?? 0
            log = row.integer("log")
            path = row.text("path") ?? ""
            (began, ended) = (row.integer("first_seen_ns") ?? 0, row.integer("last_seen_ns") ?? 0)
            let (app, pid, device) = (row.text("app"), row.integer("pid"), row.text("device"))
            (hasPid, hasDevice) = (pid != nil, device != nil)
            name = (app ?? "an app") + (pid.map { "[\($0)]" } ?? "")
            key = "\(name) \(device ?? "")"
        }
    }

    /// The runs with callbacks; those that may be of one process one after another, in the order of time.
    private static let runs = """
        SELECT r.run_id, s.log, s.path, r.app, r.pid, r.device, r.first_seen_ns, r.last_seen_ns
        FROM raw_runs AS r JOIN raw_sources AS s ON s.source_id = r.source
        WHERE r.first_seen_ns IS NOT NULL AND r.attached_run IS NULL AND (r.has_callbacks OR r.pid IS NULL)
            AND (SELECT count(*) FROM raw_logs) > 1
        ORDER BY r.pid IS NULL, r.pid, r.app, r.device, r.first_seen_ns
        """

    /// The first callbacks of a run while another one goes on, and how many of them that one has at the same time.
    private static let common = """
        WITH own AS (
            SELECT x.step_id, x.line, x.time * k.unit_ns AS time, k.callback
            FROM raw_instances AS i CROSS JOIN raw_steps AS x ON x.step_id BETWEEN i.first_step AND i.last_step
            JOIN raw_kinds AS k ON k.kind_id = x.kind
            WHERE i.run = $run AND x.instance = i.instance_id AND k.is_event AND k.callback IS NOT NULL
                AND x.time * k.unit_ns <= $until
            ORDER BY x.step_id LIMIT \(callbacks)
        )
        SELECT count(*) AS callbacks, coalesce(min(o.line), 1) AS line, coalesce(sum((o.time, o.callback) IN (
            SELECT x.time * k.unit_ns, k.callback
            FROM raw_instances AS i CROSS JOIN raw_steps AS x ON x.step_id BETWEEN i.first_step AND i.last_step
            JOIN raw_kinds AS k ON k.kind_id = x.kind
            WHERE i.run = $other AND x.instance = i.instance_id AND k.is_event)), 0) AS common
        FROM own AS o
        """
    private static let callbacks: Int64 = 5
    private static let moment: Int64 = 1_000_000_000

    /// Logs of which two have lines of the same process: exports that overlap, or two logs of one device.
    private static func repeated(_ reader: DatabaseReading) throws -> [String] {
        var open: [Run] = []
        var found: [[String]: (text: String, runs: Int64)] = [:]
        var compared = 0
        for row in try Rows.all(reader, runs) where compared < mostPairs {
            let run = Run(row)
            if open.first?.key != run.key { open = [] }
            open.removeAll { $0.ended <= run.began && $0.began < run.began }
            for other in open where other.log != run.log {
                if found[[run.path, other.path]] != nil {
                    found[[run.path, other.path]]?.runs += 1
                } else {
                    compared += 1
                    found[[run.path, other.path]] = try compare(run, other, reader).map { ($0, 0) }
                }
            }
            open.append(run)
        }
        return found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { _, pair in
            pair.text.replacing(" …", with: pair.runs == 0 ? "" : " and of \(Plural.text(pair.runs, "further run"))")
        }
    }

    /// What to say of a run and another one that began before; `nil` when nothing shows that they are one process.
    private static func compare(_ run: Run, _ other: Run, _ reader: DatabaseReading) throws -> String? {
        let values = ["run": run.id, "other": other.id, "until": other.ended].mapValues(SQLValue.integer)
        guard let row = try Rows.all(reader, common, values).first, let line = row.integer("line"),
            let callbacks = row.integer("callbacks"), let common = row.integer("common")
        else { return nil }
        // The first line of a file may be the second of one execution.
        let isSame = common >= min(callbacks, Self.callbacks - 1) && common > (run.hasPid ? 0 : 2)
        if isSame {
            return
                "\(run.path):\(line): \(other.path) has the same lines of \(run.name) …, which count twice; join the two "
                + "files in order, where repeated lines count once, or leave one out"
        }
        // Threads may write a moment out of order where one file ends and the next begins.
        guard run.hasPid, run.hasDevice, min(run.ended, other.ended) - run.began > moment else { return nil }
        return
            "\(run.path):\(line): \(other.path) shows \(run.name) … at the same time, which counts twice; leave one out"
    }

    // MARK: - Logs that may be of one device

    /// The log of a system that shows processes of another log, as far as no device says that both are of one. The first
    /// one, if there is more than one such process: a single one may have the process id by chance.
    private static let strangers = """
        SELECT s.path, t.path AS other, count(DISTINCT e.run_id) AS runs
        FROM raw_runs AS e JOIN raw_sources AS s ON s.source_id = e.source
        JOIN raw_runs AS r ON r.pid = e.pid AND r.has_callbacks
            AND e.first_seen_ns BETWEEN coalesce(r.started_ns, r.first_seen_ns) - \(TraceWriter.evidenceHead) AND r.last_seen_ns
        JOIN raw_sources AS t ON t.source_id = r.source AND t.log <> s.log
        WHERE NOT e.has_callbacks AND e.attached_run IS NULL AND (e.device IS NULL OR r.device IS NULL)
        GROUP BY s.path, t.path HAVING count(DISTINCT e.run_id) > 1 ORDER BY runs DESC, s.path, t.path LIMIT 1
        """

    private static func strangers(_ reader: DatabaseReading) throws -> [String] {
        try Rows.all(reader, strangers).map { row in
            "\(row.text("path") ?? ""): \(row.integer("runs") ?? 0) processes have the ids of runs in \(row.text("other") ?? "") at "
                + "the same time and count twice; if both logs are of one device, say so when you ingest them: `lifestats ingest … --device NAME`"
        }
    }

    /// Crash reports that count by themselves though a log shows runs of their app, by what keeps them apart: a log without
    /// process ids, or times without a zone.
    private static let unmatched = """
        WITH reports AS MATERIALIZED (
            SELECT e.run_id, e.pid, e.device, replace(lower(e.app), '-', '') AS app, e.started_ns, e.ended_ns, s.path,
                s.log
            FROM raw_runs AS e JOIN raw_sources AS s ON s.source_id = e.source
            WHERE e.started_ns IS NOT NULL AND e.reported_version IS NOT NULL AND NOT e.has_callbacks
                AND e.attached_run IS NULL
            LIMIT \(mostPairs)
        )
        SELECT count(DISTINCT e.run_id) AS reports, min(e.path) AS path, t.path AS other, t.timezone,
            r.pid IS NULL AS is_nameless
        FROM reports AS e JOIN raw_runs AS r ON r.device IS e.device AND (r.pid = e.pid OR r.pid IS NULL)
        JOIN raw_sources AS t ON t.source_id = r.source
        WHERE t.log <> e.log AND coalesce(replace(lower(r.app), '-', ''), e.app) = e.app AND CASE
            WHEN r.pid IS NULL THEN r.first_seen_ns < e.ended_ns AND r.last_seen_ns > e.started_ns
            ELSE r.has_callbacks AND t.timezone IS NOT NULL
                AND abs(coalesce(r.started_ns, r.first_seen_ns) - e.started_ns) < \(farthestZone) END
        GROUP BY t.path, r.pid IS NULL ORDER BY is_nameless, reports DESC, t.path LIMIT 1
        """
    private static let farthestZone: Int64 = 54_000_000_000_000

    private static func unmatched(_ reader: DatabaseReading) throws -> [String] {
        try Rows.all(reader, unmatched).map { row in
            let reports = Plural.text(row.integer("reports") ?? 0, "report counts", "reports count")
            let subject =
                "\(row.text("path") ?? ""): \(reports) separately from the runs in \(row.text("other") ?? ""), because "
            return row.integer("is_nameless") == 1
                ? subject + "that log has no process ids; one that has them shows which run is meant"
                : subject + "none there was launched at the same time; the times there have no zone and were read as "
                    + "\(row.text("timezone") ?? ""): give theirs (--timezone)"
        }
    }

    // MARK: - Windows without a name

    /// The scenes without a name of runs that have several connected at a time, since the second one.
    private static let nameless = """
        WITH nameless AS MATERIALIZED (
            SELECT i.run, i.instance_id, i.first_step, i.last_step FROM raw_instances AS i
            WHERE i.layer = 'scene' AND i.printed_label = '' AND i.first_step IS NOT NULL
        ),
        since AS (
            SELECT b.run, min(b.first_step) AS step
            FROM nameless AS a JOIN nameless AS b
                ON b.run = a.run AND b.first_step > a.first_step
            WHERE EXISTS (
                SELECT 1 FROM raw_steps AS t JOIN raw_kinds AS k ON k.kind_id = t.kind
                WHERE (t.step_id BETWEEN b.first_step AND a.last_step AND t.instance = a.instance_id
                    OR t.step_id = -a.instance_id) AND k.state_before <> 'unattached')
            GROUP BY b.run
        )
        SELECT s.path, (SELECT f.line FROM raw_steps AS f WHERE f.step_id = p.step) AS line, count(*) AS lines
        FROM since AS p JOIN nameless AS n ON n.run = p.run AND n.last_step >= p.step
        CROSS JOIN raw_steps AS x ON x.step_id BETWEEN max(n.first_step, p.step) AND n.last_step
        JOIN raw_kinds AS k ON k.kind_id = x.kind
        JOIN raw_blocks AS b ON b.block_id = p.step >> 16 JOIN raw_sources AS s ON s.source_id = b.source
        WHERE x.instance = n.instance_id AND k.is_event
        GROUP BY p.run ORDER BY s.path, line
        """

    private static func guessed(_ reader: DatabaseReading) throws -> [String] {
        let rows = try Rows.all(reader, nameless)
        guard let first = rows.first else { return [] }
        let lines = rows.reduce(0) { $0 + ($1.integer("lines") ?? 0) }
        return [
            "\(first.text("path") ?? ""):\(first.integer("line") ?? 1): several windows are open, and "
                + "\(Plural.text(lines, "line")) from here on \(lines == 1 ? "does" : "do") not name theirs, so that it is guessed; "
                + "print session.persistentIdentifier"
        ]
    }
}
