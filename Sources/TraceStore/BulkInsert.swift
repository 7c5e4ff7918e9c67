import GRDB
import GRDBSQLite

/// A table with the columns that are filled, and how: inserts many rows per statement.
///
/// One row per statement costs two and a half times as much.
struct BulkInsert {
    private let head: String
    private let tail: String
    private let width: Int

    /// Rows per statement, largest first; what is left over goes into the smaller ones.
    private static let sizes = [200, 20, 1]

    /// - Parameters:
    ///   - verb: `INSERT`, or `REPLACE` to overwrite rows with the same key.
    ///   - conflict: an `ON CONFLICT` clause.
    init(_ verb: String = "INSERT", into table: String, _ columns: [String], conflict: String = "") {
        head = "\(verb) INTO \(table) (\(columns.joined(separator: ", "))) VALUES "
        tail = conflict.isEmpty ? "" : " " + conflict
        width = columns.count
    }

    /// Inserts the rows.
    ///
    /// - Parameter bind: binds every column of a row, in order.
    @inline(__always)
    func insert<Row>(_ rows: [Row], in db: Database, bind: (Row, inout RowBinder) -> Void) throws {
        var next = 0
        for size in Self.sizes where rows.count - next >= size {
            let statement = try db.cachedStatement(sql: sql(rows: size))
            let handle = statement.sqliteStatement
            while rows.count - next >= size {
                var binder = RowBinder(statement: handle, index: 1)
                for row in rows[next..<next + size] { bind(row, &binder) }
                next += size
                let code = sqlite3_step(handle)
                sqlite3_reset(handle)
                guard code == SQLITE_DONE else {
                    throw DatabaseError(resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage)
                }
            }
        }
    }

    private func sql(rows: Int) -> String {
        let row = "(?" + String(repeating: ",?", count: width - 1) + ")"
        return head + row + String(repeating: "," + row, count: rows - 1) + tail
    }
}
