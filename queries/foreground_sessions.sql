-- Foreground sessions per day (UTC): from coming to the foreground until leaving it, whether active or inactive in
-- between. A session in which the clock went back to before its begin has no length; where it went back less, the session
-- seems shorter by as much.
--
-- Group: Visits
-- Empty: no app or scene comes to the foreground
-- Parameters:
--   $app          text  = none  only this app
--   $app_version  text  = none  only runs of this version of the app
--   $device       text  = none  only this device
--   $since        time  = none  only sessions that begin at or after this time
--   $until        time  = none  only sessions that begin before this time
-- Columns:
--   day       text     day on which the session begins
--   app       text     process name
--   layer     text     app or scene
--   sessions  integer  how many began
--   ended     integer  how many of these have an end in the log
--   total_s   seconds  sum of the ended sessions that have a length
--   mean_s    seconds  their mean
--   max_s     seconds  the longest
WITH borders AS (
    SELECT t.instance_id, t.time_ns, t.to_state IN ('inactive', 'active', 'fg_inactive', 'fg_active') AS comes,
        lead(t.time_ns) OVER (PARTITION BY t.instance_id ORDER BY t.seq) AS next_ns
    FROM transitions AS t
    WHERE t.kind_id IN (SELECT k.kind_id FROM step_kinds AS k WHERE k.layer IN ('app', 'scene')
            AND (k.to_state IN ('inactive', 'active', 'fg_inactive', 'fg_active'))
                <> (k.from_state IN ('inactive', 'active', 'fg_inactive', 'fg_active')))
        AND ($app IS NULL OR t.app = $app)
        AND ($app_version IS NULL OR t.run_id IN (SELECT r.run_id FROM runs AS r WHERE r.app_version = $app_version))
        AND ($device IS NULL OR t.device = $device)
),
sessions AS (
    -- The first second of the day, so that few rows remain before names are looked up.
    SELECT b.instance_id, b.time_ns / 86400000000000 * 86400 AS day, count(*) AS n, count(b.next_ns) AS ended,
        sum(CASE WHEN b.next_ns >= b.time_ns THEN b.next_ns - b.time_ns END) AS total_ns,
        count(CASE WHEN b.next_ns >= b.time_ns THEN 1 END) AS timed, max(b.next_ns - b.time_ns) AS max_ns
    FROM borders AS b
    WHERE b.comes
        AND ($since IS NULL OR strftime('%Y-%m-%dT%H:%M:%S', b.time_ns / 1000000000, 'unixepoch') || printf('.%09dZ', b.time_ns % 1000000000)
            >= rtrim($since, 'Z'))
        AND ($until IS NULL OR strftime('%Y-%m-%dT%H:%M:%S', b.time_ns / 1000000000, 'unixepoch') || printf('.%09dZ', b.time_ns % 1000000000)
            < rtrim($until, 'Z'))
    GROUP BY b.instance_id, b.time_ns / 86400000000000
)
SELECT strftime('%Y-%m-%d', s.day, 'unixepoch') AS day, r.app AS app, i.layer AS layer, sum(s.n) AS sessions,
    sum(s.ended) AS ended, sum(s.total_ns) / 1e9 AS total_s, sum(s.total_ns) * 1.0 / nullif(sum(s.timed), 0) / 1e9 AS mean_s,
    max(CASE WHEN s.max_ns >= 0 THEN s.max_ns END) / 1e9 AS max_s
FROM sessions AS s JOIN instances AS i ON i.instance_id = s.instance_id JOIN runs AS r ON r.run_id = i.run_id
GROUP BY s.day, r.app, i.layer
ORDER BY s.day, r.app, i.layer;
