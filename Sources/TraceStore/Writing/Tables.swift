/// The tables that batches are written to, with their columns in the order in which the writers bind them.
enum Tables {
    static let facts = BulkInsert(into: "raw_facts", ["source", "first_line", "is_provisional", "count", "facts"])
    static let blocks = BulkInsert(into: "raw_blocks", ["block_id", "log", "source", "is_provisional", "events"])
    static let messages = BulkInsert("REPLACE", into: "raw_messages", ["step", "text"])

    private static let columnsOfSources = [
        "log", "path", "ordinal", "format", "device", "app_version", "bytes", "byte_offset", "lines", "entry_lines",
        "continuation_lines", "other_lines", "rejected_lines", "first_ns", "last_ns", "timezone", "assumptions",
        "fingerprint", "ingested_at", "resume",
    ]
    static let sources = BulkInsert(
        into: "raw_sources", ["source_id"] + columnsOfSources, conflict: update(columnsOfSources, of: "source_id"))

    /// The clause that gives a row of a known id its new values.
    private static func update(_ columns: [String], of id: String) -> String {
        "ON CONFLICT (\(id)) DO UPDATE SET " + columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    }

    private static let columnsOfRuns = [
        "device", "app", "pid", "profile", "os_version", "app_version", "started_ns", "ended_ns", "end_reason",
        "end_evidence", "first_seen_ns", "last_seen_ns", "next_seen_ns", "run_key", "source", "has_callbacks", "bundle",
        "reported_version", "end_detail", "launch_cause",
    ]
    static let runs = BulkInsert(
        into: "raw_runs", ["run_id"] + columnsOfRuns, conflict: update(columnsOfRuns, of: "run_id"))
    static let instances = BulkInsert(
        into: "raw_instances",
        ["instance_id", "run", "layer", "model", "label", "first_step", "last_step", "printed_label"],
        conflict: """
            ON CONFLICT (instance_id) DO UPDATE SET run = excluded.run, layer = excluded.layer,
            model = excluded.model, label = excluded.label, printed_label = excluded.printed_label,
            first_step = coalesce(min(first_step, excluded.first_step), first_step, excluded.first_step),
            last_step = coalesce(max(last_step, excluded.last_step), last_step, excluded.last_step)
            """)

    static let steps = BulkInsert(into: "raw_steps", FirstLoad.stepColumns)
    static let replacedSteps = BulkInsert("REPLACE", into: "raw_steps", FirstLoad.stepColumns)
    static let lateSteps = BulkInsert("REPLACE", into: FirstLoad.lateSteps, FirstLoad.stepColumns)
    static let follows = BulkInsert(
        into: "raw_follows", ["log", "is_provisional", "previous", "next", "count"],
        conflict: "ON CONFLICT DO UPDATE SET count = count + excluded.count")

    static let suspensions = BulkInsert(
        "REPLACE", into: "raw_suspensions", ["suspension_id", "visit", "instance", "from_ns", "until_ns", "kind"])
    static let silences = BulkInsert("REPLACE", into: "raw_silences", ["step_id", "kind"])
    static let findings = BulkInsert(
        "REPLACE", into: "raw_findings",
        [
            "finding_id", "kind", "run", "instance", "time_ns", "message", "repair", "source", "line", "step",
            "limit_ns", "taken_ns",
        ])
    static let scenarios = BulkInsert(
        "REPLACE", into: "raw_scenarios", ["first_step", "to_last", "kind", "ended_ns"])
    static let openScenarios = BulkInsert("REPLACE", into: "raw_open_scenarios", ["first_step", "log"])

    static let rejects = BulkInsert(
        "REPLACE", into: "raw_rejects", ["source", "byte_offset", "line", "is_provisional", "reason", "text"])
    static let dailyTotals = BulkInsert(
        into: "raw_daily_totals",
        ["source", "line", "is_provisional", "app", "app_version", "from_ns", "until_ns", "metric", "value", "unit"])
}
