-- How long apps live in the background before a kill. The moment of the kill is not logged: it lies between the last sign
-- of life and the first sign of the next run, and both bounds are given. Percentiles are R type 7.
--
-- Group: Runs
-- Empty: no app is killed while it is in the background
-- Parameters:
--   $app          text  = none  only this app
--   $app_version  text  = none  only runs of this version of the app
--   $device       text  = none  only this device
--   $since        time  = none  only stays entered at or after this time
--   $until        time  = none  only stays entered before this time
-- Columns:
--   app                 text     process name
--   deaths              integer  background stays that ended with the process
--   at_least_p50_s      seconds  median of the time from entering the background to the last sign of life
--   at_most_p50_s       seconds  median of the time to the first sign of the next run
--   shortest_at_most_s  seconds  the quickest death, at most
--   longest_at_least_s  seconds  the slowest, at least
WITH deaths AS (
    SELECT v.app, coalesce(v.at_least_ns, v.dwell_ns) AS at_least_ns, 
        -- A stay that may have begun before the log may have been longer.
        CASE WHEN v.censored = 'right' THEN coalesce(r.ended_ns, r.next_seen_ns) - v.entered_ns END AS at_most_ns
    FROM visits AS v JOIN runs AS r ON r.run_id = v.run_id
    WHERE v.layer = 'app'
        AND v.state IN ('background', 'suspended')
        AND v.left_ns IS NULL
        -- Nothing ended it; this finds such visits by their ids.
        AND v.transition_id < 0
        AND r.end_reason IN ('killed_in_background', 'jetsam', 'watchdog')
        AND ($app IS NULL OR v.app = $app)
        AND ($app_version IS NULL OR v.app_version = $app_version)
        AND ($device IS NULL OR v.device = $device)
        AND ($since IS NULL OR coalesce(v.entered, v.left) >= rtrim($since, 'Z'))
        AND ($until IS NULL OR coalesce(v.entered, v.left) < rtrim($until, 'Z'))
),
ranked AS (
    SELECT d.*,
        row_number() OVER (PARTITION BY d.app ORDER BY d.at_least_ns IS NULL, d.at_least_ns) - 1 AS least_place,
        count(d.at_least_ns) OVER (PARTITION BY d.app) - 1 AS least_last,
        row_number() OVER (PARTITION BY d.app ORDER BY d.at_most_ns IS NULL, d.at_most_ns) - 1 AS most_place,
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
