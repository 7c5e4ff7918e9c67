import Foundation
import LifecycleModel
import Reports
import TraceRecords
import TraceStore

/// How one row of a view is shown.
public struct RecordOptions: Sendable {
    /// Lines of the log shown before and after.
    public var context = 3
    /// The columns of the view as they are stored, instead of sentences.
    public var raw = false
    public var colors = false
    /// Columns of the terminal.
    public var width = 100
    /// Files of models besides the built-in ones.
    public var models: [String] = []

    public init() {}
}

/// One row of a view: a run, visit, event or finding, with the log lines around it.
public enum Record {
    /// Describes a row.
    ///
    /// - Parameter id: `run:3`, `visit:12`, `event:9`, `finding:4` (or `r3`, `v12`, `e9`, `f4`).
    /// - Throws: ``LifeStatsError`` when the id is invalid, or there is no such row.
    public static func text(
        of id: String, in database: String, options: RecordOptions = RecordOptions(),
        limit: ReadingLimit = ReadingLimit()
    ) throws -> String {
        try DatabaseReading.run(database, limit: limit) { reader in
            guard let match = id.wholeMatch(of: /(run|visit|event|finding|r|v|e|f):?(-?\d+)/),
                let number = Int64(match.2), let kind = Kind(rawValue: match.1.prefix(1).description)
            else {
                throw LifeStatsError("\(id): not an id", remedy: "write run:3, visit:12, event:9 or finding:4")
            }
            guard let row = try Rows.all(reader, kind.sql, ["id": .integer(number)]).first else {
                throw LifeStatsError(
                    "\(reader.path) has no \(kind.name) \(number)",
                    remedy: "`lifestats query \"SELECT * FROM \(kind.name)s LIMIT 10\"` shows some with their ids")
            }
            let writer = RecordWriter(reader: reader, options: options)
            var lines = options.raw ? try raw(kind, number, reader) : try writer.story(of: kind, number, row)
            if options.raw { lines += try writer.excerpt(kind, row) }
            return TerminalText.safe(lines.map { $0 + "\n" }.joined(), allowsColors: options.colors)
        }
    }

    /// A view with ids.
    enum Kind: String {
        case run = "r"
        case visit = "v"
        case event = "e"
        case finding = "f"

        var name: String {
            switch self {
            case .run: "run"
            case .visit: "visit"
            case .event: "event"
            case .finding: "finding"
            }
        }

        var sql: String { "SELECT * FROM \(name)s WHERE \(name)_id = $id" }
    }

    /// The columns of the view with their values.
    private static func raw(_ kind: Kind, _ number: Int64, _ reader: DatabaseReading) throws -> [String] {
        var names: [String] = []
        var values: [Cell] = []
        try reader.query(kind.sql, ["id": .integer(number)]) {
            names = $0.map(\.name)
        } row: { row in
            values = (0..<row.count).map { Cell(row[$0]) }
        }
        let width = names.map(\.count).max() ?? 0
        return ["\(kind.name) \(number)"]
            + zip(names, values).filter { $0.1 != .null }.map { name, value in
                "  \(name)\(String(repeating: " ", count: width - name.count))  "
                    + CellText.text(value, kind: .plain, raw: true)
            }
    }
}
