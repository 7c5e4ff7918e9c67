/// What a database can be exported as: the words of `lifestats export`.
public enum ExportFormat: String, Sendable, CaseIterable {
    /// Event log of process mining (IEEE 1849).
    case xes
    /// Trace events for Perfetto and Chrome.
    case perfetto
    /// Titles, units and canned queries for Datasette.
    case datasette
}
