/// What a check asks.
enum CheckQueries {
    /// What ``CheckRunner`` makes a finding from. Of hundreds of thousands of rows, columns that nobody reads are dear.
    static let columns = """
        f.finding_id, f.rule, f.deviation, f.severity, f.message, f.repair, f.source, f.line, f.time_ns, f.app, f.run_id,
        f.layer, f.instance
        """

    /// Every finding.
    static let findings = """
        SELECT \(columns) FROM findings AS f JOIN runs AS r ON r.run_id = f.run_id
        WHERE ($app IS NULL OR r.app = $app) AND ($app_version IS NULL OR r.app_version = $app_version)
            AND ($device IS NULL OR r.device = $device) AND ($run IS NULL OR f.run_id = $run)
            AND ($since IS NULL OR f.time >= $since) AND ($until IS NULL OR f.time < $until)
        ORDER BY f.source, f.line, f.finding_id
        """

    /// Instances of the runs that a filter names.
    static let instances = """
        SELECT i.instance_id FROM instances AS i JOIN runs AS r ON r.run_id = i.run_id
        WHERE ($app IS NULL OR r.app = $app) AND ($app_version IS NULL OR r.app_version = $app_version)
            AND ($device IS NULL OR r.device = $device) AND ($run IS NULL OR r.run_id = $run)
        """

    /// Instances of apps whose state their scenes decide.
    static let appsWithScenes = """
        SELECT i.instance_id FROM instances AS i
        WHERE i.layer = 'app' AND i.run_id IN (SELECT s.run_id FROM instances AS s WHERE s.layer = 'scene')
        """

    /// Instances of apps.
    static let apps = "SELECT instance_id FROM instances WHERE layer = 'app'"

    /// Lines that belong before the line before them.
    static let exchangedLines = """
        SELECT source, line FROM raw_findings
        WHERE deviation = 'reordered-tie' AND repair = 'before the line before'
        """

    static let scenarios = """
        SELECT DISTINCT c.scenario FROM scenarios AS c JOIN runs AS r ON r.run_id = c.run_id
        WHERE ($app IS NULL OR r.app = $app) AND ($app_version IS NULL OR r.app_version = $app_version)
            AND ($device IS NULL OR r.device = $device) AND ($run IS NULL OR r.run_id = $run)
            AND ($since_ns IS NULL OR c.started_ns >= $since_ns) AND ($until_ns IS NULL OR c.started_ns < $until_ns)
        """

    static let rules = """
        SELECT DISTINCT f.rule FROM findings AS f JOIN runs AS r ON r.run_id = f.run_id
        WHERE ($app IS NULL OR r.app = $app) AND ($app_version IS NULL OR r.app_version = $app_version)
            AND ($device IS NULL OR r.device = $device) AND ($run IS NULL OR f.run_id = $run)
            AND ($since_ns IS NULL OR f.time_ns >= $since_ns) AND ($until_ns IS NULL OR f.time_ns < $until_ns)
        """
}
