import TraceStore

/// Rows of a result by name of the column: a small one whole, a large one row by row.
struct Rows {
    /// One row, by name of the column.
    struct Row {
        fileprivate var places: [String: Int]
        fileprivate var values: [SQLValue]

        private func value(_ name: String) -> SQLValue { places[name].map { values[$0] } ?? .null }

        func integer(_ name: String) -> Int64? {
            switch value(name) {
            case .integer(let number): number
            case .real(let number): Int64(exactly: number.rounded())
            default: nil
            }
        }

        func real(_ name: String) -> Double? {
            switch value(name) {
            case .integer(let number): Double(number)
            case .real(let number): number
            default: nil
            }
        }

        func text(_ name: String) -> String? {
            if case .text(let text) = value(name) { text } else { nil }
        }
    }

    /// Runs a query and keeps its rows.
    static func all(
        _ reader: DatabaseReading, _ sql: String, _ parameters: [String: SQLValue] = [:]
    ) throws -> [Row] {
        var rows: [Row] = []
        try each(reader, sql, parameters) { rows.append($0) }
        return rows
    }

    /// Runs a query and hands over its rows one by one.
    static func each(
        _ reader: DatabaseReading, _ sql: String, _ parameters: [String: SQLValue] = [:],
        _ body: (Row) throws -> Void
    ) throws {
        var places: [String: Int] = [:]
        try reader.query(sql, parameters) { columns in
            places = Dictionary(
                columns.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { a, _ in a })
        } row: { row in
            try body(Row(places: places, values: (0..<row.count).map { row[$0] }))
        }
    }
}
