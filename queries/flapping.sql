-- Flapping between active and inactive: instances that come back to active after a short interruption again and again
-- (alerts, control centre, calls), the worst first.
--
-- Parameters:
--   $within_s     real     = 2     longest interruption that counts, in seconds
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $since        time     = none  only interruptions that end at or after this time
--   $until        time     = none  only interruptions that end before this time
-- Columns:
--   app       text     process name
--   run_id    integer  run
--   layer     text     app or scene
--   instance  text     label of the instance
--   flaps     integer  short interruptions
--   total_s   seconds  their sum
--   first_ns  time     end of the first
--   last_ns   time     end of the last
WITH moves AS (
    SELECT t.instance_id, t.run_id, t.app, t.device, t.layer, t.from_state, t.to_state, t.dwell_ns, t.time_ns, t.time,
        lag(t.from_state) OVER (PARTITION BY t.instance_id ORDER BY t.seq) AS came_from
    FROM transitions AS t
    WHERE t.layer IN ('app', 'scene')
),
flaps AS (
    SELECT m.instance_id, m.run_id, m.app, m.layer, count(*) AS n, sum(m.dwell_ns) AS total_ns, min(m.time_ns) AS first_ns,
        max(m.time_ns) AS last_ns
    FROM moves AS m
    WHERE m.from_state IN ('inactive', 'fg_inactive')
        AND m.to_state IN ('active', 'fg_active')
        AND m.came_from IN ('active', 'fg_active')
        AND m.dwell_ns / 1e9 <= coalesce($within_s, 2)
        AND ($app IS NULL OR m.app = $app)
        AND ($app_version IS NULL OR m.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR m.device = $device)
        AND ($run IS NULL OR m.run_id = $run)
        AND ($since IS NULL OR m.time >= $since)
        AND ($until IS NULL OR m.time < $until)
    GROUP BY m.instance_id, m.run_id, m.app, m.layer
)
SELECT f.app AS app, f.run_id AS run_id, f.layer AS layer, i.instance AS instance, f.n AS flaps, f.total_ns / 1e9 AS total_s,
    f.first_ns AS first_ns, f.last_ns AS last_ns
FROM flaps AS f JOIN instances AS i ON i.instance_id = f.instance_id
ORDER BY f.n DESC, f.run_id, f.instance_id;
