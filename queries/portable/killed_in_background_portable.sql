WITH last_states AS (
    SELECT s.run_id, s.state
    FROM (
        SELECT v.run_id, v.state, row_number() OVER (PARTITION BY v.run_id ORDER BY v.seq DESC) AS place
        FROM visits AS v WHERE v.layer = 'app' AND v.state <> 'not_running'
    ) AS s
    WHERE s.place = 1
),
killed AS (
    SELECT r.run_id
    FROM runs AS r LEFT JOIN last_states AS s ON s.run_id = r.run_id
    WHERE (r.end_reason = 'killed_in_background'
            OR r.end_reason IN ('jetsam', 'watchdog') AND s.state IN ('background', 'suspended'))
        AND ($app IS NULL OR r.app = $app)
        AND ($app_version IS NULL OR r.app_version = $app_version)
        AND ($device IS NULL OR r.device = $device)
        AND ($since IS NULL OR coalesce(r.ended, r.last_seen, r.started) >= rtrim($since, 'Z'))
        AND ($until IS NULL OR coalesce(r.started, r.first_seen, r.ended) < rtrim($until, 'Z'))
        AND ($reason IS NULL OR r.end_reason = $reason)
),
seen AS (
    -- Where a clock goes back, a line counts as being as late as the lines before it.
    SELECT e.run_id, e.event_id, e.source, e.seq, max(e.time_ns) OVER (
            PARTITION BY e.run_id, e.source ORDER BY e.seq ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS seen_ns
    FROM events AS e JOIN killed AS k ON k.run_id = e.run_id
),
-- Who leaves a background task open is ended for it.
unended AS MATERIALIZED (
    SELECT f.run_id FROM findings AS f WHERE f.rule IN ('TL-07', 'R-BG-01')
),
last_events AS (
    SELECT s.run_id, s.event_id, row_number() OVER (
            PARTITION BY s.run_id
            ORDER BY CASE WHEN s.seen_ns IS NULL THEN 1 ELSE 0 END, s.seen_ns DESC, s.source DESC, s.seq DESC
        ) AS place
    FROM seen AS s
)
SELECT l.run_id AS run_id, e.app AS app, e.pid AS pid, r.end_reason AS end_reason, r.end_evidence AS evidence,
    r.last_seen_ns AS last_seen_ns, r.next_seen_ns AS next_seen_ns, l.place AS place, e.time AS time,
    coalesce(e.callback, e.kind || ':' || e.proves) AS what, e.source AS source, e.line AS line,
    coalesce(r.end_detail, CASE
        WHEN r.end_reason = 'jetsam' THEN 'memory was short'
        WHEN r.end_reason = 'watchdog' THEN 'the watchdog ended it'
        WHEN r.end_evidence = 'inferred' AND r.run_id IN (SELECT u.run_id FROM unended AS u)
            THEN 'a background task was not ended; silent until another run of the app began'
        WHEN r.end_evidence = 'inferred' THEN 'silent in the background until another run of the app began'
    END) AS cause, CASE WHEN r.ended_ns IS NULL THEN (r.next_seen_ns - r.last_seen_ns) / 1e9 END AS silent_s,
    r.ended_ns AS ended_ns
FROM last_events AS l
JOIN runs AS r ON r.run_id = l.run_id
JOIN events AS e ON e.event_id = l.event_id
WHERE l.place <= coalesce($lines, 1)
ORDER BY l.run_id, l.place;
