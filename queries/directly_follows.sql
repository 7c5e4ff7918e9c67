-- The directly-follows graph: which callback comes next after which, within an instance. The first and last of an
-- instance are preceded and followed by NULL.
--
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
--   count          integer  how often
--   share          share    count as a part of what follows the callback
WITH ordered AS (
    SELECT e.layer, e.callback, e.seq, lag(e.callback) OVER w AS previous,
        lead(e.seq) OVER w AS next_seq
    FROM events AS e
    WHERE e.callback IS NOT NULL
        AND ($app IS NULL OR e.app = $app)
        AND ($app_version IS NULL OR e.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR e.device = $device)
        AND ($run IS NULL OR e.run_id = $run)
        AND ($layer IS NULL OR e.layer = $layer)
    WINDOW w AS (PARTITION BY e.instance_id ORDER BY e.seq)
),
pairs AS (
    SELECT o.layer, o.previous AS callback, o.callback AS next_callback FROM ordered AS o
    UNION ALL
    SELECT o.layer, o.callback, NULL FROM ordered AS o WHERE o.next_seq IS NULL
),
counted AS (
    SELECT p.layer, p.callback, p.next_callback, count(*) AS n FROM pairs AS p GROUP BY p.layer, p.callback, p.next_callback
)
SELECT c.layer AS layer, c.callback AS callback, c.next_callback AS next_callback, c.n AS count,
    c.n * 1.0 / sum(c.n) OVER (PARTITION BY c.layer, c.callback) AS share
FROM counted AS c
ORDER BY c.layer, c.callback, c.n DESC, c.next_callback;
