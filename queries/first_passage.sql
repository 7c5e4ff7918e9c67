-- How long it takes to get from one state to another, whatever comes in between: from launch to active, and from
-- entering the background to being active again. A passage in which the clock went back has no length. Percentiles are R
-- type 7.
--
-- Group: Transitions
-- Empty: no launch and no way into the background was logged
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $since        time     = none  only passages that begin at or after this time
--   $until        time     = none  only passages that begin before this time
-- Columns:
--   layer    text     app or scene
--   passage  text     launch to active, or background to active
--   starts   integer  how often it began
--   arrived  integer  how often it arrived
--   min_s    seconds  shortest
--   p50_s    seconds  median
--   p90_s    seconds  90th percentile
--   p99_s    seconds  99th percentile
--   max_s    seconds  longest
WITH kinds AS MATERIALIZED (
    -- The meaning of a change of state, once for each kind of change, because numbers are sorted faster than names.
    SELECT k.kind_id, k.layer = 'scene' AS is_scene, k.to_state IN ('active', 'fg_active') AS arrives,
        k.from_state IN ('not_running', 'unattached') AS launches, k.to_state = 'background' AS leaves
    FROM step_kinds AS k
    WHERE k.layer IN ('app', 'scene')
        AND (k.to_state IN ('active', 'fg_active', 'background') OR k.from_state IN ('not_running', 'unattached'))
),
moves AS (
    SELECT t.instance_id, t.seq, t.time_ns, k.arrives, k.launches + 2 * k.is_scene AS passage,
        -- CASE, because OR would compute the text of the time even where it is not needed.
        (k.launches OR k.leaves) AND CASE WHEN $since IS NULL THEN 1 ELSE t.time >= rtrim($since, 'Z') END
            AND CASE WHEN $until IS NULL THEN 1 ELSE t.time < rtrim($until, 'Z') END AS begins
    FROM transitions AS t CROSS JOIN kinds AS k ON k.kind_id = t.kind_id
    WHERE ($app IS NULL OR t.app = $app)
        AND ($app_version IS NULL OR t.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR t.device = $device)
        AND ($run IS NULL OR t.run_id = $run)
),
steps_back AS MATERIALIZED (
    -- Events before which the clock of an instance went back.
    SELECT f.instance_id, f.event_id FROM findings AS f WHERE f.rule = 'clock-regression'
),
followed AS (
    SELECT m.passage, m.begins, m.time_ns, m.instance_id, m.seq,
        -- Backwards, so that a running minimum gives the next change by which the instance becomes active.
        min(CASE WHEN m.arrives THEN m.seq END) OVER (
            PARTITION BY m.instance_id ORDER BY m.seq DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS active_seq
    FROM moves AS m
),
-- Percentiles are found in two steps, because numbering all passages takes long: they are counted by size, a coarse
-- measure that grows with the time taken, and only those of the sizes that contain the wanted ranks are numbered. Kind
-- and size share one number, because one is grouped faster than two.
begun AS MATERIALIZED (
    -- -1 stands for a length that is unknown.
    SELECT f.passage, CASE WHEN f.instance_id IN (SELECT b.instance_id FROM steps_back AS b) AND EXISTS (
                SELECT 1 FROM events AS e
                WHERE e.event_id > f.seq AND e.event_id <= f.active_seq AND e.instance_id = f.instance_id
                    AND e.event_id IN (SELECT b.event_id FROM steps_back AS b))
            THEN -1
            ELSE (SELECT coalesce(max(t.time_ns - f.time_ns, -1), -1)
                FROM transitions AS t WHERE t.transition_id = f.active_seq)
        END AS taken_ns
    FROM followed AS f
    WHERE f.begins
),
sized AS NOT MATERIALIZED (
    SELECT b.taken_ns, b.passage << 24 | CASE WHEN b.taken_ns < 0 THEN 0 WHEN b.taken_ns < 1 << 30 THEN b.taken_ns >> 24
        WHEN b.taken_ns < 1 << 36 THEN 64 + (b.taken_ns >> 30) WHEN b.taken_ns < 1 << 42 THEN 128 + (b.taken_ns >> 36)
        ELSE coalesce(192 + (b.taken_ns >> 42), 0) END AS slot
    FROM begun AS b
),
sizes AS MATERIALIZED (
    SELECT s.slot >> 24 AS passage, s.slot, count(*) AS starts, count(s.taken_ns) AS arrived,
        count(CASE WHEN s.taken_ns >= 0 THEN 1 END) AS timed
    FROM sized AS s
    GROUP BY s.slot
),
totals AS (
    SELECT s.passage, sum(s.starts) AS starts, sum(s.arrived) AS n FROM sizes AS s GROUP BY s.passage
),
places AS (
    SELECT s.passage, s.slot, s.timed, sum(s.timed) OVER stays - s.timed AS first_place,
        sum(s.timed) OVER (PARTITION BY s.passage) - 1 AS last_place
    FROM sizes AS s
    WINDOW stays AS (PARTITION BY s.passage ORDER BY s.slot)
),
-- Type 7 interpolates linearly between the two ranks next to position h = (n - 1) p.
wanted AS MATERIALIZED (
    SELECT p.passage, p.slot, p.first_place, p.last_place
    FROM places AS p
    WHERE p.timed > 0 AND (p.first_place = 0 OR p.first_place + p.timed > p.last_place
        OR (p.first_place < p.last_place * 0.5 + 1 AND p.first_place + p.timed > p.last_place * 0.5)
        OR (p.first_place < p.last_place * 0.9 + 1 AND p.first_place + p.timed > p.last_place * 0.9)
        OR (p.first_place < p.last_place * 0.99 + 1 AND p.first_place + p.timed > p.last_place * 0.99))
),
ranked AS (
    SELECT w.passage, w.last_place, s.taken_ns,
        w.first_place + row_number() OVER (PARTITION BY w.slot ORDER BY s.taken_ns) - 1 AS place
    FROM sized AS s JOIN wanted AS w ON w.slot = s.slot
    WHERE s.taken_ns >= 0
),
percentiles AS (
    SELECT r.passage, min(r.taken_ns) AS min_ns, max(r.taken_ns) AS max_ns,
        sum(CASE WHEN abs(r.place * 100 - r.last_place * 50) < 100
            THEN r.taken_ns * (100 - abs(r.place * 100 - r.last_place * 50)) / 100.0 END) AS p50_ns,
        sum(CASE WHEN abs(r.place * 100 - r.last_place * 90) < 100
            THEN r.taken_ns * (100 - abs(r.place * 100 - r.last_place * 90)) / 100.0 END) AS p90_ns,
        sum(CASE WHEN abs(r.place * 100 - r.last_place * 99) < 100
            THEN r.taken_ns * (100 - abs(r.place * 100 - r.last_place * 99)) / 100.0 END) AS p99_ns
    FROM ranked AS r
    GROUP BY r.passage
)
SELECT CASE WHEN t.passage & 2 THEN 'scene' ELSE 'app' END AS layer,
    CASE WHEN t.passage & 1 THEN 'launch to active' ELSE 'background to active' END AS passage,
    t.starts AS starts, t.n AS arrived, p.min_ns / 1e9 AS min_s,
    p.p50_ns / 1e9 AS p50_s, p.p90_ns / 1e9 AS p90_s, p.p99_ns / 1e9 AS p99_s, p.max_ns / 1e9 AS max_s
FROM totals AS t LEFT JOIN percentiles AS p ON p.passage = t.passage
ORDER BY layer, passage;
