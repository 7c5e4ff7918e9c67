-- Runs with several active scenes at once, and for how long they were active together.
--
-- Group: Runs
-- Rows: visits by run_id, layer='scene', state='fg_active'
-- Empty: no two scenes of a run are active at once
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
-- Columns:
--   run_id     integer  run
--   app        text     process name
--   most       integer  most scenes active at once
--   overlap_s  seconds  time with more than one
--   first_ns   time     when it first happened
WITH active AS (
    SELECT v.run_id, v.entered_ns, v.left_ns FROM visits AS v
    WHERE v.layer = 'scene'
        AND v.state = 'fg_active'
        AND v.entered_ns IS NOT NULL
        AND ($app IS NULL OR v.app = $app)
        AND ($app_version IS NULL OR v.app_version = $app_version)
        AND ($device IS NULL OR v.device = $device)
        AND ($run IS NULL OR v.run_id = $run)
),
borders AS (
    SELECT a.run_id, CASE WHEN c.change = 1 THEN a.entered_ns ELSE a.left_ns END AS at_ns, c.change
    FROM active AS a CROSS JOIN (SELECT 1 AS change UNION ALL SELECT -1) AS c
    WHERE c.change = 1 OR a.left_ns IS NOT NULL
),
swept AS (
    SELECT b.run_id, b.at_ns, sum(b.change) OVER (
            PARTITION BY b.run_id ORDER BY b.at_ns, b.change ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS active,
        lead(b.at_ns) OVER (PARTITION BY b.run_id ORDER BY b.at_ns, b.change) AS next_ns
    FROM borders AS b
)
SELECT s.run_id AS run_id, r.app AS app, max(s.active) AS most, sum(s.next_ns - s.at_ns) / 1e9 AS overlap_s,
    min(s.at_ns) AS first_ns
FROM swept AS s JOIN runs AS r ON r.run_id = s.run_id
WHERE s.active > 1
GROUP BY s.run_id, r.app
ORDER BY overlap_s DESC, s.run_id;
