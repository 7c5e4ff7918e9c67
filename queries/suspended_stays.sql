-- Suspensions by app and by the evidence for them. Every long silence in the background is estimated as one; where a
-- background task is open, only what lies beyond its longest time (TL-06). Percentiles are R type 7.
--
-- Group: Visits
-- Empty: no visit to the background shows a suspension: no silence is longer than the grace time, and no line says so
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
-- Columns:
--   app          text     process name
--   evidence     text     observed, or inferred from silence
--   basis        text     what the estimate or observation is based on
--   suspensions  integer  how many
--   open         integer  how many of these have no end in the log
--   total_s      seconds  sum of those with an end
--   min_s        seconds  shortest
--   p50_s        seconds  median
--   p90_s        seconds  90th percentile
--   p99_s        seconds  99th percentile
--   max_s        seconds  longest
WITH chosen AS MATERIALIZED (
    SELECT s.app, s.evidence, s.basis, s.suspended_ns
    FROM suspensions AS s
    WHERE ($app IS NULL OR s.app = $app)
        AND ($app_version IS NULL OR s.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR s.device = $device)
        AND ($run IS NULL OR s.run_id = $run)
),
totals AS MATERIALIZED (
    SELECT c.app, c.evidence, c.basis, count(*) AS suspensions, count(*) - count(c.suspended_ns) AS open,
        sum(c.suspended_ns) AS total_ns, min(c.suspended_ns) AS min_ns, max(c.suspended_ns) AS max_ns,
        count(c.suspended_ns) - 1 AS last_place, row_number() OVER before AS slot,
        sum(count(c.suspended_ns)) OVER before - count(c.suspended_ns) AS first_place
    FROM chosen AS c
    GROUP BY c.app, c.evidence, c.basis
    WINDOW before AS (ORDER BY c.app, c.evidence, c.basis)
),
-- All are numbered at once, by the number of their group: numbers are sorted faster than names.
ranked AS (
    SELECT g.slot, c.suspended_ns, row_number() OVER (ORDER BY g.slot, c.suspended_ns) - 1 AS place
    FROM chosen AS c JOIN totals AS g
        ON g.app IS NOT DISTINCT FROM c.app AND g.evidence = c.evidence AND g.basis = c.basis
    WHERE c.suspended_ns IS NOT NULL
),
-- Type 7 interpolates linearly between the two ranks next to position h = (n - 1) p.
percents AS (
    SELECT 50 AS percent UNION ALL SELECT 90 UNION ALL SELECT 99
),
wanted AS (
    SELECT g.first_place + (g.last_place * p.percent - g.last_place * p.percent % 100) / 100 AS place
    FROM totals AS g CROSS JOIN percents AS p
),
few AS (
    SELECT r.slot, r.suspended_ns, r.place FROM ranked AS r
    WHERE r.place IN (SELECT w.place FROM wanted AS w UNION ALL SELECT w.place + 1 FROM wanted AS w)
),
percentiles AS (
    SELECT g.slot,
        sum(CASE WHEN abs(f.place - g.first_place - g.last_place * 0.50) < 1
            THEN f.suspended_ns * (1 - abs(f.place - g.first_place - g.last_place * 0.50)) END) / 1e9 AS p50_s,
        sum(CASE WHEN abs(f.place - g.first_place - g.last_place * 0.90) < 1
            THEN f.suspended_ns * (1 - abs(f.place - g.first_place - g.last_place * 0.90)) END) / 1e9 AS p90_s,
        sum(CASE WHEN abs(f.place - g.first_place - g.last_place * 0.99) < 1
            THEN f.suspended_ns * (1 - abs(f.place - g.first_place - g.last_place * 0.99)) END) / 1e9 AS p99_s
    FROM few AS f JOIN totals AS g ON g.slot = f.slot
    GROUP BY g.slot
)
SELECT g.app AS app, g.evidence AS evidence, g.basis AS basis, g.suspensions AS suspensions, g.open AS open,
    g.total_ns / 1e9 AS total_s, g.min_ns / 1e9 AS min_s, p.p50_s AS p50_s, p.p90_s AS p90_s, p.p99_s AS p99_s,
    g.max_ns / 1e9 AS max_s
FROM totals AS g LEFT JOIN percentiles AS p ON p.slot = g.slot
ORDER BY g.app, g.evidence, g.basis;
