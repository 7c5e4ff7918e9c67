-- The different paths that instances take through the states, the most frequent first. A path that is longer than
-- $most changes is cut there.
--
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $layer        text     = none  only this layer
--   $most         integer  = 40    longest path that is told in full; the rest is …
-- Columns:
--   layer      text     layer of the instances
--   path       text     the states in order
--   instances  integer  how many took it
--   share      share    instances as a part of the layer's
WITH moves AS (
    SELECT t.instance_id, t.layer, t.from_state, t.to_state,
        row_number() OVER (PARTITION BY t.instance_id ORDER BY t.seq) AS place,
        count(*) OVER (PARTITION BY t.instance_id) AS changes
    FROM transitions AS t
    WHERE ($app IS NULL OR t.app = $app)
        AND ($app_version IS NULL OR t.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR t.device = $device)
        AND ($layer IS NULL OR t.layer = $layer)
),
growing AS (
    SELECT m.instance_id, m.layer, m.place, m.changes,
        group_concat(CASE WHEN m.place = 1 THEN m.from_state || ' > ' || m.to_state ELSE m.to_state END, ' > ') OVER (
            PARTITION BY m.instance_id ORDER BY m.place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS path
    FROM moves AS m
    WHERE m.place <= coalesce($most, 40)
),
paths AS (
    SELECT g.layer, CASE WHEN g.changes > coalesce($most, 40) THEN g.path || ' > …' ELSE g.path END AS path
    FROM growing AS g
    WHERE g.place = CASE WHEN g.changes > coalesce($most, 40) THEN coalesce($most, 40) ELSE g.changes END
),
counted AS (
    SELECT p.layer, p.path, count(*) AS n FROM paths AS p GROUP BY p.layer, p.path
)
SELECT c.layer AS layer, c.path AS path, c.n AS instances, c.n * 1.0 / sum(c.n) OVER (PARTITION BY c.layer) AS share
FROM counted AS c
ORDER BY c.layer, c.n DESC, c.path;
