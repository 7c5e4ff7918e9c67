-- Why runs end, by app, and whether the end is observed or inferred.
--
-- Group: Runs
-- Rows: runs by app, end_reason, evidence=end_evidence
-- Parameters:
--   $app          text  = none  only this app
--   $app_version  text  = none  only runs of this version of the app
--   $device       text  = none  only this device
--   $since        time  = none  only runs that live at or after this time
--   $until        time  = none  only runs that begin before this time
-- Columns:
--   app         text     process name
--   end_reason  text     as in `runs`
--   evidence    text     whether the end is observed or inferred
--   runs        integer  how many runs
--   share       share    runs as a part of the app's
WITH counted AS (
    SELECT r.app, r.end_reason, r.end_evidence, count(*) AS n
    FROM runs AS r
    WHERE ($app IS NULL OR r.app = $app)
        AND ($app_version IS NULL OR r.app_version = $app_version)
        AND ($device IS NULL OR r.device = $device)
        AND ($since IS NULL OR coalesce(r.ended, r.last_seen, r.started) >= rtrim($since, 'Z'))
        AND ($until IS NULL OR coalesce(r.started, r.first_seen, r.ended) < rtrim($until, 'Z'))
    GROUP BY r.app, r.end_reason, r.end_evidence
)
SELECT c.app AS app, c.end_reason AS end_reason, c.end_evidence AS evidence, c.n AS runs,
    c.n * 1.0 / sum(c.n) OVER (PARTITION BY c.app) AS share
FROM counted AS c
ORDER BY c.app, c.n DESC, c.end_reason, c.end_evidence;
