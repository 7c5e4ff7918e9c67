import TraceStore

/// The queries of pictures. Parameters are those of ``values(_:layer:)``; times are nanoseconds.
enum DiagramQueries {
    /// A filter as parameters, with the layer where a query asks for one.
    static func values(_ filter: Filter?, layer: String? = nil) -> [String: SQLValue] {
        var values: [String: SQLValue] = [:]
        values["app"] = filter?.app.map(SQLValue.text)
        values["app_version"] = filter?.appVersion.map(SQLValue.text)
        values["device"] = filter?.device.map(SQLValue.text)
        values["run"] = filter?.run.map(SQLValue.integer)
        values["scenario"] = filter?.scenario.map(SQLValue.text)
        values["since"] = filter?.since.map(SQLValue.integer)
        values["until"] = filter?.until.map(SQLValue.integer)
        values["layer"] = layer.map(SQLValue.text)
        return values
    }

    /// Condition on the columns of `runs`, named `r`: the runs that a filter leaves, whenever they lived.
    static let chosen = """
        ($app IS NULL OR r.app = $app) AND ($app_version IS NULL OR r.app_version = $app_version)
            AND ($device IS NULL OR r.device = $device) AND ($run IS NULL OR r.run_id = $run)
            AND ($scenario IS NULL OR r.run_id IN
                (SELECT c.run_id FROM scenarios AS c WHERE c.scenario = $scenario OR c.class = $scenario))
        """

    /// The same, and they lived at some time of the span.
    static let living = """
        \(chosen)
            AND ($since IS NULL OR coalesce(r.ended_ns, r.last_seen_ns, r.started_ns) >= $since)
            AND ($until IS NULL OR coalesce(r.started_ns, r.first_seen_ns, r.ended_ns) < $until)
        """

    private static func within(_ alias: String, time: String) -> String {
        """
        ($since IS NULL OR \(time) >= $since) AND ($until IS NULL OR \(time) < $until)
            AND (coalesce($app, $app_version, $device, $run, $scenario) IS NULL
                OR \(alias).run_id IN (SELECT r.run_id FROM runs AS r WHERE \(chosen)))
        """
    }

    /// State and completed dwell of every visit.
    static let visits = """
        SELECT v.state, CASE WHEN v.complete = 1 THEN v.dwell_ns END, v.run_id FROM visits AS v
        WHERE v.layer = $layer AND \(within("v", time: "coalesce(v.entered_ns, v.left_ns)"))
        """

    /// Length, known or least, of every visit whose begin is known, and whether it is complete.
    static let lengths = """
        SELECT v.state, v.complete, coalesce(v.dwell_ns, v.at_least_ns), v.censored FROM visits AS v
        WHERE v.layer = $layer AND coalesce(v.dwell_ns, v.at_least_ns) IS NOT NULL
            AND \(within("v", time: "coalesce(v.entered_ns, v.left_ns)"))
        """

    /// Every change of state. A silent end has no time of its own: it came after the last sign of life.
    static let transitions = """
        SELECT t.from_state, t.to_state, t.callback, t.verdict, t.evidence, t.dwell_ns, t.run_id FROM transitions AS t
        WHERE t.layer = $layer AND \(within("t", time: silentlyTimed))
        """

    private static let silentlyTimed = """
        coalesce(t.time_ns, (SELECT r.last_seen_ns FROM runs AS r WHERE r.run_id = t.run_id))
        """

    /// The findings at changes of state, counted by kind of change and rule, with an example of each. A finding about
    /// the end of a run (`$ends` has those rules) belongs to the change that ends it: the silent one, if there is one.
    static let marks = """
        SELECT f.layer, t.kind_id, f.rule, f.severity, count(*), min(f.message), min(f.source || ':' || f.line)
        FROM (
            SELECT g.*, instr($ends, char(10) || g.rule || char(10)) > 0 AS is_end FROM findings AS g
        ) AS f
        CROSS JOIN transitions AS t ON t.transition_id = CASE
            WHEN f.is_end AND EXISTS (SELECT 1 FROM transitions AS e WHERE e.transition_id = -f.instance_id)
                THEN -f.instance_id ELSE f.event_id END
        WHERE t.layer = f.layer AND (f.is_end OR t.time_ns IS f.time_ns) AND ($layer IS NULL OR f.layer = $layer)
            AND \(within("f", time: "f.time_ns"))
        GROUP BY f.layer, t.kind_id, f.rule, f.severity
        """

    /// Length of every estimated suspension, and where it led.
    static let estimates = """
        SELECT p.suspended_ns, p.to_state FROM suspensions AS p
        WHERE p.evidence = 'inferred' AND \(within("p", time: "p.from_ns"))
        """

    /// The runs that a picture is made from, by app, the most frequent first.
    static let apps = """
        SELECT r.app, count(*) AS runs FROM runs AS r WHERE \(living) GROUP BY r.app ORDER BY count(*) DESC, r.app
        """

    /// Number of events; without a filter the accounts of the sources know it.
    static let allEvents = "SELECT coalesce(sum(events), 0) AS events FROM sources"
    static let events = """
        SELECT count(*) AS events FROM events AS e WHERE \(within("e", time: "e.time_ns"))
        """
}
