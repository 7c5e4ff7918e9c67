WITH chosen AS (
    SELECT CASE $by WHEN 'app' THEN v.app WHEN 'app_version' THEN v.app_version WHEN 'device' THEN v.device
            WHEN 'run' THEN v.run_id || '' WHEN 'os_version' THEN r.os_version
            WHEN 'day' THEN substr(coalesce(v.entered, v.left), 1, 10) END AS part,
        v.layer, v.state, v.censored, CASE WHEN v.complete = 1 THEN v.dwell_ns END AS dwell_ns
    FROM visits AS v LEFT JOIN runs AS r ON r.run_id = v.run_id
    WHERE ($by IS NULL OR $by IN ('app', 'app_version', 'os_version', 'device', 'day', 'run'))
        AND ($app IS NULL OR v.app = $app)
        AND ($app_version IS NULL OR v.app_version = $app_version)
        AND ($device IS NULL OR v.device = $device)
        AND ($run IS NULL OR v.run_id = $run)
        AND ($layer IS NULL OR v.layer = $layer)
        AND ($since IS NULL OR coalesce(v.entered, v.left) >= rtrim($since, 'Z'))
        AND ($until IS NULL OR coalesce(v.entered, v.left) < rtrim($until, 'Z'))
),
ranked AS (
    SELECT c.*,
        row_number() OVER (PARTITION BY c.part, c.layer, c.state ORDER BY c.dwell_ns IS NULL, c.dwell_ns) - 1 AS place,
        count(c.dwell_ns) OVER (PARTITION BY c.part, c.layer, c.state) - 1 AS last_place
    FROM chosen AS c
),
answers AS (
    SELECT r.part, r.layer, r.state, count(*) AS visits, count(r.dwell_ns) AS complete,
        sum(CASE WHEN r.censored <> '' THEN 1 ELSE 0 END) AS censored, sum(r.dwell_ns) AS total_ns,
        min(r.dwell_ns) AS min_ns, max(r.dwell_ns) AS max_ns,
        sum(CASE WHEN abs(r.place - r.last_place * 0.5) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.5)) END) AS p50_ns,
        sum(CASE WHEN abs(r.place - r.last_place * 0.9) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.9)) END) AS p90_ns,
        sum(CASE WHEN abs(r.place - r.last_place * 0.99) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.99)) END) AS p99_ns
    FROM ranked AS r
    GROUP BY r.part, r.layer, r.state
)
SELECT a.layer AS layer, a.state AS state, a.visits AS visits, a.complete AS complete, a.censored AS censored,
    a.total_ns / 1e9 AS total_s, a.total_ns / 1e9 / nullif(a.complete, 0) AS mean_s, a.min_ns / 1e9 AS min_s,
    a.p50_ns / 1e9 AS p50_s, a.p90_ns / 1e9 AS p90_s, a.p99_ns / 1e9 AS p99_s, a.max_ns / 1e9 AS max_s,
    a.total_ns * 1e0 / nullif(sum(a.total_ns) OVER (PARTITION BY a.part, a.layer), 0) AS share, a.part AS part
FROM answers AS a
ORDER BY a.part, a.layer, a.total_ns IS NULL, a.total_ns DESC, a.state;
