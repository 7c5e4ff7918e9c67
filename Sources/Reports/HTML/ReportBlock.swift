/// A piece of a section.
package enum ReportBlock: Sendable, Hashable {
    /// A paragraph.
    case text(String)
    case picture(ReportPicture)
    case table(ReportTable)
    /// Findings grouped by rule, with their places and repairs.
    case findings(FindingReport)
    /// Short statements, one a line.
    case list([String])
}
