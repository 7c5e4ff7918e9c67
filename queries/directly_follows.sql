-- The directly-follows graph: which callback comes directly after which, within an instance. The first callback of an
-- instance is preceded by NULL, the last one followed by NULL.
--
-- Group: Transitions
-- Empty: no callback was recognised
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $run          integer  = none  only this run
--   $layer        text     = none  only this layer
-- Columns:
--   layer          text     layer of the instances
--   callback       text     the callback; NULL before the first
--   next_callback  text     the one after it; NULL after the last
--   count          integer  how often it follows
--   share          share    count as a part of what follows the callback
WITH wanted AS (
    -- Without a restriction, the counts come from the kept summary; otherwise they are computed from the events.
    SELECT 1 AS one
    WHERE $app IS NOT NULL OR $app_version IS NOT NULL OR $device IS NOT NULL OR $run IS NOT NULL OR $layer IS NOT NULL
),
ordered AS (
    SELECT e.kind_id, lag(e.kind_id) OVER (PARTITION BY e.instance_id ORDER BY e.seq) AS previous
    FROM wanted AS w CROSS JOIN events AS e
    WHERE e.callback IS NOT NULL
        AND ($app IS NULL OR e.app = $app)
        AND ($app_version IS NULL OR e.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR e.device = $device)
        AND ($run IS NULL OR e.run_id = $run)
        AND ($layer IS NULL OR e.layer = $layer)
),
by_kind AS (
    -- Both kinds in one number, because one is grouped faster than two. A default of lag() would cost more.
    SELECT coalesce(o.previous, 0) << 32 | o.kind_id AS pair, count(*) AS n
    FROM ordered AS o
    GROUP BY coalesce(o.previous, 0) << 32 | o.kind_id
),
counted AS (
    SELECT k.layer, p.callback, k.callback AS next_callback, sum(b.n) AS n
    FROM by_kind AS b JOIN step_kinds AS k ON k.kind_id = b.pair & 4294967295
    LEFT JOIN step_kinds AS p ON p.kind_id = b.pair >> 32
    GROUP BY k.layer, p.callback, k.callback
    UNION ALL
    SELECT f.layer, f.callback, f.next_callback, f.count
    FROM follow_summary AS f
    WHERE NOT EXISTS (SELECT 1 FROM wanted)
),
pairs AS (
    SELECT c.layer, c.callback, c.next_callback, c.n FROM counted AS c
    UNION ALL
    -- A callback that is not followed by another is the last of its instance.
    SELECT l.layer, l.callback, NULL, l.n
    FROM (
        SELECT c.layer, c.next_callback AS callback,
            sum(c.n) - coalesce(
                (SELECT sum(f.n) FROM counted AS f WHERE f.layer = c.layer AND f.callback = c.next_callback), 0) AS n
        FROM counted AS c
        GROUP BY c.layer, c.next_callback
    ) AS l
    WHERE l.n > 0
)
SELECT p.layer AS layer, p.callback AS callback, p.next_callback AS next_callback, p.n AS count,
    p.n * 1.0 / sum(p.n) OVER (PARTITION BY p.layer, p.callback) AS share
FROM pairs AS p
ORDER BY p.layer, p.callback, p.n DESC, p.next_callback;
