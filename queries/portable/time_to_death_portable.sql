WITH killed AS (
    SELECT r.run_id, r.app, r.ended_ns, r.next_seen_ns
    FROM runs AS r
    WHERE r.end_reason IN ('killed_in_background', 'jetsam', 'watchdog')
        AND ($app IS NULL OR r.app = $app)
        AND ($app_version IS NULL OR r.app_version = $app_version)
        AND ($device IS NULL OR r.device = $device)
),
states AS (
    SELECT v.run_id, v.seq, v.state, v.entered_ns, coalesce(v.entered, v.left) AS entered, v.censored, v.dwell_ns,
        coalesce(v.at_least_ns, v.dwell_ns) AS at_least_ns, v.left_by,
        max(CASE WHEN v.state NOT IN ('background', 'suspended') THEN v.seq END) OVER (PARTITION BY v.run_id) AS other_seq
    FROM visits AS v JOIN killed AS k ON k.run_id = v.run_id
    WHERE v.layer = 'app' AND v.state <> 'not_running'
),
-- A period in the background goes from its end back to where the app entered it: where lines say that the process is
-- suspended or runs again, it consists of several visits.
parts AS (
    SELECT s.*, row_number() OVER (PARTITION BY s.run_id ORDER BY s.seq) AS place,
        row_number() OVER (PARTITION BY s.run_id ORDER BY s.seq DESC) AS place_from_end
    FROM states AS s
    WHERE s.other_seq IS NULL OR s.seq > s.other_seq
),
grouped AS (
    SELECT p.run_id, max(CASE WHEN p.place = 1 THEN p.entered_ns END) AS entered_ns,
        max(CASE WHEN p.place = 1 THEN p.entered END) AS entered, max(CASE WHEN p.place = 1 THEN p.censored END) AS censored,
        CASE WHEN count(p.dwell_ns) = count(*) THEN sum(p.dwell_ns) END AS dwell_ns,
        CASE WHEN count(p.at_least_ns) = count(*) THEN sum(p.at_least_ns) END AS at_least_ns,
        max(CASE WHEN p.place_from_end = 1 AND p.left_by IS NULL THEN 1 ELSE 0 END) AS is_open
    FROM parts AS p
    GROUP BY p.run_id
),
stays AS (
    SELECT g.*, k.app, k.ended_ns, k.next_seen_ns
    FROM grouped AS g JOIN killed AS k ON k.run_id = g.run_id
),
deaths AS (
    SELECT s.app,
        -- A line of another log of the device may show the end of a visit that nothing ended in its own.
        coalesce(CASE WHEN s.is_open = 1 THEN s.ended_ns - s.entered_ns END, s.at_least_ns) AS at_least_ns,
        -- A period that may have begun before the log may have been longer.
        CASE WHEN s.censored IN ('left', 'both') THEN NULL WHEN s.is_open = 0 THEN s.dwell_ns
            ELSE coalesce(s.ended_ns, s.next_seen_ns) - s.entered_ns END AS at_most_ns
    FROM stays AS s
    -- A kill that a line without a time shows says nothing of how long it took.
    WHERE (s.is_open = 1 OR s.at_least_ns IS NOT NULL)
        AND ($since IS NULL OR s.entered >= rtrim($since, 'Z'))
        AND ($until IS NULL OR s.entered < rtrim($until, 'Z'))
),
ranked AS (
    SELECT d.*,
        -- Longest first, which puts NULL last; the median is the same from either side.
        row_number() OVER (PARTITION BY d.app ORDER BY d.at_least_ns DESC) - 1 AS least_place,
        count(d.at_least_ns) OVER (PARTITION BY d.app) - 1 AS least_last,
        row_number() OVER (PARTITION BY d.app ORDER BY d.at_most_ns DESC) - 1 AS most_place,
        count(d.at_most_ns) OVER (PARTITION BY d.app) - 1 AS most_last
    FROM deaths AS d
)
SELECT r.app AS app, count(*) AS deaths,
    sum(CASE WHEN abs(r.least_place - r.least_last * 0.5) < 1
            THEN r.at_least_ns * (1 - abs(r.least_place - r.least_last * 0.5)) END) / 1e9 AS at_least_p50_s,
    sum(CASE WHEN abs(r.most_place - r.most_last * 0.5) < 1
            THEN r.at_most_ns * (1 - abs(r.most_place - r.most_last * 0.5)) END) / 1e9 AS at_most_p50_s,
    min(r.at_most_ns) / 1e9 AS shortest_at_most_s, max(r.at_least_ns) / 1e9 AS longest_at_least_s
FROM ranked AS r
GROUP BY r.app
ORDER BY r.app;
