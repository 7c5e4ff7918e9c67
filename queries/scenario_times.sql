-- Documented scenarios that were recognised, and how long they took. Scenarios that callbacks alone cannot tell apart
-- share a class. Percentiles are R type 7.
--
-- Parameters:
--   $app  text     = none  only this app
--   $run  integer  = none  only this run
-- Columns:
--   scenario  text     id of the scenario; of the first member when only the class is known
--   class     text     class of scenarios that look alike
--   matches   integer  how often
--   runs      integer  in how many runs
--   min_s     seconds  shortest
--   p50_s     seconds  median
--   p90_s     seconds  90th percentile
--   p99_s     seconds  99th percentile
--   max_s     seconds  longest
WITH chosen AS (
    SELECT c.kind_id, c.run_id, c.ended_ns - c.started_ns AS taken_ns
    FROM scenarios AS c
    WHERE ($app IS NULL OR c.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app = $app))
        AND ($run IS NULL OR c.run_id = $run)
),
ranked AS MATERIALIZED (
    SELECT s.kind_id, s.run_id, s.taken_ns,
        row_number() OVER (PARTITION BY s.kind_id ORDER BY s.taken_ns NULLS LAST) - 1 AS place
    FROM chosen AS s
),
counted AS MATERIALIZED (
    SELECT s.kind_id, count(*) AS matches, count(s.taken_ns) AS n, count(DISTINCT s.run_id) AS runs,
        min(s.taken_ns) AS min_ns, max(s.taken_ns) AS max_ns
    FROM ranked AS s
    GROUP BY s.kind_id
),
-- Type 7 weighs the two ranks beside place h = (n - 1) p by how near they are; only these are kept.
percentiles AS (
    SELECT c.kind_id,
        sum(CASE WHEN abs(r.place - (c.n - 1) * 0.50) < 1
            THEN r.taken_ns * (1 - abs(r.place - (c.n - 1) * 0.50)) END) AS p50_ns,
        sum(CASE WHEN abs(r.place - (c.n - 1) * 0.90) < 1
            THEN r.taken_ns * (1 - abs(r.place - (c.n - 1) * 0.90)) END) AS p90_ns,
        sum(CASE WHEN abs(r.place - (c.n - 1) * 0.99) < 1
            THEN r.taken_ns * (1 - abs(r.place - (c.n - 1) * 0.99)) END) AS p99_ns
    FROM ranked AS r JOIN counted AS c ON c.kind_id = r.kind_id
    WHERE abs(r.place - (c.n - 1) * 0.50) < 1 OR abs(r.place - (c.n - 1) * 0.90) < 1 OR abs(r.place - (c.n - 1) * 0.99) < 1
    GROUP BY c.kind_id
)
SELECT k.scenario AS scenario, k.class AS class, c.matches AS matches, c.runs AS runs, c.min_ns / 1e9 AS min_s,
    p.p50_ns / 1e9 AS p50_s, p.p90_ns / 1e9 AS p90_s, p.p99_ns / 1e9 AS p99_s, c.max_ns / 1e9 AS max_s
FROM counted AS c JOIN scenario_kinds AS k ON k.kind_id = c.kind_id
LEFT JOIN percentiles AS p ON p.kind_id = c.kind_id
ORDER BY c.matches DESC, k.scenario;
