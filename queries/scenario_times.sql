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
    SELECT c.scenario, c.class, c.run_id, c.ended_ns - c.started_ns AS taken_ns
    FROM scenarios AS c JOIN runs AS r ON r.run_id = c.run_id
    WHERE ($app IS NULL OR r.app = $app)
        AND ($run IS NULL OR c.run_id = $run)
),
ranked AS (
    SELECT c.*, row_number() OVER (PARTITION BY c.scenario, c.class ORDER BY c.taken_ns IS NULL, c.taken_ns) - 1 AS place,
        count(c.taken_ns) OVER (PARTITION BY c.scenario, c.class) - 1 AS last_place
    FROM chosen AS c
)
SELECT r.scenario AS scenario, r.class AS class, count(*) AS matches, count(DISTINCT r.run_id) AS runs,
    min(r.taken_ns) / 1e9 AS min_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.50) < 1
            THEN r.taken_ns * (1 - abs(r.place - r.last_place * 0.50)) END) / 1e9 AS p50_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.90) < 1
            THEN r.taken_ns * (1 - abs(r.place - r.last_place * 0.90)) END) / 1e9 AS p90_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.99) < 1
            THEN r.taken_ns * (1 - abs(r.place - r.last_place * 0.99)) END) / 1e9 AS p99_s,
    max(r.taken_ns) / 1e9 AS max_s
FROM ranked AS r
GROUP BY r.scenario, r.class
ORDER BY count(*) DESC, r.scenario;
