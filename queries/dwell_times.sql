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
WITH wanted AS (
    -- Without a restriction the answer is kept in the summary; otherwise it is made from the visits.
    SELECT 1 AS one
    WHERE $app IS NOT NULL OR $app_version IS NOT NULL OR $device IS NOT NULL OR $run IS NOT NULL OR $layer IS NOT NULL
        OR $since IS NOT NULL OR $until IS NOT NULL OR NOT EXISTS (SELECT 1 FROM dwell_summary)
),
chosen AS (
    SELECT v.layer, v.state, v.censored, CASE WHEN v.complete = 1 THEN 1 END AS complete,
        CASE WHEN v.complete = 1 THEN v.dwell_ns END AS dwell_ns
    FROM wanted AS w CROSS JOIN visits AS v
    WHERE ($app IS NULL OR v.app = $app)
        AND ($app_version IS NULL OR v.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR v.device = $device)
        AND ($run IS NULL OR v.run_id = $run)
        AND ($layer IS NULL OR v.layer = $layer)
        AND ($since IS NULL OR coalesce(v.entered, v.left) >= rtrim($since, 'Z'))
        AND ($until IS NULL OR coalesce(v.entered, v.left) < rtrim($until, 'Z'))
),
ranked AS (
    SELECT c.*, row_number() OVER (PARTITION BY c.layer, c.state ORDER BY c.dwell_ns IS NULL, c.dwell_ns) - 1 AS place,
        count(c.dwell_ns) OVER (PARTITION BY c.layer, c.state) - 1 AS last_place
    FROM chosen AS c
),
-- Type 7 weighs the two ranks beside place h = (n - 1) p by how near they are.
totals AS (
    SELECT r.layer, r.state, count(*) AS visits, count(r.complete) AS complete,
        count(*) FILTER (WHERE r.censored <> '') AS censored, sum(r.dwell_ns) * 1.0 AS total_ns,
        avg(r.dwell_ns) AS mean_ns, min(r.dwell_ns) AS min_ns,
        sum(CASE WHEN abs(r.place - r.last_place * 0.50) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.50)) END) AS p50_ns,
        sum(CASE WHEN abs(r.place - r.last_place * 0.90) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.90)) END) AS p90_ns,
        sum(CASE WHEN abs(r.place - r.last_place * 0.99) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.99)) END) AS p99_ns,
        max(r.dwell_ns) AS max_ns
    FROM ranked AS r
    GROUP BY r.layer, r.state
    UNION ALL
    SELECT s.layer, s.state, s.visits, s.complete, s.censored, s.total_ns, s.mean_ns, s.min_ns, s.p50_ns, s.p90_ns,
        s.p99_ns, s.max_ns
    FROM dwell_summary AS s
    WHERE NOT EXISTS (SELECT 1 FROM wanted)
)
SELECT t.layer AS layer, t.state AS state, t.visits AS visits, t.complete AS complete, t.censored AS censored,
    t.total_ns / 1e9 AS total_s, t.mean_ns / 1e9 AS mean_s, t.min_ns / 1e9 AS min_s, t.p50_ns / 1e9 AS p50_s,
    t.p90_ns / 1e9 AS p90_s, t.p99_ns / 1e9 AS p99_s, t.max_ns / 1e9 AS max_s,
    t.total_ns / nullif(sum(t.total_ns) OVER (PARTITION BY t.layer), 0) AS share
FROM totals AS t
ORDER BY t.layer, t.total_ns IS NULL, t.total_ns DESC, t.state;
