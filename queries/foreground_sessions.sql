-- Foreground sessions per day (UTC): from coming to the foreground until leaving it, whatever was active or inactive
-- between.
--
-- Parameters:
--   $app          text  = none  only this app
--   $app_version  text  = none  only runs of this version of the app
--   $device       text  = none  only this device
--   $since        time  = none  only sessions that begin at or after this time
--   $until        time  = none  only sessions that begin before this time
-- Columns:
--   day       text     day on which the session begins
--   app       text     process name
--   layer     text     app or scene
--   sessions  integer  how many began
--   ended     integer  of which the log shows the end
--   total_s   seconds  sum of the ended sessions
--   mean_s    seconds  their mean
--   max_s     seconds  the longest
WITH borders AS (
    SELECT t.layer, t.app, t.device, t.run_id, t.time, t.time_ns, t.to_state IN ('inactive', 'active', 'fg_inactive', 'fg_active') AS comes,
        lead(t.time_ns) OVER (PARTITION BY t.instance_id ORDER BY t.seq) AS next_ns
    FROM transitions AS t
    WHERE t.layer IN ('app', 'scene')
        AND (t.to_state IN ('inactive', 'active', 'fg_inactive', 'fg_active'))
            <> (t.from_state IN ('inactive', 'active', 'fg_inactive', 'fg_active'))
)
SELECT substr(b.time, 1, 10) AS day, b.app AS app, b.layer AS layer, count(*) AS sessions, count(b.next_ns) AS ended,
    sum(b.next_ns - b.time_ns) / 1e9 AS total_s, avg(b.next_ns - b.time_ns) / 1e9 AS mean_s,
    max(b.next_ns - b.time_ns) / 1e9 AS max_s
FROM borders AS b
WHERE b.comes
    AND ($app IS NULL OR b.app = $app)
    AND ($app_version IS NULL OR b.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
    AND ($device IS NULL OR b.device = $device)
    AND ($since IS NULL OR b.time >= $since)
    AND ($until IS NULL OR b.time < $until)
GROUP BY 1, 2, 3
ORDER BY 1, 2, 3;
