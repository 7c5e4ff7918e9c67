import GRDBSQLite

/// The present row of a running query; only good inside the callback that it is passed to.
package struct ResultRow {
    let statement: OpaquePointer

    /// Number of columns.
    package var count: Int { Int(sqlite3_column_count(statement)) }

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

    /// The bytes of a column as 8-byte integers in the byte order of the machine.
    package func withIntegers(_ index: Int, _ body: (UnsafeBufferPointer<Int64>) -> Void) {
        let size = Int(sqlite3_column_bytes(statement, Int32(index)))
        guard size >= 8, let start = sqlite3_column_blob(statement, Int32(index)) else { return }
        // A copy, because SQLite does not promise that the bytes are aligned.
        let values = [Int64](unsafeUninitializedCapacity: size / 8) { buffer, count in
            count = size / 8
            UnsafeMutableRawBufferPointer(buffer).copyMemory(
                from: UnsafeRawBufferPointer(start: start, count: count * 8))
        }
        values.withUnsafeBufferPointer(body)
    }

    private func isNull(_ index: Int) -> Bool {
        sqlite3_column_type(statement, Int32(index)) == SQLITE_NULL
    }

    private func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
