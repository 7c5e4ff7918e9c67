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
WITH chosen AS (
    SELECT v.layer, v.state, coalesce(v.dwell_ns, v.at_least_ns) AS stay, CASE WHEN v.dwell_ns IS NULL THEN 0 ELSE 1 END AS ended
    FROM visits AS v
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
-- One row per length of stay: how many ended there, and how many were cut there.
steps AS (
    SELECT c.layer, c.state, c.stay, sum(c.ended) AS ended, count(*) AS n FROM chosen AS c GROUP BY c.layer, c.state, c.stay
),
at_risk AS (
    SELECT s.*, sum(s.n) OVER (PARTITION BY s.layer, s.state ORDER BY s.stay DESC) AS risk FROM steps AS s
),
-- S(t) is the product of 1 - ended / at risk, as the exponential of a sum; the last factor may be 0.
survival AS (
    SELECT a.*, CASE
        WHEN min(a.risk - a.ended) OVER w = 0 THEN 0.0
        ELSE exp(sum(CASE WHEN a.risk > a.ended THEN ln(1 - a.ended * 1.0 / a.risk) ELSE 0 END) OVER w) END AS longer
    FROM at_risk AS a
    WINDOW w AS (PARTITION BY a.layer, a.state ORDER BY a.stay)
)
SELECT s.layer AS layer, s.state AS state, sum(s.ended) AS ended, sum(s.n - s.ended) AS cut,
    -- A hair's breadth, so that a share that is exact on paper is not missed by rounding.
    min(CASE WHEN s.longer <= 0.75 + 1e-12 THEN s.stay END) / 1e9 AS p25_s,
    min(CASE WHEN s.longer <= 0.50 + 1e-12 THEN s.stay END) / 1e9 AS p50_s,
    min(CASE WHEN s.longer <= 0.25 + 1e-12 THEN s.stay END) / 1e9 AS p75_s,
    min(CASE WHEN s.longer <= 0.10 + 1e-12 THEN s.stay END) / 1e9 AS p90_s
FROM survival AS s
GROUP BY s.layer, s.state
ORDER BY s.layer, s.state;
