-- How long the app takes to become active, by kind of launch: cold (from no process), background (the first time that
-- a process launched into the background comes forward), resume (from the background after having been active). Taken
-- from the dwell of the inactive visit between. Percentiles are R type 7.
--
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $since        time     = none  only launches that end at or after this time
--   $until        time     = none  only launches that end before this time
-- Columns:
--   layer     text     app or scene
--   kind      text     cold, background or resume
--   launches  integer  how many
--   min_s     seconds  shortest
--   p50_s     seconds  median
--   p90_s     seconds  90th percentile
--   p99_s     seconds  99th percentile
--   max_s     seconds  longest
WITH moves AS (
    SELECT t.layer, t.from_state, t.to_state, t.dwell_ns, t.time, t.app, t.device, t.run_id,
        lag(t.from_state) OVER w AS came_from,
        sum(CASE WHEN t.to_state IN ('active', 'fg_active') THEN 1 ELSE 0 END) OVER w AS times_active
    FROM transitions AS t
    WHERE t.layer IN ('app', 'scene')
    WINDOW w AS (PARTITION BY t.instance_id ORDER BY t.seq)
),
launches AS (
    SELECT m.layer, m.dwell_ns,
        CASE WHEN m.came_from IN ('not_running', 'unattached') THEN 'cold'
            WHEN m.times_active = 1 THEN 'background' ELSE 'resume' END AS kind
    FROM moves AS m
    WHERE m.from_state IN ('inactive', 'fg_inactive')
        AND m.to_state IN ('active', 'fg_active')
        AND m.came_from IN ('not_running', 'unattached', 'background', 'suspended')
        AND m.dwell_ns IS NOT NULL
        AND ($app IS NULL OR m.app = $app)
        AND ($app_version IS NULL OR m.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR m.device = $device)
        AND ($run IS NULL OR m.run_id = $run)
        AND ($since IS NULL OR m.time >= $since)
        AND ($until IS NULL OR m.time < $until)
),
ranked AS (
    SELECT l.*, row_number() OVER (PARTITION BY l.layer, l.kind ORDER BY l.dwell_ns) - 1 AS place,
        count(*) OVER (PARTITION BY l.layer, l.kind) - 1 AS last_place
    FROM launches AS l
)
SELECT r.layer AS layer, r.kind AS kind, count(*) AS launches,
    min(r.dwell_ns) / 1e9 AS min_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.50) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.50)) END) / 1e9 AS p50_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.90) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.90)) END) / 1e9 AS p90_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.99) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.99)) END) / 1e9 AS p99_s,
    max(r.dwell_ns) / 1e9 AS max_s
FROM ranked AS r
GROUP BY r.layer, r.kind
ORDER BY r.layer, r.kind;
