-- Periods in the background (stays) by app: how long they last, and for how long the process was suspended in the
-- complete ones, judging by silences and evidence. A period lasts until the app comes back or ends; a suspension that a
-- line shows is a visit of its own, and a part of the period like any other. Percentiles are R type 7.
--
-- Group: Visits
-- Rows: visits by app, layer, state='background|suspended'
-- Empty: no app or scene is seen in the background
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $since        time     = none  only visits entered at or after this time
--   $until        time     = none  only visits entered before this time
-- Columns:
--   app              text     process name
--   layer            text     app or scene
--   stays            integer  periods in the background
--   complete         integer  periods whose start and end were observed and whose dwell time is known
--   total_s          seconds  sum of the complete periods
--   p50_s            seconds  median
--   p90_s            seconds  90th percentile
--   max_s            seconds  longest
--   suspended_stays  integer  periods with a suspension
--   suspended_s      seconds  time suspended during the complete periods, a part of total_s
WITH RECURSIVE asleep AS MATERIALIZED (
    SELECT s.visit_id, sum(s.suspended_ns) AS suspended_ns FROM suspensions AS s GROUP BY s.visit_id
),
-- Where lines say that the process is suspended or runs again, a period consists of several visits: these are all but
-- the last ones.
links AS MATERIALIZED (
    SELECT v.visit_id, v.transition_id, coalesce(v.entered, v.left) AS entered,
        CASE WHEN v.complete = 1 THEN v.dwell_ns END AS dwell_ns, a.visit_id IS NOT NULL AS asleep, a.suspended_ns
    FROM visits AS v LEFT JOIN asleep AS a ON a.visit_id = v.visit_id
    WHERE v.kind_id IN (SELECT k.kind_id FROM step_kinds AS k
        WHERE k.from_state IN ('background', 'suspended') AND k.to_state IN ('background', 'suspended'))
),
chain AS (
    SELECT l.transition_id AS last_id, l.* FROM links AS l WHERE l.transition_id NOT IN (SELECT n.visit_id FROM links AS n)
    UNION ALL
    SELECT c.last_id, l.* FROM chain AS c JOIN links AS l ON l.transition_id = c.visit_id
),
earlier AS MATERIALIZED (
    SELECT c.last_id, min(c.entered) AS entered, CASE WHEN count(c.dwell_ns) = count(*) THEN sum(c.dwell_ns) END AS dwell_ns,
        max(c.asleep) AS asleep, sum(c.suspended_ns) AS suspended_ns
    FROM chain AS c
    GROUP BY c.last_id
),
chosen AS MATERIALIZED (
    SELECT v.app, v.layer,
        CASE WHEN v.complete = 1 THEN v.dwell_ns END + CASE WHEN e.last_id IS NULL THEN 0 ELSE e.dwell_ns END AS dwell_ns,
        CASE WHEN a.visit_id IS NOT NULL OR e.asleep = 1 THEN 1 END AS asleep,
        CASE WHEN a.suspended_ns IS NULL THEN e.suspended_ns ELSE a.suspended_ns + coalesce(e.suspended_ns, 0) END
            AS suspended_ns
    FROM visits AS v LEFT JOIN asleep AS a ON a.visit_id = v.visit_id LEFT JOIN earlier AS e ON e.last_id = v.visit_id
    WHERE v.state IN ('background', 'suspended')
        AND v.transition_id NOT IN (SELECT l.transition_id FROM links AS l)
        AND ($app IS NULL OR v.app = $app)
        AND ($app_version IS NULL OR v.app_version = $app_version)
        AND ($device IS NULL OR v.device = $device)
        AND ($run IS NULL OR v.run_id = $run)
        AND ($since IS NULL OR coalesce(e.entered, v.entered, v.left) >= rtrim($since, 'Z'))
        AND ($until IS NULL OR coalesce(e.entered, v.entered, v.left) < rtrim($until, 'Z'))
),
-- Groups are summed up once and have numbers, which are sorted faster than names.
totals AS MATERIALIZED (
    SELECT c.app, c.layer, count(*) AS stays, count(c.dwell_ns) AS complete, sum(c.dwell_ns) AS total_ns,
        max(c.dwell_ns) AS max_ns, count(c.asleep) AS suspended_stays,
        sum(CASE WHEN c.dwell_ns IS NOT NULL THEN c.suspended_ns END) AS suspended_ns, count(c.dwell_ns) - 1 AS last_place, row_number() OVER before AS slot,
        sum(count(c.dwell_ns)) OVER before - count(c.dwell_ns) AS first_place
    FROM chosen AS c
    GROUP BY c.app, c.layer
    WINDOW before AS (ORDER BY c.app, c.layer)
),
ranked AS (
    SELECT g.slot, c.dwell_ns, row_number() OVER (ORDER BY g.slot, c.dwell_ns) - 1 AS place
    FROM chosen AS c JOIN totals AS g ON g.app IS NOT DISTINCT FROM c.app AND g.layer = c.layer
    WHERE c.dwell_ns IS NOT NULL
),
-- Type 7 interpolates linearly between the two ranks next to position h = (n - 1) p.
percents AS (
    SELECT 50 AS percent UNION ALL SELECT 90
),
wanted AS (
    SELECT g.first_place + (g.last_place * p.percent - g.last_place * p.percent % 100) / 100 AS place
    FROM totals AS g CROSS JOIN percents AS p
),
few AS (
    SELECT r.slot, r.dwell_ns, r.place FROM ranked AS r
    WHERE r.place IN (SELECT w.place FROM wanted AS w UNION ALL SELECT w.place + 1 FROM wanted AS w)
),
percentiles AS (
    SELECT g.slot,
        sum(CASE WHEN abs(f.place - g.first_place - g.last_place * 0.5) < 1
            THEN f.dwell_ns * (1 - abs(f.place - g.first_place - g.last_place * 0.5)) END) / 1e9 AS p50_s,
        sum(CASE WHEN abs(f.place - g.first_place - g.last_place * 0.9) < 1
            THEN f.dwell_ns * (1 - abs(f.place - g.first_place - g.last_place * 0.9)) END) / 1e9 AS p90_s
    FROM few AS f JOIN totals AS g ON g.slot = f.slot
    GROUP BY g.slot
)
SELECT g.app AS app, g.layer AS layer, g.stays AS stays, g.complete AS complete, g.total_ns / 1e9 AS total_s, p.p50_s AS p50_s,
    p.p90_s AS p90_s, g.max_ns / 1e9 AS max_s, g.suspended_stays AS suspended_stays, g.suspended_ns / 1e9 AS suspended_s
FROM totals AS g LEFT JOIN percentiles AS p ON p.slot = g.slot
ORDER BY g.app, g.layer;
