/// A table of the report.
package struct ReportTable: Sendable, Hashable {
    /// Most rows that a report shows; the rest is counted, and the query has them all.
    package static let rowLimit = 500

    /// One sentence that explains what a row is.
    package var caption: String
    package var columns: [ReportColumn]
    /// Rows in their first order, each with as many cells as there are columns.
    package var rows: [[Cell]]
    /// The number of all rows, when `rows` holds only the first of them.
    package var totalRows: Int?
    /// For each row its anchor in the page; empty when nothing links to the rows.
    package var anchors: [String] = []
    /// For each row the states and changes that it is about; empty when the columns say so.
    package var paths: [StatePath] = []

    package init(caption: String, columns: [ReportColumn], rows: [[Cell]], totalRows: Int? = nil) {
        self.caption = caption
        self.columns = columns
        self.rows = rows
        self.totalRows = totalRows
    }
}

/// The states and changes of state that an entry of the report is about: it stays when a reader selects one of them.
package struct StatePath: Sendable, Hashable {
    /// Ids of states, and pairs of them with `>` between.
    private var parts: Set<String> = []

    package init() {}

    package mutating func visit(_ state: String) { parts.insert(state) }

    package mutating func move(from: String, to: String) { parts.formUnion([from, to, "\(from)>\(to)"]) }

    /// `|active|active>background|background|`; `nil` when it is about no state.
    var text: String? { parts.isEmpty ? nil : "|" + parts.sorted().joined(separator: "|") + "|" }
}

/// A column of a table in the report: what it holds, and how it is drawn.
package struct ReportColumn: Sendable, Hashable {
    /// How the cells of a column are drawn.
    package enum Role: String, Sendable, Hashable {
        case plain
        /// The id of a state, highlighted wherever it occurs.
        case state
        /// A share: a bar below the percentage.
        case bar
        /// `error`, `warning`, `info`, or a verdict: a badge.
        case badge
        /// An identifier, a callback, a file with its line.
        case code
        /// A point in time, never broken across lines.
        case moment
    }

    package var column: Column
    package var heading: String
    package var role: Role

    /// A column; without heading and role its name decides.
    package init(_ name: String, kind: ColumnKind? = nil, heading: String? = nil, role: Role? = nil) {
        column = Column(name, kind: kind)
        self.heading = heading ?? Self.heading(of: name, kind: column.kind)
        self.role = role ?? Self.role(of: name, kind: column.kind)
    }

    private static func role(of name: String, kind: ColumnKind) -> Role {
        if kind == .share { return .bar }
        switch name {
        case "state", "from_state", "to_state", "state_before", "state_after": return .state
        case "severity", "verdict": return .badge
        case "callback", "callbacks", "rule", "source", "file", "place", "path", "from", "to", "entered_by", "left_by":
            return .code
        case "time", "started", "ended", "entered", "left", "first", "last", "day": return .moment
        default: return .plain
        }
    }

    /// Words for the names of SQL columns: percentiles are named, units are left out because the cells carry them.
    private static func heading(of name: String, kind: ColumnKind) -> String {
        let known = [
            "p50_s": "median", "p50_dwell_s": "median visit", "min_s": "shortest", "max_s": "longest", "mean_s": "mean",
            "total_s": "total", "from_state": "from", "to_state": "to", "end_reason": "end reason", "p90_s": "90 %",
            "p99_s": "99 %", "p25_s": "25 %", "p75_s": "75 %", "p95_s": "95 %",
        ]
        if let heading = known[name] { return heading }
        var words = name.split(separator: "_").map(String.init)
        if words.count > 1, kind == .seconds || kind == .nanoseconds { words.removeLast() }
        return words.joined(separator: " ")
    }
}
