-- What MetricKit payloads say of a day beside what the logs show of it: the foreground time of a day and a version of
-- the app.
--
-- Parameters:
--   $app_version  text  = none  only runs of this version of the app
--   $app          text  = none  only this app
-- Columns:
--   day           text     day, UTC
--   app_version   text     version of the app
--   stated_s      seconds  cumulative foreground time of the payloads
--   logged_s      seconds  completed foreground stays of the logs that begin on the day
--   difference_s  seconds  stated_s - logged_s
--   app           text     the app, by the bundle that the payload names; one that no log names is compared with all
WITH stated AS (
    SELECT d.day, d.app_version, d.app, sum(d.value) AS stated_s
    FROM daily_totals AS d
    WHERE d.metric = 'cumulativeForegroundTime' AND ($app_version IS NULL OR d.app_version = $app_version)
        AND ($app IS NULL OR d.app = $app)
    GROUP BY d.day, d.app_version, d.app
),
logged AS (
    SELECT substr(v.entered, 1, 10) AS day, r.app_version, r.app, sum(v.dwell_ns) / 1e9 AS logged_s
    FROM visits AS v JOIN runs AS r ON r.run_id = v.run_id
    WHERE v.layer = 'app' AND v.state IN ('inactive', 'active') AND v.complete = 1
    GROUP BY 1, 2, 3
)
SELECT c.day AS day, c.app_version AS app_version, c.stated_s AS stated_s, c.logged_s AS logged_s,
    c.stated_s - coalesce(c.logged_s, 0) AS difference_s, c.app AS app
FROM (
    SELECT s.*, (
        SELECT sum(l.logged_s) FROM logged AS l
        WHERE l.day = s.day AND l.app_version IS s.app_version
            AND (l.app = s.app OR s.app IS NULL OR NOT EXISTS (SELECT 1 FROM runs AS r WHERE r.app = s.app))
    ) AS logged_s
    FROM stated AS s
) AS c
ORDER BY c.day, c.app_version, c.app;
