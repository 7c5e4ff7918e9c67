/// What the report asks beside the named queries. Parameters are those of ``DiagramQueries/values(_:layer:)``.
enum ReportQueries {
    static let layers = """
        SELECT layer, count(*) AS instances FROM instances GROUP BY layer
        ORDER BY CASE layer WHEN 'app' THEN 0 WHEN 'scene' THEN 1 WHEN 'view' THEN 2 ELSE 3 END, layer
        """

    static let overview = """
        SELECT count(*) AS files, coalesce(sum(lines), 0) AS lines, min(first_ns) AS first_ns, max(last_ns) AS last_ns
        FROM sources
        """

    /// What the runs of a filter span.
    static let span = """
        SELECT count(DISTINCT r.device) AS devices, count(DISTINCT r.source_id) AS files,
            min(coalesce(r.first_seen_ns, r.started_ns, r.ended_ns)) AS first_ns,
            max(coalesce(r.last_seen_ns, r.ended_ns, r.started_ns)) AS last_ns
        FROM runs AS r WHERE \(DiagramQueries.living)
        """

    static let endReasons = """
        SELECT r.end_reason, count(*) AS runs, 1.0 * count(*) / sum(count(*)) OVER () AS share
        FROM runs AS r WHERE \(DiagramQueries.living)
        GROUP BY r.end_reason ORDER BY count(*) DESC, r.end_reason
        """

    /// Scenario and class of every occurrence; counting them outside is quicker than sorting them.
    static let scenarios = """
        SELECT c.scenario, c.class FROM scenarios AS c
        WHERE coalesce($app, $app_version, $device, $run, $scenario, $since, $until) IS NULL
            OR c.run_id IN (SELECT r.run_id FROM runs AS r WHERE \(DiagramQueries.living))
        """

    static let sources = """
        SELECT path, format, lines, entry_lines, continuation_lines, other_lines, rejected_lines, events, timezone
        FROM sources ORDER BY path
        """

    static let assumptions = "SELECT assumptions, count(*) AS logs, min(path) AS path FROM sources GROUP BY assumptions"

    static let silentLogs = """
        SELECT count(*) AS logs, min(path) AS path FROM sources WHERE events = 0 AND lines > 0
        """

    static let basis = "SELECT basis FROM suspensions WHERE evidence = 'inferred' LIMIT 1"

    static let rejects = """
        SELECT reason, count(*) AS lines, min(path || ':' || line) AS place FROM rejects
        GROUP BY reason ORDER BY count(*) DESC, reason
        """

    /// Time by day and state; a stay counts for the day on which it begins.
    static let days = """
        SELECT date(day * 86400, 'unixepoch') AS day, state, sum(dwell_ns) AS ns
        FROM (
            SELECT v.entered_ns / 86400000000000 AS day, v.state, v.dwell_ns
            FROM visits AS v
            WHERE v.layer = $layer AND v.complete = 1 AND v.dwell_ns IS NOT NULL
                AND v.run_id IN (SELECT r.run_id FROM runs AS r WHERE \(DiagramQueries.living))
                AND ($since IS NULL OR v.entered_ns >= $since) AND ($until IS NULL OR v.entered_ns < $until)
        )
        GROUP BY day, state
        ORDER BY day, state
        """
}
