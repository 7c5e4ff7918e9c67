-- The physical tables. They may change with any version; users rely on the views in views.sql.
--
-- Row ids come in blocks of 65,536 (`id >> 16` is the block), and a block belongs to one log and one source. So the rows
-- of a log are a few ranges of ids, and a row needs no column for its source. What follows from other columns is not
-- stored; otherwise a log with one callback per line would give a database as large as itself.
--
-- In tables without a rowid, the columns of the primary key come first: in any other order, the integrity check of
-- SQLite before 3.41 reports NULL values.

-- Sources that belong together in one order: a stream with its rotations. Rows are derived log by log.
CREATE TABLE raw_logs (
    log_id INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    state BLOB  -- state of the replay, to continue from; NULL when the log is derived again instead
) STRICT;
CREATE INDEX raw_logs_by_stream ON raw_logs (stream);

-- One log file or stream, and where reading continues.
CREATE TABLE raw_sources (
    source_id INTEGER PRIMARY KEY,
    log INTEGER NOT NULL REFERENCES raw_logs,
    path TEXT NOT NULL,
    ordinal INTEGER NOT NULL,      -- position in the log: a smaller number is older
    format TEXT,
    device TEXT,
    app_version TEXT,              -- as given at its first ingest
    bytes INTEGER NOT NULL,
    byte_offset INTEGER NOT NULL,  -- how many of the decompressed bytes are accounted for
    lines INTEGER NOT NULL,
    entry_lines INTEGER NOT NULL,
    continuation_lines INTEGER NOT NULL,
    other_lines INTEGER NOT NULL,
    rejected_lines INTEGER NOT NULL,
    first_ns INTEGER,
    last_ns INTEGER,
    timezone TEXT,
    assumptions TEXT,
    fingerprint TEXT NOT NULL,     -- length, hash of the head, hash of everything
    ingested_at INTEGER,           -- nanoseconds since 1970 UTC
    resume TEXT                    -- what reading needs to continue; only the pipeline reads it
) STRICT;
CREATE INDEX raw_sources_by_log ON raw_sources (log);

-- What the lines of a source state, up to 4,096 facts per row, encoded by FactCodec.
CREATE TABLE raw_facts (
    facts_id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES raw_sources,
    first_line INTEGER NOT NULL,
    is_provisional INTEGER NOT NULL,  -- facts of the last entry, which the next line may continue
    count INTEGER NOT NULL,
    facts BLOB NOT NULL
) STRICT;
CREATE INDEX raw_facts_by_source ON raw_facts (source, is_provisional, first_line);

-- The blocks from which derived rows take their ids.
CREATE TABLE raw_blocks (
    block_id INTEGER PRIMARY KEY,
    log INTEGER NOT NULL REFERENCES raw_logs,
    source INTEGER NOT NULL REFERENCES raw_sources,
    is_provisional INTEGER NOT NULL,  -- rows that follow from the log ending here
    events INTEGER NOT NULL           -- how many of the steps written with this block are events
) STRICT;
CREATE INDEX raw_blocks_by_log ON raw_blocks (log);
CREATE INDEX raw_blocks_by_source ON raw_blocks (source);

CREATE TABLE raw_settings (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE raw_rejects (
    source INTEGER NOT NULL REFERENCES raw_sources,
    byte_offset INTEGER NOT NULL,
    line INTEGER NOT NULL,
    is_provisional INTEGER NOT NULL,
    reason TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (source, byte_offset, line)
) STRICT, WITHOUT ROWID;

CREATE TABLE raw_runs (
    run_id INTEGER PRIMARY KEY,
    device TEXT,
    app TEXT,
    pid INTEGER,
    profile TEXT NOT NULL,
    os_version TEXT,
    app_version TEXT,
    started_ns INTEGER,
    ended_ns INTEGER,
    end_reason TEXT NOT NULL,
    end_evidence TEXT NOT NULL,
    first_seen_ns INTEGER,
    last_seen_ns INTEGER,
    next_seen_ns INTEGER,
    run_key TEXT NOT NULL,
    source INTEGER NOT NULL REFERENCES raw_sources,
    has_callbacks INTEGER NOT NULL,  -- and a process id, so that other logs of the device can be evidence about it
    bundle TEXT,                     -- bundle identifier, where a line names the process by it
    reported_version TEXT,           -- of the app, as in a report; app_version is what the user gave
    end_detail TEXT,
    silent_reason TEXT,              -- how it ended by its last state alone, where no line of its log says more
    launch_cause TEXT,
    attached_run INTEGER,            -- for evidence about a run of another log: that run
    witness INTEGER                  -- the attached run from which this one takes its end and versions
) STRICT;
CREATE INDEX raw_runs_by_device ON raw_runs (device, pid) WHERE device IS NOT NULL;

-- first_step and last_step bound the ids of the instance's steps, so that these are found without an index.
CREATE TABLE raw_instances (
    instance_id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES raw_runs,
    layer TEXT NOT NULL,
    model TEXT NOT NULL,
    label TEXT NOT NULL,
    first_step INTEGER,
    last_step INTEGER,
    printed_label TEXT,              -- as the log prints it; NULL when that is the label
    own_run INTEGER                  -- its own run, when it is attached as evidence to a run of another log, which is then `run`
) STRICT;
CREATE INDEX raw_instances_by_run ON raw_instances (run);

-- The part of a step that repeats. The role `tail` is a visit that no event ended.
CREATE TABLE raw_kinds (
    kind_id INTEGER PRIMARY KEY,
    role TEXT NOT NULL,
    model TEXT NOT NULL,
    layer TEXT NOT NULL,
    kind TEXT NOT NULL,
    callback TEXT,
    proves TEXT,
    state_before TEXT,
    state_after TEXT,
    verdict TEXT,
    evidence TEXT NOT NULL,
    closed_evidence TEXT NOT NULL,
    closed_censoring TEXT NOT NULL,
    is_event INTEGER NOT NULL,
    is_visit INTEGER NOT NULL,       -- the step ends a visit
    is_transition INTEGER NOT NULL,  -- the step changes the state
    is_timed INTEGER NOT NULL,       -- the log shows both ends of the visit
    is_observed INTEGER NOT NULL,    -- and both are observed
    group_id INTEGER NOT NULL,       -- the first kind with this layer and state_before
    callback_id INTEGER,             -- for a callback, the first kind with this layer and callback
    attached_of INTEGER,             -- the same kind where nothing is attached
    unit_ns INTEGER NOT NULL         -- unit of the times of such steps: 1000000 if all of them are whole milliseconds, else 1
) STRICT;

-- One event, the transition that it causes and the visit that it ends, in one narrow row. The row of the visit that is
-- still open at an instance's end has the id -instance. The opener is stored as a distance, because it is mostly the step
-- before, which takes no byte. Columns that few steps use come last, because a record ends with its last value.
CREATE TABLE raw_steps (
    step_id INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL REFERENCES raw_kinds,
    dwell INTEGER,                      -- of the visit that ended, or its lower bound if it is censored; in units of the kind
    time INTEGER,                       -- since 1970 UTC, in units of the kind: with milliseconds both take five bytes less
    instance INTEGER NOT NULL REFERENCES raw_instances,
    to_opener INTEGER,                  -- step_id - id of the step that began the ended visit
    line INTEGER,
    -- The scenario that begins with the step. If several do, only the longest is stored.
    scenario INTEGER REFERENCES raw_scenario_kinds,
    to_last INTEGER,                    -- its last step - step_id
    -- The usual suspension, which lasts until the end of the ended visit. The kind gives how long after the start of the
    -- visit it begins.
    silence INTEGER REFERENCES raw_suspension_kinds
);

-- Steps that are attached to a run of another log as evidence, or that such evidence changes: their own kind and instance.
CREATE TABLE raw_attached_steps (
    step_id INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    instance INTEGER NOT NULL
) STRICT;

CREATE TABLE raw_suspension_kinds (
    kind_id INTEGER PRIMARY KEY,
    evidence TEXT NOT NULL,
    basis TEXT NOT NULL,
    leads_to TEXT,
    after_ns INTEGER,                -- of the silences of steps: how long after the visit began
    role TEXT NOT NULL,              -- own; hidden: evidence of another log shows that the process ran; rest: what is left of a hidden one
    hidden_of INTEGER                -- of a hidden one: the kind that it had
) STRICT;

-- The suspensions that are not silences of steps.
CREATE TABLE raw_suspensions (
    suspension_id INTEGER PRIMARY KEY,
    visit INTEGER NOT NULL,          -- id of the step that began it; -instance when none did
    instance INTEGER NOT NULL REFERENCES raw_instances,
    from_ns INTEGER NOT NULL,
    until_ns INTEGER,
    kind INTEGER NOT NULL REFERENCES raw_suspension_kinds
) STRICT;
CREATE INDEX raw_suspensions_by_visit ON raw_suspensions (visit);

CREATE TABLE raw_finding_kinds (
    kind_id INTEGER PRIMARY KEY,
    layer TEXT NOT NULL,
    rule TEXT NOT NULL,
    deviation TEXT NOT NULL,
    severity TEXT NOT NULL,
    message TEXT,                    -- of findings with the same words; {taken} stands for the time that was taken
    guess TEXT,                      -- of findings about how a run ended: the words of the message that only guess at why; '' where a line says it
    awaits_end INTEGER NOT NULL      -- counts only if another log shows that the run has ended
) STRICT;

CREATE TABLE raw_findings (
    finding_id INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL REFERENCES raw_finding_kinds,
    run INTEGER NOT NULL REFERENCES raw_runs,  -- of the end of an attached run: the run that it is shown in
    instance INTEGER REFERENCES raw_instances,
    time_ns INTEGER,
    message TEXT,                    -- NULL where the kind has it
    repair TEXT,
    source INTEGER NOT NULL REFERENCES raw_sources,
    line INTEGER NOT NULL,
    step INTEGER,                    -- of the instance at that line
    limit_ns INTEGER,                -- of an exceeded limit: what it allows
    taken_ns INTEGER                 -- and what was taken
) STRICT;
CREATE INDEX raw_findings_by_run ON raw_findings (run);

CREATE TABLE raw_scenario_kinds (
    kind_id INTEGER PRIMARY KEY,
    scenario TEXT NOT NULL,
    class TEXT,
    members TEXT
) STRICT;

-- The scenarios that are not in the row of their first step: those found after that row was stored, and those that
-- include the silent end of the run.
CREATE TABLE raw_scenarios (
    first_step INTEGER PRIMARY KEY,
    to_last INTEGER NOT NULL,        -- last step - first step
    kind INTEGER NOT NULL REFERENCES raw_scenario_kinds,
    ended_ns INTEGER
) STRICT;

-- Scenarios that follow from the log ending where it does, and that begin before its provisional blocks.
CREATE TABLE raw_open_scenarios (
    log INTEGER NOT NULL REFERENCES raw_logs,
    first_step INTEGER NOT NULL,
    PRIMARY KEY (log, first_step)
) STRICT, WITHOUT ROWID;

CREATE TABLE raw_messages (
    step INTEGER PRIMARY KEY,
    text TEXT NOT NULL
) STRICT;

CREATE TABLE raw_daily_totals (
    source INTEGER NOT NULL REFERENCES raw_sources,
    line INTEGER NOT NULL,
    is_provisional INTEGER NOT NULL,
    app TEXT,
    app_version TEXT,
    from_ns INTEGER,
    until_ns INTEGER,
    metric TEXT NOT NULL,
    value REAL NOT NULL,
    unit TEXT NOT NULL
) STRICT;
CREATE INDEX raw_daily_totals_by_source ON raw_daily_totals (source);

CREATE TABLE raw_documented_states (
    model TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    layer TEXT NOT NULL,
    state TEXT NOT NULL,
    title TEXT NOT NULL,
    initial INTEGER NOT NULL,
    final INTEGER NOT NULL,
    PRIMARY KEY (model, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE raw_documented_transitions (
    model TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    layer TEXT NOT NULL,
    from_state TEXT NOT NULL,
    to_state TEXT NOT NULL,
    callbacks TEXT NOT NULL,
    silent INTEGER NOT NULL,
    citation TEXT,
    PRIMARY KEY (model, ordinal)
) STRICT, WITHOUT ROWID;

-- Kept answers to frequent questions about the whole database. The view of each is empty while it is out of date.

-- How often each callback came directly after each other callback of the same instance, both by `callback_id`; 0 means
-- that none came before. Stored log by log, so that a log can be derived again.
CREATE TABLE raw_follows (
    log INTEGER NOT NULL REFERENCES raw_logs,
    is_provisional INTEGER NOT NULL,
    previous INTEGER NOT NULL,
    next INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (log, is_provisional, previous, next)
) STRICT, WITHOUT ROWID;

CREATE TABLE raw_answers_state (is_current INTEGER NOT NULL) STRICT;
INSERT INTO raw_answers_state VALUES (0);

CREATE TABLE raw_dwell_answers (
    layer TEXT NOT NULL,
    state TEXT NOT NULL,
    visits INTEGER NOT NULL,
    complete INTEGER NOT NULL,
    censored INTEGER NOT NULL,
    total_ns REAL,
    mean_ns REAL,
    min_ns REAL,
    p50_ns REAL,
    p90_ns REAL,
    p99_ns REAL,
    max_ns REAL
) STRICT;

CREATE TABLE raw_transition_answers (
    layer TEXT NOT NULL,
    from_state TEXT,
    to_state TEXT,
    callback TEXT,
    verdict TEXT,
    evidence TEXT NOT NULL,
    count INTEGER NOT NULL,
    p50_dwell_ns REAL
) STRICT;
