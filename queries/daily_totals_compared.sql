-- What MetricKit payloads say of a day beside what the logs show of it: the foreground time of a day and a version of
-- the app.
--
-- Parameters:
--   $app_version  text  = none  only runs of this version of the app
-- Columns:
--   day           text     day, UTC
--   app_version   text     version of the app
--   stated_s      seconds  cumulative foreground time of the payloads
--   logged_s      seconds  completed foreground stays of the logs that begin on the day
--   difference_s  seconds  stated_s - logged_s
WITH stated AS (
    SELECT d.day, d.app_version, sum(d.value) AS stated_s
    FROM daily_totals AS d
    WHERE d.metric = 'cumulativeForegroundTime' AND ($app_version IS NULL OR d.app_version = $app_version)
    GROUP BY d.day, d.app_version
),
logged AS (
    SELECT substr(v.entered, 1, 10) AS day, r.app_version, sum(v.dwell_ns) / 1e9 AS logged_s
    FROM visits AS v JOIN runs AS r ON r.run_id = v.run_id
    WHERE v.layer = 'app' AND v.state IN ('inactive', 'active') AND v.complete = 1
    GROUP BY 1, 2
)
SELECT s.day AS day, s.app_version AS app_version, s.stated_s AS stated_s, l.logged_s AS logged_s,
    s.stated_s - coalesce(l.logged_s, 0) AS difference_s
FROM stated AS s
LEFT JOIN logged AS l ON l.day = s.day AND (l.app_version = s.app_version OR l.app_version IS NULL AND s.app_version IS NULL)
ORDER BY s.day, s.app_version;
