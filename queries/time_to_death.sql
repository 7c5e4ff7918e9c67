-- How long apps live in the background before a kill. Where a line shows the kill, both bounds are its exact time. A kill
-- that no line shows lies between the last sign of life and the first sign of the next run. Percentiles are R type 7.
--
-- Group: Runs
-- Empty: no app is known to have been killed in the background, by a line or by silence until a later run of the app
-- Parameters:
--   $app          text  = none  only this app
--   $app_version  text  = none  only runs of this version of the app
--   $device       text  = none  only this device
--   $since        time  = none  only visits entered at or after this time
--   $until        time  = none  only visits entered before this time
-- Columns:
--   app                 text     process name
--   deaths              integer  periods in the background that ended with the process
--   at_least_p50_s      seconds  median of the time from entering the background to the kill, or else to the last sign of life
--   at_most_p50_s       seconds  median of the time to the kill, or else to the first sign of the next run
--   shortest_at_most_s  seconds  the quickest death, at most
--   longest_at_least_s  seconds  the slowest, at least
WITH RECURSIVE killed AS MATERIALIZED (
    -- The last visit: the one that nothing ended, or that the end of the run did.
    SELECT r.app, r.ended_ns, r.next_seen_ns, coalesce(
            (SELECT v.transition_id FROM visits AS v WHERE v.transition_id = -i.instance_id),
            (SELECT t.transition_id FROM transitions AS t
                WHERE t.transition_id BETWEEN i.first_event_id AND i.last_event_id
                    AND t.instance_id = i.instance_id AND t.to_state = 'not_running'
                ORDER BY t.transition_id DESC LIMIT 1)) AS last_id
    FROM runs AS r JOIN instances AS i ON i.run_id = r.run_id AND i.layer = 'app'
    WHERE r.end_reason IN ('killed_in_background', 'jetsam', 'watchdog')
        AND ($app IS NULL OR r.app = $app)
        AND ($app_version IS NULL OR r.app_version = $app_version)
        AND ($device IS NULL OR r.device = $device)
),
-- A period in the background goes from its end back to where the app entered it: where lines say that the process is
-- suspended or runs again, it consists of several visits.
parts AS (
    SELECT k.last_id, v.visit_id, k.app, v.entered_ns,
        -- The text of a time is computed only where it is compared.
        CASE WHEN coalesce($since, $until) IS NOT NULL THEN coalesce(v.entered, v.left) END AS entered, v.censored,
        v.dwell_ns, coalesce(v.at_least_ns, v.dwell_ns) AS at_least_ns, k.ended_ns, k.next_seen_ns
    FROM killed AS k JOIN visits AS v ON v.transition_id = k.last_id
    WHERE v.state IN ('background', 'suspended')
    UNION ALL
    SELECT p.last_id, v.visit_id, p.app, v.entered_ns,
        CASE WHEN coalesce($since, $until) IS NOT NULL THEN coalesce(v.entered, v.left) END, v.censored,
        p.dwell_ns + v.dwell_ns, p.at_least_ns + coalesce(v.at_least_ns, v.dwell_ns), p.ended_ns, p.next_seen_ns
    FROM parts AS p JOIN visits AS v ON v.transition_id = p.visit_id
    WHERE p.visit_id > 0 AND v.state IN ('background', 'suspended')
),
stays AS (
    -- The smallest visit_id is the first, but for a visit that no line began, whose id is below 0. The other columns are
    -- those of the same row.
    SELECT p.*, min(p.visit_id) AS first_id FROM parts AS p GROUP BY p.last_id
),
deaths AS (
    SELECT s.app,
        -- A line of another log of the device may show the end of a visit that nothing ended in its own.
        coalesce(CASE WHEN s.last_id < 0 THEN s.ended_ns - s.entered_ns END, s.at_least_ns) AS at_least_ns,
        -- A period that may have begun before the log may have been longer.
        CASE WHEN s.censored IN ('left', 'both') THEN NULL WHEN s.last_id > 0 THEN s.dwell_ns
            ELSE coalesce(s.ended_ns, s.next_seen_ns) - s.entered_ns END AS at_most_ns
    FROM stays AS s
    -- A kill that a line without a time shows says nothing of how long it took.
    WHERE (s.last_id < 0 OR s.at_least_ns IS NOT NULL)
        AND ($since IS NULL OR s.entered >= rtrim($since, 'Z'))
        AND ($until IS NULL OR s.entered < rtrim($until, 'Z'))
),
ranked AS (
    SELECT d.*,
        -- Longest first, which puts NULL last; the median is the same from either side.
        row_number() OVER (PARTITION BY d.app ORDER BY d.at_least_ns DESC) - 1 AS least_place,
        count(d.at_least_ns) OVER (PARTITION BY d.app) - 1 AS least_last,
        row_number() OVER (PARTITION BY d.app ORDER BY d.at_most_ns DESC) - 1 AS most_place,
        count(d.at_most_ns) OVER (PARTITION BY d.app) - 1 AS most_last
    FROM deaths AS d
)
SELECT r.app AS app, count(*) AS deaths,
    sum(CASE WHEN abs(r.least_place - r.least_last * 0.5) < 1
            THEN r.at_least_ns * (1 - abs(r.least_place - r.least_last * 0.5)) END) / 1e9 AS at_least_p50_s,
    sum(CASE WHEN abs(r.most_place - r.most_last * 0.5) < 1
            THEN r.at_most_ns * (1 - abs(r.most_place - r.most_last * 0.5)) END) / 1e9 AS at_most_p50_s,
    min(r.at_most_ns) / 1e9 AS shortest_at_most_s, max(r.at_least_ns) / 1e9 AS longest_at_least_s
FROM ranked AS r
GROUP BY r.app
ORDER BY r.app;
