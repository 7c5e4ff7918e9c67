WITH borders AS (
    SELECT t.run_id, t.instance_id, t.app, t.layer, t.time, t.time_ns,
        CASE WHEN t.to_state IN ('inactive', 'active', 'fg_inactive', 'fg_active') THEN 1 ELSE 0 END AS comes,
        lead(t.time_ns) OVER (PARTITION BY t.instance_id ORDER BY t.seq) AS next_ns
    FROM transitions AS t
    WHERE t.layer IN ('app', 'scene')
        AND (t.to_state IN ('inactive', 'active', 'fg_inactive', 'fg_active'))
            <> (t.from_state IN ('inactive', 'active', 'fg_inactive', 'fg_active'))
        AND ($app IS NULL OR t.app = $app)
        AND ($app_version IS NULL OR t.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR t.device = $device)
)
SELECT substr(b.time, 1, 10) AS day, b.app AS app, b.layer AS layer, count(*) AS sessions, count(b.next_ns) AS ended,
    sum(CASE WHEN b.next_ns >= b.time_ns THEN b.next_ns - b.time_ns END) / 1e9 AS total_s,
    sum(CASE WHEN b.next_ns >= b.time_ns THEN b.next_ns - b.time_ns END) / 1e9
        / nullif(count(CASE WHEN b.next_ns >= b.time_ns THEN 1 END), 0) AS mean_s,
    max(CASE WHEN b.next_ns >= b.time_ns THEN b.next_ns - b.time_ns END) / 1e9 AS max_s
FROM borders AS b
WHERE b.comes = 1
    AND ($since IS NULL OR b.time >= rtrim($since, 'Z'))
    AND ($until IS NULL OR b.time < rtrim($until, 'Z'))
GROUP BY substr(b.time, 1, 10), b.app, b.layer
ORDER BY substr(b.time, 1, 10), b.app, b.layer;
