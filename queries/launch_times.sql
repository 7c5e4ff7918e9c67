-- How long the app takes to become active, by kind of launch: cold (without a running process), background (the first
-- time that a process launched into the background comes to the foreground), resume (from the background after having
-- been active, or where the log does not show the launch of the app or the connection of the scene). The time is the
-- dwell time of the inactive visit in between. An app with scenes is in the background until one of them appears on
-- the screen; if a new scene is active within 20 s of the launch, or later with a finding of TL-01, that is a cold
-- launch, counted from the launch callback. A launch that may have begun before its log has no time and is left out:
-- the first of an app, if it is within two minutes of the log's beginning and willFinishLaunching is not logged (a
-- finding of TL-01 still says how long it took at least). So is one whose beginning or end is inferred. Percentiles
-- are R type 7.
--
-- Group: Runs
-- Empty: no app or scene becomes active after a time that is known. Where the log begins with a launch, the launch may
--   have begun before it, unless willFinishLaunchingWithOptions is logged as well
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
WITH arrivals AS MATERIALIZED (
    SELECT CASE WHEN t.layer = 'app' THEN 0 ELSE 1 END AS layer, t.dwell_ns, t.instance_id, t.seq, t.came_from, t.run_id,
        t.time_ns, t.from_state IN ('not_running', 'unattached') AS is_launch,
        t.to_state IN ('active', 'fg_active') AS is_arrival,
        -- CASE, because OR would compute the text of the time even where it is not needed.
        t.from_state IN ('inactive', 'fg_inactive') AND t.dwell_ns IS NOT NULL
            AND t.kind_id IN (SELECT k.kind_id FROM step_kinds AS k WHERE k.complete)
            AND CASE WHEN $since IS NULL THEN 1 = 1 ELSE t.time >= rtrim($since, 'Z') END
            AND CASE WHEN $until IS NULL THEN 1 = 1 ELSE t.time < rtrim($until, 'Z') END AS is_wanted
    FROM transitions AS t
    WHERE t.kind_id IN (SELECT k.kind_id FROM step_kinds AS k
            WHERE k.layer IN ('app', 'scene')
                AND (k.to_state IN ('active', 'fg_active') OR k.from_state IN ('not_running', 'unattached'))
                -- The end of a visit that may have begun before the log.
                OR k.layer = 'app' AND k.from_state = 'background' AND k.censored IN ('left', 'both'))
        AND ($app IS NULL OR t.app = $app)
        AND ($app_version IS NULL OR t.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR t.device = $device)
        AND ($run IS NULL OR t.run_id = $run)
),
first_active AS (
    SELECT a.instance_id, min(CASE WHEN a.is_arrival THEN a.seq END) AS seq,
        min(CASE WHEN a.is_launch THEN a.time_ns END) AS launched_ns, max(NOT a.is_launch AND NOT a.is_arrival) AS is_cut
    FROM arrivals AS a
    GROUP BY a.instance_id
),
-- Layer and kind are numbers, which are sorted faster than names.
timed AS (
    SELECT a.layer, a.run_id, a.dwell_ns, a.came_from, f.is_cut, a.seq = f.seq AND f.launched_ns IS NOT NULL AS is_first,
        CASE WHEN a.layer = 0 AND a.came_from = 'background' AND a.seq = f.seq AND (a.time_ns - f.launched_ns <= 20000000000
                    OR (a.run_id, a.time_ns) IN (SELECT o.run_id, o.time_ns FROM findings AS o WHERE o.rule = 'TL-01'))
                AND (a.run_id, a.time_ns) IN (SELECT s.run_id, s.time_ns FROM arrivals AS s
                    WHERE s.is_wanted AND s.layer = 1 AND s.came_from = 'unattached')
            THEN a.time_ns - f.launched_ns END AS cold_ns
    FROM arrivals AS a JOIN first_active AS f ON f.instance_id = a.instance_id
    WHERE a.is_wanted AND a.came_from IN ('not_running', 'unattached', 'background', 'suspended')
),
launches AS MATERIALIZED (
    SELECT t.run_id, t.layer * 3 + CASE WHEN t.cold_ns IS NOT NULL OR t.came_from IN ('not_running', 'unattached') THEN 1
            WHEN t.is_first THEN 0 ELSE 2 END AS slot, coalesce(t.cold_ns, t.dwell_ns) AS dwell_ns
    FROM timed AS t
    WHERE t.cold_ns IS NULL OR NOT t.is_cut
),
counted AS (
    SELECT l.slot, count(*) AS n FROM launches AS l GROUP BY l.slot
),
spans AS (
    SELECT c.slot, c.n - 1 AS last_place, sum(c.n) OVER (ORDER BY c.slot) - c.n AS first_place FROM counted AS c
),
-- All are numbered at once: one number that grows with slot and time is sorted faster than the two, and the time decides
-- where that number can't.
rough AS (
    SELECT l.slot, l.dwell_ns, l.slot * 1000000000000000000 + CASE WHEN l.dwell_ns < 0 THEN 0
            WHEN l.dwell_ns < 999999999999999999 THEN l.dwell_ns ELSE 999999999999999999 END AS size
    FROM launches AS l
),
ranked AS (
    SELECT r.slot, r.dwell_ns, row_number() OVER (ORDER BY r.size, r.dwell_ns) - 1 AS place FROM rough AS r
),
-- Type 7 interpolates linearly between the two ranks next to position h = (n - 1) p.
percents AS (
    SELECT 0 AS percent UNION ALL SELECT 50 UNION ALL SELECT 90 UNION ALL SELECT 99 UNION ALL SELECT 100
),
wanted AS (
    SELECT s.first_place + (s.last_place * p.percent - s.last_place * p.percent % 100) / 100 AS place
    FROM spans AS s CROSS JOIN percents AS p
),
few AS MATERIALIZED (
    SELECT r.slot, r.dwell_ns, r.place FROM ranked AS r
    WHERE r.place IN (SELECT w.place FROM wanted AS w UNION ALL SELECT w.place + 1 FROM wanted AS w)
),
placed AS (
    SELECT f.slot, f.dwell_ns, f.place - s.first_place AS place, s.last_place
    FROM few AS f JOIN spans AS s ON s.slot = f.slot
)
SELECT CASE WHEN p.slot < 3 THEN 'app' ELSE 'scene' END AS layer,
    CASE p.slot % 3 WHEN 0 THEN 'background' WHEN 1 THEN 'cold' ELSE 'resume' END AS kind,
    p.last_place + 1 AS launches, min(p.dwell_ns) / 1e9 AS min_s,
    sum(CASE WHEN abs(p.place - p.last_place * 0.50) < 1
            THEN p.dwell_ns * (1 - abs(p.place - p.last_place * 0.50)) END) / 1e9 AS p50_s,
    sum(CASE WHEN abs(p.place - p.last_place * 0.90) < 1
            THEN p.dwell_ns * (1 - abs(p.place - p.last_place * 0.90)) END) / 1e9 AS p90_s,
    sum(CASE WHEN abs(p.place - p.last_place * 0.99) < 1
            THEN p.dwell_ns * (1 - abs(p.place - p.last_place * 0.99)) END) / 1e9 AS p99_s,
    max(p.dwell_ns) / 1e9 AS max_s
FROM placed AS p
GROUP BY p.slot, p.last_place
ORDER BY p.slot;
