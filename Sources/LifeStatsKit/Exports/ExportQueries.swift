/// What the exports ask.
enum ExportQueries {
    private static let chosen = """
        ($app IS NULL OR v.app = $app) AND ($device IS NULL OR v.device = $device)
            AND ($run IS NULL OR v.run_id = $run)
            AND ($app_version IS NULL OR v.run_id IN (SELECT run_id FROM runs WHERE app_version = $app_version))
        """

    static let events = """
        SELECT v.instance_id, coalesce(v.app, '') || ' ' || v.run_id || ' ' || coalesce(v.instance, v.layer), v.app,
            v.layer, v.run_id, coalesce(v.callback, v.kind || ':' || v.proves), v.time_ns, v.state_after
        FROM events AS v
        WHERE \(chosen) AND ($since IS NULL OR v.time >= $since) AND ($until IS NULL OR v.time < $until)
        ORDER BY v.instance_id, v.seq
        """

    static let stays = """
        SELECT v.run_id, v.instance_id, coalesce(v.app, '?') || ' ' || coalesce(v.pid, ''),
            coalesce(v.instance, v.layer), v.layer, v.state, v.entered_ns, v.left_ns, v.source, v.line
        FROM visits_estimated AS v
        WHERE \(chosen) AND ($since IS NULL OR v.entered >= $since) AND ($until IS NULL OR v.entered < $until)
        ORDER BY v.run_id, v.instance_id, v.seq
        """
}
