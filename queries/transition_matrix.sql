-- Every transition, documented or seen, and how often it was seen: a matrix, one cell per row. Documented transitions
-- that were never seen have a count of 0.
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
--   layer       text     layer of the instances
--   from_state  text     state before
--   to_state    text     state after
--   documented  integer  1 when a model of the layer documents it
--   count       integer  how often it was seen or inferred
--   inferred    integer  how many of these were only inferred
--   share       share    count as a part of all transitions out of from_state
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
    SELECT k.layer, k.from_state, k.to_state, sum(c.n) AS n, sum(c.n) FILTER (WHERE k.evidence = 'inferred') AS inferred
    FROM counted AS c JOIN step_kinds AS k ON k.kind_id = c.kind_id
    GROUP BY k.layer, k.from_state, k.to_state
    UNION ALL
    SELECT s.layer, s.from_state, s.to_state, sum(s.count), sum(s.count) FILTER (WHERE s.evidence = 'inferred')
    FROM transition_summary AS s
    WHERE NOT EXISTS (SELECT 1 FROM wanted)
    GROUP BY s.layer, s.from_state, s.to_state
),
cells AS (
    SELECT s.layer, s.from_state, s.to_state FROM seen AS s
    UNION
    SELECT d.layer, d.from_state, d.to_state FROM documented_transitions AS d
    WHERE d.layer IN (SELECT s.layer FROM seen AS s)
)
SELECT c.layer AS layer, c.from_state AS from_state, c.to_state AS to_state,
    CASE WHEN EXISTS (
        SELECT 1 FROM documented_transitions AS d
        WHERE d.layer = c.layer AND d.from_state = c.from_state AND d.to_state = c.to_state
    ) THEN 1 ELSE 0 END AS documented,
    coalesce(s.n, 0) AS count, coalesce(s.inferred, 0) AS inferred,
    coalesce(s.n, 0) * 1.0 / nullif(sum(s.n) OVER (PARTITION BY c.layer, c.from_state), 0) AS share
FROM cells AS c
LEFT JOIN seen AS s ON s.layer = c.layer AND s.from_state = c.from_state AND s.to_state = c.to_state
ORDER BY c.layer, c.from_state, c.to_state;
