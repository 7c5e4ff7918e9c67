/// Which runs pictures of single runs show. Parameters are those of ``DiagramQueries/values(_:layer:)``.
enum TimelineQueries {
    private static let columns = """
        r.run_id, r.app, r.pid, coalesce(r.started_ns, r.first_seen_ns, r.ended_ns) AS began_ns
        """

    /// Runs in the order of the log.
    static let first = """
        SELECT \(columns) FROM runs AS r WHERE \(DiagramQueries.living) ORDER BY r.run_id LIMIT $most
        """

    /// Runs in which most goes wrong first: errors, then bad ends, then any other finding.
    static let mostInteresting = """
        WITH marked AS (
            SELECT f.run_id, sum(f.severity = 'error') AS errors, count(*) AS findings FROM findings AS f
            GROUP BY f.run_id
        )
        SELECT \(columns)
        FROM runs AS r LEFT JOIN marked AS m ON m.run_id = r.run_id
        WHERE \(DiagramQueries.living)
        ORDER BY coalesce(m.errors, 0) > 0 DESC, r.end_reason NOT IN ('log_end', 'terminated') DESC,
            coalesce(m.errors, 0) DESC, coalesce(m.findings, 0) DESC, r.run_id
        LIMIT $most
        """

    /// Every so many runs of those that live in the span, `$most` at most.
    static let spread = """
        SELECT run_id, app, pid, began_ns FROM (
            SELECT \(columns), row_number() OVER (ORDER BY r.run_id) - 1 AS place, count(*) OVER () AS runs
            FROM runs AS r WHERE \(DiagramQueries.living)
        )
        WHERE runs <= $most OR place = 0 OR place * $most / runs <> (place - 1) * $most / runs
        ORDER BY run_id LIMIT $most
        """

    static let count = "SELECT count(*) AS runs FROM runs AS r WHERE \(DiagramQueries.living)"

    /// The findings of one run.
    static let findings = """
        SELECT f.instance_id, f.time_ns, f.rule, f.severity, f.message, f.source || ':' || f.line AS place
        FROM findings AS f WHERE f.run_id = $run ORDER BY f.finding_id
        """
}
