-- Use by hour of the day (UTC): launches, activations, and the active time of the visits that end in that hour. An app
-- is active while any of its scenes is.
--
-- Group: Visits
-- Empty: no transition has a time
-- Parameters:
--   $app          text  = none  only this app
--   $app_version  text  = none  only runs of this version of the app
--   $device       text  = none  only this device
--   $since        time  = none  only transitions at or after this time
--   $until        time  = none  only transitions before this time
-- Columns:
--   hour          integer  hour of the day, 0 to 23
--   launches      integer  launches
--   activations   integer  times that the app became active
--   active_s      seconds  sum of the complete active visits
--   backgrounded  integer  times that the app went from the foreground to the background
SELECT
    -- What is left of the day, without what is left of the hour.
    CAST(((t.time_ns % 86400000000000 + 86400000000000) % 86400000000000
        - (t.time_ns % 3600000000000 + 3600000000000) % 3600000000000) / 3600000000000 AS INTEGER) AS hour,
    count(*) FILTER (WHERE t.from_state = 'not_running') AS launches,
    count(*) FILTER (WHERE t.to_state = 'active') AS activations,
    sum(CASE WHEN t.from_state = 'active' THEN t.dwell_ns END) / 1e9 AS active_s,
    count(*) FILTER (WHERE t.to_state = 'background' AND t.from_state IN ('active', 'inactive')) AS backgrounded
FROM transitions AS t
WHERE t.layer = 'app'
    AND t.time_ns IS NOT NULL
    AND ($app IS NULL OR t.app = $app)
    AND ($app_version IS NULL OR t.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
    AND ($device IS NULL OR t.device = $device)
    AND ($since IS NULL OR t.time >= rtrim($since, 'Z'))
    AND ($until IS NULL OR t.time < rtrim($until, 'Z'))
GROUP BY 1
ORDER BY 1;
