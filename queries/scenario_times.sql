-- Documented scenarios that were recognised, and how long they took. Scenarios that callbacks alone cannot distinguish
-- share a class. A match in which the clock went back has no length. Percentiles are R type 7.
--
-- Group: Transitions
-- Empty: no documented scenario was recognised
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $since        time     = none  only scenarios that begin at or after this time
--   $until        time     = none  only scenarios that begin before this time
-- Columns:
--   scenario  text     id of the scenario; empty when only its class is known
--   class     text     class of scenarios that look alike
--   matches   integer  how often
--   runs      integer  in how many runs
--   min_s     seconds  shortest
--   p50_s     seconds  median
--   p90_s     seconds  90th percentile
--   p99_s     seconds  99th percentile
--   max_s     seconds  longest
--   members   text     the scenarios of the class; it may be any of them
WITH steps_back AS MATERIALIZED (
    -- Events before which the clock of an instance went back.
    SELECT f.run_id, f.event_id FROM findings AS f WHERE f.rule = 'clock-regression'
),
chosen AS MATERIALIZED (
    SELECT c.kind_id, c.run_id,
        CASE WHEN c.run_id IN (SELECT b.run_id FROM steps_back AS b) AND EXISTS (
                SELECT 1 FROM events AS e
                WHERE e.event_id > c.first_event_id AND e.event_id <= c.last_event_id
                    AND e.event_id IN (SELECT b.event_id FROM steps_back AS b))
            THEN NULL ELSE nullif(max(c.ended_ns - c.started_ns, -1), -1) END AS taken_ns
    FROM scenarios AS c
    WHERE ($app IS NULL OR c.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app = $app))
        AND ($app_version IS NULL OR c.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR c.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.device = $device))
        AND ($run IS NULL OR c.run_id = $run)
        AND ($since IS NULL OR c.started >= rtrim($since, 'Z'))
        AND ($until IS NULL OR c.started < rtrim($until, 'Z'))
),
-- Percentiles are found in two steps, because numbering all matches takes long: they are counted by size, a coarse
-- measure that grows with the time taken, and only those of the sizes that contain the wanted ranks are numbered. Kind
-- and size share one number, because one is grouped faster than two.
sized AS NOT MATERIALIZED (
    SELECT c.taken_ns, c.kind_id << 24 | CASE WHEN c.taken_ns < 1 << 30 THEN c.taken_ns >> 24
        WHEN c.taken_ns < 1 << 36 THEN 64 + (c.taken_ns >> 30) WHEN c.taken_ns < 1 << 42 THEN 128 + (c.taken_ns >> 36)
        ELSE coalesce(192 + (c.taken_ns >> 42), 0) END AS slot
    FROM chosen AS c
),
sizes AS MATERIALIZED (
    SELECT s.slot >> 24 AS kind_id, s.slot, count(*) AS matches, count(s.taken_ns) AS timed
    FROM sized AS s
    GROUP BY s.slot
),
totals AS (
    SELECT s.kind_id, sum(s.matches) AS matches FROM sizes AS s GROUP BY s.kind_id
),
with_match AS (
    SELECT d.kind_id, count(*) AS runs
    FROM (SELECT DISTINCT c.kind_id, c.run_id FROM chosen AS c) AS d
    GROUP BY d.kind_id
),
places AS (
    SELECT s.kind_id, s.slot, s.timed, sum(s.timed) OVER stays - s.timed AS first_place,
        sum(s.timed) OVER (PARTITION BY s.kind_id) - 1 AS last_place
    FROM sizes AS s
    WINDOW stays AS (PARTITION BY s.kind_id ORDER BY s.slot)
),
-- Type 7 interpolates linearly between the two ranks next to position h = (n - 1) p.
wanted AS MATERIALIZED (
    SELECT p.kind_id, p.slot, p.first_place, p.last_place
    FROM places AS p
    WHERE p.timed > 0 AND (p.first_place = 0 OR p.first_place + p.timed > p.last_place
        OR (p.first_place < p.last_place * 0.5 + 1 AND p.first_place + p.timed > p.last_place * 0.5)
        OR (p.first_place < p.last_place * 0.9 + 1 AND p.first_place + p.timed > p.last_place * 0.9)
        OR (p.first_place < p.last_place * 0.99 + 1 AND p.first_place + p.timed > p.last_place * 0.99))
),
ranked AS (
    SELECT w.kind_id, w.last_place, s.taken_ns,
        w.first_place + row_number() OVER (PARTITION BY w.slot ORDER BY s.taken_ns) - 1 AS place
    FROM sized AS s JOIN wanted AS w ON w.slot = s.slot
    WHERE s.taken_ns IS NOT NULL
),
percentiles AS (
    SELECT r.kind_id, min(r.taken_ns) AS min_ns, max(r.taken_ns) AS max_ns,
        sum(CASE WHEN abs(r.place - r.last_place * 0.5) < 1
            THEN r.taken_ns * (1 - abs(r.place - r.last_place * 0.5)) END) AS p50_ns,
        sum(CASE WHEN abs(r.place - r.last_place * 0.9) < 1
            THEN r.taken_ns * (1 - abs(r.place - r.last_place * 0.9)) END) AS p90_ns,
        sum(CASE WHEN abs(r.place - r.last_place * 0.99) < 1
            THEN r.taken_ns * (1 - abs(r.place - r.last_place * 0.99)) END) AS p99_ns
    FROM ranked AS r
    GROUP BY r.kind_id
)
SELECT CASE WHEN k.class IS NULL THEN k.scenario END AS scenario, k.class AS class, t.matches AS matches, w.runs AS runs, p.min_ns / 1e9 AS min_s,
    p.p50_ns / 1e9 AS p50_s, p.p90_ns / 1e9 AS p90_s, p.p99_ns / 1e9 AS p99_s, p.max_ns / 1e9 AS max_s,
    k.members AS members
FROM totals AS t JOIN scenario_kinds AS k ON k.kind_id = t.kind_id JOIN with_match AS w ON w.kind_id = t.kind_id
LEFT JOIN percentiles AS p ON p.kind_id = t.kind_id
ORDER BY t.matches DESC, k.scenario, k.class, k.members;
