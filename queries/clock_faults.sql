-- Places where the clock of a log went back, which makes the dwell across them unknown.
--
-- Parameters:
--   $app       text     = none  only this app
--   $run       integer  = none  only this run
--   $severity  text     = none  only info or warning
-- Columns:
--   run_id    integer  run
--   layer     text     layer of the instance
--   severity  text     info up to 1 s, warning above
--   time      text     time after the step back
--   message   text     how far it went back
--   source    text     path of the log
--   line      integer  line of the log
SELECT f.run_id AS run_id, f.layer AS layer, f.severity AS severity, f.time AS time, f.message AS message,
    f.source AS source, f.line AS line
FROM findings AS f
WHERE f.rule = 'clock-regression'
    AND ($app IS NULL OR f.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app = $app))
    AND ($run IS NULL OR f.run_id = $run)
    AND ($severity IS NULL OR f.severity = $severity)
ORDER BY f.finding_id;
