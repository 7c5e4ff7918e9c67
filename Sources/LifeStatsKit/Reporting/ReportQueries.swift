/// What the report asks beside the named queries.
enum ReportQueries {
    static let layers = """
        SELECT layer, count(*) AS instances FROM instances GROUP BY layer
        ORDER BY CASE layer WHEN 'app' THEN 0 WHEN 'scene' THEN 1 WHEN 'view' THEN 2 ELSE 3 END, layer
        """

    static let overview = """
        SELECT (SELECT count(*) FROM runs) AS runs, (SELECT count(DISTINCT device) FROM runs) AS devices,
            count(*) AS files, sum(lines) AS lines, sum(events) AS events, min(first_ns) AS first_ns,
            max(last_ns) AS last_ns
        FROM sources
        """

    static let apps = "SELECT app, count(*) FROM runs WHERE app IS NOT NULL GROUP BY app ORDER BY count(*) DESC, app"

    static let findingsBySeverity = "SELECT severity, count(*) AS count FROM findings GROUP BY severity"

    static let endReasons = """
        SELECT end_reason, count(*) AS runs, 1.0 * count(*) / sum(count(*)) OVER () AS share
        FROM runs GROUP BY end_reason ORDER BY count(*) DESC, end_reason
        """

    static let scenarios = """
        SELECT coalesce(class, '') AS class, scenario, count(*) AS count FROM scenarios
        GROUP BY class, scenario ORDER BY count(*) DESC, scenario
        """

    static let sources = """
        SELECT path, format, lines, entry_lines, continuation_lines, other_lines, rejected_lines, events, assumptions
        FROM sources ORDER BY path
        """

    static let rejects = """
        SELECT reason, count(*) AS lines, min(path || ':' || line) AS place FROM rejects
        GROUP BY reason ORDER BY count(*) DESC, reason
        """
}
