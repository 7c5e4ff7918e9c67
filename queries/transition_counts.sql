-- How often each transition happens, and how likely it is. Probabilities relate to the observed transitions out of a
-- state; transitions that are only inferred (the silent end of a process) have rows of their own and no probability.
-- The verdict judges each transition by itself: one that skips documented states is undocumented, while pictures and the
-- report show it as documented in steps unless a finding is about it. Percentiles are R type 7.
--
-- Group: Transitions
-- Rows: transitions by layer, from_state, to_state, callback, verdict, evidence
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $layer        text     = none  only this layer
--   $since        time     = none  only transitions at or after this time; a silent end has that of the last sign of life
--   $until        time     = none  only transitions before this time
-- Columns:
--   layer        text     layer of the instances
--   from_state   text     state before
--   to_state     text     state after
--   callback     text     callback that caused it; NULL for evidence and silent ends
--   count        integer  how often
--   probability  share    count as a part of the observed transitions out of from_state
--   p50_dwell_s  seconds  median dwell time of the visit before
--   verdict      text     documented or undocumented
--   evidence     text     observed or inferred
WITH wanted AS (
    -- Without a restriction, the answer comes from the kept summary; otherwise it is computed from the transitions.
    SELECT 1 AS one
    WHERE $app IS NOT NULL OR $app_version IS NOT NULL OR $device IS NOT NULL OR $run IS NOT NULL OR $layer IS NOT NULL
        OR $since IS NOT NULL OR $until IS NOT NULL OR NOT EXISTS (SELECT 1 FROM transition_summary)
),
chosen AS (
    SELECT t.layer, t.from_state, t.to_state, t.callback, t.verdict, t.evidence, t.dwell_ns
    FROM wanted AS w CROSS JOIN transitions AS t
    WHERE ($app IS NULL OR t.app = $app)
        AND ($app_version IS NULL OR t.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR t.device = $device)
        AND ($run IS NULL OR t.run_id = $run)
        AND ($layer IS NULL OR t.layer = $layer)
        AND ($since IS NULL OR coalesce(t.time, (SELECT max(r.last_seen) FROM runs AS r WHERE r.run_id = t.run_id)) >= rtrim($since, 'Z'))
        AND ($until IS NULL OR coalesce(t.time, (SELECT max(r.last_seen) FROM runs AS r WHERE r.run_id = t.run_id)) < rtrim($until, 'Z'))
),
ranked AS (
    SELECT c.*, count(c.dwell_ns) OVER w - 1 AS last_place,
        row_number() OVER (
            PARTITION BY c.layer, c.from_state, c.to_state, c.callback, c.verdict, c.evidence
            ORDER BY c.dwell_ns IS NULL, c.dwell_ns) - 1 AS place
    FROM chosen AS c
    WINDOW w AS (PARTITION BY c.layer, c.from_state, c.to_state, c.callback, c.verdict, c.evidence)
),
counted AS (
    SELECT r.layer, r.from_state, r.to_state, r.callback, r.verdict, r.evidence, count(*) AS n,
        -- Type 7 interpolates linearly between the two ranks next to position h = (n - 1) p.
        sum(CASE WHEN abs(r.place - r.last_place * 0.5) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.5)) END) AS p50_dwell_ns
    FROM ranked AS r
    GROUP BY r.layer, r.from_state, r.to_state, r.callback, r.verdict, r.evidence
    UNION ALL
    SELECT s.layer, s.from_state, s.to_state, s.callback, s.verdict, s.evidence, s.count, s.p50_dwell_ns
    FROM transition_summary AS s
    WHERE NOT EXISTS (SELECT 1 FROM wanted)
)
SELECT c.layer AS layer, c.from_state AS from_state, c.to_state AS to_state, c.callback AS callback, c.n AS count,
    CASE WHEN c.evidence = 'observed'
        THEN c.n * 1.0 / sum(c.n) OVER (PARTITION BY c.layer, c.from_state, c.evidence) END AS probability,
    c.p50_dwell_ns / 1e9 AS p50_dwell_s, c.verdict AS verdict, c.evidence AS evidence
FROM counted AS c
ORDER BY c.layer, c.from_state, c.n DESC, c.to_state, c.callback, c.verdict, c.evidence;
