-- Flapping between active and inactive: instances that repeatedly become active again after a short interruption
-- (alerts, Control Centre, calls), the worst first.
--
-- Group: Transitions
-- Empty: no instance became active again within $within_s s after an interruption
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
--   flaps     integer  number of short interruptions
--   total_s   seconds  their sum
--   first_ns  time     end of the first
--   last_ns   time     end of the last
WITH flaps AS (
    SELECT t.instance_id, count(*) AS n, sum(t.dwell_ns) AS total_ns, min(t.time_ns) AS first_ns, max(t.time_ns) AS last_ns
    FROM transitions AS t
    -- Few kinds are compared by name, instead of millions of rows.
    WHERE t.kind_id IN (SELECT k.kind_id FROM step_kinds AS k WHERE k.layer IN ('app', 'scene')
            AND k.from_state IN ('inactive', 'fg_inactive') AND k.to_state IN ('active', 'fg_active'))
        AND t.dwell_ns / 1e9 <= coalesce($within_s, 2)
        AND t.came_from IN ('active', 'fg_active')
        AND ($app IS NULL OR t.app = $app)
        AND ($app_version IS NULL OR t.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR t.device = $device)
        AND ($run IS NULL OR t.run_id = $run)
        AND ($since IS NULL OR t.time >= rtrim($since, 'Z'))
        AND ($until IS NULL OR t.time < rtrim($until, 'Z'))
    GROUP BY t.instance_id
)
SELECT r.app AS app, r.run_id AS run_id, i.layer AS layer, i.instance AS instance, f.n AS flaps,
    f.total_ns / 1e9 AS total_s, f.first_ns AS first_ns, f.last_ns AS last_ns
FROM flaps AS f JOIN instances AS i ON i.instance_id = f.instance_id JOIN runs AS r ON r.run_id = i.run_id
ORDER BY f.n DESC, r.run_id, f.instance_id;
