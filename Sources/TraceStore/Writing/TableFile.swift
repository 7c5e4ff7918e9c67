import GRDBSQLite

/// A new SQLite file with tables of any schema, for other programs to read.
package final class TableFile {
    private let path: String
    private let connection: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    /// Makes the file and its tables, in one transaction until ``close()``. Nothing of it survives a crash.
    ///
    /// - Throws: ``StoreError``.
    package init(path: String, schema: String) throws {
        self.path = path
        var connection: OpaquePointer?
        let code = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
        guard code == SQLITE_OK, let connection else {
            defer { sqlite3_close_v2(connection) }
            throw StoreError.database(path: path, reason: String(cString: sqlite3_errstr(code)))
        }
        self.connection = connection
        try run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; \(schema)")
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(connection)
    }

    /// Adds a row to a table.
    package func insert(into table: String, _ values: [SQLValue]) throws {
        let statement = try statement(table, width: values.count)
        for (index, value) in values.enumerated() {
            var binder = RowBinder(statement: statement, index: Int32(index + 1))
            switch value {
            case .null: binder.integer(nil)
            case .integer(let number): binder.integer(number)
            case .real(let number): binder.real(number)
            case .text(let text): binder.text(text)
            case .blob(let bytes): binder.blob(bytes)
            }
        }
        defer { sqlite3_reset(statement) }
        guard sqlite3_step(statement) == SQLITE_DONE else { throw failure }
    }

    /// Completes the file.
    package func close() throws { try run("COMMIT") }

    private func statement(_ table: String, width: Int) throws -> OpaquePointer {
        if let known = statements[table] { return known }
        var statement: OpaquePointer?
        let places = Array(repeating: "?", count: width).joined(separator: ",")
        let sql = "INSERT INTO \"\(table.replacing("\"", with: "\"\""))\" VALUES (\(places))"
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw failure
        }
        statements[table] = statement
        return statement
    }

    private func run(_ sql: String) throws {
        guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    private var failure: StoreError {
        StoreError.database(path: path, reason: String(cString: sqlite3_errmsg(connection)))
    }
}
