/// What a timeline asks: the runs with the most to see first.
enum TimelineQueries {
    private static let chosen = """
        SELECT run_id FROM runs AS r
        WHERE ($app IS NULL OR app = $app) AND ($app_version IS NULL OR app_version = $app_version)
            AND ($device IS NULL OR device = $device) AND ($run IS NULL OR run_id = $run)
            AND ($since IS NULL OR coalesce(ended, started) >= $since OR ended IS NULL)
            AND ($until IS NULL OR started IS NULL OR started < $until)
        """

    static let runs = chosen

    static let visits = """
        WITH chosen AS (\(chosen) ORDER BY run_id LIMIT $most)
        SELECT v.*, v.source || ':' || v.line AS place,
            (SELECT coalesce(started, ended) FROM runs WHERE run_id = v.run_id) AS run_began
        FROM visits AS v WHERE v.run_id IN (SELECT run_id FROM chosen)
        ORDER BY v.run_id, CASE v.layer WHEN 'app' THEN 0 WHEN 'scene' THEN 1 ELSE 2 END, v.instance_id,
            v.entered_ns IS NULL DESC, v.seq, v.entered_ns
        """

    static let suspensions = """
        WITH chosen AS (\(chosen) ORDER BY run_id LIMIT $most)
        SELECT visit_id, from_ns, until_ns, evidence FROM suspensions
        WHERE run_id IN (SELECT run_id FROM chosen) ORDER BY visit_id, from_ns
        """

    static let findings = """
        WITH chosen AS (\(chosen) ORDER BY run_id LIMIT $most)
        SELECT *, source || ':' || line AS place FROM findings WHERE run_id IN (SELECT run_id FROM chosen)
        ORDER BY finding_id
        """
}
