-- How long instances stay in each state: completed visits by default, censored ones counted beside them. Percentiles
-- are R type 7 (linear between the two nearest ranks).
--
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $layer        text     = none  only this layer
--   $since        time     = none  only visits entered at or after this time
--   $until        time     = none  only visits entered before this time
-- Columns:
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
--   p99_s     seconds  99th percentile
--   max_s     seconds  longest completed visit
--   share     share    total_s as a part of the layer's
WITH chosen AS (
    SELECT v.layer, v.state, v.censored, CASE WHEN v.complete = 1 THEN 1 END AS complete,
        CASE WHEN v.complete = 1 THEN v.dwell_ns END AS dwell_ns
    FROM visits AS v
    WHERE ($app IS NULL OR v.app = $app)
        AND ($app_version IS NULL OR v.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR v.device = $device)
        AND ($run IS NULL OR v.run_id = $run)
        AND ($layer IS NULL OR v.layer = $layer)
        AND ($since IS NULL OR coalesce(v.entered, v.left) >= $since)
        AND ($until IS NULL OR coalesce(v.entered, v.left) < $until)
),
ranked AS (
    SELECT c.layer, c.state, c.dwell_ns,
        row_number() OVER (PARTITION BY c.layer, c.state ORDER BY c.dwell_ns) - 1 AS place,
        count(*) OVER (PARTITION BY c.layer, c.state) - 1 AS last_place
    FROM chosen AS c
    WHERE c.dwell_ns IS NOT NULL
),
-- Type 7 weighs the two ranks beside place h = (n - 1) p by how near they are.
percentiles AS (
    SELECT r.layer, r.state,
        sum(CASE WHEN abs(r.place - r.last_place * 0.50) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.50)) END) / 1e9 AS p50_s,
        sum(CASE WHEN abs(r.place - r.last_place * 0.90) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.90)) END) / 1e9 AS p90_s,
        sum(CASE WHEN abs(r.place - r.last_place * 0.99) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.99)) END) / 1e9 AS p99_s
    FROM ranked AS r
    GROUP BY r.layer, r.state
),
totals AS (
    SELECT c.layer, c.state, count(*) AS visits, count(c.complete) AS complete,
        count(*) FILTER (WHERE c.censored <> '') AS censored, sum(c.dwell_ns) AS total_ns,
        avg(c.dwell_ns) / 1e9 AS mean_s, min(c.dwell_ns) / 1e9 AS min_s, max(c.dwell_ns) / 1e9 AS max_s
    FROM chosen AS c
    GROUP BY c.layer, c.state
)
SELECT t.layer AS layer, t.state AS state, t.visits AS visits, t.complete AS complete, t.censored AS censored,
    t.total_ns / 1e9 AS total_s, t.mean_s AS mean_s, t.min_s AS min_s, p.p50_s AS p50_s, p.p90_s AS p90_s,
    p.p99_s AS p99_s, t.max_s AS max_s,
    t.total_ns * 1.0 / nullif(sum(t.total_ns) OVER (PARTITION BY t.layer), 0) AS share
FROM totals AS t
LEFT JOIN percentiles AS p ON p.layer = t.layer AND p.state = t.state
ORDER BY t.layer, t.total_ns IS NULL, t.total_ns DESC, t.state;
