import GRDBSQLite
package import TraceRecords

/// The current row of a running query; only valid inside the callback that it is passed to.
package struct ResultRow {
    let statement: OpaquePointer

    /// Number of columns.
    package var count: Int { Int(sqlite3_column_count(statement)) }

    /// The values of all columns.
    package var values: [SQLValue] { (0..<count).map { self[$0] } }

    /// The value of a column.
    package subscript(index: Int) -> SQLValue {
        let column = Int32(index)
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT: return .text(text(column))
        case SQLITE_BLOB:
            let count = Int(sqlite3_column_bytes(statement, column))
            return .blob(Array(UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, column), count: count)))
        default: return .null
        }
    }

    /// The value of a column as an integer; `nil` for NULL.
    package func integer(_ index: Int) -> Int64? {
        isNull(index) ? nil : sqlite3_column_int64(statement, Int32(index))
    }

    /// The value of a column as a number; `nil` for NULL.
    package func real(_ index: Int) -> Double? {
        isNull(index) ? nil : sqlite3_column_double(statement, Int32(index))
    }

    /// The value of a column as text; `nil` for NULL.
    package func text(_ index: Int) -> String? {
        isNull(index) ? nil : text(Int32(index))
    }

    /// Hands over the UTF-8 of a column, which is only good inside `body`; not for NULL.
    package func withText<T>(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        guard let start = sqlite3_column_text(statement, Int32(index)) else {
            return try body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, Int32(index)))))
    }

    /// Whether the value of a column is NULL.
    package func isNull(_ index: Int) -> Bool {
        sqlite3_column_type(statement, Int32(index)) == SQLITE_NULL
    }

    private func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
}

/// A row with the names of its columns.
protocol NamedColumns {
    func text(_ column: String) throws -> String?
    func number(_ column: String) throws -> Int64?
}

extension NamedColumns {
    /// A text that every row has.
    func word(_ column: String) throws -> String {
        guard let word = try text(column) else { throw DamagedRow(description: "a kind has no \(column)") }
        return word
    }
}

/// A row that was read, with the names of its columns.
private struct NamedRow: NamedColumns {
    var values: [String: SQLValue]

    func text(_ column: String) -> String? {
        guard case .text(let text) = values[column] else { return nil }
        return text
    }

    func number(_ column: String) -> Int64? {
        guard case .integer(let number) = values[column] else { return nil }
        return number
    }
}

extension TraceReader {
    /// The rows of a small result, with the names of their columns.
    func rows(_ sql: String) throws -> [any NamedColumns] {
        var names: [String] = []
        var rows: [NamedRow] = []
        try query(sql) {
            names = $0
        } row: { row in
            rows.append(NamedRow(values: Dictionary(zip(names, row.values)) { first, _ in first }))
        }
        return rows
    }
}

/// How a query ended.
package struct QueryOutcome: Sendable, Hashable {
    /// Number of rows that were handed over.
    package var rows: Int
    /// Whether there were more rows than were asked for.
    package var isCutShort: Bool
}
