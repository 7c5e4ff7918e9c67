-- Exceeded time limits of the documented models, in the order of the log: one row per case. A line that exceeds several
-- limits is one case, under the most serious limit; among equally serious ones, under the one exceeded by most.
--
-- Group: Deviations
-- Rows: findings by finding_id
-- Empty: no documented time limit is exceeded
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $layer        text     = none  only this layer
--   $since        time     = none  only those at or after this time
--   $until        time     = none  only those before this time
--   $rule         text     = none  only this limit (TL-01)
-- Columns:
--   run_id      integer  run
--   app         text     process name
--   layer       text     layer of the limit
--   rule        text     id of the limit
--   severity    text     info, warning or error
--   time        text     time of the line
--   message     text     what happened, with the limit and the time taken
--   source      text     path of the log
--   line        integer  line of the log
--   limit_s     seconds  the limit; NULL, like the next two, when what it limits never came: `message` says what was awaited
--   taken_s     seconds  the time taken
--   margin_s    seconds  how far the limit was exceeded
--   cause       text     callback or evidence of the line at which the time ends: what came too late, or the end of the process;
--                        NULL where a method returned too late, or nothing came
--   also        text     other limits that the line exceeds
--   finding_id  integer  id of the finding
WITH chosen AS MATERIALIZED (
    SELECT f.finding_id, f.run_id, f.instance_id, f.source, f.line, f.rule,
        row_number() OVER (
            PARTITION BY f.run_id, f.instance_id, f.source, f.line
            ORDER BY CASE f.severity WHEN 'error' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END, f.margin_ns DESC, f.rule
        ) AS place
    FROM findings AS f
    WHERE f.deviation = 'limit-overrun'
        AND ($app IS NULL OR f.app = $app)
        AND ($app_version IS NULL OR f.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR f.device = $device)
        AND ($run IS NULL OR f.run_id = $run)
        AND ($layer IS NULL OR f.layer = $layer)
        AND ($since IS NULL OR f.time >= rtrim($since, 'Z'))
        AND ($until IS NULL OR f.time < rtrim($until, 'Z'))
        AND ($rule IS NULL OR f.rule = $rule)
),
others AS (
    SELECT c.run_id, c.instance_id, c.source, c.line, group_concat(c.rule, ', ') AS rules
    FROM chosen AS c
    WHERE c.place > 1
    GROUP BY c.run_id, c.instance_id, c.source, c.line
)
SELECT f.run_id AS run_id, f.app AS app, f.layer AS layer, f.rule AS rule, f.severity AS severity, f.time AS time,
    f.message AS message, f.source AS source, f.line AS line,
    f.limit_ns / 1e9 AS limit_s, f.taken_ns / 1e9 AS taken_s, f.margin_ns / 1e9 AS margin_s,
    (SELECT coalesce(e.callback, e.kind || ': ' || e.proves) FROM events AS e WHERE e.event_id = f.event_id) AS cause,
    o.rules AS also, f.finding_id AS finding_id
FROM chosen AS c JOIN findings AS f ON f.finding_id = c.finding_id
LEFT JOIN others AS o ON o.run_id = c.run_id AND o.instance_id IS NOT DISTINCT FROM c.instance_id AND o.source = c.source
    AND o.line = c.line
WHERE c.place = 1
ORDER BY f.source, f.line, f.layer, f.rule, f.message;
