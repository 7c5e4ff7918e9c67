-- One row per run: when it ran, how it ended, how long it was active and in the background, and how many deviations it
-- has.
--
-- Group: Runs
-- Rows: runs by run_id
-- Parameters:
--   $app          text  = none  only this app
--   $app_version  text  = none  only runs of this version of the app
--   $device       text  = none  only this device
--   $since        time  = none  only runs that live at or after this time
--   $until        time  = none  only runs that begin before this time
-- Columns:
--   run_id        integer  run
--   app           text     process name
--   app_version   text     version of the app
--   pid           integer  process id
--   device        text     device
--   started       text     launch, if a line shows it
--   ended         text     end, if a line shows it
--   end_reason    text     why it ended
--   active_s      seconds  complete active visits of the app
--   background_s  seconds  complete background visits of the app
--   activations   integer  observed transitions of the app to active, as transition_counts counts them
--   findings      integer  deviations
WITH kinds AS (
    SELECT k.kind_id, CASE WHEN k.complete = 1 THEN k.from_state END AS stayed,
        CASE WHEN k.evidence = 'observed' THEN k.to_state END AS came
    FROM step_kinds AS k
    WHERE k.layer = 'app' AND (k.from_state IN ('active', 'background') OR k.to_state = 'active')
),
stays AS (
    SELECT t.run_id, sum(CASE WHEN k.stayed = 'active' THEN t.dwell_ns END) AS active_ns,
        sum(CASE WHEN k.stayed = 'background' THEN t.dwell_ns END) AS background_ns,
        count(CASE WHEN k.came = 'active' THEN 1 END) AS activations
    FROM transitions AS t JOIN kinds AS k ON k.kind_id = t.kind_id
    GROUP BY t.run_id
),
deviations AS (
    SELECT f.run_id, count(*) AS n FROM findings AS f GROUP BY f.run_id
)
SELECT r.run_id AS run_id, r.app AS app, r.app_version AS app_version, r.pid AS pid, r.device AS device, r.started AS started,
    r.ended AS ended, r.end_reason AS end_reason, s.active_ns / 1e9 AS active_s, s.background_ns / 1e9 AS background_s,
    coalesce(s.activations, 0) AS activations, coalesce(d.n, 0) AS findings
FROM runs AS r LEFT JOIN stays AS s ON s.run_id = r.run_id LEFT JOIN deviations AS d ON d.run_id = r.run_id
WHERE ($app IS NULL OR r.app = $app)
    AND ($app_version IS NULL OR r.app_version = $app_version)
    AND ($device IS NULL OR r.device = $device)
    AND ($since IS NULL OR coalesce(r.ended, r.last_seen, r.started) >= rtrim($since, 'Z'))
    AND ($until IS NULL OR coalesce(r.started, r.first_seen, r.ended) < rtrim($until, 'Z'))
ORDER BY r.run_id;
