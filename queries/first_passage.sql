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
WITH moves AS (
    SELECT t.layer, t.instance_id, t.seq, t.time_ns, t.to_state IN ('active', 'fg_active') AS arrives,
        t.from_state IN ('not_running', 'unattached') AS launches, t.to_state = 'background' AS leaves,
        ($since IS NULL OR t.time >= $since) AND ($until IS NULL OR t.time < $until) AS chosen
    FROM transitions AS t
    WHERE t.layer IN ('app', 'scene')
        AND (t.to_state IN ('active', 'fg_active', 'background') OR t.from_state IN ('not_running', 'unattached'))
        AND ($app IS NULL OR t.app = $app)
        AND ($app_version IS NULL OR t.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR t.device = $device)
        AND ($run IS NULL OR t.run_id = $run)
),
followed AS (
    SELECT m.layer, m.launches, m.leaves, m.chosen, m.time_ns,
        -- Backwards, so that a running minimum gives the next time at which the instance becomes active.
        min(CASE WHEN m.arrives THEN m.time_ns END) OVER (
            PARTITION BY m.instance_id ORDER BY m.seq DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS active_ns
    FROM moves AS m
),
passages AS MATERIALIZED (
    SELECT f.layer, CASE WHEN f.launches THEN 'launch to active' ELSE 'background to active' END AS passage,
        f.active_ns - f.time_ns AS taken_ns
    FROM followed AS f
    WHERE f.chosen AND (f.launches OR f.leaves)
),
counted AS (
    SELECT s.layer, s.passage, count(*) AS rows, count(s.taken_ns) AS n, min(s.taken_ns) AS min_ns, max(s.taken_ns) AS max_ns FROM passages AS s GROUP BY s.layer, s.passage
),
ranked AS (
    SELECT s.layer, s.passage, s.taken_ns, row_number() OVER (PARTITION BY s.layer, s.passage ORDER BY s.taken_ns) - 1 AS place
    FROM passages AS s
    WHERE s.taken_ns IS NOT NULL
),
-- Type 7 weighs the two ranks beside place h = (n - 1) p by how near they are; only these are kept.
percentiles AS (
    SELECT c.layer, c.passage,
        sum(CASE WHEN abs(r.place - (c.n - 1) * 0.50) < 1
            THEN r.taken_ns * (1 - abs(r.place - (c.n - 1) * 0.50)) END) AS p50_ns,
        sum(CASE WHEN abs(r.place - (c.n - 1) * 0.90) < 1
            THEN r.taken_ns * (1 - abs(r.place - (c.n - 1) * 0.90)) END) AS p90_ns,
        sum(CASE WHEN abs(r.place - (c.n - 1) * 0.99) < 1
            THEN r.taken_ns * (1 - abs(r.place - (c.n - 1) * 0.99)) END) AS p99_ns
    FROM ranked AS r JOIN counted AS c ON r.layer IS NOT DISTINCT FROM c.layer AND r.passage IS NOT DISTINCT FROM c.passage
    WHERE abs(r.place - (c.n - 1) * 0.50) < 1 OR abs(r.place - (c.n - 1) * 0.90) < 1 OR abs(r.place - (c.n - 1) * 0.99) < 1
    GROUP BY c.layer, c.passage
)
SELECT c.layer AS layer, c.passage AS passage, c.rows AS starts, c.n AS arrived, c.min_ns / 1e9 AS min_s,
    p.p50_ns / 1e9 AS p50_s, p.p90_ns / 1e9 AS p90_s, p.p99_ns / 1e9 AS p99_s, c.max_ns / 1e9 AS max_s
FROM counted AS c LEFT JOIN percentiles AS p ON p.layer = c.layer AND p.passage = c.passage
ORDER BY c.layer, c.passage;
