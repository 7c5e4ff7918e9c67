-- The physical tables. They may change with any version; the views of views.sql are what people rely on.
--
-- In tables without a rowid the columns of the primary key come first: the integrity check of SQLite before 3.41 takes
-- other orders for NULL values.

-- One log file or stream, and where the reading of it stands.
CREATE TABLE raw_sources (
    source_id INTEGER PRIMARY KEY,
    path TEXT NOT NULL,
    stream TEXT NOT NULL,
    ordinal INTEGER NOT NULL,      -- place in its stream: a smaller number is older
    format TEXT,
    device TEXT,
    app_version TEXT,              -- what its first ingest was told
    bytes INTEGER NOT NULL,
    byte_offset INTEGER NOT NULL,  -- how much of the decompressed bytes is accounted for
    lines INTEGER NOT NULL,
    entry_lines INTEGER NOT NULL,
    continuation_lines INTEGER NOT NULL,
    other_lines INTEGER NOT NULL,
    rejected_lines INTEGER NOT NULL,
    events INTEGER NOT NULL,
    first_ns INTEGER,
    last_ns INTEGER,
    timezone TEXT,
    assumptions TEXT,
    fingerprint TEXT NOT NULL,
    ingested_at INTEGER,           -- nanoseconds since 1970 UTC
    resume TEXT                    -- what reading needs to go on; only the pipeline reads it
) STRICT;

-- Each of many logs asks for its own sources; without it, each looks through all of them.
CREATE INDEX raw_sources_by_stream ON raw_sources (stream);

CREATE TABLE raw_settings (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE raw_rejects (
    source INTEGER NOT NULL REFERENCES raw_sources,
    byte_offset INTEGER NOT NULL,
    line INTEGER NOT NULL,
    reason TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (source, byte_offset, line)
) STRICT, WITHOUT ROWID;

CREATE TABLE raw_runs (
    run_id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES raw_sources,
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
    bundle TEXT,                     -- by which the first of the lines that do so name the process
    first_name TEXT,                 -- the same of the name, where it is not that of the app
    has_callbacks INTEGER NOT NULL,  -- with the process id
    reported_version TEXT,           -- of the app, as a report says; app_version is what the user says
    is_at_hand INTEGER NOT NULL      -- further lines of the log could belong to it
) STRICT;

-- A log that goes on asks for the runs of its stream; without it, each of many logs looks through all runs.
CREATE INDEX raw_runs_by_source ON raw_runs (source);
CREATE INDEX raw_runs_by_device ON raw_runs (device) WHERE device IS NOT NULL;

-- first_step and last_step bound the ids of the instance's steps, so that they are found without an index.
CREATE TABLE raw_instances (
    instance_id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES raw_runs,
    layer TEXT NOT NULL,
    model TEXT NOT NULL,
    label TEXT NOT NULL,
    printed_label TEXT NOT NULL,
    first_step INTEGER,
    last_step INTEGER
) STRICT;

CREATE INDEX raw_instances_by_run ON raw_instances (run);

-- The part of a step that repeats. The role `tail` is a visit that no event ended. In `naming`, 16 stands for a
-- callback whose line has no label.
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
    is_complete INTEGER NOT NULL,    -- and both are observed
    group_id INTEGER NOT NULL,       -- the first kind with this layer and state_before
    naming INTEGER NOT NULL,         -- how the line names its process: 1 by its bundle, 2 not at all, 4 without its id;
                                     -- 8 without the device
    callback_id INTEGER              -- of a callback the first kind with this layer and callback
) STRICT;

-- How often each callback came right after each other one of the same instance, both by their `callback_id`; 0 stands
-- for none before the first.
CREATE TABLE raw_follows (
    previous INTEGER NOT NULL,
    next INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (previous, next)
) STRICT, WITHOUT ROWID;

-- One event, the transition that it causes and the visit that it ends, in one narrow row. The row of the visit that
-- is still open at an instance's end has the id -instance.
CREATE TABLE raw_steps (
    step_id INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL REFERENCES raw_kinds,
    stay INTEGER,                    -- ns: dwell of the ended visit, or its lower bound when it is censored
    time INTEGER,
    instance INTEGER NOT NULL REFERENCES raw_instances,
    opener INTEGER,                  -- id of the step that began the ended visit
    source INTEGER REFERENCES raw_sources,
    line INTEGER
);

-- Spans in which a process wrote lines that are no events.
CREATE TABLE raw_life (
    life_id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES raw_runs,
    source INTEGER NOT NULL REFERENCES raw_sources,
    from_ns INTEGER,
    until_ns INTEGER,
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    naming INTEGER NOT NULL,
    other_name TEXT,                 -- in the lines, where the first one of the run has another
    other_device TEXT                -- likewise
) STRICT;
CREATE INDEX raw_life_by_run ON raw_life (run);

-- Such spans of processes that have shown no event yet and so have no run.
CREATE TABLE raw_early_life (
    life_id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES raw_sources,
    process TEXT,
    pid INTEGER,
    device TEXT,
    from_ns INTEGER,
    until_ns INTEGER,
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    naming INTEGER NOT NULL,
    other_device TEXT                -- in the lines, where the first one of the process has another
) STRICT;

-- Evidence about processes whose callbacks stand in another log of the device: the run of those has the rows that show
-- it, which are made from here.
CREATE TABLE raw_witnesses (
    witness_id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES raw_sources,
    line INTEGER NOT NULL,
    kind INTEGER NOT NULL REFERENCES raw_kinds,
    time INTEGER,
    process TEXT,                    -- whose line it is
    name TEXT,                       -- what the line calls the process, or its bundle; NULL when it names none
    pid INTEGER,
    device TEXT,
    named_device TEXT,               -- the device that the line is of, which need not be that of the process
    message TEXT
) STRICT;

-- Streams whose facts have changed since they were last seen together with the other streams of their devices; with
-- `is_due` those that are to be derived again whatever the others say.
CREATE TABLE raw_unsettled (
    stream TEXT NOT NULL PRIMARY KEY,
    is_due INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Streams of which one was derived with facts of the other, either way.
CREATE TABLE raw_links (
    stream TEXT NOT NULL,
    other TEXT NOT NULL,
    PRIMARY KEY (stream, other)
) STRICT, WITHOUT ROWID;

CREATE TABLE raw_suspension_kinds (
    kind_id INTEGER PRIMARY KEY,
    evidence TEXT NOT NULL,
    basis TEXT NOT NULL,
    leads_to TEXT
) STRICT;

CREATE TABLE raw_suspensions (
    visit INTEGER NOT NULL,
    from_ns INTEGER NOT NULL,
    until_ns INTEGER,
    instance INTEGER NOT NULL REFERENCES raw_instances,
    kind INTEGER NOT NULL REFERENCES raw_suspension_kinds,
    PRIMARY KEY (visit, from_ns)
) STRICT, WITHOUT ROWID;

CREATE TABLE raw_findings (
    finding_id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES raw_runs,
    instance INTEGER REFERENCES raw_instances,
    layer TEXT NOT NULL,
    rule TEXT NOT NULL,
    deviation TEXT NOT NULL,
    severity TEXT NOT NULL,
    time_ns INTEGER,
    message TEXT NOT NULL,
    repair TEXT,
    source INTEGER NOT NULL REFERENCES raw_sources,
    line INTEGER NOT NULL,
    step INTEGER,                   -- of the instance at that line
    limit_ns INTEGER,               -- of an overrun limit: what it allows
    taken_ns INTEGER                -- and what was taken
) STRICT;
CREATE INDEX raw_findings_by_run ON raw_findings (run);

CREATE TABLE raw_scenario_kinds (
    kind_id INTEGER PRIMARY KEY,
    scenario TEXT NOT NULL,
    class TEXT
) STRICT;

-- The times are those of the steps, save where the silent end of the run belongs to the sequence.
-- Of the sequences that begin with a step only the longest one is told.
CREATE TABLE raw_scenarios (
    first_step INTEGER PRIMARY KEY,
    last_step INTEGER NOT NULL,
    run INTEGER NOT NULL REFERENCES raw_runs,
    kind INTEGER NOT NULL REFERENCES raw_scenario_kinds,
    ended_ns INTEGER
) STRICT;

CREATE TABLE raw_messages (
    step INTEGER PRIMARY KEY,
    text TEXT NOT NULL
) STRICT;

-- How lines name their process, or its bundle, and their device, where the first line of the run that does so has
-- another name; NULL where it has the same. A row with the id -step holds as its name how the line calls its scene or
-- view controller, where that is not the printed label of the instance.
CREATE TABLE raw_other_names (
    step INTEGER PRIMARY KEY,
    name TEXT,
    device TEXT
) STRICT;

-- Numbers that only equal lines share, for the last events of a source: they tell copies when the log goes on.
CREATE TABLE raw_copy_keys (
    source INTEGER PRIMARY KEY REFERENCES raw_sources,
    keys BLOB NOT NULL
) STRICT;

CREATE TABLE raw_daily_totals (
    source INTEGER NOT NULL REFERENCES raw_sources,
    line INTEGER NOT NULL,
    app TEXT,
    app_version TEXT,
    from_ns INTEGER,
    until_ns INTEGER,
    metric TEXT NOT NULL,
    value REAL NOT NULL,
    unit TEXT NOT NULL
) STRICT;

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

-- The dwell of every visit that a step ended, kind by kind and batch by batch, as 8-byte integers in the byte order of
-- the machine; with sign -1 those of rows that have gone since. From here percentiles come without a sort or a scan.
CREATE TABLE raw_dwells (
    dwells_id INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL REFERENCES raw_kinds,
    sign INTEGER NOT NULL,
    steps INTEGER NOT NULL,  -- how many steps, those without a dwell included
    stays BLOB NOT NULL,
    instances BLOB NOT NULL  -- as 4-byte integers, of the visits with a dwell, in the order of `stays`, then of the others
) STRICT;

CREATE TABLE raw_summary_state (is_current INTEGER NOT NULL) STRICT;
INSERT INTO raw_summary_state VALUES (0);

CREATE TABLE raw_dwell_summary (
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

-- The same for each value of a part: app, app_version, device.
CREATE TABLE raw_dwell_part_summary (
    part TEXT NOT NULL,
    name TEXT,
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
    max_ns REAL
) STRICT;

CREATE TABLE raw_survival_summary (
    layer TEXT NOT NULL,
    state TEXT NOT NULL,
    ended INTEGER NOT NULL,
    cut INTEGER NOT NULL,
    p25_ns INTEGER,
    p50_ns INTEGER,
    p75_ns INTEGER,
    p90_ns INTEGER
) STRICT;

CREATE TABLE raw_transition_summary (
    layer TEXT NOT NULL,
    from_state TEXT,
    to_state TEXT,
    callback TEXT,
    verdict TEXT,
    evidence TEXT NOT NULL,
    count INTEGER NOT NULL,
    p50_dwell_ns REAL
) STRICT;
