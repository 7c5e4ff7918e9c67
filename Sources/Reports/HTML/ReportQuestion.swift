/// How to ask for a figure again, alone.
package struct ReportQuestion: Sendable, Hashable {
    /// What one learns.
    package var title: String
    /// The command that answers: `lifestats query dwell_times`.
    package var command: String
    /// The SQL behind it.
    package var sql: String

    package init(title: String, command: String, sql: String) {
        self.title = title
        self.command = command
        self.sql = sql
    }
}
