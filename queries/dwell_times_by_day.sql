-- How long instances stay in each state, day by day (UTC, by when a visit was entered): completed visits, censored
-- ones counted beside them. Percentiles are R type 7.
--
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $layer        text     = none  only this layer
--   $since        time     = none  only visits entered at or after this time
--   $until        time     = none  only visits entered before this time
-- Columns:
--   day       text     day, UTC
--   layer     text     layer of the instances
--   state     text     the state
--   visits    integer  visits of it, completed or not
--   complete  integer  visits of which both ends were observed
--   censored  integer  visits of which the log does not show both ends
--   total_s   seconds  sum of the completed visits
--   mean_s    seconds  mean of the completed visits
--   min_s     seconds  shortest completed visit
--   p50_s     seconds  median
--   p90_s     seconds  90th percentile
--   max_s     seconds  longest completed visit
WITH chosen AS (
    SELECT coalesce(v.entered_ns, v.left_ns) / 86400000000000 AS day, v.kind_id, v.dwell_ns
    FROM visits AS v
    -- By run_id, so that the view need not look up the run of every visit.
    WHERE ($app IS NULL OR v.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app = $app))
        AND ($app_version IS NULL OR v.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR v.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.device = $device))
        AND ($run IS NULL OR v.run_id = $run)
        AND ($layer IS NULL OR v.layer = $layer)
        AND ($since IS NULL OR coalesce(v.entered, v.left) >= rtrim($since, 'Z'))
        AND ($until IS NULL OR coalesce(v.entered, v.left) < rtrim($until, 'Z'))
    -- No limit; it keeps SQLite from working out the dwell again wherever it is used.
    LIMIT -1
),
-- Percentiles are found in two steps, since sorting all dwells takes long: visits are counted by size, a coarse measure
-- that grows with the dwell, and only those of the sizes in which the wanted ranks lie are sorted. Day, kind and size
-- share one number, which is grouped faster than three; -131072 stands for no day.
sized AS NOT MATERIALIZED (
    SELECT c.dwell_ns, (coalesce(c.day, -131072) << 22 | c.kind_id) << 24 |
        CASE WHEN c.dwell_ns < 1 << 30 THEN c.dwell_ns >> 24 WHEN c.dwell_ns < 1 << 36 THEN 64 + (c.dwell_ns >> 30)
            WHEN c.dwell_ns < 1 << 42 THEN 128 + (c.dwell_ns >> 36) ELSE coalesce(192 + (c.dwell_ns >> 42), 0) END AS slot
    FROM chosen AS c
),
counted AS (
    SELECT s.slot, count(*) AS visits, count(s.dwell_ns) AS timed, sum(s.dwell_ns) AS total_ns
    FROM sized AS s
    GROUP BY s.slot
),
sizes AS MATERIALIZED (
    SELECT c.slot >> 46 AS day, k.group_id, c.slot & 16777215 AS size, sum(c.visits) AS visits,
        sum(CASE WHEN k.complete THEN c.visits ELSE 0 END) AS complete,
        sum(CASE WHEN k.censored <> '' THEN c.visits ELSE 0 END) AS censored,
        sum(CASE WHEN k.complete THEN c.timed ELSE 0 END) AS timed, sum(CASE WHEN k.complete THEN c.total_ns END) AS total_ns
    FROM counted AS c JOIN step_kinds AS k ON k.kind_id = (c.slot >> 24) & 4194303
    GROUP BY c.slot >> 46, k.group_id, c.slot & 16777215
),
totals AS MATERIALIZED (
    SELECT s.day, s.group_id, sum(s.visits) AS visits, sum(s.complete) AS complete, sum(s.censored) AS censored,
        sum(s.timed) AS timed, sum(s.total_ns) AS total_ns
    FROM sizes AS s
    GROUP BY s.day, s.group_id
),
places AS (
    SELECT s.day, s.group_id, s.size, s.timed, sum(s.timed) OVER stays - s.timed AS first_place,
        sum(s.timed) OVER (PARTITION BY s.day, s.group_id) - 1 AS last_place
    FROM sizes AS s
    WINDOW stays AS (PARTITION BY s.day, s.group_id ORDER BY s.size)
),
-- Type 7 weighs the two ranks beside place h = (n - 1) p by how near they are.
wanted AS MATERIALIZED (
    SELECT p.day, p.group_id, (p.day << 22 | k.kind_id) << 24 | p.size AS slot, p.size, p.first_place, p.last_place
    FROM places AS p JOIN step_kinds AS k ON k.group_id = p.group_id AND k.complete
    WHERE p.timed > 0 AND (p.first_place = 0 OR p.first_place + p.timed > p.last_place
        OR (p.first_place < p.last_place * 0.5 + 1 AND p.first_place + p.timed > p.last_place * 0.5)
        OR (p.first_place < p.last_place * 0.9 + 1 AND p.first_place + p.timed > p.last_place * 0.9))
),
ranked AS (
    SELECT w.day, w.group_id, w.last_place, s.dwell_ns,
        w.first_place + row_number() OVER (PARTITION BY w.day, w.group_id, w.size ORDER BY s.dwell_ns) - 1 AS place
    FROM sized AS s JOIN wanted AS w ON w.slot = s.slot
    WHERE s.dwell_ns IS NOT NULL
),
percentiles AS (
    SELECT r.day, r.group_id, min(r.dwell_ns) AS min_ns, max(r.dwell_ns) AS max_ns,
        sum(CASE WHEN abs(r.place - r.last_place * 0.5) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.5)) END) AS p50_ns,
        sum(CASE WHEN abs(r.place - r.last_place * 0.9) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.9)) END) AS p90_ns
    FROM ranked AS r
    GROUP BY r.day, r.group_id
)
SELECT strftime('%Y-%m-%d', nullif(t.day, -131072) * 86400, 'unixepoch') AS day, k.layer AS layer, k.from_state AS state,
    t.visits AS visits, t.complete AS complete, t.censored AS censored, t.total_ns / 1e9 AS total_s,
    t.total_ns * 1.0 / nullif(t.timed, 0) / 1e9 AS mean_s, p.min_ns / 1e9 AS min_s, p.p50_ns / 1e9 AS p50_s,
    p.p90_ns / 1e9 AS p90_s, p.max_ns / 1e9 AS max_s
FROM totals AS t JOIN step_kinds AS k ON k.kind_id = t.group_id
LEFT JOIN percentiles AS p ON p.day = t.day AND p.group_id = t.group_id
ORDER BY t.day, k.layer, k.from_state;
