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
    SELECT t.layer, t.from_state, t.to_state, t.time_ns, t.time, t.app, t.device, t.run_id,
        -- Backwards, so that a running minimum gives the next time at which the instance becomes active.
        min(CASE WHEN t.to_state IN ('active', 'fg_active') THEN t.time_ns END) OVER (
            PARTITION BY t.instance_id ORDER BY t.seq DESC
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS active_ns
    FROM transitions AS t
    WHERE t.layer IN ('app', 'scene')
),
passages AS (
    SELECT m.layer, CASE WHEN m.from_state IN ('not_running', 'unattached') THEN 'launch to active'
            ELSE 'background to active' END AS passage,
        m.active_ns - m.time_ns AS taken_ns
    FROM moves AS m
    WHERE (m.from_state IN ('not_running', 'unattached') OR m.to_state = 'background')
        AND ($app IS NULL OR m.app = $app)
        AND ($app_version IS NULL OR m.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR m.device = $device)
        AND ($run IS NULL OR m.run_id = $run)
        AND ($since IS NULL OR m.time >= $since)
        AND ($until IS NULL OR m.time < $until)
),
ranked AS (
    SELECT p.*, row_number() OVER (PARTITION BY p.layer, p.passage ORDER BY p.taken_ns IS NULL, p.taken_ns) - 1 AS place,
        count(p.taken_ns) OVER (PARTITION BY p.layer, p.passage) - 1 AS last_place
    FROM passages AS p
)
SELECT r.layer AS layer, r.passage AS passage, count(*) AS starts, count(r.taken_ns) AS arrived,
    min(r.taken_ns) / 1e9 AS min_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.50) < 1
            THEN r.taken_ns * (1 - abs(r.place - r.last_place * 0.50)) END) / 1e9 AS p50_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.90) < 1
            THEN r.taken_ns * (1 - abs(r.place - r.last_place * 0.90)) END) / 1e9 AS p90_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.99) < 1
            THEN r.taken_ns * (1 - abs(r.place - r.last_place * 0.99)) END) / 1e9 AS p99_s,
    max(r.taken_ns) / 1e9 AS max_s
FROM ranked AS r
GROUP BY r.layer, r.passage
ORDER BY r.layer, r.passage;
