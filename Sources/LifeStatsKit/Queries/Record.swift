import LogReading
import Reports
import TraceStore

/// One row of a view, with the log lines around it.
public enum Record {
    /// Describes a run, visit, event or finding.
    ///
    /// - Parameters:
    ///   - id: `run:3`, `visit:12`, `event:9`, `finding:4` (or `r3`, `v12`, `e9`, `f4`).
    ///   - context: lines of the log shown before and after.
    ///   - formats: files of layouts that the log was read with, beside those of the configuration folder.
    /// - Throws: ``LifeStatsError`` when the id is none, or there is no such row.
    public static func text(
        of id: String, in database: String, context: Int, formats: [String] = []
    ) throws -> String {
        try LifeStatsError.translated {
            guard let match = id.wholeMatch(of: /(run|visit|event|finding|r|v|e|f):?(-?\d+)/),
                let number = Int64(match.2), let kind = kinds[match.1.prefix(1).description]
            else {
                throw LifeStatsError(
                    "\(id): this is no id", remedy: "write run:3, visit:12, event:9 or finding:4")
            }
            let reader = try TraceReader(path: database)
            var names: [String] = []
            var values: [Cell] = []
            let sql = "SELECT * FROM \(kind.view) WHERE \(kind.column) = $id"
            try reader.query(sql, parameters: ["id": .integer(number)]) {
                names = $0.map(\.name)
            } row: { row in
                values = (0..<row.count).map { Cell(row[$0]) }
            }
            guard !values.isEmpty else { throw LifeStatsError("\(database) has no \(kind.name) \(number)") }
            var lines = ["\(kind.name) \(number)"]
            let width = names.map(\.count).max() ?? 0
            for (name, value) in zip(names, values) where value != .null {
                let text = ResultWriter.text(.csv, columns: [Column(name)], rows: [[value]])
                let shown = text.split(whereSeparator: \.isNewline).dropFirst().joined(separator: " ")
                lines.append(
                    "  \(name)\(String(repeating: " ", count: width - name.count))  "
                        + VisibleText.neutralised(shown))
            }
            lines += try excerpt(kind: kind, number: number, reader: reader, context: context, formats: formats)
            return lines.map { $0 + "\n" }.joined()
        }
    }

    private struct Kind {
        var name: String
        var view: String
        var column: String
    }

    private static let kinds = [
        "r": Kind(name: "run", view: "runs", column: "run_id"),
        "v": Kind(name: "visit", view: "visits", column: "visit_id"),
        "e": Kind(name: "event", view: "events", column: "event_id"),
        "f": Kind(name: "finding", view: "findings", column: "finding_id"),
    ]

    /// The lines of the log around the record; says so where the log is not there any more.
    private static func excerpt(
        kind: Kind, number: Int64, reader: TraceReader, context: Int, formats: [String]
    ) throws -> [String] {
        let place =
            kind.name == "run"
            ? "SELECT source, line FROM events WHERE run_id = $id ORDER BY seq LIMIT 1"
            : "SELECT source, line FROM \(kind.view) WHERE \(kind.column) = $id"
        guard let row = try? Rows.all(reader, place, ["id": .integer(number)]).first,
            let path = row.text("source"), let line = row.integer("line")
        else { return [] }
        let format = try Rows.all(
            reader, "SELECT format FROM sources WHERE path = $path AND format IS NOT NULL ORDER BY source_id DESC",
            ["path": .text(path)]
        ).first?.text("format")
        let excerpt = try LogExcerpt(format: format, files: formats)
        guard let found = try? excerpt.lines(of: path, around: line, context: context), !found.isEmpty else {
            return ["", "\(path):\(line) cannot be read any more"]
        }
        let width = String(line + Int64(context)).count
        let unknown = excerpt.unknownLayouts.map {
            "(the layout \($0) is not known here: name its file with --formats)"
        }
        return ["", "\(path):\(line)"] + unknown
            + found.map { number, text in
                let padding = String(repeating: " ", count: width - String(number).count)
                return "\(number == line ? ">" : " ") \(padding)\(number)  \(VisibleText.neutralised(text))"
            }
    }
}
