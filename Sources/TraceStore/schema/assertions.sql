-- What is true of every database. Each assertion has the name of a check, what it proves, and a query for the rows in
-- which it fails; a sound database has none. `lifestats verify` runs them in order.
--
-- One pass over all steps finds the few that are not plainly sound, and counts the others: StepSurvey. $steps is a list of
-- the doubtful ones, $events has block and number of events, $kinds has kind, steps, dwells, their sum, least and most.

-- references: Every row that another row names exists.
SELECT f."table" || ' row ' || coalesce(f.rowid, '') || ' refers to a missing ' || f.parent
FROM sqlite_schema AS t CROSS JOIN pragma_foreign_key_check(t.name) AS f WHERE t.type = 'table' AND t.name <> 'raw_steps';

-- references: Every step has a kind and an instance, and thus a run; every block belongs to a log and to a source of that log.
SELECT 'step ' || s.step_id || ' has no kind or no instance'
FROM json_each($steps) AS q CROSS JOIN raw_steps AS s ON s.step_id = q.value
LEFT JOIN raw_kinds AS k ON k.kind_id = s.kind LEFT JOIN raw_instances AS i ON i.instance_id = s.instance
WHERE k.kind_id IS NULL OR i.instance_id IS NULL
    OR s.silence IS NOT NULL AND s.silence NOT IN (SELECT kind_id FROM raw_suspension_kinds)
    OR s.scenario IS NOT NULL AND s.scenario NOT IN (SELECT kind_id FROM raw_scenario_kinds)
UNION ALL
SELECT 'block ' || b.block_id || ' belongs to another log than its source' FROM raw_blocks AS b
JOIN raw_sources AS s ON s.source_id = b.source WHERE s.log <> b.log;

-- references: Every derived row has an id from a block.
SELECT 'step ' || value || ' is in no block' FROM json_each($steps)
WHERE value > 0 AND value >> 16 NOT IN (SELECT block_id FROM raw_blocks)
UNION ALL
SELECT 'run ' || run_id || ' is in no block' FROM raw_runs WHERE run_id >> 16 NOT IN (SELECT block_id FROM raw_blocks)
UNION ALL
SELECT 'instance ' || instance_id || ' is in no block' FROM raw_instances
WHERE instance_id >> 16 NOT IN (SELECT block_id FROM raw_blocks)
UNION ALL
SELECT 'finding ' || finding_id || ' is in no block' FROM raw_findings
WHERE finding_id >> 16 NOT IN (SELECT block_id FROM raw_blocks);

-- references: Every scenario begins and ends with a step, and every message belongs to a step.
SELECT 'scenario ' || s.step_id || ' ends with a step that does not exist'
FROM json_each($steps) AS q CROSS JOIN raw_steps AS s ON s.step_id = q.value
WHERE s.scenario IS NOT NULL AND NOT EXISTS (SELECT 1 FROM raw_steps AS e WHERE e.step_id = s.step_id + s.to_last)
UNION ALL
SELECT 'scenario ' || c.first_step || ' begins or ends with a step that does not exist' FROM raw_scenarios AS c
LEFT JOIN raw_steps AS a ON a.step_id = c.first_step LEFT JOIN raw_steps AS b ON b.step_id = c.first_step + c.to_last
LEFT JOIN raw_scenario_kinds AS k ON k.kind_id = c.kind
WHERE a.step_id IS NULL OR b.step_id IS NULL OR k.kind_id IS NULL
UNION ALL
SELECT 'the message of step ' || m.step || ' belongs to no step' FROM raw_messages AS m
WHERE m.step NOT IN (SELECT step_id FROM raw_steps);

-- lines: Every line of a source is accounted for exactly once.
SELECT path || ': ' || lines || ' lines, but ' || (entry_lines + continuation_lines + other_lines + rejected_lines)
    || ' accounted for'
FROM raw_sources WHERE lines <> entry_lines + continuation_lines + other_lines + rejected_lines;

-- lines: Every rejected line is stored.
SELECT s.path || ': ' || s.rejected_lines || ' rejected lines, but ' || count(r.line) || ' rejects'
FROM raw_sources AS s LEFT JOIN raw_rejects AS r ON r.source = s.source_id
GROUP BY s.source_id HAVING s.rejected_lines <> count(r.line);

-- lines: No count or size of a source is impossible.
SELECT path || ': a count or size that no file can have' FROM raw_sources
WHERE min(bytes, byte_offset, lines, entry_lines, continuation_lines, other_lines, rejected_lines) < 0;

-- lines: The line of every step is a line of its source.
SELECT 'step ' || s.step_id || ' is of line ' || coalesce(s.line, 'NULL') || ', which its source does not have'
FROM json_each($steps) AS q CROSS JOIN raw_steps AS s ON s.step_id = q.value
JOIN raw_blocks AS b ON b.block_id = s.step_id >> 16 JOIN raw_sources AS c ON c.source_id = b.source
WHERE s.line IS NULL OR s.line < 1 OR s.line > c.lines;

-- facts: Every batch of facts has facts and a line.
SELECT 'batch ' || facts_id || ' of facts is empty or has no line' FROM raw_facts
WHERE count < 1 OR first_line < 1 OR length(facts) < 1;

-- numbers: Process ids have 32 bits.
SELECT 'raw_runs has the pid ' || pid || ', which no process can have' FROM raw_runs
WHERE pid NOT BETWEEN -2147483648 AND 2147483647;

-- events: The number of events in a block is the one that was stored when the block was written.
WITH found AS MATERIALIZED (
    SELECT json_extract(e.value, '$[0]') AS block, json_extract(e.value, '$[1]') AS n FROM json_each($events) AS e
)
SELECT 'the blocks of source ' || b.source || ' have ' || coalesce(sum(f.n), 0) || ' events, but ' || sum(b.events) || ' were counted'
FROM raw_blocks AS b LEFT JOIN found AS f ON f.block = b.block_id
GROUP BY b.source HAVING sum(b.events) <> coalesce(sum(f.n), 0);

-- borders: A visit is in the state to which the step that began it led, and that step belongs to the same instance.
SELECT 'the visit that ' || s.step_id || ' ends is in ' || coalesce(k.state_before, 'no state') || ', not in '
    || coalesce(a.state_after, 'no state')
FROM json_each($steps) AS q CROSS JOIN raw_steps AS s ON s.step_id = q.value
JOIN raw_kinds AS k ON k.kind_id = +s.kind JOIN raw_steps AS o ON o.step_id = s.step_id - s.to_opener
JOIN raw_kinds AS a ON a.kind_id = +o.kind
WHERE k.is_visit AND (a.state_after IS NOT NULL AND a.state_after IS NOT k.state_before
    OR s.instance <> o.instance);

-- tiling: The step that began a visit exists, and the visit lasts from it to its end, unless the clock went back.
SELECT 'the visit that ' || s.step_id || ' ends begins with ' || (s.step_id - s.to_opener) || ', which does not exist'
FROM json_each($steps) AS q CROSS JOIN raw_steps AS s ON s.step_id = q.value
LEFT JOIN raw_steps AS o ON o.step_id = s.step_id - s.to_opener
WHERE s.to_opener IS NOT NULL AND o.step_id IS NULL
UNION ALL
SELECT 'the visit that ' || s.step_id || ' ends lasts ' || s.dwell * k.unit_ns || ' ns, not '
    || coalesce(s.time * k.unit_ns - o.time * a.unit_ns, 'NULL')
FROM json_each($steps) AS q CROSS JOIN raw_steps AS s ON s.step_id = q.value
JOIN raw_kinds AS k ON k.kind_id = +s.kind JOIN raw_steps AS o ON o.step_id = s.step_id - s.to_opener
JOIN raw_kinds AS a ON a.kind_id = +o.kind
WHERE k.is_visit AND k.is_timed AND s.dwell IS NOT NULL
    AND s.dwell * k.unit_ns IS NOT s.time * k.unit_ns - o.time * a.unit_ns;

-- tiling: Every step that leads to another state begins one visit, unless that state is final, and no visit is begun twice.
SELECT 'the visit that began with ' || e.step_id || ' has no end and is not open'
FROM (
    SELECT i.instance_id, i.model, (
            SELECT s.step_id FROM raw_steps AS s JOIN raw_kinds AS k ON k.kind_id = s.kind
            WHERE s.step_id BETWEEN i.first_step AND i.last_step AND s.instance = i.instance_id
                AND k.state_after IS NOT k.state_before AND k.attached_of IS NULL
            ORDER BY s.step_id DESC LIMIT 1
        ) AS step_id
    FROM raw_instances AS i
    WHERE i.own_run IS NULL AND i.model IN (SELECT model FROM raw_documented_states)
        AND NOT EXISTS (SELECT 1 FROM raw_steps AS t WHERE t.step_id = -i.instance_id)
) AS e JOIN raw_steps AS s ON s.step_id = e.step_id JOIN raw_kinds AS k ON k.kind_id = s.kind
WHERE k.state_after NOT IN ('not_running', 'unknown') AND (e.model, k.state_after) NOT IN (
    SELECT d.model, d.state FROM raw_documented_states AS d WHERE d.final);

-- marking: A visit that no step began is marked as cut on the left.
SELECT 'the visit that ' || s.step_id || ' ends has no start, but is not marked as cut'
FROM json_each($steps) AS q CROSS JOIN raw_steps AS s ON s.step_id = q.value
JOIN raw_kinds AS k ON k.kind_id = +s.kind
WHERE k.is_visit AND s.to_opener IS NULL AND k.closed_censoring NOT IN ('left', 'both');

-- marking: Nothing inferred is marked as observed; an inferred end of a run has no time. The word "foreground" shows that
-- the visit before is over; only which state came next is inferred.
SELECT 'kind ' || kind_id || ' is inferred, but the visit that it ends is marked as observed' FROM raw_kinds
WHERE is_visit AND role <> 'tail' AND proves IS NOT 'foreground' AND evidence = 'inferred' AND closed_evidence = 'observed'
UNION ALL
SELECT 'kind ' || kind_id || ' is a silent end, but is marked as observed' FROM raw_kinds
WHERE role = 'tail' AND state_after IS NOT NULL AND evidence = 'observed'
UNION ALL
SELECT 'run ' || run_id || ' has a time of its end, although that is only inferred' FROM raw_runs
WHERE end_evidence = 'inferred' AND ended_ns IS NOT NULL;

-- kinds: The stored flags of a kind follow from its other columns.
SELECT 'the flags of kind ' || kind_id || ' are not those that follow from its other columns' FROM raw_kinds AS k
WHERE role NOT IN ('event', 'derived', 'tail') OR is_event <> (role = 'event')
    OR is_timed <> (closed_censoring = '') OR is_observed <> (closed_censoring = '' AND closed_evidence = 'observed')
    OR is_visit <> (state_before IS NOT NULL AND (role = 'tail'
        OR state_before NOT IN ('not_running', 'unknown') AND state_before IS NOT state_after))
    OR is_transition <> CASE WHEN role = 'tail' THEN state_after IS NOT NULL ELSE
        coalesce(state_before <> state_after AND state_before <> 'unknown', 0) END
    OR group_id <> (SELECT min(g.kind_id) FROM raw_kinds AS g WHERE g.layer = k.layer AND g.state_before IS k.state_before)
    OR callback_id IS NOT (SELECT min(c.kind_id) FROM raw_kinds AS c
        WHERE c.layer = k.layer AND c.callback = k.callback AND c.role = 'event' AND k.role = 'event');

-- suspensions: A suspension belongs to an existing visit of its instance, and does not begin before that visit.
SELECT 'a suspension belongs to visit ' || p.visit || ', which does not exist or begins later' FROM raw_suspensions AS p
LEFT JOIN raw_steps AS o ON o.step_id = p.visit LEFT JOIN raw_kinds AS k ON k.kind_id = o.kind
LEFT JOIN raw_attached_steps AS a ON a.step_id = p.visit
WHERE p.visit > 0 AND (o.step_id IS NULL OR coalesce(a.instance, o.instance) <> p.instance OR p.from_ns < o.time * k.unit_ns)
    OR p.visit <= 0 AND p.visit <> -p.instance OR p.until_ns < p.from_ns
UNION ALL
SELECT 'the suspension that step ' || s.step_id || ' ends is not one of a visit'
FROM json_each($steps) AS q CROSS JOIN raw_steps AS s ON s.step_id = q.value
LEFT JOIN raw_attached_steps AS a ON a.step_id = s.step_id
LEFT JOIN raw_kinds AS k ON k.kind_id = coalesce(a.kind, s.kind)
LEFT JOIN raw_suspension_kinds AS b ON b.kind_id = s.silence
WHERE s.silence IS NOT NULL AND (s.to_opener IS NULL OR s.dwell IS NULL OR k.is_visit IS NOT 1 OR b.after_ns IS NULL
    OR b.after_ns > s.dwell * k.unit_ns);

-- evidence: An attached run has the device of the run that it is evidence about, or none, and its instances belong to that run.
SELECT 'run ' || e.run_id || ' is attached to a run that does not exist, or of another device' FROM raw_runs AS e
LEFT JOIN raw_runs AS r ON r.run_id = e.attached_run
WHERE e.attached_run IS NOT NULL AND (r.run_id IS NULL OR e.device <> r.device OR e.device IS NOT NULL AND r.device IS NULL
    OR r.attached_run IS NOT NULL)
UNION ALL
SELECT 'instance ' || i.instance_id || ' is not attached as its run is' FROM raw_instances AS i
JOIN raw_runs AS e ON e.run_id = coalesce(i.own_run, i.run)
WHERE (i.own_run IS NULL) <> (e.attached_run IS NULL) OR i.own_run IS NOT NULL AND i.run <> e.attached_run;

-- answers: The kept answers equal those computed from visits and transitions; each callback follows others as often as it occurs.
WITH counted AS MATERIALIZED (
    SELECT json_extract(c.value, '$[0]') AS kind, json_extract(c.value, '$[1]') AS n, json_extract(c.value, '$[2]') AS timed,
        json_extract(c.value, '$[3]') AS total_ns, json_extract(c.value, '$[4]') AS min_ns, json_extract(c.value, '$[5]') AS max_ns
    FROM json_each($kinds) AS c
),
visits AS (
    SELECT k.layer, k.state_before AS state, sum(c.n) AS visits, sum(CASE WHEN k.is_observed THEN c.timed ELSE 0 END) AS complete,
        sum(CASE WHEN k.is_timed THEN 0 ELSE c.n END) AS censored,
        sum(CASE WHEN k.is_observed THEN c.total_ns END) AS total_ns,
        min(CASE WHEN k.is_observed THEN c.min_ns END) AS min_ns, max(CASE WHEN k.is_observed THEN c.max_ns END) AS max_ns
    FROM counted AS c JOIN raw_kinds AS k ON k.kind_id = c.kind WHERE k.is_visit GROUP BY k.layer, k.state_before
),
transitions AS (
    SELECT k.layer, k.state_before, k.state_after, k.callback, k.verdict, k.evidence, sum(c.n) AS n
    FROM counted AS c JOIN raw_kinds AS k ON k.kind_id = c.kind WHERE k.is_transition
    GROUP BY k.layer, k.state_before, k.state_after, k.callback, k.verdict, k.evidence
),
callbacks AS (
    SELECT k.callback_id AS next, sum(c.n) AS n FROM counted AS c JOIN raw_kinds AS k ON k.kind_id = c.kind
    WHERE k.callback_id IS NOT NULL GROUP BY k.callback_id
)
SELECT 'the dwells of ' || coalesce(v.layer, d.layer) || ' ' || coalesce(v.state, d.state) || ' are not those that are kept'
FROM visits AS v FULL JOIN raw_dwell_answers AS d ON d.layer = v.layer AND d.state = v.state
WHERE (SELECT is_current FROM raw_answers_state) AND (v.visits IS NOT d.visits OR v.complete IS NOT d.complete
    OR v.censored IS NOT d.censored OR coalesce(abs(v.total_ns - d.total_ns) > d.total_ns * 1e-12, v.total_ns IS NOT d.total_ns) OR v.min_ns IS NOT d.min_ns
    OR v.max_ns IS NOT d.max_ns)
UNION ALL
SELECT 'the transitions of ' || coalesce(v.layer, t.layer) || ' to ' || coalesce(v.state_after, t.to_state, 'no state')
    || ' are not those that are kept'
FROM transitions AS v FULL JOIN raw_transition_answers AS t ON t.layer = v.layer AND t.from_state IS v.state_before
    AND t.to_state IS v.state_after AND t.callback IS v.callback AND t.verdict IS v.verdict AND t.evidence = v.evidence
WHERE (SELECT is_current FROM raw_answers_state) AND v.n IS NOT t.count
UNION ALL
SELECT 'callback ' || coalesce(v.next, f.next) || ' occurs ' || coalesce(v.n, 0) || ' times, but follows others '
    || coalesce(f.n, 0) || ' times'
FROM callbacks AS v FULL JOIN (SELECT next, sum(count) AS n FROM raw_follows GROUP BY next) AS f ON f.next = v.next
WHERE v.n IS NOT f.n;
