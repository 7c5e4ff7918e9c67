WITH chosen AS (
    SELECT t.layer, t.from_state, t.to_state, t.callback, t.verdict, t.evidence, t.dwell_ns
    FROM transitions AS t
    WHERE ($app IS NULL OR t.app = $app)
        AND ($app_version IS NULL OR t.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR t.device = $device)
        AND ($run IS NULL OR t.run_id = $run)
        AND ($layer IS NULL OR t.layer = $layer)
        AND ($since IS NULL OR coalesce(t.time, (SELECT max(r.last_seen) FROM runs AS r WHERE r.run_id = t.run_id)) >= rtrim($since, 'Z'))
        AND ($until IS NULL OR coalesce(t.time, (SELECT max(r.last_seen) FROM runs AS r WHERE r.run_id = t.run_id)) < rtrim($until, 'Z'))
),
ranked AS (
    SELECT c.*,
        count(c.dwell_ns) OVER (
            PARTITION BY c.layer, c.from_state, c.to_state, c.callback, c.verdict, c.evidence) - 1 AS last_place,
        row_number() OVER (
            PARTITION BY c.layer, c.from_state, c.to_state, c.callback, c.verdict, c.evidence
            ORDER BY c.dwell_ns IS NULL, c.dwell_ns) - 1 AS place
    FROM chosen AS c
),
counted AS (
    SELECT r.layer, r.from_state, r.to_state, r.callback, r.verdict, r.evidence, count(*) AS n,
        sum(CASE WHEN abs(r.place - r.last_place * 0.5) < 1
            THEN r.dwell_ns * (1 - abs(r.place - r.last_place * 0.5)) END) AS p50_dwell_ns
    FROM ranked AS r
    GROUP BY r.layer, r.from_state, r.to_state, r.callback, r.verdict, r.evidence
)
SELECT c.layer AS layer, c.from_state AS from_state, c.to_state AS to_state, c.callback AS callback, c.n AS count,
    CASE WHEN c.evidence = 'observed'
        THEN c.n * 1e0 / sum(c.n) OVER (PARTITION BY c.layer, c.from_state, c.evidence) END AS probability,
    c.p50_dwell_ns / 1e9 AS p50_dwell_s, c.verdict AS verdict, c.evidence AS evidence
FROM counted AS c
ORDER BY c.layer, c.from_state, c.n DESC, c.to_state, c.callback, c.verdict, c.evidence;
