-- Deviations by rule, most serious first, each with one example.
--
-- Group: Deviations
-- Rows: findings by severity, layer, rule, deviation
-- Empty: nothing deviates from the documented lifecycle
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $layer        text     = none  only this layer
--   $severity     text     = none  only one of info, warning or error
--   $since        time     = none  only findings at or after this time
--   $until        time     = none  only findings before this time
-- Columns:
--   severity   text     info, warning or error
--   layer      text     layer of the rule
--   rule       text     id of the rule
--   deviation  text     class of the deviation
--   findings   integer  how many
--   runs       integer  in how many runs
--   example    text     message of the first one, by time, then by path and line
--   source     text     path of the log
--   line       integer  line of the log
WITH chosen AS NOT MATERIALIZED (
    SELECT f.severity, f.layer, f.rule, f.deviation, f.run_id, f.time_ns, f.message, f.source, f.line
    FROM findings AS f
    WHERE ($app IS NULL OR f.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app = $app))
        AND ($app_version IS NULL OR f.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR f.device = $device)
        AND ($run IS NULL OR f.run_id = $run)
        AND ($layer IS NULL OR f.layer = $layer)
        AND ($severity IS NULL OR f.severity = $severity)
        AND ($since IS NULL OR f.time >= rtrim($since, 'Z'))
        AND ($until IS NULL OR f.time < rtrim($until, 'Z'))
),
counted AS MATERIALIZED (
    SELECT c.severity, c.layer, c.rule, c.deviation, count(*) AS n, count(DISTINCT c.run_id) AS runs, min(c.time_ns) AS first_ns
    FROM chosen AS c
    GROUP BY c.severity, c.layer, c.rule, c.deviation
),
firsts AS (
    SELECT k.severity, k.layer, k.rule, k.deviation, k.n, k.runs, c.message, c.source, c.line,
        row_number() OVER (PARTITION BY k.severity, k.layer, k.rule, k.deviation ORDER BY c.source, c.line, c.message) AS place
    FROM chosen AS c JOIN counted AS k ON k.rule = c.rule AND k.layer = c.layer AND k.severity = c.severity
        AND k.deviation = c.deviation AND k.first_ns IS NOT DISTINCT FROM c.time_ns
)
SELECT f.severity AS severity, f.layer AS layer, f.rule AS rule, f.deviation AS deviation, f.n AS findings, f.runs AS runs,
    f.message AS example, f.source AS source, f.line AS line
FROM firsts AS f
WHERE f.place = 1
ORDER BY CASE f.severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, f.n DESC, f.layer, f.rule, f.deviation;
