import Reports
import TraceStore

/// One row of a view, with the log lines around it.
public enum Record {
    /// Describes a run, visit, event or finding.
    ///
    /// - Parameters:
    ///   - id: `run:3`, `visit:12`, `event:9`, `finding:4` (or `r3`, `v12`, `e9`, `f4`).
    ///   - context: lines of the log shown before and after.
    /// - Throws: ``LifeStatsError`` when the id is none, or there is no such row.
    public static func text(
        of id: String, in database: String, context: Int
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
            lines += try excerpt(kind: kind, number: number, reader: reader, context: context)
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

    /// The lines of the log around the record; says so where the log is not there any more, or is another one.
    private static func excerpt(
        kind: Kind, number: Int64, reader: TraceReader, context: Int
    ) throws -> [String] {
        let place =
            kind.name == "run"
            ? "SELECT source, line FROM events WHERE run_id = $id ORDER BY seq LIMIT 1"
            : "SELECT source, line FROM \(kind.view) WHERE \(kind.column) = $id"
        guard let row = try? Rows.all(reader, place, ["id": .integer(number)]).first,
            let path = row.text("source"), let line = row.integer("line")
        else { return [] }
        let fingerprint = try Rows.all(
            reader, "SELECT fingerprint FROM sources WHERE path = $path ORDER BY source_id DESC LIMIT 1",
            ["path": .text(path)]
        ).first?.text("fingerprint")
        switch LogExcerpt.lines(of: path, fingerprint: fingerprint, around: line, context: context) {
        case .gone: return ["", "\(path):\(line) cannot be read any more"]
        case .replaced:
            return ["", "\(path):\(line) is not shown: the file holds something else than what was ingested"]
        case .found(let present, let found):
            let width = String(line + Int64(context)).count
            let moved = present == path ? "" : ", now in \(present)"
            return ["", "\(path):\(line)\(moved)"]
                + found.map { number, text in
                    let padding = String(repeating: " ", count: width - String(number).count)
                    return "\(number == line ? ">" : " ") \(padding)\(number)  \(VisibleText.neutralised(text))"
                }
        }
    }
}
