/// What a diagram asks beside the named queries.
enum DiagramQueries {
    /// Findings that lie on a change of state, by rule. The findings are the inner side of the join: they are few, and
    /// SQLite makes an index of them for the occasion.
    static let findingsOnTransitions = """
        SELECT t.from_state, t.to_state, f.rule, f.severity, count(*) AS count, min(f.message) AS message,
            min(f.source || ':' || f.line) AS example
        FROM transitions AS t
        CROSS JOIN findings AS f ON f.instance_id = t.instance_id AND f.line = t.line AND f.time_ns IS t.time_ns
        WHERE t.layer = $layer AND f.layer = $layer
        GROUP BY t.from_state, t.to_state, f.rule, f.severity
        ORDER BY t.from_state, t.to_state, f.rule, f.severity
        """

    /// How runs ended, by the state in which the app was seen last.
    static let endings = """
        SELECT v.state, r.end_reason, count(*) AS count
        FROM visits AS v JOIN runs AS r ON r.run_id = v.run_id
        WHERE v.layer = $layer AND v.censored IN ('right', 'both')
        GROUP BY v.state, r.end_reason
        ORDER BY v.state, count(*) DESC, r.end_reason
        """

    /// What the picture was made from.
    static let totals = """
        SELECT (SELECT count(*) FROM runs) AS runs,
            (SELECT sum(events) FROM sources) AS events,
            (SELECT group_concat(app, ', ') FROM (SELECT DISTINCT app FROM runs WHERE app IS NOT NULL
                ORDER BY app LIMIT 3)) AS apps, $layer AS layer
        """
}
