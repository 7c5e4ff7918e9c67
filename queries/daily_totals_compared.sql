-- Foreground time per day and app version: figures of MetricKit payloads beside those of the logs.
--
-- Group: The logs
-- Parameters:
--   $app          text  = none  only this app
--   $app_version  text  = none  only runs of this version of the app
-- Columns:
--   day           text     day, UTC
--   app_version   text     version of the app
--   stated_s      seconds  cumulative foreground time of the payloads
--   logged_s      seconds  complete foreground visits of the logs that begin on the day; those of runs of unknown
--                          version count where all payloads of the day are of one version
--   difference_s  seconds  stated_s - logged_s
--   app           text     the app, by the bundle that the payload names; one that no log names is compared with all apps
WITH named AS (
    -- A bundle's identifier ends in the name of the process, in lower case and with dashes in place of blanks.
    SELECT a.app, replace(replace(replace(lower(a.app), '-', ''), '_', ''), ' ', '') AS name
    FROM (SELECT DISTINCT r.app FROM runs AS r UNION SELECT d.app FROM daily_totals AS d) AS a
),
stated AS (
    SELECT d.day, d.app_version, d.app, (SELECT n.name FROM named AS n WHERE n.app = d.app) AS name,
        sum(d.value) AS stated_s, (
            SELECT count(DISTINCT coalesce(o.app_version, '')) FROM daily_totals AS o
            WHERE o.day IS d.day AND o.app IS d.app AND o.metric = d.metric
        ) AS versions
    FROM daily_totals AS d
    WHERE d.metric = 'cumulativeForegroundTime' AND ($app_version IS NULL OR d.app_version = $app_version)
        AND ($app IS NULL OR d.app = $app)
    GROUP BY d.day, d.app_version, d.app
),
logged AS (
    SELECT substr(v.entered, 1, 10) AS day, r.app_version, n.name, sum(v.dwell_ns) / 1e9 AS logged_s
    FROM visits AS v JOIN runs AS r ON r.run_id = v.run_id LEFT JOIN named AS n ON n.app = r.app
    WHERE v.layer = 'app' AND v.state IN ('inactive', 'active') AND v.complete = 1
    GROUP BY 1, 2, 3
)
SELECT c.day AS day, c.app_version AS app_version, c.stated_s AS stated_s, c.logged_s AS logged_s,
    c.stated_s - coalesce(c.logged_s, 0) AS difference_s, c.app AS app
FROM (
    SELECT s.*, (
        SELECT sum(l.logged_s) FROM logged AS l
        WHERE l.day = s.day AND (l.app_version IS s.app_version OR l.app_version IS NULL AND s.versions = 1)
            AND (l.name = s.name OR s.app IS NULL OR s.name NOT IN (
                SELECT n.name FROM named AS n JOIN runs AS r ON r.app = n.app))
    ) AS logged_s
    FROM stated AS s
) AS c
ORDER BY c.day, c.app_version, c.app;
