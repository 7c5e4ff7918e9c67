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
WITH restricted AS (
    -- Without a restriction, the kept summary knows how often each callback came, and only the other events are counted.
    SELECT 1 AS one
    WHERE $app IS NOT NULL OR $app_version IS NOT NULL OR $device IS NOT NULL OR $run IS NOT NULL OR $layer IS NOT NULL
        OR $since IS NOT NULL OR $until IS NOT NULL
),
counted AS (
    SELECT e.kind_id, count(*) AS n
    FROM events AS e
    WHERE e.kind_id IN (SELECT k.kind_id FROM step_kinds AS k
            WHERE k.callback IS NULL OR k.verdict = 'undocumented' OR EXISTS (SELECT 1 FROM restricted))
        AND ($app IS NULL OR e.app = $app)
        AND ($app_version IS NULL OR e.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR e.device = $device)
        AND ($run IS NULL OR e.run_id = $run)
        AND ($layer IS NULL OR e.layer = $layer)
        AND ($since IS NULL OR e.time >= rtrim($since, 'Z'))
        AND ($until IS NULL OR e.time < rtrim($until, 'Z'))
    GROUP BY e.kind_id
),
parts AS (
    SELECT k.layer, k.kind, k.callback, k.proves,
        CASE WHEN k.callback IS NULL OR EXISTS (SELECT 1 FROM restricted) THEN c.n ELSE 0 END AS events,
        CASE WHEN k.verdict = 'undocumented' THEN c.n ELSE 0 END AS undocumented
    FROM counted AS c JOIN step_kinds AS k ON k.kind_id = c.kind_id
    UNION ALL
    SELECT f.layer, 'callback', f.next_callback, NULL, f.count, 0
    FROM follow_summary AS f
    WHERE NOT EXISTS (SELECT 1 FROM restricted)
)
SELECT p.layer AS layer, p.kind AS kind, p.callback AS callback, p.proves AS proves, sum(p.events) AS events,
    sum(p.undocumented) AS undocumented
FROM parts AS p
GROUP BY p.layer, p.kind, p.callback, p.proves
ORDER BY p.layer, sum(p.events) DESC, p.kind, p.callback, p.proves;
