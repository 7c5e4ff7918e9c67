-- Dwell times with cut-off visits included. These are Kaplan-Meier estimates, which take account of visits that the end
-- of the log cuts off: a quantile is the shortest dwell time t at which the share of longer visits, S(t), has fallen to
-- 1 - p; NULL when the log is too short to show it. Visits cut on the left are left out, because it is unknown how long
-- they had lasted.
--
-- Group: Visits
-- Empty: no visit has a known start
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $layer        text     = none  only this layer
--   $since        time     = none  only visits entered at or after this time
--   $until        time     = none  only visits entered before this time
-- Columns:
--   layer  text     layer of the instances
--   state  text     the state
--   ended  integer  visits whose start and end are known
--   cut    integer  visits cut by the end of the log
--   p25_s  seconds  a quarter of the visits are this short
--   p50_s  seconds  median
--   p75_s  seconds  three quarters of the visits are this short
--   p90_s  seconds  90 % of the visits are this short
WITH chosen AS (
    -- The length and whether the end was seen share one number, because one is sorted faster than two.
    SELECT v.group_id, coalesce(v.dwell_ns, v.at_least_ns) << 1 | (v.dwell_ns IS NULL) AS length
    FROM visits AS v
    WHERE v.censored IN ('', 'right')
        AND coalesce(v.dwell_ns, v.at_least_ns) IS NOT NULL
        AND ($app IS NULL OR v.app = $app)
        AND ($app_version IS NULL OR v.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR v.device = $device)
        AND ($run IS NULL OR v.run_id = $run)
        AND ($layer IS NULL OR v.layer = $layer)
        AND ($since IS NULL OR coalesce(v.entered, v.left) >= rtrim($since, 'Z'))
        AND ($until IS NULL OR coalesce(v.entered, v.left) < rtrim($until, 'Z'))
),
ranked AS MATERIALIZED (
    SELECT c.group_id, c.length, row_number() OVER (PARTITION BY c.group_id ORDER BY c.length) AS place
    FROM chosen AS c
),
totals AS MATERIALIZED (
    SELECT r.group_id, max(r.place) AS n, sum(r.length & 1) AS cut FROM ranked AS r GROUP BY r.group_id
),
cuts AS (
    SELECT t.group_id, 0 AS place, t.n, 0.0 AS part FROM totals AS t
    UNION ALL
    SELECT r.group_id, r.place, t.n, CASE WHEN r.place < t.n THEN ln((t.n - r.place + 1) * 1.0 / (t.n - r.place)) ELSE 0.0 END
    FROM ranked AS r JOIN totals AS t ON t.group_id = r.group_id
    WHERE r.length & 1
),
spans AS MATERIALIZED (
    SELECT c.group_id, c.n, c.place + 1 AS first_place,
        coalesce(lead(c.place) OVER (PARTITION BY c.group_id ORDER BY c.place), c.n + 1) - 1 AS last_place,
        exp(sum(c.part) OVER (PARTITION BY c.group_id ORDER BY c.place)) AS weight
    FROM cuts AS c
),
quantiles AS (
    SELECT 25 AS quantile UNION ALL SELECT 50 UNION ALL SELECT 75 UNION ALL SELECT 90
),
reached AS MATERIALIZED (
    -- A small tolerance, so that rounding does not miss a share that is exact on paper.
    SELECT s.group_id, q.quantile,
        min(max(s.first_place, CAST(ceil(s.n * (1 - (1 - q.quantile / 100.0 + 1e-12) / s.weight)) AS INTEGER))) AS place
    FROM spans AS s CROSS JOIN quantiles AS q
    WHERE s.n * (1 - (1 - q.quantile / 100.0 + 1e-12) / s.weight) <= s.last_place AND s.first_place <= s.last_place
    GROUP BY s.group_id, q.quantile
),
stays AS (
    SELECT r.group_id, e.quantile, r.length >> 1 AS stay
    FROM ranked AS r CROSS JOIN reached AS e ON e.group_id = r.group_id AND e.place = r.place
)
SELECT n.layer AS layer, n.from_state AS state, t.n - t.cut AS ended, t.cut AS cut,
    max(CASE WHEN s.quantile = 25 THEN s.stay END) / 1e9 AS p25_s, max(CASE WHEN s.quantile = 50 THEN s.stay END) / 1e9 AS p50_s,
    max(CASE WHEN s.quantile = 75 THEN s.stay END) / 1e9 AS p75_s, max(CASE WHEN s.quantile = 90 THEN s.stay END) / 1e9 AS p90_s
FROM totals AS t JOIN step_kinds AS n ON n.kind_id = t.group_id LEFT JOIN stays AS s ON s.group_id = t.group_id
GROUP BY n.layer, n.from_state, t.n, t.cut
ORDER BY 1, 2;
