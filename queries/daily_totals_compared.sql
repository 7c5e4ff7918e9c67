-- Foreground time per day and app version: figures of MetricKit payloads beside those of the logs.
--
-- Group: The logs
-- Empty: no MetricKit payload with foreground times was read
-- Parameters:
--   $app          text  = none  only this app
--   $app_version  text  = none  only runs of this version of the app
-- Columns:
--   day           text     day on which the payload's span begins, UTC
--   app_version   text     version of the app
--   stated_s      seconds  cumulative foreground time according to the payloads
--   logged_s      seconds  complete foreground visits of the logs that begin in the span; those of runs of unknown
--                          version count where all payloads of the day are of one version
--   difference_s  seconds  stated_s - logged_s
--   app           text     the app, by the bundle that the payload names; one that no log names is compared with all apps
WITH named AS (
    -- A bundle's identifier ends in the name of the process, in lower case and with dashes in place of blanks.
    SELECT a.app, replace(replace(replace(lower(a.app), '-', ''), '_', ''), ' ', '') AS name
    FROM (SELECT DISTINCT r.app FROM runs AS r UNION SELECT d.app FROM daily_totals AS d) AS a
),
in_logs AS (
    SELECT DISTINCT n.name FROM named AS n JOIN runs AS r ON r.app = n.app
),
versions AS (
    SELECT d.day, d.app, count(DISTINCT coalesce(d.app_version, '')) AS n
    FROM daily_totals AS d
    WHERE d.metric = 'cumulativeForegroundTime'
    GROUP BY d.day, d.app
),
stated AS (
    SELECT d.day, d.app_version, d.app, sum(d.value) AS stated_s
    FROM daily_totals AS d
    WHERE d.metric = 'cumulativeForegroundTime' AND ($app_version IS NULL OR d.app_version = $app_version)
        AND ($app IS NULL OR d.app = $app)
    GROUP BY d.day, d.app_version, d.app
),
spans AS MATERIALIZED (
    -- A day of the device, which need not be one of UTC. Without an end it is one of 24 hours.
    SELECT d.day, d.app, min(d.from_ns) AS from_ns,
        coalesce(max(d.until_ns), min(d.from_ns) + 86400000000000) AS until_ns
    FROM daily_totals AS d
    WHERE d.metric = 'cumulativeForegroundTime'
    GROUP BY d.day, d.app
),
logged AS (
    SELECT s.day, s.app, r.app_version, n.name, sum(v.dwell_ns) / 1e9 AS logged_s
    FROM visits AS v CROSS JOIN spans AS s JOIN runs AS r ON r.run_id = v.run_id LEFT JOIN named AS n ON n.app = r.app
    WHERE EXISTS (SELECT 1 FROM spans) AND v.layer = 'app' AND v.state IN ('inactive', 'active') AND v.complete = 1
        AND v.entered_ns >= s.from_ns AND v.entered_ns < s.until_ns
    GROUP BY s.day, s.app, r.app_version, n.name
),
compared AS (
    SELECT s.day, s.app_version, s.app, s.stated_s, sum(l.logged_s) AS logged_s
    FROM stated AS s
    JOIN versions AS v ON v.day IS NOT DISTINCT FROM s.day AND v.app IS NOT DISTINCT FROM s.app
    LEFT JOIN named AS n ON n.app = s.app
    LEFT JOIN in_logs AS k ON k.name = n.name
    LEFT JOIN logged AS l ON l.day IS NOT DISTINCT FROM s.day AND l.app IS NOT DISTINCT FROM s.app
        AND (l.app_version IS NOT DISTINCT FROM s.app_version OR l.app_version IS NULL AND v.n = 1)
        AND (l.name = n.name OR s.app IS NULL OR k.name IS NULL)
    GROUP BY s.day, s.app_version, s.app, s.stated_s
)
SELECT c.day AS day, c.app_version AS app_version, c.stated_s AS stated_s, c.logged_s AS logged_s,
    c.stated_s - coalesce(c.logged_s, 0) AS difference_s, c.app AS app
FROM compared AS c
ORDER BY c.day, c.app_version, c.app;
