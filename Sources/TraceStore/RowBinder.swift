import GRDBSQLite

/// Binds the values of one row, column by column, to a prepared statement.
///
/// Goes past GRDB to SQLite itself: this is the one loop through which every row of an ingest passes.
struct RowBinder {
    private let statement: OpaquePointer
    private var index: Int32

    init(statement: OpaquePointer, index: Int32) {
        self.statement = statement
        self.index = index
    }

    @inline(__always)
    mutating func integer(_ value: Int64) {
        sqlite3_bind_int64(statement, index, value)
        index += 1
    }

    @inline(__always)
    mutating func integer(_ value: Int64?) {
        if let value {
            sqlite3_bind_int64(statement, index, value)
        } else {
            sqlite3_bind_null(statement, index)
        }
        index += 1
    }

    mutating func real(_ value: Double) {
        sqlite3_bind_double(statement, index, value)
        index += 1
    }

    mutating func text(_ value: String?) {
        defer { index += 1 }
        guard var value else {
            sqlite3_bind_null(statement, index)
            return
        }
        value.withUTF8 { bytes in
            // An empty buffer may have no address, and SQLite would take that for NULL.
            guard let start = bytes.baseAddress, !bytes.isEmpty else {
                sqlite3_bind_text(statement, index, "", 0, transient)
                return
            }
            start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                _ = sqlite3_bind_text(statement, index, $0, Int32(bytes.count), transient)
            }
        }
    }

    /// Tells SQLite to copy the bytes: C's `SQLITE_TRANSIENT`, a cast that Swift does not import.
    private var transient: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }
}
