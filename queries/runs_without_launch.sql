-- Runs whose launch is not in the log, because the log begins while they are running.
--
-- Group: Runs
-- Rows: runs by run_id
-- Empty: every run begins with its launch
-- Parameters:
--   $app          text  = none  only this app
--   $app_version  text  = none  only runs of this version of the app
--   $device       text  = none  only this device
-- Columns:
--   run_id         integer  run
--   app            text     process name
--   pid            integer  process id
--   device         text     device
--   first_seen_ns  time     first sign of life
--   last_seen_ns   time     last sign of life
--   end_reason     text     why it ended
--   source         text     path of the log in which it begins
SELECT r.run_id AS run_id, r.app AS app, r.pid AS pid, r.device AS device, r.first_seen_ns AS first_seen_ns,
    r.last_seen_ns AS last_seen_ns, r.end_reason AS end_reason, s.path AS source
FROM runs AS r LEFT JOIN sources AS s ON s.source_id = r.source_id
WHERE r.run_id NOT IN (SELECT t.run_id FROM transitions AS t WHERE t.from_state = 'not_running')
    AND r.started_ns IS NULL
    AND ($app IS NULL OR r.app = $app)
    AND ($app_version IS NULL OR r.app_version = $app_version)
    AND ($device IS NULL OR r.device = $device)
ORDER BY r.run_id;
