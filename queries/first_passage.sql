-- How long it takes to get from one state to another, whatever lies between: from launch to active, and from entering
-- the background to being active again. Percentiles are R type 7.
--
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $since        time     = none  only passages that begin at or after this time
--   $until        time     = none  only passages that begin before this time
-- Columns:
--   layer    text     app or scene
--   passage  text     launch to active, or background to active
--   starts   integer  how often it began
--   arrived  integer  how often it arrived
--   min_s    seconds  shortest
--   p50_s    seconds  median
--   p90_s    seconds  90th percentile
--   p99_s    seconds  99th percentile
--   max_s    seconds  longest
WITH kinds AS MATERIALIZED (
    -- What a change of state means, once for each kind of change: numbers are sorted faster than names.
    SELECT k.kind_id, k.layer = 'scene' AS is_scene, k.to_state IN ('active', 'fg_active') AS arrives,
        k.from_state IN ('not_running', 'unattached') AS launches, k.to_state = 'background' AS leaves
    FROM step_kinds AS k
    WHERE k.layer IN ('app', 'scene')
        AND (k.to_state IN ('active', 'fg_active', 'background') OR k.from_state IN ('not_running', 'unattached'))
),
moves AS (
    SELECT t.instance_id, t.seq, t.time_ns, k.arrives, k.launches + 2 * k.is_scene AS passage,
        -- CASE, because OR would work out the text of the time in any case.
        (k.launches OR k.leaves) AND CASE WHEN $since IS NULL THEN 1 ELSE t.time >= rtrim($since, 'Z') END
            AND CASE WHEN $until IS NULL THEN 1 ELSE t.time < rtrim($until, 'Z') END AS begins
    FROM transitions AS t CROSS JOIN kinds AS k ON k.kind_id = t.kind_id
    WHERE ($app IS NULL OR t.app = $app)
        AND ($app_version IS NULL OR t.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR t.device = $device)
        AND ($run IS NULL OR t.run_id = $run)
),
followed AS (
    SELECT m.passage, m.begins, m.time_ns,
        -- Backwards, so that a running minimum gives the next time at which the instance becomes active.
        min(CASE WHEN m.arrives THEN m.time_ns END) OVER (
            PARTITION BY m.instance_id ORDER BY m.seq DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS active_ns
    FROM moves AS m
),
ranked AS MATERIALIZED (
    SELECT f.passage, f.active_ns - f.time_ns AS taken_ns,
        row_number() OVER (PARTITION BY f.passage ORDER BY f.active_ns - f.time_ns NULLS LAST) - 1 AS place
    FROM followed AS f
    WHERE f.begins
),
counted AS MATERIALIZED (
    SELECT r.passage, count(*) AS starts, count(r.taken_ns) AS n, min(r.taken_ns) AS min_ns, max(r.taken_ns) AS max_ns
    FROM ranked AS r
    GROUP BY r.passage
),
quantiles AS (
    SELECT 50 AS quantile UNION ALL SELECT 90 UNION ALL SELECT 99
),
-- Type 7 weighs the two ranks beside place h = (n - 1) p by how near they are.
wanted AS MATERIALIZED (
    SELECT c.passage, q.quantile, (c.n - 1) * q.quantile / 100 + b.upper AS place,
        abs(1 - b.upper - (c.n - 1) * q.quantile % 100 / 100.0) AS weight
    FROM counted AS c CROSS JOIN quantiles AS q CROSS JOIN (SELECT 0 AS upper UNION ALL SELECT 1) AS b
),
percentiles AS (
    SELECT r.passage, sum(CASE WHEN w.quantile = 50 THEN r.taken_ns * w.weight END) AS p50_ns,
        sum(CASE WHEN w.quantile = 90 THEN r.taken_ns * w.weight END) AS p90_ns,
        sum(CASE WHEN w.quantile = 99 THEN r.taken_ns * w.weight END) AS p99_ns
    FROM ranked AS r CROSS JOIN wanted AS w ON w.passage = r.passage AND w.place = r.place
    GROUP BY r.passage
)
SELECT CASE WHEN c.passage & 2 THEN 'scene' ELSE 'app' END AS layer,
    CASE WHEN c.passage & 1 THEN 'launch to active' ELSE 'background to active' END AS passage,
    c.starts AS starts, c.n AS arrived, c.min_ns / 1e9 AS min_s,
    p.p50_ns / 1e9 AS p50_s, p.p90_ns / 1e9 AS p90_s, p.p99_ns / 1e9 AS p99_s, c.max_ns / 1e9 AS max_s
FROM counted AS c LEFT JOIN percentiles AS p ON p.passage = c.passage
ORDER BY layer, passage;
