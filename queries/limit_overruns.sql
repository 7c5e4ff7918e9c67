-- Exceeded time limits of the documented models, in the order of the log.
--
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $layer        text     = none  only this layer
--   $since        time     = none  only those at or after this time
--   $until        time     = none  only those before this time
-- Columns:
--   run_id    integer  run
--   app       text     process name
--   layer     text     layer of the limit
--   rule      text     id of the limit
--   severity  text     info, warning or error
--   time      text     time of the line
--   message   text     what happened, with the limit and the time taken
--   source    text     path of the log
--   line      integer  line of the log
--   limit_s   seconds  the limit
--   taken_s   seconds  the time taken; NULL when the answer never came
--   margin_s  seconds  by how much the limit was exceeded
SELECT f.run_id AS run_id, r.app AS app, f.layer AS layer, f.rule AS rule, f.severity AS severity, f.time AS time,
    f.message AS message, f.source AS source, f.line AS line,
    f.limit_ns / 1e9 AS limit_s, f.taken_ns / 1e9 AS taken_s, f.margin_ns / 1e9 AS margin_s
FROM findings AS f JOIN runs AS r ON r.run_id = f.run_id
WHERE f.deviation = 'limit-overrun'
    AND ($app IS NULL OR r.app = $app)
    AND ($app_version IS NULL OR r.app_version = $app_version)
    AND ($device IS NULL OR r.device = $device)
    AND ($run IS NULL OR f.run_id = $run)
    AND ($layer IS NULL OR f.layer = $layer)
    AND ($since IS NULL OR f.time >= rtrim($since, 'Z'))
    AND ($until IS NULL OR f.time < rtrim($until, 'Z'))
ORDER BY f.source, f.line, f.layer, f.rule, f.message;
