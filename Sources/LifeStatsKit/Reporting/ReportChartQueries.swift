/// What the charts of the report ask. Parameters are those of the filter, and `$layer`.
enum ReportChartQueries {
    private static let chosen = """
        v.layer = $layer AND ($app IS NULL OR v.app = $app)
            AND ($app_version IS NULL
                OR v.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
            AND ($device IS NULL OR v.device = $device) AND ($run IS NULL OR v.run_id = $run)
            AND ($since IS NULL OR coalesce(v.entered, v.left) >= $since)
            AND ($until IS NULL OR coalesce(v.entered, v.left) < $until)
        """

    /// Stays by length, cut to three digits: the answer stays small however many there are, and no chart shows more.
    static let stays = """
        SELECT state, complete, length(ns) AS digits, CAST(substr(ns, 1, 3) AS INTEGER) AS head, count(*) AS count
        FROM (
            SELECT v.state, v.complete, CASE WHEN v.complete = 1 THEN v.dwell_ns ELSE v.at_least_ns END AS ns
            FROM visits AS v WHERE \(chosen)
        )
        WHERE ns >= 0
        GROUP BY state, complete, digits, head
        ORDER BY state, complete, digits, head
        """

    /// Time by day and state; a stay counts for the day on which it begins. Days are numbers until they are shown: a
    /// text for every visit would cost more than all the rest.
    static let days = """
        SELECT date(day * 86400, 'unixepoch') AS day, state, sum(dwell_ns) AS ns, count(DISTINCT run_id) AS runs
        FROM (
            SELECT v.entered_ns / 86400000000000 AS day, v.state, v.dwell_ns, v.run_id
            FROM visits AS v
            WHERE \(chosen) AND v.complete = 1 AND v.dwell_ns IS NOT NULL
        )
        GROUP BY day, state
        ORDER BY day, state
        """
}
