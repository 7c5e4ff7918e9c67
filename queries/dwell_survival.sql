-- How long instances stay in each state, with the visits that the log's end cuts taken into account: Kaplan-Meier
-- estimates. A quantile is the shortest stay t at which the share of longer stays, S(t), has fallen to 1 - p; NULL
-- when the log does not reach that far. Visits cut on the left are left out, since nobody knows how long they had
-- lasted.
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
--   layer  text     layer of the instances
--   state  text     the state
--   ended  integer  visits of which both ends are known
--   cut    integer  visits cut by the end of the log
--   p25_s  seconds  quarter of the stays are this short
--   p50_s  seconds  median
--   p75_s  seconds  three quarters of the stays are this short
--   p90_s  seconds  90 % of the stays are this short
WITH states AS MATERIALIZED (
    -- A number for each state, since numbers sort faster than names.
    SELECT k.kind_id, k.layer, k.from_state AS state, min(k.kind_id) OVER (PARTITION BY k.layer, k.from_state) AS number
    FROM step_kinds AS k
),
chosen AS (
    SELECT n.number, coalesce(v.dwell_ns, v.at_least_ns) AS stay, v.dwell_ns IS NULL AS cut
    FROM visits AS v CROSS JOIN states AS n ON n.kind_id = v.kind_id
    WHERE v.censored IN ('', 'right')
        AND coalesce(v.dwell_ns, v.at_least_ns) IS NOT NULL
        AND ($app IS NULL OR v.app = $app)
        AND ($app_version IS NULL OR v.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR v.device = $device)
        AND ($run IS NULL OR v.run_id = $run)
        AND ($layer IS NULL OR v.layer = $layer)
        AND ($since IS NULL OR coalesce(v.entered, v.left) >= $since)
        AND ($until IS NULL OR coalesce(v.entered, v.left) < $until)
),
-- The visits of a state in order, those that ended before those that were cut at the same moment.
ranked AS MATERIALIZED (
    SELECT c.number, c.stay, c.cut, row_number() OVER (PARTITION BY c.number ORDER BY c.stay, c.cut) AS place
    FROM chosen AS c
),
totals AS MATERIALIZED (
    SELECT r.number, max(r.place) AS n, sum(r.cut) AS cut FROM ranked AS r GROUP BY r.number
),
-- S(t) is the product of 1 - 1 / at risk over the visits that ended. Over all visits that product is 1 - place / n;
-- what the cut ones have no right to is multiplied back, as the exponential of a sum. So only they need it worked out:
-- between two of them the weight stays the same.
cuts AS (
    SELECT t.number, 0 AS place, t.n, 0.0 AS part FROM totals AS t
    UNION ALL
    SELECT r.number, r.place, t.n, CASE WHEN r.place < t.n THEN ln((t.n - r.place + 1) * 1.0 / (t.n - r.place)) ELSE 0.0 END
    FROM ranked AS r JOIN totals AS t ON t.number = r.number
    WHERE r.cut
),
spans AS MATERIALIZED (
    SELECT c.number, c.n, c.place + 1 AS first_place,
        coalesce(lead(c.place) OVER (PARTITION BY c.number ORDER BY c.place), c.n + 1) - 1 AS last_place,
        exp(sum(c.part) OVER (PARTITION BY c.number ORDER BY c.place)) AS weight
    FROM cuts AS c
),
quantiles AS (
    SELECT 25 AS quantile UNION ALL SELECT 50 UNION ALL SELECT 75 UNION ALL SELECT 90
),
reached AS MATERIALIZED (
    -- A hair's breadth, so that a share that is exact on paper is not missed by rounding.
    SELECT s.number, q.quantile,
        min(max(s.first_place, CAST(ceil(s.n * (1 - (1 - q.quantile / 100.0 + 1e-12) / s.weight)) AS INTEGER))) AS place
    FROM spans AS s CROSS JOIN quantiles AS q
    WHERE s.n * (1 - (1 - q.quantile / 100.0 + 1e-12) / s.weight) <= s.last_place AND s.first_place <= s.last_place
    GROUP BY s.number, q.quantile
),
stays AS (
    SELECT r.number, e.quantile, r.stay
    FROM ranked AS r CROSS JOIN reached AS e ON e.number = r.number AND e.place = r.place
)
SELECT n.layer AS layer, n.state AS state, t.n - t.cut AS ended, t.cut AS cut,
    max(CASE WHEN s.quantile = 25 THEN s.stay END) / 1e9 AS p25_s, max(CASE WHEN s.quantile = 50 THEN s.stay END) / 1e9 AS p50_s,
    max(CASE WHEN s.quantile = 75 THEN s.stay END) / 1e9 AS p75_s, max(CASE WHEN s.quantile = 90 THEN s.stay END) / 1e9 AS p90_s
FROM totals AS t JOIN states AS n ON n.kind_id = t.number LEFT JOIN stays AS s ON s.number = t.number
GROUP BY n.layer, n.state, t.n, t.cut
ORDER BY n.layer, n.state;
