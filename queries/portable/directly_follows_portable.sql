WITH ordered AS (
    SELECT e.layer, e.callback, lag(e.callback) OVER (PARTITION BY e.instance_id ORDER BY e.seq) AS previous,
        lead(e.callback) OVER (PARTITION BY e.instance_id ORDER BY e.seq) AS following
    FROM events AS e
    WHERE e.callback IS NOT NULL
        AND ($app IS NULL OR e.app = $app)
        AND ($app_version IS NULL OR e.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR e.device = $device)
        AND ($run IS NULL OR e.run_id = $run)
        AND ($layer IS NULL OR e.layer = $layer)
),
pairs AS (
    SELECT o.layer, o.previous AS callback, o.callback AS next_callback FROM ordered AS o
    UNION ALL
    -- The last of an instance.
    SELECT o.layer, o.callback, NULL FROM ordered AS o WHERE o.following IS NULL
),
counted AS (
    SELECT p.layer, p.callback, p.next_callback, count(*) AS n FROM pairs AS p GROUP BY p.layer, p.callback, p.next_callback
)
SELECT c.layer AS layer, c.callback AS callback, c.next_callback AS next_callback, c.n AS count,
    c.n * 1e0 / sum(c.n) OVER (PARTITION BY c.layer, c.callback) AS share
FROM counted AS c
ORDER BY c.layer, c.callback, c.n DESC, c.next_callback;
