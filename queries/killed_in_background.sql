-- Runs that the system killed in the background, or probably did: one row each, with the last event before the kill and
-- the cause. $lines shows more events of each run, one per row, latest first. Memory that was short and the watchdog count
-- only where the log shows the app in the background; crashes and failed launches never do. end_reasons counts all.
--
-- Group: Runs
-- Rows: runs by run_id
-- Empty: no run is known to have been killed in the background, by a line or by silence until a later run of the app
-- Parameters:
--   $app          text     = none  only this app
--   $app_version  text     = none  only runs of this version of the app
--   $device       text     = none  only this device
--   $since        time     = none  only runs that live at or after this time
--   $until        time     = none  only runs that begin before this time
--   $lines        integer  = 1     how many events of each run (at least 1)
--   $reason       text     = none  only this end_reason, one of killed_in_background, jetsam or watchdog
-- Columns:
--   run_id        integer  run
--   app           text     process name
--   pid           integer  process id
--   end_reason    text     killed_in_background, jetsam or watchdog
--   evidence      text     whether the end is observed or inferred
--   last_seen_ns  time     last sign of life
--   next_seen_ns  time     first sign of the next run
--   place         integer  1 for the last event, 2 for the one before it, and so on
--   time          text     time of the event
--   what          text     callback, or what the evidence proves
--   source        text     path of the log
--   line          integer  line of the log
--   cause         text     code and explanation as printed in a log; otherwise, why the end is inferred, with a background task that was not ended
--   silent_s      seconds  from the last sign of life to the first sign of the next run; the kill is in between; none where a line shows when it was
--   ended_ns      time     the kill, if a line shows when it was
WITH RECURSIVE killed AS MATERIALIZED (
    SELECT r.run_id, min(x.first_event_id) AS first_id, max(x.last_event_id) AS last_id
    FROM runs AS r LEFT JOIN instances AS x ON x.run_id = r.run_id
    WHERE r.end_reason IN ('killed_in_background', 'jetsam', 'watchdog')
        -- Memory can be short in any state, and the watchdog watches in all of them: what counts is the state that
        -- nothing ended, or that the end of the run did.
        AND (r.end_reason = 'killed_in_background' OR (
            SELECT coalesce(
                (SELECT v.state FROM visits AS v WHERE v.transition_id = -i.instance_id),
                (SELECT t.from_state FROM transitions AS t
                    WHERE t.transition_id BETWEEN i.first_event_id AND i.last_event_id
                        AND t.instance_id = i.instance_id AND t.to_state = 'not_running'
                    ORDER BY t.transition_id DESC LIMIT 1))
            FROM instances AS i WHERE i.run_id = r.run_id AND i.layer = 'app') IN ('background', 'suspended'))
        AND ($app IS NULL OR r.app = $app)
        AND ($app_version IS NULL OR r.app_version = $app_version)
        AND ($device IS NULL OR r.device = $device)
        AND ($since IS NULL OR coalesce(r.ended, r.last_seen, r.started) >= rtrim($since, 'Z'))
        AND ($until IS NULL OR coalesce(r.started, r.first_seen, r.ended) < rtrim($until, 'Z'))
        AND ($reason IS NULL OR r.end_reason = $reason)
    GROUP BY r.run_id
),
-- The last event of the run's own log, found by its id.
ends AS MATERIALIZED (
    SELECT k.run_id, k.first_id, (SELECT e.event_id FROM events AS e
            WHERE e.event_id BETWEEN k.first_id AND k.last_id AND e.run_id = k.run_id
            ORDER BY e.event_id DESC LIMIT 1) AS event_id
    FROM killed AS k
),
own AS (
    SELECT e.run_id, e.first_id, e.event_id, 1 AS place FROM ends AS e
    UNION ALL
    SELECT o.run_id, o.first_id, (SELECT e.event_id FROM events AS e
            WHERE e.event_id BETWEEN o.first_id AND o.event_id - 1 AND e.run_id = o.run_id
            ORDER BY e.event_id DESC LIMIT 1), o.place + 1
    FROM own AS o
    WHERE o.place < coalesce($lines, 1) AND o.event_id IS NOT NULL
),
-- Evidence without a state, as that from other logs of the device is. All events are read only if there is such a kind.
foreign_kinds AS (
    SELECT n.kind_id FROM step_kinds AS n WHERE n.callback IS NULL AND n.from_state IS NULL
),
mode AS (
    SELECT coalesce($lines, 1) > 1 OR EXISTS (SELECT 1 FROM foreign_kinds) AS several
),
late AS (
    SELECT v.run_id, v.event_id, v.source, v.time_ns
    FROM own AS o JOIN events AS v ON v.event_id = o.event_id
    WHERE (SELECT m.several FROM mode AS m)
    UNION
    SELECT v.run_id, v.event_id, v.source, v.time_ns
    FROM (SELECT 1 FROM foreign_kinds LIMIT 1) AS one CROSS JOIN events AS v
    WHERE v.callback IS NULL AND v.state_before IS NULL AND v.run_id IN (SELECT k.run_id FROM killed AS k)
),
seen AS (
    -- Where a clock goes back, a line counts as being as late as the lines before it.
    SELECT l.run_id, l.event_id, l.source, max(l.time_ns) OVER (
            PARTITION BY l.run_id, l.source ORDER BY l.event_id ROWS UNBOUNDED PRECEDING
        ) AS seen_ns
    FROM late AS l
),
-- Who leaves a background task open is ended for it.
unended AS MATERIALIZED (
    SELECT f.run_id FROM findings AS f WHERE f.rule IN ('TL-07', 'R-BG-01')
),
last_events AS (
    -- By time: otherwise the events of several logs of a device would have no order.
    SELECT s.run_id, s.event_id, row_number() OVER (
            PARTITION BY s.run_id ORDER BY s.seen_ns IS NULL, s.seen_ns DESC, s.source DESC, s.event_id DESC
        ) AS place
    FROM seen AS s
    UNION ALL
    -- One event alone has no order.
    SELECT e.run_id, e.event_id, 1 FROM ends AS e WHERE NOT (SELECT m.several FROM mode AS m)
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
