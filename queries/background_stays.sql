-- Background visits by app: how long they last, and for how long the process was suspended in the complete ones,
-- judging by silences and evidence. Percentiles are R type 7.
--
-- Group: Stays
-- Rows: visits by app, layer, state='background'
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
--   stays            integer  background visits
--   complete         integer  visits whose start and end were observed and whose dwell time is known
--   total_s          seconds  sum of the complete visits
--   p50_s            seconds  median
--   p90_s            seconds  90th percentile
--   max_s            seconds  longest
--   suspended_stays  integer  visits with a suspension
--   suspended_s      seconds  time suspended during the complete visits, a part of total_s
WITH asleep AS (
    SELECT s.visit_id, sum(s.suspended_ns) AS suspended_ns FROM suspensions AS s GROUP BY s.visit_id
),
chosen AS (
    SELECT v.app, v.layer, CASE WHEN v.complete = 1 THEN v.dwell_ns END AS dwell_ns, a.visit_id AS asleep, a.suspended_ns
    FROM visits AS v LEFT JOIN asleep AS a ON a.visit_id = v.visit_id
    WHERE v.state = 'background'
        AND ($app IS NULL OR v.app = $app)
        AND ($app_version IS NULL OR v.app_version = $app_version)
        AND ($device IS NULL OR v.device = $device)
        AND ($run IS NULL OR v.run_id = $run)
        AND ($since IS NULL OR coalesce(v.entered, v.left) >= rtrim($since, 'Z'))
        AND ($until IS NULL OR coalesce(v.entered, v.left) < rtrim($until, 'Z'))
),
ranked AS (
    SELECT c.*, row_number() OVER (PARTITION BY c.app, c.layer ORDER BY c.dwell_ns IS NULL, c.dwell_ns) - 1 AS place,
        count(c.dwell_ns) OVER (PARTITION BY c.app, c.layer) - 1 AS last_place
    FROM chosen AS c
)
SELECT r.app AS app, r.layer AS layer, count(*) AS stays, count(r.dwell_ns) AS complete, sum(r.dwell_ns) / 1e9 AS total_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.5) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.5)) END) / 1e9 AS p50_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.9) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.9)) END) / 1e9 AS p90_s,
    max(r.dwell_ns) / 1e9 AS max_s, count(r.asleep) AS suspended_stays,
    sum(CASE WHEN r.dwell_ns IS NOT NULL THEN r.suspended_ns END) / 1e9 AS suspended_s
FROM ranked AS r
GROUP BY r.app, r.layer
ORDER BY r.app, r.layer;
