/// A table whose rows move from a shard into the database that shards are merged into, and what becomes of its numbers.
struct MergedTable {
    /// What becomes of the numbers in a column. All others stay as they are.
    enum Rule {
        /// A row id, `block << 16 | number`; the open visit of an instance has the negative id.
        case row
        /// The distance to the step that began a visit; of an open one, whose id is negative, both ends move.
        case opener
        case block, log, source
        /// Numbers of kinds.
        case kind, callback, suspensionKind, findingKind, scenarioKind
        /// The database gives a new number.
        case fresh
        /// Not taken over.
        case null
    }

    var name: String
    /// The column that says which log a row belongs to: a row id, a block, a source or a log.
    var owner: String
    var rules: [String: Rule]

    /// The tables, in the order in which they are filled. The rows of the others are made anew: what is interned or
    /// documented, and the kept answers.
    static let all = [
        // Without the state of the replay, which has ids in it: a log that goes on is derived again.
        MergedTable(name: "raw_logs", owner: "log_id", rules: ["log_id": .log, "state": .null]),
        MergedTable(name: "raw_sources", owner: "source_id", rules: ["source_id": .source, "log": .log]),
        MergedTable(name: "raw_facts", owner: "source", rules: ["facts_id": .fresh, "source": .source]),
        MergedTable(
            name: "raw_blocks", owner: "block_id", rules: ["block_id": .block, "log": .log, "source": .source]),
        MergedTable(name: "raw_rejects", owner: "source", rules: ["source": .source]),
        MergedTable(
            name: "raw_runs", owner: "run_id",
            rules: ["run_id": .row, "source": .source, "attached_run": .row, "witness": .row]),
        MergedTable(
            name: "raw_instances", owner: "instance_id",
            rules: ["instance_id": .row, "run": .row, "first_step": .row, "last_step": .row, "own_run": .row]),
        MergedTable(
            name: "raw_steps", owner: "step_id",
            rules: ["step_id": .row, "kind": .kind, "instance": .row, "to_opener": .opener]),
        MergedTable(
            name: "raw_attached_steps", owner: "step_id", rules: ["step_id": .row, "kind": .kind, "instance": .row]),
        MergedTable(name: "raw_silences", owner: "step_id", rules: ["step_id": .row, "kind": .suspensionKind]),
        MergedTable(
            name: "raw_suspensions", owner: "suspension_id",
            rules: ["suspension_id": .row, "visit": .row, "instance": .row, "kind": .suspensionKind]),
        MergedTable(
            name: "raw_findings", owner: "finding_id",
            rules: [
                "finding_id": .row, "kind": .findingKind, "run": .row, "instance": .row, "source": .source,
                "step": .row,
            ]),
        MergedTable(name: "raw_scenarios", owner: "first_step", rules: ["first_step": .row, "kind": .scenarioKind]),
        MergedTable(name: "raw_open_scenarios", owner: "first_step", rules: ["first_step": .row, "log": .log]),
        MergedTable(name: "raw_messages", owner: "step", rules: ["step": .row]),
        MergedTable(name: "raw_daily_totals", owner: "source", rules: ["source": .source]),
        MergedTable(name: "raw_follows", owner: "log", rules: ["log": .log, "previous": .callback, "next": .callback]),
    ]

    /// Tables that are filled in other ways.
    static let others = [
        "raw_settings", "raw_kinds", "raw_suspension_kinds", "raw_finding_kinds", "raw_scenario_kinds",
        "raw_documented_states", "raw_documented_transitions", "raw_answers_state", "raw_dwell_answers",
        "raw_transition_answers",
    ]
}
