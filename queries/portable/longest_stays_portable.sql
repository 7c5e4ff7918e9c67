WITH shortest AS (
    -- The shortest visit on the list is found first, so that only few rows are looked up in full.
    SELECT min(l.stay_ns) AS stay_ns
    FROM (
        SELECT coalesce(v.dwell_ns, v.at_least_ns) AS stay_ns
        FROM visits AS v
        WHERE coalesce(v.dwell_ns, v.at_least_ns) IS NOT NULL
            AND ($app IS NULL OR v.app = $app)
            AND ($app_version IS NULL OR v.app_version = $app_version)
            AND ($device IS NULL OR v.device = $device)
            AND ($run IS NULL OR v.run_id = $run)
            AND ($layer IS NULL OR v.layer = $layer)
            AND ($since IS NULL OR coalesce(v.entered, v.left) >= rtrim($since, 'Z'))
            AND ($until IS NULL OR coalesce(v.entered, v.left) < rtrim($until, 'Z'))
            AND ($state IS NULL OR v.state = $state)
        ORDER BY 1 DESC
        LIMIT coalesce($most, 20)
    ) AS l
)
SELECT v.app AS app, v.run_id AS run_id, v.layer AS layer, v.instance AS instance, v.state AS state, v.entered AS entered,
    v.left AS left, coalesce(v.dwell_ns, v.at_least_ns) / 1e9 AS stay_s, v.censored AS censored, v.source AS source,
    v.line AS line
FROM visits AS v
WHERE coalesce(v.dwell_ns, v.at_least_ns) >= (SELECT s.stay_ns FROM shortest AS s)
    AND ($app IS NULL OR v.app = $app)
    AND ($app_version IS NULL OR v.app_version = $app_version)
    AND ($device IS NULL OR v.device = $device)
    AND ($run IS NULL OR v.run_id = $run)
    AND ($layer IS NULL OR v.layer = $layer)
    AND ($since IS NULL OR coalesce(v.entered, v.left) >= rtrim($since, 'Z'))
    AND ($until IS NULL OR coalesce(v.entered, v.left) < rtrim($until, 'Z'))
    AND ($state IS NULL OR v.state = $state)
ORDER BY stay_s DESC, v.entered, v.source, v.line, v.layer, v.instance
LIMIT coalesce($most, 20);
