-- The views are what users query. Each is documented here, column by column; `lifestats schema` prints this text.
--
-- Steps are read in the order of the log. Their kind, instance and run are joined, which costs next to nothing because
-- the next step mostly has the same ones. SQLite chooses the order of the joins, so views can be joined in any order.
-- With CROSS JOIN inside a view, tables written before the view would come before its lookups, and a join with runs
-- would scan all steps once for each run. The + keeps SQLite from building an index by kind, which would not help
-- because there are few kinds, in a database with statistics. Every instance has a run; LEFT JOIN only lets SQLite skip
-- the run in a query that needs nothing from it. Other lookups are subqueries in the columns that need them, so that a
-- query pays only for the columns that it asks for. CAST gives a computed id the type by which rows are found. Times
-- are stored in the unit of the kind. No view sorts.
--
-- Evidence from another log of the same device is attached to the run that it is about (TraceStore, EvidenceAttachment).
-- Its steps belong to that run's app, and their kinds are only events; its own instances and runs are not shown. If it
-- shows that a launch failed which silence takes for one into the background, the steps of that launch get other kinds.

-- Log files and streams with their line accounting: lines = entry + continuation + other + rejected lines.
CREATE VIEW sources AS
SELECT
    s.source_id AS source_id,                    -- integer: id of the source
    s.path AS path,                              -- text: path as given
    (SELECT stream FROM raw_logs WHERE log_id = s.log) AS stream,  -- text: folder and file name stem; rotations of a log share it
    s.format AS format,                          -- text: layout with which the source was read
    s.device AS device,                          -- text: device, if the log or the user names one
    s.bytes AS bytes,                            -- integer: size of the file
    s.lines AS lines,                            -- integer: physical lines read
    s.entry_lines AS entry_lines,                -- integer: lines that start an entry
    s.continuation_lines AS continuation_lines,  -- integer: lines that continue an entry
    s.other_lines AS other_lines,                -- integer: headers, blank lines, copies of timed lines without their time, text outside entries
    s.rejected_lines AS rejected_lines,          -- integer: lines that could not be read, or only in part; each is in `rejects`
    (SELECT coalesce(sum(b.events), 0) FROM raw_blocks AS b WHERE b.source = s.source_id) AS events,  -- integer: recognised events
    s.first_ns AS first_ns,                      -- time: earliest entry
    s.last_ns AS last_ns,                        -- time: latest entry
    s.timezone AS timezone,                      -- text: zone assumed for times without one
    s.assumptions AS assumptions,                -- text: what was assumed about year, date and zone
    s.fingerprint AS fingerprint,                -- text: identifies the content, whatever its name
    iso8601(s.ingested_at) AS ingested_at,       -- text: when it was last read, ISO 8601 UTC
    iso8601(s.first_ns) AS first,                -- text: earliest entry, ISO 8601 UTC
    iso8601(s.last_ns) AS last                   -- text: latest entry, ISO 8601 UTC
FROM raw_sources AS s;

-- Lines that could not be read.
CREATE VIEW rejects AS
SELECT
    r.source AS source_id,        -- integer: source of the line
    (SELECT path FROM raw_sources WHERE source_id = r.source) AS path,  -- text: path of the source
    r.line AS line,               -- integer: line of the source, counted from 1
    r.byte_offset AS byte_offset, -- integer: offset of the line's first byte in the decompressed source; for damage in a binary log, offset in the file that `text` names
    r.reason AS reason,           -- text: why it could not be read
    r.text AS text                -- text: beginning of the line
FROM raw_rejects AS r;

-- Process lifetimes.
CREATE VIEW runs AS
SELECT
    r.run_id AS run_id,                  -- integer: id of the run
    r.device AS device,                  -- text: device, if the log or the user names one
    r.app AS app,                        -- text: process name
    r.pid AS pid,                        -- integer: process id
    r.profile AS profile,                -- text: rules that the run follows (ios12-, ios13+ …)
    coalesce(r.os_version, w.os_version) AS os_version,  -- text: version of the system, as a log or report gives it, otherwise as the user does (--os-version)
    r.started_ns AS started_ns,          -- time: launch, if a line shows it
    iso8601(r.started_ns) AS started,    -- text: the same, ISO 8601 UTC
    end_of(ended_ns) AS ended_ns,  -- time: end, if a line shows it, also one in another log
    iso8601(end_of(ended_ns)) AS ended,  -- text: the same, ISO 8601 UTC
    end_of(end_reason) AS end_reason,  -- text: terminated, killed_in_background, abnormal_in_foreground, launch_failure, watchdog, jetsam, crash or log_end
    end_of(end_evidence) AS end_evidence,  -- text: whether the end is observed or inferred
    r.source AS source_id,               -- integer: source in which the run begins
    coalesce(r.app_version, r.reported_version, w.reported_version) AS app_version,  -- text: version of the app, as given by the user (--app-version), otherwise as in a report
    last_seen_of(w) AS last_seen_ns,     -- time: last sign of life, in the log of the run or in the one that shows its end
    r.next_seen_ns AS next_seen_ns,      -- time: first sign of the run that follows
    r.run_key AS run_key,                -- text: the same whenever the same lines are ingested
    r.first_seen_ns AS first_seen_ns,    -- time: first sign of life
    iso8601(r.first_seen_ns) AS first_seen, -- text: the same, ISO 8601 UTC
    iso8601(last_seen_of(w)) AS last_seen,   -- text: last sign of life, ISO 8601 UTC
    iso8601(r.next_seen_ns) AS next_seen,   -- text: first sign of the run that follows, ISO 8601 UTC
    end_of(end_detail) AS end_detail,  -- text: code and explanation of the end, as printed
    r.launch_cause AS launch_cause       -- text: why the system launched it in the background, if a line says so
FROM raw_runs AS r LEFT JOIN raw_runs AS w ON w.run_id = r.witness
WHERE r.attached_run IS NULL;

-- Everything that has a state: the app of a run, a scene session, a view controller.
CREATE VIEW instances AS
SELECT
    i.instance_id AS instance_id,  -- integer: id of the instance
    i.run AS run_id,               -- integer: run that it belongs to
    i.layer AS layer,              -- text: app, scene, view, or the layer of a model of your own
    i.label AS instance,           -- text: label; if a label repeats, label#2, label#3 and so on
    i.model AS model,              -- text: documented model that it follows
    i.first_step AS first_event_id,  -- integer: first id of its events and transitions; all their ids are from this one to last_event_id
    i.last_step AS last_event_id,  -- integer: last id; only a silent end has an id outside this range, -instance_id
    (SELECT r.device FROM raw_runs AS r WHERE r.run_id = i.run) AS device,  -- text: device of the run
    (SELECT r.app FROM raw_runs AS r WHERE r.run_id = i.run) AS app,  -- text: process name
    (SELECT r.pid FROM raw_runs AS r WHERE r.run_id = i.run) AS pid  -- integer: process id
FROM raw_instances AS i
WHERE i.own_run IS NULL;

-- Recognised callbacks and evidence: only what log lines show, nothing inferred.
CREATE VIEW events AS
SELECT
    s.step_id AS event_id,          -- integer: id of the event; grows in the order of the log
    i.run AS run_id,                       -- integer: run of the event
    s.instance AS instance_id,      -- integer: instance of the event
    r.device AS device,                    -- text: device of the run
    r.app AS app,        -- text: process name
    r.pid AS pid,        -- integer: process id
    k.layer AS layer,               -- text: layer of the instance
    i.label AS instance,            -- text: label of the instance
    k.kind AS kind,                 -- text: callback, or origin of the evidence (runningboard, flutter …)
    k.callback AS callback,         -- text: canonical id of the callback; NULL for evidence
    k.proves AS proves,             -- text: what the evidence proves; NULL for a callback
    s.time * k.unit_ns AS time_ns,              -- time: time of the line
    iso8601(s.time * k.unit_ns) AS time,        -- text: the same, ISO 8601 UTC
    k.state_before AS state_before, -- text: state of the instance before the event; NULL for evidence from another log
    k.state_after AS state_after,   -- text: state after it
    k.verdict AS verdict,           -- text: documented or undocumented; NULL when nothing is judged
    path_of(s.step_id) AS source,   -- text: path of the log
    s.line AS line,                 -- integer: line of the log
    s.step_id AS seq,               -- integer: orders rows whose times are equal or NULL
    (SELECT text FROM raw_messages WHERE step = s.step_id) AS message,  -- text: message; NULL unless messages were kept
    s.kind AS kind_id               -- integer: row of `step_kinds`, which describes what such events have in common
FROM raw_steps AS s JOIN raw_kinds AS k ON k.kind_id = +s.kind
JOIN raw_instances AS i ON i.instance_id = s.instance LEFT JOIN raw_runs AS r ON r.run_id = i.run
WHERE k.is_event;

-- Visits of instances to states, covering each instance's life without gaps. There are none in not_running.
CREATE VIEW visits AS
SELECT
    CAST(coalesce(s.step_id - s.to_opener, -s.instance) AS INTEGER) AS visit_id,  -- integer: id of the event that began it; -instance_id if none did
    i.run AS run_id,                       -- integer: run of the visit
    s.instance AS instance_id,             -- integer: instance of the visit
    r.device AS device,                    -- text: device of the run
    r.app AS app,        -- text: process name
    r.pid AS pid,        -- integer: process id
    k.layer AS layer,                      -- text: layer of the instance
    i.label AS instance,                   -- text: label of the instance
    k.state_before AS state,               -- text: the state
    CAST(entered_of(s) AS INTEGER) AS entered_ns,  -- time: start; for a visit that may be older than the log, the first time at which a line shows it; NULL if none does
    CAST(iso8601(entered_of(s)) AS TEXT) AS entered,  -- text: the same, ISO 8601 UTC
    CAST(s.time * k.unit_ns AS INTEGER) AS left_ns,  -- time: end; NULL where the log of the run does not show it, even if another one does (runs.ended_ns)
    CAST(iso8601(s.time * k.unit_ns) AS TEXT) AS left,  -- text: the same, ISO 8601 UTC
    CAST(CASE WHEN k.is_timed THEN s.dwell * k.unit_ns END AS INTEGER) AS dwell_ns,  -- duration: how long it lasted; NULL unless both ends are known, and NULL if the clock went back or lines were lost during it
    CAST(CASE WHEN k.is_timed THEN s.dwell * k.unit_ns END / 1e9 AS REAL) AS dwell_s,  -- seconds: the same
    CAST((SELECT coalesce(o.callback, o.kind || ':' || o.proves) FROM raw_steps AS b JOIN raw_kinds AS o ON o.kind_id = b.kind WHERE b.step_id = s.step_id - s.to_opener) AS TEXT) AS entered_by,  -- text: callback or evidence that began it
    CAST(coalesce(k.callback, k.kind || ':' || k.proves) AS TEXT) AS left_by,  -- text: callback or evidence that ended it
    k.closed_evidence AS evidence,         -- text: observed or inferred, the weaker of the two ends
    k.closed_censoring AS censored,        -- text: which ends the log of the run does not show: left, right, both; empty when it shows both
    CAST(k.is_observed AND s.dwell IS NOT NULL AS INTEGER) AS complete,  -- integer: 1 when both ends are observed and the dwell time is known
    CAST(CASE WHEN NOT k.is_timed THEN s.dwell * k.unit_ns END AS INTEGER) AS at_least_ns,  -- duration: lower bound of a censored visit, by the log of the run
    path_of(coalesce(s.step_id - s.to_opener, s.step_id)) AS source,  -- text: path of the log
    begin_line_of(s) AS line,              -- integer: line that began it; for a visit that no line began, the line that ended it
    coalesce(s.step_id - s.to_opener, 0) AS seq,          -- integer: orders rows whose times are equal or NULL
    s.kind AS kind_id,                     -- integer: row of `step_kinds`, which describes what such visits have in common
    k.group_id AS group_id,                -- integer: stands for layer and state, because numbers are grouped and sorted faster than names
    coalesce(r.app_version, r.reported_version, (SELECT w.reported_version FROM raw_runs AS w WHERE w.run_id = r.witness)) AS app_version,  -- text: version of the app, as in `runs`
    s.step_id AS transition_id             -- integer: row of `transitions` that ended it; -instance_id if no line did
FROM raw_steps AS s JOIN raw_kinds AS k ON k.kind_id = +s.kind
JOIN raw_instances AS i ON i.instance_id = s.instance LEFT JOIN raw_runs AS r ON r.run_id = i.run
WHERE k.is_visit;

-- Changes from one state to another: the boundaries between visits, launches, and silent ends. The verdict of one that
-- skips documented states is undocumented; pictures and the report show it as documented in steps unless a finding is
-- about it.
CREATE VIEW transitions AS
SELECT
    s.step_id AS transition_id,            -- integer: id of the event that caused it; -instance_id for a silent end
    i.run AS run_id,                       -- integer: run of the transition
    s.instance AS instance_id,             -- integer: instance of the transition
    r.device AS device,                    -- text: device of the run
    r.app AS app,        -- text: process name
    r.pid AS pid,        -- integer: process id
    k.layer AS layer,                      -- text: layer of the instance
    i.label AS instance,                   -- text: label of the instance
    k.state_before AS from_state,          -- text: state before
    k.state_after AS to_state,             -- text: state after
    k.callback AS callback,                -- text: callback that caused it; NULL for evidence and silent ends
    s.time * k.unit_ns AS time_ns,                     -- time: when; NULL when no line shows it
    iso8601(s.time * k.unit_ns) AS time,               -- text: the same, ISO 8601 UTC
    CASE WHEN k.is_timed THEN s.dwell * k.unit_ns END AS dwell_ns,  -- duration: how long the visit before lasted; NULL as in `visits`
    CASE WHEN k.is_timed THEN s.dwell * k.unit_ns END / 1e9 AS dwell_s,  -- seconds: the same
    k.verdict AS verdict,                  -- text: documented or undocumented
    k.evidence AS evidence,                -- text: observed or inferred
    path_of(s.step_id) AS source,          -- text: path of the log
    s.line AS line,                        -- integer: line of the log
    CASE WHEN s.step_id > 0 THEN s.step_id ELSE coalesce(s.step_id - s.to_opener, 0) + 1 END AS seq,  -- integer: orders rows whose times are equal or NULL
    s.kind AS kind_id,                     -- integer: row of `step_kinds`, which describes what such transitions have in common
    (SELECT o.state_before FROM raw_steps AS b JOIN raw_kinds AS o ON o.kind_id = b.kind WHERE b.step_id = s.step_id - s.to_opener) AS came_from  -- text: state before from_state; NULL for the first of an instance
FROM raw_steps AS s JOIN raw_kinds AS k ON k.kind_id = +s.kind
JOIN raw_instances AS i ON i.instance_id = s.instance LEFT JOIN raw_runs AS r ON r.run_id = i.run
WHERE k.is_transition;

-- The values that rows of `events`, `visits` and `transitions` share: one row for each combination that occurs, and
-- another one where times are finer than milliseconds. To count
-- millions of rows quickly, group them by kind_id and join this view for the names.
CREATE VIEW step_kinds AS
SELECT
    k.kind_id AS kind_id,                -- integer: id of the combination
    k.layer AS layer,                    -- text: layer of the instances
    k.kind AS kind,                      -- text: callback, or origin of the evidence (runningboard, flutter …); tail for visits that nothing ended
    k.callback AS callback,              -- text: canonical id of the callback; NULL for evidence
    k.proves AS proves,                  -- text: what the evidence proves; NULL for a callback
    k.state_before AS from_state,        -- text: state before; for visits, their state
    k.state_after AS to_state,           -- text: state after
    k.verdict AS verdict,                -- text: documented or undocumented; NULL when nothing is judged
    k.evidence AS evidence,              -- text: whether the events and transitions are observed or inferred
    k.closed_evidence AS visit_evidence, -- text: whether the visits are observed or inferred, the weaker of the two ends
    k.closed_censoring AS censored,      -- text: which ends of the visits the log does not show: left, right, both; empty when it shows both
    k.is_observed AS complete,           -- integer: 1 when both ends of the visits are observed; visits without a dwell time are nevertheless not complete
    k.group_id AS group_id               -- integer: stands for layer and from_state; the same in all kinds that share them
FROM raw_kinds AS k;

-- Most suspensions and scenarios are in columns of steps, the others in tables of their own. Both are put together
-- before anything is looked up: a sum over such a view computes only the columns that it asks for. SQLite reads what
-- stands before a CROSS JOIN without storing it first.

-- Parts of background visits during which the process ran no code.
CREATE VIEW suspensions AS
SELECT
    CAST(coalesce(p.visit, -p.instance) AS INTEGER) AS visit_id,  -- integer: visit in which the process was suspended
    i.run AS run_id,                       -- integer: run of the visit
    p.instance AS instance_id,             -- integer: instance of the visit
    r.app AS app,                          -- text: process name
    r.pid AS pid,                          -- integer: process id
    CAST(p.from_ns AS INTEGER) AS from_ns, -- time: start
    CAST(p.until_ns AS INTEGER) AS until_ns,  -- time: end; NULL when the log does not show it
    p.until_ns - p.from_ns AS suspended_ns,  -- duration: how long; NULL without an end
    b.evidence AS evidence,                -- text: observed, or inferred from silence
    b.basis AS basis,                      -- text: what shows it, or why it is inferred
    b.leads_to AS to_state,                -- text: state after it: that of the visit if the process continued in it, otherwise the next one; NULL without an end
    r.device AS device,                    -- text: device of the run
    iso8601(p.from_ns) AS began,           -- text: start, ISO 8601 UTC
    iso8601(p.until_ns) AS ended           -- text: end, ISO 8601 UTC; NULL when the log does not show it
FROM (
    SELECT
        s.step_id - s.to_opener AS visit, s.instance AS instance, s.silence AS kind,
        (s.time - s.dwell) * k.unit_ns + b.after_ns AS from_ns, s.time * k.unit_ns AS until_ns
    FROM raw_steps AS s JOIN raw_suspension_kinds AS b ON b.kind_id = +s.silence
    JOIN raw_kinds AS k ON k.kind_id = +s.kind
    WHERE s.silence IS NOT NULL AND b.role = 'own'
    UNION ALL
    SELECT q.visit, q.instance, q.kind, q.from_ns, q.until_ns
    FROM raw_suspensions AS q JOIN raw_suspension_kinds AS b ON b.kind_id = +q.kind
    WHERE b.role <> 'hidden'
) AS p CROSS JOIN raw_suspension_kinds AS b ON b.kind_id = +p.kind
JOIN raw_instances AS i ON i.instance_id = p.instance LEFT JOIN raw_runs AS r ON r.run_id = i.run
WHERE i.own_run IS NULL;

-- Each column has the same affinity in all parts (hence the casts): only then does SQLite leave out the columns that a
-- query does not ask for.

-- The visits, with each background visit split by its suspensions. The pieces of a visit share its visit_id.
CREATE VIEW visits_estimated AS
-- Visits without a suspension, as they are.
SELECT * FROM visits AS v
WHERE NOT EXISTS (SELECT 1 FROM raw_steps AS q JOIN raw_suspension_kinds AS b ON b.kind_id = +q.silence
        WHERE q.step_id = v.transition_id AND b.role = 'own')
    AND NOT EXISTS (SELECT 1 FROM raw_suspensions AS p JOIN raw_suspension_kinds AS b ON b.kind_id = +p.kind
        WHERE p.visit = v.visit_id AND b.role <> 'hidden')
UNION ALL
-- Usual suspensions: the piece before, and the suspended rest of the visit.
SELECT
    v.visit_id, v.run_id, v.instance_id, v.device, v.app, v.pid, v.layer, v.instance, v.state, v.entered_ns,
    v.entered, CAST(v.entered_ns + b.after_ns AS INTEGER), CAST(iso8601(v.entered_ns + b.after_ns) AS TEXT), b.after_ns,
    CAST(b.after_ns / 1e9 AS REAL), v.entered_by, CAST(NULL AS TEXT), CAST('inferred' AS TEXT), CAST('' AS TEXT),
    CAST(0 AS INTEGER), CAST(NULL AS INTEGER), v.source, v.line, v.seq, v.kind_id, v.group_id, v.app_version,
    v.transition_id
FROM raw_steps AS q JOIN raw_suspension_kinds AS b ON b.kind_id = +q.silence
JOIN visits AS v ON v.transition_id = q.step_id
WHERE b.role = 'own' AND b.after_ns > 0
UNION ALL
SELECT
    v.visit_id, v.run_id, v.instance_id, v.device, v.app, v.pid, v.layer, v.instance, CAST('suspended' AS TEXT),
    CAST(v.entered_ns + b.after_ns AS INTEGER), CAST(iso8601(v.entered_ns + b.after_ns) AS TEXT), v.left_ns, v.left,
    CAST(v.left_ns - v.entered_ns - b.after_ns AS INTEGER),
    CAST((v.left_ns - v.entered_ns - b.after_ns) / 1e9 AS REAL), CAST(NULL AS TEXT), CAST(NULL AS TEXT), b.evidence,
    CAST('' AS TEXT), CAST(0 AS INTEGER), CAST(NULL AS INTEGER), v.source, v.line, v.seq, v.kind_id,
    CAST(NULL AS INTEGER), v.app_version, v.transition_id
FROM raw_steps AS q JOIN raw_suspension_kinds AS b ON b.kind_id = +q.silence
JOIN visits AS v ON v.transition_id = q.step_id
WHERE b.role = 'own'
UNION ALL
-- Other suspensions: the suspended pieces.
SELECT
    v.visit_id, v.run_id, v.instance_id, v.device, v.app, v.pid, v.layer, v.instance, CAST('suspended' AS TEXT),
    p.from_ns, CAST(iso8601(p.from_ns) AS TEXT), p.until_ns, CAST(iso8601(p.until_ns) AS TEXT),
    CAST(p.until_ns - p.from_ns AS INTEGER), CAST((p.until_ns - p.from_ns) / 1e9 AS REAL), CAST(NULL AS TEXT),
    CAST(NULL AS TEXT), b.evidence, CAST(CASE WHEN p.until_ns IS NULL THEN 'right' ELSE '' END AS TEXT),
    CAST(b.evidence = 'observed' AND p.until_ns IS NOT NULL AS INTEGER), CAST(NULL AS INTEGER), v.source, v.line,
    v.seq, v.kind_id, CAST(NULL AS INTEGER), v.app_version, v.transition_id
FROM visits AS v JOIN raw_suspensions AS p ON p.visit = v.visit_id
JOIN raw_suspension_kinds AS b ON b.kind_id = +p.kind
WHERE b.role <> 'hidden'
UNION ALL
-- The piece before each of them: from the end of the previous suspension, or from the start of the visit.
SELECT
    q.visit_id, q.run_id, q.instance_id, q.device, q.app, q.pid, q.layer, q.instance, q.state,
    CAST(q.begin_ns AS INTEGER), CAST(iso8601(q.begin_ns) AS TEXT), q.from_ns, CAST(iso8601(q.from_ns) AS TEXT),
    CAST(q.from_ns - q.begin_ns AS INTEGER), CAST((q.from_ns - q.begin_ns) / 1e9 AS REAL),
    CAST(CASE WHEN q.begin_ns = q.entered_ns THEN q.entered_by END AS TEXT), CAST(NULL AS TEXT),
    CAST('inferred' AS TEXT), CAST(CASE WHEN q.begin_ns IS NULL THEN 'left' ELSE '' END AS TEXT), CAST(0 AS INTEGER),
    CAST(NULL AS INTEGER), q.source, q.line, q.seq, q.kind_id, q.group_id, q.app_version, q.transition_id
FROM (
    SELECT
        v.*, p.from_ns,
        coalesce(
            (SELECT max(e.until_ns) FROM raw_suspensions AS e JOIN raw_suspension_kinds AS f ON f.kind_id = +e.kind
                WHERE e.visit = p.visit AND e.from_ns < p.from_ns AND f.role <> 'hidden'),
            v.entered_ns) AS begin_ns
    FROM visits AS v JOIN raw_suspensions AS p ON p.visit = v.visit_id
    JOIN raw_suspension_kinds AS b ON b.kind_id = +p.kind
    WHERE b.role <> 'hidden'
) AS q
WHERE q.begin_ns IS NULL OR q.begin_ns < q.from_ns
UNION ALL
-- The piece after the last of them, if that one ends before the visit does.
SELECT
    q.visit_id, q.run_id, q.instance_id, q.device, q.app, q.pid, q.layer, q.instance, q.state, q.begin_ns,
    CAST(iso8601(q.begin_ns) AS TEXT), q.left_ns, q.left, CAST(q.left_ns - q.begin_ns AS INTEGER),
    CAST((q.left_ns - q.begin_ns) / 1e9 AS REAL), CAST(NULL AS TEXT), q.left_by, CAST('inferred' AS TEXT),
    CAST(CASE WHEN q.left_ns IS NULL THEN 'right' ELSE '' END AS TEXT), CAST(0 AS INTEGER), CAST(NULL AS INTEGER),
    q.source, q.line, q.seq, q.kind_id, q.group_id, q.app_version, q.transition_id
FROM (
    SELECT v.*, p.until_ns AS begin_ns
    FROM visits AS v JOIN raw_suspensions AS p ON p.visit = v.visit_id
    WHERE p.suspension_id = (
        SELECT e.suspension_id FROM raw_suspensions AS e JOIN raw_suspension_kinds AS f ON f.kind_id = +e.kind
        WHERE e.visit = p.visit AND f.role <> 'hidden' ORDER BY e.from_ns DESC LIMIT 1)
) AS q
WHERE q.begin_ns IS NOT NULL AND (q.left_ns IS NULL OR q.begin_ns < q.left_ns);

-- Deviations from the documented models, with file and line. What a run's own log guesses about its end gives way to the
-- finding of the attached run that shows it, or else to the reason that that one gives. What is to be said of a run if it
-- ended where its log does is a finding only if an attached run shows that it did.
CREATE VIEW findings AS
SELECT
    f.finding_id AS finding_id,  -- integer: id of the finding
    f.run AS run_id,             -- integer: run of the finding
    f.instance AS instance_id,   -- integer: instance; NULL if the finding is about the run as a whole; what an attached run found names an instance of that one
    k.layer AS layer,            -- text: layer of the rule
    k.rule AS rule,              -- text: id of the rule
    k.severity AS severity,      -- text: info, warning or error
    f.time_ns AS time_ns,        -- time: time of the line
    iso8601(f.time_ns) AS time,  -- text: the same, ISO 8601 UTC
    replace(
        coalesce(f.message, CASE WHEN f.taken_ns IS NULL THEN k.message ELSE replace(k.message, '{taken}', duration_of(f.taken_ns)) END),
        coalesce(k.guess, ''), coalesce(CASE WHEN ends_by(w) THEN words_of(w) END, k.guess, '')) AS message,  -- text: what happened, in words
    (SELECT path FROM raw_sources WHERE source_id = f.source) AS source,  -- text: path of the log
    f.line AS line,              -- integer: line of the log
    k.deviation AS deviation,    -- text: class of the deviation
    f.repair AS repair,          -- text: the smallest change that would make the log conform
    f.limit_ns AS limit_ns,      -- duration: what an exceeded limit allows; NULL for other findings
    f.taken_ns AS taken_ns,      -- duration: the time taken; NULL for other findings, and when what was awaited never came
    f.taken_ns - f.limit_ns AS margin_ns,  -- duration: how far the limit was exceeded
    f.step AS event_id,          -- integer: event of the instance at that line; NULL when there is none
    r.device AS device,          -- text: device of the run
    r.app AS app,                -- text: process name
    r.pid AS pid,                -- integer: process id
    (SELECT i.label FROM raw_instances AS i WHERE i.instance_id = f.instance) AS instance  -- text: label of the instance
FROM raw_findings AS f JOIN raw_finding_kinds AS k ON k.kind_id = +f.kind
LEFT JOIN raw_runs AS r ON r.run_id = f.run LEFT JOIN raw_runs AS w ON w.run_id = r.witness
WHERE r.attached_run IS NULL AND (NOT k.awaits_end OR ends_by(w));

-- Documented sequences of callbacks that were found in runs.
CREATE VIEW scenarios AS
SELECT
    i.run AS run_id,                 -- integer: run of the scenario
    k.scenario AS scenario,          -- text: id of the scenario, or of the first member of its class if only the class is known
    k.class AS class,                -- text: class of scenarios that callbacks cannot distinguish; NULL when unambiguous
    CAST(c.time * j.unit_ns AS INTEGER) AS started_ns,  -- time: first event
    CAST(coalesce(c.ended_ns, time_of(c.last_step)) AS INTEGER) AS ended_ns,  -- time: last event
    c.first_step AS first_event_id,  -- integer: first event
    c.last_step AS last_event_id,    -- integer: last event
    c.scenario AS kind_id,           -- integer: row of `scenario_kinds`, which has scenario and class
    iso8601(c.time * j.unit_ns) AS started,  -- text: first event, ISO 8601 UTC
    iso8601(coalesce(c.ended_ns, time_of(c.last_step))) AS ended,  -- text: last event, ISO 8601 UTC
    r.device AS device,              -- text: device of the run
    r.app AS app,                    -- text: process name
    r.pid AS pid,                    -- integer: process id
    k.members AS members             -- text: members of the class, separated by commas; it may be any of them; NULL when unambiguous
FROM (
    SELECT
        s.step_id AS first_step, s.step_id + s.to_last AS last_step, s.scenario AS scenario, NULL AS ended_ns,
        s.time AS time, s.kind AS kind, s.instance AS instance
    FROM raw_steps AS s
    WHERE s.scenario IS NOT NULL
    UNION ALL
    SELECT l.first_step, l.first_step + l.to_last, l.kind, l.ended_ns, s.time, s.kind, s.instance
    FROM raw_scenarios AS l JOIN raw_steps AS s ON s.step_id = l.first_step
) AS c CROSS JOIN raw_scenario_kinds AS k ON k.kind_id = +c.scenario JOIN raw_kinds AS j ON j.kind_id = +c.kind
JOIN raw_instances AS i ON i.instance_id = c.instance LEFT JOIN raw_runs AS r ON r.run_id = i.run
WHERE j.attached_of IS NULL;

-- The scenarios and classes that occur, one row each. To count millions of scenarios quickly, group them by kind_id.
CREATE VIEW scenario_kinds AS
SELECT
    k.kind_id AS kind_id,    -- integer: stands for scenario and class
    k.scenario AS scenario,  -- text: id of the scenario, or of the first member of its class if only the class is known
    k.class AS class,        -- text: class of scenarios that callbacks cannot distinguish; NULL when unambiguous
    k.members AS members     -- text: members of the class, separated by commas; it may be any of them; NULL when unambiguous
FROM raw_scenario_kinds AS k;

-- States of the documented models.
CREATE VIEW documented_states AS
SELECT
    d.model AS model,      -- text: id of the model
    d.layer AS layer,      -- text: layer that it describes
    d.state AS state,      -- text: id of the state
    d.title AS title,      -- text: name of the state
    d.initial AS initial,  -- integer: 1 for the state in which an instance begins
    d.final AS final       -- integer: 1 for a state in which an instance ends
FROM raw_documented_states AS d;

-- Transitions of the documented models: one row for each pair of states.
CREATE VIEW documented_transitions AS
SELECT
    d.model AS model,            -- text: id of the model
    d.layer AS layer,            -- text: layer that it describes
    d.from_state AS from_state,  -- text: state before
    d.to_state AS to_state,      -- text: state after
    d.callbacks AS callbacks,    -- text: callbacks that go with it, separated by commas
    d.silent AS silent,          -- integer: 1 when it can happen without a callback
    d.citation AS citation       -- text: its transitions in the model, and where each is documented
FROM raw_documented_transitions AS d;

-- Daily figures of an app from MetricKit payloads.
CREATE VIEW daily_totals AS
SELECT
    t.app_version AS app_version,      -- text: version of the app
    substr(iso8601(t.from_ns), 1, 10) AS day,  -- text: day on which the span begins
    t.metric AS metric,                -- text: name of the figure in the payload; counts of exits begin with foregroundExitData. or backgroundExitData.
    t.value AS value,                  -- real: seconds for times, a plain number for counts
    t.unit AS unit,                    -- text: s or count
    t.from_ns AS from_ns,              -- time: start of the span
    t.until_ns AS until_ns,            -- time: end of the span
    (SELECT path FROM raw_sources WHERE source_id = t.source) AS source,  -- text: path of the payload
    t.line AS line,                    -- integer: line of the payload
    t.app AS app,                      -- text: the app, from the bundle that the payload names or from the process that wrote it; NULL if neither is known
    iso8601(t.from_ns) AS began,       -- text: start of the span, ISO 8601 UTC
    iso8601(t.until_ns) AS ended       -- text: end of the span, ISO 8601 UTC
FROM raw_daily_totals AS t;

-- The answer of `dwell_times` without restrictions, kept up to date by every ingest; empty while it is out of date.
CREATE VIEW dwell_summary AS
SELECT
    d.layer AS layer,          -- text: layer of the instances
    d.state AS state,          -- text: the state
    d.visits AS visits,        -- integer: visits to the state
    d.complete AS complete,    -- integer: visits whose start and end were observed and whose dwell time is known
    d.censored AS censored,    -- integer: visits whose start or end the log does not show
    d.total_ns AS total_ns,    -- duration: sum of the complete visits
    d.mean_ns AS mean_ns,      -- duration: their mean
    d.min_ns AS min_ns,        -- duration: the shortest
    d.p50_ns AS p50_ns,        -- duration: the median, R type 7
    d.p90_ns AS p90_ns,        -- duration: the 90th percentile
    d.p99_ns AS p99_ns,        -- duration: the 99th percentile
    d.max_ns AS max_ns         -- duration: the longest
FROM raw_dwell_answers AS d
WHERE (SELECT is_current FROM raw_answers_state);

-- The answer of `transition_counts` without restrictions, kept up to date by every ingest; empty while it is out of date.
CREATE VIEW transition_summary AS
SELECT
    t.layer AS layer,                -- text: layer of the instances
    t.from_state AS from_state,      -- text: state before
    t.to_state AS to_state,          -- text: state after
    t.callback AS callback,          -- text: callback that caused it; NULL for evidence and silent ends
    t.verdict AS verdict,            -- text: documented or undocumented
    t.evidence AS evidence,          -- text: observed or inferred
    t.count AS count,                -- integer: how often
    t.p50_dwell_ns AS p50_dwell_ns   -- duration: median dwell time of the visit before, R type 7
FROM raw_transition_answers AS t
WHERE (SELECT is_current FROM raw_answers_state);

-- How often each callback comes directly after each other callback of the same instance: the answer of
-- `directly_follows` without restrictions, kept up to date by every ingest.
CREATE VIEW follow_summary AS
SELECT
    k.layer AS layer,              -- text: layer of the instances
    p.callback AS callback,        -- text: the callback; NULL before the first of an instance
    k.callback AS next_callback,   -- text: the callback directly after it
    sum(f.count) AS count          -- integer: how often
FROM raw_follows AS f JOIN raw_kinds AS k ON k.kind_id = f.next LEFT JOIN raw_kinds AS p ON p.kind_id = f.previous
GROUP BY k.layer, p.callback, k.callback;
