/// The files of `queries/`, as they were when the program was built.
public enum NamedQueries {
    /// All queries, by name.
    public static let all: [NamedQuery] = files.map { name, bytes in
        var query = NamedQuery(name: name, sql: String(decoding: bytes, as: UTF8.self))
        query.portableSQL = twins[name].map { String(decoding: $0, as: UTF8.self) }
        return query
    }

    /// The query of a name; `nil` when there is none.
    public static func query(named name: String) -> NamedQuery? {
        all.first { $0.name == name }
    }

    private static var files: [(String, [UInt8])] {
        [
            ("background_stays", PackageResources.background_stays_sql),
            ("clock_faults", PackageResources.clock_faults_sql),
            ("coverage", PackageResources.coverage_sql),
            ("daily_totals_compared", PackageResources.daily_totals_compared_sql),
            ("directly_follows", PackageResources.directly_follows_sql),
            ("dwell_survival", PackageResources.dwell_survival_sql),
            ("dwell_times", PackageResources.dwell_times_sql),
            ("end_reasons", PackageResources.end_reasons_sql),
            ("events_by_kind", PackageResources.events_by_kind_sql),
            ("findings_by_rule", PackageResources.findings_by_rule_sql),
            ("first_passage", PackageResources.first_passage_sql),
            ("flapping", PackageResources.flapping_sql),
            ("foreground_sessions", PackageResources.foreground_sessions_sql),
            ("killed_in_background", PackageResources.killed_in_background_sql),
            ("launch_times", PackageResources.launch_times_sql),
            ("limit_overruns", PackageResources.limit_overruns_sql),
            ("longest_stays", PackageResources.longest_stays_sql),
            ("overlapping_scenes", PackageResources.overlapping_scenes_sql),
            ("run_summary", PackageResources.run_summary_sql),
            ("runs_without_launch", PackageResources.runs_without_launch_sql),
            ("scenario_times", PackageResources.scenario_times_sql),
            ("source_accounting", PackageResources.source_accounting_sql),
            ("stays_over_limit", PackageResources.stays_over_limit_sql),
            ("suspended_stays", PackageResources.suspended_stays_sql),
            ("time_of_day", PackageResources.time_of_day_sql),
            ("time_to_death", PackageResources.time_to_death_sql),
            ("transition_counts", PackageResources.transition_counts_sql),
            ("transition_matrix", PackageResources.transition_matrix_sql),
            ("undeallocated_controllers", PackageResources.undeallocated_controllers_sql),
            ("variants", PackageResources.variants_sql),
        ]
    }

    /// The files of `queries/portable/`: twins of files that are tuned for SQLite.
    private static var twins: [String: [UInt8]] {
        [
            "directly_follows": PackageResources.directly_follows_portable_sql,
            "dwell_survival": PackageResources.dwell_survival_portable_sql,
            "dwell_times": PackageResources.dwell_times_portable_sql,
            "first_passage": PackageResources.first_passage_portable_sql,
            "foreground_sessions": PackageResources.foreground_sessions_portable_sql,
            "scenario_times": PackageResources.scenario_times_portable_sql,
            "transition_counts": PackageResources.transition_counts_portable_sql,
            "variants": PackageResources.variants_portable_sql,
        ]
    }
}
