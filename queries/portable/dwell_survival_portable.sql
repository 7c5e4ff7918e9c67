WITH lengths AS (
    -- How many visits lasted a time, and how many of them are known to have ended then.
    SELECT v.layer, v.state, coalesce(v.dwell_ns, v.at_least_ns) AS stay_ns, count(*) AS visits, count(v.dwell_ns) AS ended
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
    GROUP BY v.layer, v.state, coalesce(v.dwell_ns, v.at_least_ns)
),
remaining AS (
    SELECT l.*, sum(l.visits) OVER (PARTITION BY l.layer, l.state ORDER BY l.stay_ns DESC) AS n FROM lengths AS l
),
survival AS (
    -- The product of (n - ended) / n over all times so far, by logarithms; 0 once all that remained have ended.
    SELECT r.*, CASE WHEN r.ended = r.n THEN 0e0 ELSE exp(sum(CASE WHEN r.ended < r.n THEN ln((r.n - r.ended) * 1e0 / r.n)
            ELSE 0e0 END) OVER (PARTITION BY r.layer, r.state ORDER BY r.stay_ns)) END AS share
    FROM remaining AS r
)
-- A small tolerance, so that rounding does not miss a share that is exact on paper.
SELECT s.layer AS layer, s.state AS state, sum(s.ended) AS ended, sum(s.visits) - sum(s.ended) AS cut,
    min(CASE WHEN s.share <= 0.75 + 1e-12 THEN s.stay_ns END) / 1e9 AS p25_s,
    min(CASE WHEN s.share <= 0.50 + 1e-12 THEN s.stay_ns END) / 1e9 AS p50_s,
    min(CASE WHEN s.share <= 0.25 + 1e-12 THEN s.stay_ns END) / 1e9 AS p75_s,
    min(CASE WHEN s.share <= 0.10 + 1e-12 THEN s.stay_ns END) / 1e9 AS p90_s
FROM survival AS s
GROUP BY s.layer, s.state
ORDER BY s.layer, s.state;
