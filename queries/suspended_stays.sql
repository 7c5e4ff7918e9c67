-- Suspensions by app and by the evidence for them. Percentiles are R type 7.
--
-- Group: Stays
-- Empty: no background stay shows a suspension: no silence is longer than the grace time, and no line says so
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
WITH ranked AS (
    SELECT s.app, s.evidence, s.basis, s.suspended_ns,
        row_number() OVER (
            PARTITION BY s.app, s.evidence, s.basis ORDER BY s.suspended_ns IS NULL, s.suspended_ns) - 1 AS place,
        count(s.suspended_ns) OVER (PARTITION BY s.app, s.evidence, s.basis) - 1 AS last_place
    FROM suspensions AS s
    WHERE ($app IS NULL OR s.app = $app)
        AND ($app_version IS NULL OR s.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR s.device = $device)
        AND ($run IS NULL OR s.run_id = $run)
)
SELECT r.app AS app, r.evidence AS evidence, r.basis AS basis, count(*) AS suspensions,
    count(*) - count(r.suspended_ns) AS open, sum(r.suspended_ns) / 1e9 AS total_s,
    min(r.suspended_ns) / 1e9 AS min_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.50) < 1
            THEN r.suspended_ns * (1 - abs(r.place - r.last_place * 0.50)) END) / 1e9 AS p50_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.90) < 1
            THEN r.suspended_ns * (1 - abs(r.place - r.last_place * 0.90)) END) / 1e9 AS p90_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.99) < 1
            THEN r.suspended_ns * (1 - abs(r.place - r.last_place * 0.99)) END) / 1e9 AS p99_s,
    max(r.suspended_ns) / 1e9 AS max_s
FROM ranked AS r
GROUP BY r.app, r.evidence, r.basis
ORDER BY r.app, r.evidence, r.basis;
