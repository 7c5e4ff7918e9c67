-- How long instances stay in each state, device by device: completed visits, censored ones counted beside them.
-- Percentiles are R type 7.
--
-- Parameters:
--   $app          text  = none  only this app
--   $app_version  text  = none  only runs of this version of the app
--   $layer        text  = none  only this layer
--   $since        time  = none  only visits entered at or after this time
--   $until        time  = none  only visits entered before this time
-- Columns:
--   device    text     device
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
    SELECT v.device AS device, v.layer, v.state, v.censored, CASE WHEN v.complete = 1 THEN 1 END AS complete,
        CASE WHEN v.complete = 1 THEN v.dwell_ns END AS dwell_ns
    FROM visits AS v
    WHERE ($app IS NULL OR v.app = $app)
        AND ($app_version IS NULL OR v.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($layer IS NULL OR v.layer = $layer)
        AND ($since IS NULL OR coalesce(v.entered, v.left) >= $since)
        AND ($until IS NULL OR coalesce(v.entered, v.left) < $until)
),
ranked AS (
    SELECT c.*, row_number() OVER (PARTITION BY c.device, c.layer, c.state ORDER BY c.dwell_ns IS NULL, c.dwell_ns) - 1 AS place,
        count(c.dwell_ns) OVER (PARTITION BY c.device, c.layer, c.state) - 1 AS last_place
    FROM chosen AS c
)
-- Type 7 weighs the two ranks beside place h = (n - 1) p by how near they are.
SELECT r.device AS device, r.layer AS layer, r.state AS state, count(*) AS visits, count(r.complete) AS complete,
    count(*) FILTER (WHERE r.censored <> '') AS censored, sum(r.dwell_ns) / 1e9 AS total_s,
    avg(r.dwell_ns) / 1e9 AS mean_s, min(r.dwell_ns) / 1e9 AS min_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.5) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.5)) END) / 1e9 AS p50_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.9) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.9)) END) / 1e9 AS p90_s,
    max(r.dwell_ns) / 1e9 AS max_s
FROM ranked AS r
GROUP BY r.device, r.layer, r.state
ORDER BY r.device, r.layer, r.state;
