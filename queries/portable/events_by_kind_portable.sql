WITH counted AS (
    SELECT e.kind_id, count(*) AS n
    FROM events AS e
    WHERE ($app IS NULL OR e.app = $app)
        AND ($app_version IS NULL OR e.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR e.device = $device)
        AND ($run IS NULL OR e.run_id = $run)
        AND ($layer IS NULL OR e.layer = $layer)
        AND ($since IS NULL OR e.time >= rtrim($since, 'Z'))
        AND ($until IS NULL OR e.time < rtrim($until, 'Z'))
    GROUP BY e.kind_id
)
SELECT k.layer AS layer, k.kind AS kind, k.callback AS callback, k.proves AS proves, sum(c.n) AS events,
    coalesce(sum(c.n) FILTER (WHERE k.verdict = 'undocumented'), 0) AS undocumented
FROM counted AS c JOIN step_kinds AS k ON k.kind_id = c.kind_id
GROUP BY k.layer, k.kind, k.callback, k.proves
ORDER BY k.layer, sum(c.n) DESC, k.kind, k.callback, k.proves;
