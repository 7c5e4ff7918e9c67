-- Which documented transitions occur in the logs, and how often; those that never occur come first.
--
-- Group: Transitions
-- Rows: transitions by layer, from_state, to_state
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $layer        text     = none  only this layer
--   $since        time     = none  only transitions at or after this time; a silent end has that of the last sign of life
--   $until        time     = none  only transitions before this time
-- Columns:
--   model       text     id of the model
--   layer       text     layer that it describes
--   from_state  text     state before
--   to_state    text     state after
--   callbacks   text     documented callbacks
--   silent      integer  1 when it can happen without a callback
--   count       integer  how often it was observed or inferred
--   citation    text     where it is documented
WITH wanted AS (
    -- Without a restriction, the counts come from the kept summary; otherwise they are computed from the transitions.
    SELECT 1 AS one
    WHERE $app IS NOT NULL OR $app_version IS NOT NULL OR $device IS NOT NULL OR $run IS NOT NULL OR $layer IS NOT NULL
        OR $since IS NOT NULL OR $until IS NOT NULL OR NOT EXISTS (SELECT 1 FROM transition_summary)
),
counted AS (
    SELECT t.kind_id, count(*) AS n
    FROM wanted AS w CROSS JOIN transitions AS t
    WHERE ($app IS NULL OR t.app = $app)
        AND ($app_version IS NULL OR t.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR t.device = $device)
        AND ($run IS NULL OR t.run_id = $run)
        AND ($layer IS NULL OR t.layer = $layer)
        AND ($since IS NULL OR coalesce(t.time, (SELECT max(r.last_seen) FROM runs AS r WHERE r.run_id = t.run_id)) >= rtrim($since, 'Z'))
        AND ($until IS NULL OR coalesce(t.time, (SELECT max(r.last_seen) FROM runs AS r WHERE r.run_id = t.run_id)) < rtrim($until, 'Z'))
    GROUP BY t.kind_id
),
seen AS (
    SELECT k.layer, k.from_state, k.to_state, sum(c.n) AS n
    FROM counted AS c JOIN step_kinds AS k ON k.kind_id = c.kind_id
    GROUP BY k.layer, k.from_state, k.to_state
    UNION ALL
    SELECT s.layer, s.from_state, s.to_state, sum(s.count)
    FROM transition_summary AS s
    WHERE NOT EXISTS (SELECT 1 FROM wanted)
    GROUP BY s.layer, s.from_state, s.to_state
)
SELECT d.model AS model, d.layer AS layer, d.from_state AS from_state, d.to_state AS to_state, d.callbacks AS callbacks,
    d.silent AS silent, coalesce(s.n, 0) AS count, d.citation AS citation
FROM documented_transitions AS d
LEFT JOIN seen AS s ON s.layer = d.layer AND s.from_state = d.from_state AND s.to_state = d.to_state
WHERE ($layer IS NULL OR d.layer = $layer)
ORDER BY d.model, coalesce(s.n, 0) > 0, d.from_state, d.to_state, d.callbacks, d.citation;
