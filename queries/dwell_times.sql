-- How long instances stay in each state: dwell times of complete visits, with the number of censored visits. $by groups
-- them by app, version, device, day or run. Percentiles are R type 7 (linear between the two nearest ranks).
--
-- Group: Visits
-- Rows: visits by layer, state
-- Parameters:
--   $by           text     = none  one group for each value; a day is that on which a visit was entered, in UTC; one of
--                                  app, app_version, os_version, device, day or run
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $layer        text     = none  only this layer
--   $since        time     = none  only visits entered at or after this time
--   $until        time     = none  only visits entered before this time
-- Columns:
--   layer     text     layer of the instances
--   state     text     the state
--   visits    integer  visits to the state, complete or not
--   complete  integer  visits whose start and end were observed and whose dwell time is known
--   censored  integer  visits whose start or end the log does not show; the first of a log may have begun before it
--   total_s   seconds  sum of the complete visits
--   mean_s    seconds  mean of the complete visits
--   min_s     seconds  shortest complete visit
--   p50_s     seconds  median
--   p90_s     seconds  90th percentile
--   p99_s     seconds  99th percentile
--   max_s     seconds  longest complete visit
--   share     share    total_s as a part of the layer's, within the group
--   part      text     the app, version, device, day or run of the group; NULL without $by
WITH wanted_visits AS (
    -- Without a restriction, the answer comes from the kept summary; otherwise it is computed from the visits.
    SELECT 1 AS one
    WHERE $by IS NOT NULL OR $app IS NOT NULL OR $app_version IS NOT NULL OR $device IS NOT NULL OR $run IS NOT NULL
        OR $layer IS NOT NULL OR $since IS NOT NULL OR $until IS NOT NULL OR NOT EXISTS (SELECT 1 FROM dwell_summary)
),
chosen AS (
    SELECT CASE $by WHEN 'app' THEN v.app WHEN 'app_version' THEN v.app_version WHEN 'device' THEN v.device
            WHEN 'run' THEN v.run_id
            WHEN 'os_version' THEN (SELECT r.os_version FROM runs AS r WHERE r.run_id = v.run_id)
            -- Days stay numbers until the end, because numbers are grouped faster than texts. They are rounded down.
            WHEN 'day' THEN (coalesce(v.entered_ns, v.left_ns)
                - ((coalesce(v.entered_ns, v.left_ns) % 86400000000000) + 86400000000000) % 86400000000000) / 86400000000000
            END AS part, v.kind_id, v.dwell_ns
    FROM wanted_visits AS w CROSS JOIN visits AS v
    WHERE ($by IS NULL OR $by IN ('app', 'app_version', 'os_version', 'device', 'day', 'run'))
        AND ($app IS NULL OR v.app = $app)
        AND ($app_version IS NULL OR v.app_version = $app_version)
        AND ($device IS NULL OR v.device = $device)
        AND ($run IS NULL OR v.run_id = $run)
        AND ($layer IS NULL OR v.layer = $layer)
        AND ($since IS NULL OR coalesce(v.entered, v.left) >= rtrim($since, 'Z'))
        AND ($until IS NULL OR coalesce(v.entered, v.left) < rtrim($until, 'Z'))
    -- LIMIT -1 restricts nothing; it keeps SQLite from computing the dwell time again wherever it is used.
    LIMIT -1
),
-- Percentiles are found in two steps, because sorting all dwell times takes long: visits are counted by size, a coarse
-- measure that grows with the dwell time, and only those of the sizes that contain the wanted ranks are sorted. Kind
-- and size share one number, because one is grouped faster than two.
sized AS NOT MATERIALIZED (
    SELECT c.part, c.dwell_ns, c.kind_id << 24 |
        CASE WHEN c.dwell_ns < 1 << 30 THEN c.dwell_ns >> 24 WHEN c.dwell_ns < 1 << 36 THEN 64 + (c.dwell_ns >> 30)
            WHEN c.dwell_ns < 1 << 42 THEN 128 + (c.dwell_ns >> 36) ELSE coalesce(192 + (c.dwell_ns >> 42), 0) END AS slot
    FROM chosen AS c
),
counted AS (
    SELECT s.slot, s.part, count(*) AS visits, count(s.dwell_ns) AS timed, sum(s.dwell_ns) AS total_ns,
        min(s.dwell_ns) AS min_ns, max(s.dwell_ns) AS max_ns
    FROM sized AS s
    GROUP BY s.slot, s.part
),
sizes AS MATERIALIZED (
    SELECT c.part, k.group_id, c.slot & 16777215 AS size, sum(c.visits) AS visits,
        sum(CASE WHEN k.censored <> '' THEN c.visits ELSE 0 END) AS censored,
        sum(CASE WHEN k.complete THEN c.timed ELSE 0 END) AS timed, sum(CASE WHEN k.complete THEN c.total_ns END) AS total_ns,
        min(CASE WHEN k.complete THEN c.min_ns END) AS min_ns, max(CASE WHEN k.complete THEN c.max_ns END) AS max_ns
    FROM counted AS c JOIN step_kinds AS k ON k.kind_id = c.slot >> 24
    GROUP BY c.part, k.group_id, c.slot & 16777215
),
totals AS MATERIALIZED (
    SELECT s.part, s.group_id, sum(s.visits) AS visits, sum(s.censored) AS censored, sum(s.timed) AS timed,
        sum(s.total_ns) AS total_ns, min(s.min_ns) AS min_ns, max(s.max_ns) AS max_ns
    FROM sizes AS s
    GROUP BY s.part, s.group_id
),
places AS (
    SELECT s.part, s.group_id, s.size, s.timed, sum(s.timed) OVER before - s.timed AS first_place,
        sum(s.timed) OVER (PARTITION BY s.part, s.group_id) - 1 AS last_place
    FROM sizes AS s
    WINDOW before AS (PARTITION BY s.part, s.group_id ORDER BY s.size)
),
-- Type 7 interpolates linearly between the two ranks next to position h = (n - 1) p.
wanted AS MATERIALIZED (
    SELECT p.part, p.group_id, k.kind_id << 24 | p.size AS slot, p.size, p.first_place, p.last_place
    FROM places AS p JOIN step_kinds AS k ON k.group_id = p.group_id AND k.complete
    WHERE (p.first_place < p.last_place * 0.5 + 1 AND p.first_place + p.timed > p.last_place * 0.5)
        OR (p.first_place < p.last_place * 0.9 + 1 AND p.first_place + p.timed > p.last_place * 0.9)
        OR (p.first_place < p.last_place * 0.99 + 1 AND p.first_place + p.timed > p.last_place * 0.99)
),
ranked AS (
    SELECT w.part, w.group_id, w.last_place, s.dwell_ns,
        w.first_place + row_number() OVER (PARTITION BY w.part, w.group_id, w.size ORDER BY s.dwell_ns) - 1 AS place
    FROM sized AS s JOIN wanted AS w ON w.slot = s.slot AND +w.part IS NOT DISTINCT FROM s.part
    WHERE s.dwell_ns IS NOT NULL
),
percentiles AS (
    SELECT r.part, r.group_id,
        sum(CASE WHEN abs(r.place - r.last_place * 0.50) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.50)) END) AS p50_ns,
        sum(CASE WHEN abs(r.place - r.last_place * 0.90) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.90)) END) AS p90_ns,
        sum(CASE WHEN abs(r.place - r.last_place * 0.99) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.99)) END) AS p99_ns
    FROM ranked AS r
    GROUP BY r.part, r.group_id
),
answers AS (
    SELECT t.part, k.layer, k.from_state AS state, t.visits, t.timed AS complete, t.censored, t.total_ns * 1.0 AS total_ns,
        t.total_ns * 1.0 / nullif(t.timed, 0) AS mean_ns, t.min_ns, p.p50_ns, p.p90_ns, p.p99_ns, t.max_ns
    FROM totals AS t JOIN step_kinds AS k ON k.kind_id = t.group_id
    LEFT JOIN percentiles AS p ON p.part IS NOT DISTINCT FROM t.part AND p.group_id = t.group_id
    UNION ALL
    SELECT NULL, s.layer, s.state, s.visits, s.complete, s.censored, s.total_ns, s.mean_ns, s.min_ns, s.p50_ns, s.p90_ns,
        s.p99_ns, s.max_ns
    FROM dwell_summary AS s
    WHERE NOT EXISTS (SELECT 1 FROM wanted_visits)
)
SELECT a.layer AS layer, a.state AS state, a.visits AS visits, a.complete AS complete, a.censored AS censored,
    a.total_ns / 1e9 AS total_s, a.mean_ns / 1e9 AS mean_s, a.min_ns / 1e9 AS min_s, a.p50_ns / 1e9 AS p50_s,
    a.p90_ns / 1e9 AS p90_s, a.p99_ns / 1e9 AS p99_s, a.max_ns / 1e9 AS max_s,
    a.total_ns / nullif(sum(a.total_ns) OVER (PARTITION BY a.part, a.layer), 0) AS share,
    CASE WHEN $by = 'day' THEN strftime('%Y-%m-%d', a.part * 86400, 'unixepoch') ELSE a.part END AS part
FROM answers AS a
ORDER BY a.part, a.layer, a.total_ns IS NULL, a.total_ns DESC, a.state;
