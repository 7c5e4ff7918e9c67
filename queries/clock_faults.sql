-- Places where the clock of a log went back, or where its lines begin to have a date: the dwell time across them is unknown.
--
-- Group: Deviations
-- Rows: findings by run_id, layer, time, message, source, line
-- Empty: the clock of no log goes back
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $layer        text     = none  only this layer
--   $severity     text     = none  only one of info or warning
--   $since        time     = none  only faults at or after this time
--   $until        time     = none  only faults before this time
-- Columns:
--   run_id    integer  run
--   layer     text     layer of the instance
--   severity  text     info for up to 1 s, warning for more
--   time      text     time of the line after the step back
--   message   text     how far the clock went back
--   source    text     path of the log
--   line      integer  line of the log
SELECT f.run_id AS run_id, f.layer AS layer, f.severity AS severity, f.time AS time, f.message AS message,
    f.source AS source, f.line AS line
FROM findings AS f
WHERE f.rule = 'clock-regression'
    AND ($app IS NULL OR f.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app = $app))
    AND ($app_version IS NULL OR f.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
    AND ($device IS NULL OR f.device = $device)
    AND ($run IS NULL OR f.run_id = $run)
    AND ($layer IS NULL OR f.layer = $layer)
    AND ($severity IS NULL OR f.severity = $severity)
    AND ($since IS NULL OR f.time >= rtrim($since, 'Z'))
    AND ($until IS NULL OR f.time < rtrim($until, 'Z'))
ORDER BY f.source, f.line, f.layer, f.message;
