-- Deviations by rule, most serious first, each with one example.
--
-- Group: Deviations
-- Rows: findings by severity, layer, rule, deviation
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $layer        text     = none  only this layer
--   $severity     text     = none  only info, warning or error
--   $since        time     = none  only findings at or after this time
--   $until        time     = none  only findings before this time
-- Columns:
--   severity   text     info, warning or error
--   layer      text     layer of the rule
--   rule       text     id of the rule
--   deviation  text     class of the deviation
--   findings   integer  how many
--   runs       integer  in how many runs
--   example    text     message of the first
--   source     text     path of the log
--   line       integer  line of the log
WITH counted AS (
    SELECT f.severity, f.layer, f.rule, f.deviation, count(*) AS n, count(DISTINCT f.run_id) AS runs, min(f.finding_id) AS first_id
    FROM findings AS f
    WHERE ($app IS NULL OR f.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app = $app))
        AND ($app_version IS NULL OR f.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR f.device = $device)
        AND ($run IS NULL OR f.run_id = $run)
        AND ($layer IS NULL OR f.layer = $layer)
        AND ($severity IS NULL OR f.severity = $severity)
        AND ($since IS NULL OR f.time >= rtrim($since, 'Z'))
        AND ($until IS NULL OR f.time < rtrim($until, 'Z'))
    GROUP BY f.severity, f.layer, f.rule, f.deviation
)
SELECT c.severity AS severity, c.layer AS layer, c.rule AS rule, c.deviation AS deviation, c.n AS findings, c.runs AS runs,
    f.message AS example, f.source AS source, f.line AS line
FROM counted AS c JOIN findings AS f ON f.finding_id = c.first_id
ORDER BY CASE c.severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, c.n DESC, c.layer, c.rule, c.deviation;
