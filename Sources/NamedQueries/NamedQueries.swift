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
            "events_by_kind": PackageResources.events_by_kind_portable_sql,
            "first_passage": PackageResources.first_passage_portable_sql,
            "foreground_sessions": PackageResources.foreground_sessions_portable_sql,
            "killed_in_background": PackageResources.killed_in_background_portable_sql,
            "longest_stays": PackageResources.longest_stays_portable_sql,
            "scenario_times": PackageResources.scenario_times_portable_sql,
            "time_to_death": PackageResources.time_to_death_portable_sql,
            "transition_counts": PackageResources.transition_counts_portable_sql,
            "variants": PackageResources.variants_portable_sql,
        ]
    }
}

/// A frequent question: a file of `queries/`, with what its header says.
public struct NamedQuery: Sendable, Hashable {
    /// A value that the query can be narrowed by.
    public struct Parameter: Sendable, Hashable {
        /// Name without the sigil.
        public var name: String
        /// `text`, `integer`, `real`, or `time` (ISO 8601 text in UTC, as the columns have it; a prefix is enough).
        public var type: String
        /// What the query takes when the parameter is not given; `nil` means no restriction.
        public var standard: String?
        /// Meaning.
        public var purpose: String

        /// The only values that it takes, where its meaning ends with them: `only one of info, warning or error`.
        public var choices: [String] {
            let list = purpose.firstMatch(of: /one of ((?:\w+, )*\w+ or \w+)$/)?.output.1
            return list?.replacing(" or ", with: ", ").split(separator: ", ").map(String.init) ?? []
        }

        /// The least number that it takes, where its meaning ends with it: `how many events (at least 1)`.
        public var least: Int64? { purpose.firstMatch(of: /\(at least (-?\d+)\)$/).flatMap { Int64($0.output.1) } }
    }

    /// A column of the result.
    public struct Column: Sendable, Hashable {
        public var name: String
        /// Type, or the unit of a number: `text`, `integer`, `real`, `seconds`, `time`, `duration`, `share`.
        public var type: String
        /// Meaning.
        public var purpose: String
    }

    /// Rows of a view that belong to a row of the answer.
    public struct RowsOfView: Sendable, Hashable {
        public var view: String
        /// The columns of the view that have the same value, by the name of the answer's column.
        public var columns: [String: String] = [:]
        /// The columns of the view that have always the same text.
        public var constants: [String: String] = [:]
    }

    /// Name of the file without `.sql`.
    public var name: String
    /// What the query answers, in one or a few sentences.
    public var purpose: String
    public var parameters: [Parameter]
    /// The columns of the result, in order.
    public var columns: [Column]
    /// What the question is about, as the list of queries groups them.
    public var group = "Others"
    /// Why an answer has no rows, where the purpose does not make it plain; `$name` stands for the value of a parameter.
    public var emptiness = ""
    /// The rows that one row of the answer counts; `nil` where it does not count rows of one view.
    public var rows: RowsOfView?
    /// The whole file; runs as it stands, with every parameter NULL.
    public var sql: String
    /// The same question for engines that cannot run the file: without a header; SQLite can run it too. `nil` where
    /// the file itself is portable.
    public var portableSQL: String?

    /// The purpose in a few words: its beginning, up to a colon, comma, semicolon or full stop.
    public var title: String {
        let end = purpose.firstRange(of: /[:;,] |\.( |$)| \(/)?.lowerBound ?? purpose.endIndex
        return String(purpose[..<end])
    }
}

extension NamedQuery {
    /// Reads the header of a query file: the comment lines at its beginning.
    ///
    ///     -- What the query answers.
    ///     --
    ///     -- Group: Stays
    ///     -- Rows: visits by layer, state
    ///     -- Empty: why there may be no rows
    ///     -- Parameters:
    ///     --   $app  text  = none  only this app
    ///     -- Columns:
    ///     --   layer  text  layer of the instance
    ///
    /// A purpose or reason may continue in the next line, indented deeper.
    public init(name: String, sql: String) {
        self.name = name
        self.sql = sql
        purpose = ""
        parameters = []
        columns = []
        var section = Section.purpose
        for line in sql.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("--") else { break }
            let text = line.dropFirst(2)
            let words = text.split(separator: " ").map(String.init)
            let indent = text.prefix { $0 == " " }.count
            if words.first == "Group:" {
                group = words.dropFirst().joined(separator: " ")
            } else if words.first == "Rows:", words.count > 3 {
                rows = Self.rows(words)
            } else if words.first == "Empty:" {
                section = .emptiness
                add(Array(words.dropFirst()), indent: indent, to: section)
            } else if words == ["Parameters:"] {
                section = .parameters
            } else if words == ["Columns:"] {
                section = .columns
            } else {
                add(words, indent: indent, to: section)
            }
        }
    }

    /// `Rows: runs by app, evidence=end_evidence, layer='app'`: a view, the columns that it shares with the answer, and
    /// what the rows have besides: one of the values between `|`.
    private static func rows(_ words: [String]) -> RowsOfView {
        var rows = RowsOfView(view: words[1])
        for pair in words.dropFirst(3).joined().split(separator: ",") {
            let sides = pair.split(separator: "=").map(String.init)
            if let text = sides[sides.count - 1].wholeMatch(of: /'(.*)'/) {
                rows.constants[sides[0]] = String(text.output.1)
            } else {
                rows.columns[sides[0]] = sides[sides.count - 1]
            }
        }
        return rows
    }

    private enum Section {
        case purpose, emptiness, parameters, columns
    }

    private mutating func add(_ words: [String], indent: Int, to section: Section) {
        let isContinuation = indent > 3
        switch section {
        case .purpose:
            purpose = Self.joined(purpose, words)
        case .emptiness:
            emptiness = Self.joined(emptiness, words)
        case .parameters where isContinuation && !parameters.isEmpty:
            parameters[parameters.count - 1].purpose = Self.joined(parameters[parameters.count - 1].purpose, words)
        case .columns where isContinuation && !columns.isEmpty:
            columns[columns.count - 1].purpose = Self.joined(columns[columns.count - 1].purpose, words)
        case .parameters where words.count > 3 && words[0].hasPrefix("$") && words[2] == "=":
            parameters.append(
                Parameter(
                    name: String(words[0].dropFirst()), type: words[1],
                    standard: words[3] == "none" ? nil : words[3], purpose: Self.joined("", Array(words.dropFirst(4)))))
        case .columns where words.count > 1:
            columns.append(
                Column(name: words[0], type: words[1], purpose: Self.joined("", Array(words.dropFirst(2)))))
        default:
            break
        }
    }

    private static func joined(_ text: String, _ words: [String]) -> String {
        ((text.isEmpty ? [] : [text]) + words).joined(separator: " ")
    }
}
