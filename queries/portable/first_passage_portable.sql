WITH moves AS (
    SELECT t.instance_id, t.seq, t.time_ns, t.layer,
        CASE WHEN t.from_state IN ('not_running', 'unattached') THEN 'launch to active' ELSE 'background to active' END
            AS passage,
        CASE WHEN t.to_state IN ('active', 'fg_active') THEN t.seq END AS arrived_seq,
        CASE WHEN (t.from_state IN ('not_running', 'unattached') OR t.to_state = 'background')
            AND ($since IS NULL OR t.time >= rtrim($since, 'Z'))
            AND ($until IS NULL OR t.time < rtrim($until, 'Z')) THEN 1 ELSE 0 END AS begins
    FROM transitions AS t
    WHERE t.layer IN ('app', 'scene')
        AND (t.to_state IN ('active', 'fg_active', 'background') OR t.from_state IN ('not_running', 'unattached'))
        AND ($app IS NULL OR t.app = $app)
        AND ($app_version IS NULL OR t.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR t.device = $device)
        AND ($run IS NULL OR t.run_id = $run)
),
followed AS (
    SELECT m.*, min(m.arrived_seq) OVER (
            PARTITION BY m.instance_id ORDER BY m.seq DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS active_seq
    FROM moves AS m
),
begun AS (
    SELECT f.layer, f.passage, f.active_seq,
        CASE WHEN a.time_ns >= f.time_ns AND NOT EXISTS (
                SELECT 1 FROM findings AS d
                WHERE d.rule = 'clock-regression' AND d.instance_id = f.instance_id AND d.event_id > f.seq
                    AND d.event_id <= f.active_seq)
            THEN a.time_ns - f.time_ns END AS taken_ns
    FROM followed AS f LEFT JOIN moves AS a ON a.instance_id = f.instance_id AND a.seq = f.active_seq
    WHERE f.begins = 1
),
ranked AS (
    SELECT b.*,
        row_number() OVER (PARTITION BY b.layer, b.passage ORDER BY b.taken_ns IS NULL, b.taken_ns) - 1 AS place,
        count(b.taken_ns) OVER (PARTITION BY b.layer, b.passage) - 1 AS last_place
    FROM begun AS b
)
SELECT r.layer AS layer, r.passage AS passage, count(*) AS starts, count(r.active_seq) AS arrived, min(r.taken_ns) / 1e9 AS min_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.5) < 1
            THEN r.taken_ns * (1 - abs(r.place - r.last_place * 0.5)) END) / 1e9 AS p50_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.9) < 1
            THEN r.taken_ns * (1 - abs(r.place - r.last_place * 0.9)) END) / 1e9 AS p90_s,
    sum(CASE WHEN abs(r.place - r.last_place * 0.99) < 1
            THEN r.taken_ns * (1 - abs(r.place - r.last_place * 0.99)) END) / 1e9 AS p99_s,
    max(r.taken_ns) / 1e9 AS max_s
FROM ranked AS r
GROUP BY r.layer, r.passage
ORDER BY r.layer, r.passage;
