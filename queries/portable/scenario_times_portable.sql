WITH chosen AS (
    SELECT c.scenario, c.class, c.members, c.run_id,
        CASE WHEN c.ended_ns >= c.started_ns AND NOT EXISTS (
                SELECT 1 FROM findings AS f
                WHERE f.rule = 'clock-regression' AND f.run_id = c.run_id AND f.event_id > c.first_event_id
                    AND f.event_id <= c.last_event_id)
            THEN c.ended_ns - c.started_ns END AS taken_ns
    FROM scenarios AS c
    WHERE ($app IS NULL OR c.app = $app)
        AND ($app_version IS NULL OR c.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR c.device = $device)
        AND ($run IS NULL OR c.run_id = $run)
        AND ($since IS NULL OR c.started >= rtrim($since, 'Z'))
        AND ($until IS NULL OR c.started < rtrim($until, 'Z'))
),
ranked AS (
    SELECT c.*,
        row_number() OVER (PARTITION BY c.scenario, c.class, c.members ORDER BY c.taken_ns IS NULL, c.taken_ns) - 1 AS place,
        count(c.taken_ns) OVER (PARTITION BY c.scenario, c.class, c.members) - 1 AS last_place
    FROM chosen AS c
)
SELECT CASE WHEN r.class IS NULL THEN r.scenario END AS scenario, r.class AS class, count(*) AS matches, count(DISTINCT r.run_id) AS runs,
    min(r.taken_ns) / 1e9 AS min_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.5) < 1
            THEN r.taken_ns * (1 - abs(r.place - r.last_place * 0.5)) END) / 1e9 AS p50_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.9) < 1
            THEN r.taken_ns * (1 - abs(r.place - r.last_place * 0.9)) END) / 1e9 AS p90_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.99) < 1
            THEN r.taken_ns * (1 - abs(r.place - r.last_place * 0.99)) END) / 1e9 AS p99_s,
    max(r.taken_ns) / 1e9 AS max_s, r.members AS members
FROM ranked AS r
GROUP BY r.scenario, r.class, r.members
ORDER BY count(*) DESC, r.scenario, r.class, r.members;
