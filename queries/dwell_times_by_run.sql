-- How long instances stay in each state, run by run: completed visits, censored ones counted beside them. Percentiles
-- are R type 7. Told of the $most runs that were seen last, since a fleet has more runs than anybody reads.
--
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $most         integer  = 1000  how many runs; -1 for all
--   $layer        text     = none  only this layer
--   $since        time     = none  only visits entered at or after this time
--   $until        time     = none  only visits entered before this time
-- Columns:
--   run_id    integer  run
--   layer     text     layer of the instances
--   state     text     the state
--   visits    integer  visits of it, completed or not
--   complete  integer  visits of which both ends were observed
--   censored  integer  visits of which the log does not show both ends
--   total_s   seconds  sum of the completed visits
--   mean_s    seconds  mean of the completed visits
--   min_s     seconds  shortest completed visit
--   p50_s     seconds  median
--   p90_s     seconds  90th percentile
--   max_s     seconds  longest completed visit
WITH recent AS MATERIALIZED (
    SELECT r.run_id FROM runs AS r
    WHERE ($app IS NULL OR r.app = $app)
        AND ($app_version IS NULL OR r.app_version = $app_version)
        AND ($device IS NULL OR r.device = $device)
        AND ($run IS NULL OR r.run_id = $run)
    ORDER BY r.last_seen_ns DESC, r.run_id DESC
    LIMIT coalesce($most, 1000)
),
chosen AS (
    -- Run and state in one number, which is sorted faster than two.
    SELECT v.run_id << 20 | v.group_id AS slot, nullif(v.censored, '') AS censored, nullif(v.complete, 0) AS complete,
        CASE WHEN v.complete THEN v.dwell_ns END AS dwell_ns
    FROM visits AS v
    WHERE v.run_id IN (SELECT w.run_id FROM recent AS w)
        AND ($layer IS NULL OR v.layer = $layer)
        AND ($since IS NULL OR coalesce(v.entered, v.left) >= rtrim($since, 'Z'))
        AND ($until IS NULL OR coalesce(v.entered, v.left) < rtrim($until, 'Z'))
    -- No limit; it keeps SQLite from working out the dwell again wherever it is used.
    LIMIT -1
),
counted AS MATERIALIZED (
    SELECT c.slot, count(*) AS visits, count(c.complete) AS complete, count(c.censored) AS censored,
        count(c.dwell_ns) AS timed, sum(c.dwell_ns) AS total_ns, min(c.dwell_ns) AS min_ns, max(c.dwell_ns) AS max_ns
    FROM chosen AS c
    GROUP BY c.slot
),
ranked AS (
    SELECT c.slot, c.dwell_ns, row_number() OVER (PARTITION BY c.slot ORDER BY c.dwell_ns) - 1 AS place
    FROM chosen AS c
    WHERE c.dwell_ns IS NOT NULL
),
percentiles AS (
    -- Type 7 weighs the two ranks beside place h = (n - 1) p by how near they are.
    SELECT c.slot,
        sum(CASE WHEN abs(r.place - (c.timed - 1) * 0.5) < 1
            THEN r.dwell_ns * (1 - abs(r.place - (c.timed - 1) * 0.5)) END) AS p50_ns,
        sum(CASE WHEN abs(r.place - (c.timed - 1) * 0.9) < 1
            THEN r.dwell_ns * (1 - abs(r.place - (c.timed - 1) * 0.9)) END) AS p90_ns
    FROM ranked AS r CROSS JOIN counted AS c ON c.slot = r.slot
    WHERE r.place - (c.timed - 1) / 2 IN (0, 1) OR r.place - (c.timed - 1) * 9 / 10 IN (0, 1)
    GROUP BY c.slot
)
SELECT c.slot >> 20 AS run_id, n.layer AS layer, n.from_state AS state, c.visits AS visits, c.complete AS complete,
    c.censored AS censored, c.total_ns / 1e9 AS total_s, c.total_ns * 1.0 / nullif(c.timed, 0) / 1e9 AS mean_s,
    c.min_ns / 1e9 AS min_s, p.p50_ns / 1e9 AS p50_s, p.p90_ns / 1e9 AS p90_s, c.max_ns / 1e9 AS max_s
FROM counted AS c CROSS JOIN step_kinds AS n ON n.kind_id = c.slot & 1048575
LEFT JOIN percentiles AS p ON p.slot = c.slot
ORDER BY c.slot >> 20, n.layer, n.from_state;
