import Foundation
import GRDB
import GRDBSQLite
import TraceRecords

/// A table with the columns that are filled, and how: inserts many rows per statement.
///
/// One row per statement costs two and a half times as much.
struct BulkInsert: Sendable {
    /// By index in ``sizes``: built once, because most batches of small logs have few rows.
    private let statements: [String]

    /// Rows per statement, largest first; what is left over goes into the smaller ones.
    private static let sizes = [200, 20, 1]

    /// - Parameters:
    ///   - verb: `INSERT`, or `REPLACE` to overwrite rows with the same key.
    ///   - conflict: an `ON CONFLICT` clause.
    init(_ verb: String = "INSERT", into table: String, _ columns: [String], conflict: String = "") {
        let head = "\(verb) INTO \(table) (\(columns.joined(separator: ", "))) VALUES "
        let tail = conflict.isEmpty ? "" : " " + conflict
        let row = "(?" + String(repeating: ",?", count: columns.count - 1) + ")"
        statements = Self.sizes.map { head + row + String(repeating: "," + row, count: $0 - 1) + tail }
    }

    /// Inserts the rows.
    ///
    /// - Parameter bind: binds every column of a row, in order.
    @inline(__always)
    func insert<Row>(_ rows: [Row], in db: Database, bind: (Row, inout RowBinder) throws -> Void) throws {
        var next = 0
        for (size, sql) in zip(Self.sizes, statements) where rows.count - next >= size {
            let statement = try db.cachedStatement(sql: sql)
            let handle = statement.sqliteStatement
            while rows.count - next >= size {
                var binder = RowBinder(statement: handle, index: 1)
                for row in rows[next..<next + size] { try bind(row, &binder) }
                next += size
                let code = sqlite3_step(handle)
                sqlite3_reset(handle)
                guard code == SQLITE_DONE else {
                    throw DatabaseError(resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage)
                }
            }
        }
    }
}

/// Takes the values of one row, column by column.
protocol RowColumns: ~Copyable {
    mutating func integer(_ value: Int64?)
    mutating func text(_ value: String?)
}

/// Binds the values of one row, column by column, to a prepared statement.
///
/// Goes past GRDB to SQLite itself: every row of an ingest that is not written as a page passes through this loop.
struct RowBinder: RowColumns {
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

    mutating func blob(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes {
            sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64($0.count), transient)
        }
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

    /// Makes SQLite copy the bytes: C's `SQLITE_TRANSIENT`, a cast that Swift does not import.
    mutating func value(_ value: SQLValue) {
        switch value {
        case .null: integer(nil)
        case .integer(let number): integer(number)
        case .real(let number): real(number)
        case .text(let text): self.text(text)
        case .blob(let bytes): blob(bytes)
        }
    }

    private var transient: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }
}
