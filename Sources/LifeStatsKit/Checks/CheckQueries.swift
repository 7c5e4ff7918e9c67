/// What a check asks.
enum CheckQueries {
    /// Every finding with the app and the instance that it is about.
    static let findings = """
        SELECT f.*, r.app, i.instance FROM findings AS f
        JOIN runs AS r ON r.run_id = f.run_id
        LEFT JOIN instances AS i ON i.instance_id = f.instance_id
        WHERE ($app IS NULL OR r.app = $app) AND ($app_version IS NULL OR r.app_version = $app_version)
            AND ($device IS NULL OR r.device = $device) AND ($run IS NULL OR f.run_id = $run)
            AND ($since IS NULL OR f.time >= $since) AND ($until IS NULL OR f.time < $until)
        ORDER BY f.source, f.line, f.finding_id
        """

    static let totals = "SELECT (SELECT count(*) FROM runs) AS runs, (SELECT sum(events) FROM sources) AS events"
}
