WITH moves AS (
    SELECT t.instance_id, t.layer, t.from_state, t.to_state,
        CASE WHEN $most < 1 THEN 1000000000 ELSE coalesce($most, 40) END AS most,
        row_number() OVER (PARTITION BY t.instance_id ORDER BY t.seq) AS place,
        count(*) OVER (PARTITION BY t.instance_id) AS changes
    FROM transitions AS t
    WHERE ($app IS NULL OR t.app = $app)
        AND ($app_version IS NULL OR t.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR t.device = $device)
        AND ($run IS NULL OR t.run_id = $run)
        AND ($layer IS NULL OR t.layer = $layer)
),
growing AS (
    SELECT m.layer, m.place, m.changes, m.most,
        group_concat(CASE WHEN m.place = 1 THEN m.from_state || ' > ' || m.to_state ELSE m.to_state END, ' > ') OVER (
            PARTITION BY m.instance_id ORDER BY m.place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS path
    FROM moves AS m
    WHERE m.place <= m.most
),
counted AS (
    SELECT g.layer, CASE WHEN g.changes > g.most THEN g.path || ' > …' ELSE g.path END AS path, count(*) AS n
    FROM growing AS g
    WHERE g.place = CASE WHEN g.changes > g.most THEN g.most ELSE g.changes END
    GROUP BY g.layer, CASE WHEN g.changes > g.most THEN g.path || ' > …' ELSE g.path END
)
SELECT c.layer AS layer, c.path AS path, c.n AS instances, c.n * 1e0 / sum(c.n) OVER (PARTITION BY c.layer) AS share
FROM counted AS c
ORDER BY c.layer, c.n DESC, c.path;
