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
    SELECT coalesce(v.entered_ns, v.left_ns) / 86400000000000 AS day, v.kind_id, CASE WHEN v.complete = 1 THEN v.dwell_ns END AS dwell_ns
    FROM visits AS v
    WHERE ($app IS NULL OR v.app = $app)
        AND ($app_version IS NULL OR v.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR v.device = $device)
        AND ($run IS NULL OR v.run_id = $run)
        AND ($layer IS NULL OR v.layer = $layer)
        AND ($since IS NULL OR coalesce(v.entered, v.left) >= $since)
        AND ($until IS NULL OR coalesce(v.entered, v.left) < $until)
    -- No limit; it keeps SQLite from working out the dwell again wherever it is used.
    LIMIT -1
),
-- Percentiles are found in two steps, since sorting all dwells takes long: visits are counted by size, a coarse measure
-- that grows with the dwell, and only those of the sizes in which the wanted ranks lie are sorted.
sized AS (
    SELECT c.day, c.kind_id, c.dwell_ns,
        CASE WHEN c.dwell_ns < 1 << 30 THEN c.dwell_ns >> 24 WHEN c.dwell_ns < 1 << 36 THEN 64 + (c.dwell_ns >> 30)
            WHEN c.dwell_ns < 1 << 42 THEN 128 + (c.dwell_ns >> 36) ELSE 192 + (c.dwell_ns >> 42) END AS size
    FROM chosen AS c
),
counted AS (
    SELECT s.day, s.kind_id, s.size, count(*) AS visits, count(s.dwell_ns) AS timed, sum(s.dwell_ns) AS total_ns,
        min(s.dwell_ns) AS min_ns, max(s.dwell_ns) AS max_ns
    FROM sized AS s
    GROUP BY s.day, s.kind_id, s.size
),
sizes AS MATERIALIZED (
    SELECT c.day, k.layer, k.from_state AS state, c.size, sum(c.visits) AS visits, sum(c.timed) AS timed,
        sum(CASE WHEN k.complete = 1 THEN c.visits ELSE 0 END) AS complete,
        sum(CASE WHEN k.censored <> '' THEN c.visits ELSE 0 END) AS censored, sum(c.total_ns) AS total_ns,
        min(c.min_ns) AS min_ns, max(c.max_ns) AS max_ns
    FROM counted AS c JOIN step_kinds AS k ON k.kind_id = c.kind_id
    GROUP BY c.day, k.layer, k.from_state, c.size
),
totals AS MATERIALIZED (
    SELECT s.day, s.layer, s.state, sum(s.visits) AS visits, sum(s.complete) AS complete, sum(s.censored) AS censored,
        sum(s.timed) AS timed, sum(s.total_ns) AS total_ns, min(s.min_ns) AS min_ns, max(s.max_ns) AS max_ns
    FROM sizes AS s
    GROUP BY s.day, s.layer, s.state
),
places AS (
    SELECT s.day, s.layer, s.state, s.size, s.timed,
        sum(s.timed) OVER (PARTITION BY s.day, s.layer, s.state ORDER BY s.size) - s.timed AS first_place
    FROM sizes AS s
    WHERE s.size IS NOT NULL
),
-- Type 7 weighs the two ranks beside place h = (n - 1) p by how near they are.
wanted AS MATERIALIZED (
    SELECT p.day, p.layer, p.state, k.kind_id, p.size, p.first_place, t.timed - 1 AS last_place
    FROM places AS p
    JOIN totals AS t ON t.day IS NOT DISTINCT FROM p.day AND t.layer = p.layer AND t.state = p.state
    JOIN step_kinds AS k ON k.layer = p.layer AND k.from_state = p.state AND k.complete = 1
    WHERE (p.first_place < (t.timed - 1) * 0.5 + 1 AND p.first_place + p.timed > (t.timed - 1) * 0.5)
        OR (p.first_place < (t.timed - 1) * 0.9 + 1 AND p.first_place + p.timed > (t.timed - 1) * 0.9)
),
ranked AS (
    SELECT w.day, w.layer, w.state, w.last_place, s.dwell_ns,
        w.first_place + row_number() OVER (
            PARTITION BY w.day, w.layer, w.state, w.size ORDER BY s.dwell_ns) - 1 AS place
    FROM sized AS s JOIN wanted AS w ON w.kind_id = s.kind_id AND w.size = s.size
    WHERE w.day IS NOT DISTINCT FROM s.day
),
percentiles AS (
    SELECT r.day, r.layer, r.state,
        sum(CASE WHEN abs(r.place - r.last_place * 0.5) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.5)) END) AS p50_ns,
        sum(CASE WHEN abs(r.place - r.last_place * 0.9) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.9)) END) AS p90_ns
    FROM ranked AS r
    WHERE abs(r.place - r.last_place * 0.5) < 1 OR abs(r.place - r.last_place * 0.9) < 1
    GROUP BY r.day, r.layer, r.state
)
SELECT strftime('%Y-%m-%d', t.day * 86400, 'unixepoch') AS day, t.layer AS layer, t.state AS state, t.visits AS visits, t.complete AS complete,
    t.censored AS censored, t.total_ns / 1e9 AS total_s, t.total_ns * 1.0 / nullif(t.timed, 0) / 1e9 AS mean_s,
    t.min_ns / 1e9 AS min_s, p.p50_ns / 1e9 AS p50_s, p.p90_ns / 1e9 AS p90_s, t.max_ns / 1e9 AS max_s
FROM totals AS t
LEFT JOIN percentiles AS p ON p.day IS NOT DISTINCT FROM t.day AND p.layer = t.layer AND p.state = t.state
ORDER BY t.day, t.layer, t.state;
