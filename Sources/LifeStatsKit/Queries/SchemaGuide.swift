import Reports
import TraceStore

/// The views and columns, documented.
public enum SchemaGuide {
    /// All views, or one, with what every column means.
    ///
    /// - Throws: ``LifeStatsError`` when there is no such view.
    public static func text(view name: String?, format: OutputFormat) throws -> String {
        let views = SchemaDocumentation.views.filter { name == nil || $0.name == name }
        guard !views.isEmpty else {
            throw LifeStatsError(
                "there is no view \(name ?? "")",
                remedy: Suggestion.remedy(
                    name ?? "", among: SchemaDocumentation.views.map(\.name),
                    or: "views are \(SchemaDocumentation.views.map(\.name).joined(separator: ", "))"))
        }
        if format == .table || format == .markdown {
            return views.map { view in
                let heading =
                    format == .markdown ? "## \(view.name)\n\n\(view.purpose)\n\n" : "\(view.name): \(view.purpose)\n"
                return heading
                    + ResultWriter.text(
                        format.tableFormat, columns: [Column("column"), Column("type"), Column("meaning")],
                        rows: view.columns.map { [.text($0.name), .text($0.type), .text($0.purpose)] })
            }.joined(separator: "\n")
        }
        return ResultWriter.text(
            format.tableFormat, columns: [Column("view"), Column("column"), Column("type"), Column("meaning")],
            rows: views.flatMap { view in
                view.columns.map { [.text(view.name), .text($0.name), .text($0.type), .text($0.purpose)] }
            })
    }
}
