-- Which callbacks and which evidence the logs contain, and how often.
--
-- Group: The logs
-- Rows: events by layer, kind, callback, proves
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $layer        text     = none  only this layer
--   $since        time     = none  only events at or after this time
--   $until        time     = none  only events before this time
-- Columns:
--   layer         text     layer of the instances
--   kind          text     callback, or origin of the evidence
--   callback      text     canonical id of the callback
--   proves        text     what the evidence proves
--   events        integer  how many
--   undocumented  integer  how many of these are not documented in the state in which they occurred
WITH counted AS (
    SELECT e.kind_id, count(*) AS n
    FROM events AS e
    WHERE ($app IS NULL OR e.app = $app)
        AND ($app_version IS NULL OR e.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR e.device = $device)
        AND ($run IS NULL OR e.run_id = $run)
        AND ($layer IS NULL OR e.layer = $layer)
        AND ($since IS NULL OR e.time >= rtrim($since, 'Z'))
        AND ($until IS NULL OR e.time < rtrim($until, 'Z'))
    GROUP BY e.kind_id
)
SELECT k.layer AS layer, k.kind AS kind, k.callback AS callback, k.proves AS proves, sum(c.n) AS events,
    coalesce(sum(c.n) FILTER (WHERE k.verdict = 'undocumented'), 0) AS undocumented
FROM counted AS c JOIN step_kinds AS k ON k.kind_id = c.kind_id
GROUP BY k.layer, k.kind, k.callback, k.proves
ORDER BY k.layer, sum(c.n) DESC, k.kind, k.callback, k.proves;
