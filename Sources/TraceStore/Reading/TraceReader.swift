import Foundation
import GRDBSQLite
package import TraceRecords

/// A read-only connection for queries, which cannot write, attach or run forever. They all see the database as it was
/// when it was opened, whoever writes meanwhile.
///
/// It does not use GRDB, whose authorizer would conflict with this one. Not for use from several threads at a time,
/// except for ``interrupter``.
package final class TraceReader {
    /// Path of the database file.
    package let path: String
    let connection: OpaquePointer
    private let queryGuard: QueryGuard
    private let isLenient: Bool

    /// Opens a database.
    ///
    /// - Parameter isLenient: whether to open a database whose schema is wrong, to say what is wrong with it.
    /// - Throws: ``StoreError`` when there is no lifestats database at the path; nothing is created.
    package init(path: String, isLenient: Bool = false) throws {
        self.path = path
        self.isLenient = isLenient
        guard try DatabaseFile.inspect(path) == .ours else { throw DatabaseFile.absence(of: path) }
        connection = try Self.open(path)
        queryGuard = QueryGuard(connection: connection)
        sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, 16 << 20)
        sqlite3_exec(connection, "PRAGMA query_only = 1; PRAGMA trusted_schema = 0", nil, nil, nil)
        // A second thread sorts what does not fit into the cache while the first continues to read.
        sqlite3_exec(connection, "PRAGMA cache_size = -16384; PRAGMA threads = 2", nil, nil, nil)
        QueryFunctions.register(on: connection)
        sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
        try checkSchema()
        queryGuard.watch(connection)
    }

    /// Refuses a database in which a query could mean something other than it says, or never end.
    private func checkSchema() throws {
        let found = try definitions()
        // The process that made the file was stopped before there was a table.
        if found.isEmpty { throw StoreError.empty(path: path) }
        if try number("PRAGMA user_version") == 0 { throw StoreError.withoutVersion(path) }
        guard !isLenient, let other = Schema.differences(found).first(where: \.disturbsReading) else { return }
        throw StoreError.foreignSchema(path: path, difference: other.description)
    }

    /// What the schema holds; see ``Schema/definitions``.
    func definitions() throws -> [(name: String, type: String, sql: String)] {
        var found: [(name: String, type: String, sql: String)] = []
        try query(Schema.definitions) { found.append(($0.text(0) ?? "", $0.text(1) ?? "", $0.text(2) ?? "")) }
        return found
    }

    /// Opens a database for two threads that see the same state of it.
    ///
    /// - Returns: without a second connection when somebody wrote between the one and the other.
    package static func pair(
        path: String, isLenient: Bool = false
    ) throws -> (first: TraceReader, second: TraceReader?) {
        let second = try TraceReader(path: path, isLenient: isLenient)
        // The number changes when another connection has written since it was last asked for.
        second.executeUnwatched("COMMIT")
        let version = try second.number("PRAGMA data_version")
        let first = try TraceReader(path: path, isLenient: isLenient)
        second.executeUnwatched("BEGIN; SELECT count(*) FROM sqlite_schema")
        return (first, try second.number("PRAGMA data_version") == version ? second : nil)
    }

    /// Runs built-in statements that a query must not contain.
    private func executeUnwatched(_ sql: String) {
        sqlite3_set_authorizer(connection, nil, nil)
        sqlite3_exec(connection, sql, nil, nil, nil)
        queryGuard.watch(connection)
    }

    deinit {
        interrupter.forget()
        sqlite3_close_v2(connection)
    }

    private func number(_ sql: String) throws -> Int64 {
        var number: Int64 = 0
        try query(sql) { number = $0.integer(0) ?? 0 }
        return number
    }

    /// Limits what SQLite may allocate; everything else in this process is small. Some statements would take all
    /// the memory there is before their first row.
    package static func limitMemory(toBytes bytes: Int64) { sqlite3_hard_heap_limit64(bytes) }

    /// Stops the running query, from any thread.
    package var interrupter: Interrupter { queryGuard.interrupter }

    /// Told of each statement how many instructions of SQLite's machine it took: a test sees from that what it reads.
    @TaskLocal package static var worked: (@Sendable (Int) -> Void)?

    /// Runs one statement and hands over its rows one by one.
    ///
    /// - Parameters:
    ///   - sql: a `SELECT`, `WITH`, `VALUES`, `EXPLAIN` or reading `PRAGMA`.
    ///   - parameters: values by name without the sigil.
    ///   - requiresValues: whether a parameter that is not named here is an error; otherwise it is NULL.
    ///   - most: the number of rows after which the query ends; `nil` for all.
    ///   - columns: called once with the names of the columns, before the first row.
    ///   - row: called for every row.
    /// - Throws: ``StoreError``, or what the callbacks throw.
    @discardableResult
    package func query(
        _ sql: String, parameters: [String: SQLValue] = [:], requiresValues: Bool = false, most: Int? = nil,
        columns: ([String]) throws -> Void = { _ in }, row: (ResultRow) throws -> Void
    ) throws -> QueryOutcome {
        try interrupter.during(sql) {
            let statement = try prepare(sql)
            defer {
                Self.worked?(Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0)))
                sqlite3_finalize(statement)
            }
            if requiresValues { try Self.requireValues(parameters, of: statement) }
            try bind(parameters, to: statement)
            try columns(
                (0..<sqlite3_column_count(statement)).map {
                    sqlite3_column_name(statement, $0).map { String(cString: $0) } ?? ""
                })
            var rows = 0
            while true {
                switch sqlite3_step(statement) {
                case SQLITE_ROW:
                    if let most, rows >= most { return QueryOutcome(rows: rows, isCutShort: true) }
                    rows += 1
                    try row(ResultRow(statement: statement))
                    // A statement whose rows come cheaply may never reach the progress handler.
                    if rows % 64 == 0, interrupter.checkTime() != nil { throw interrupter.reason }
                case SQLITE_DONE:
                    return QueryOutcome(rows: rows, isCutShort: false)
                case SQLITE_INTERRUPT:
                    throw interrupter.reason
                default:
                    throw failure(sql)
                }
            }
        }
    }

    /// Runs something that reads pages itself, and calls a function again and again that throws when it has to stop.
    ///
    /// - Parameter name: what is read, for an error.
    func withoutStatement(_ name: String, _ body: (_ mayGoOn: () throws -> Void) throws -> Void) throws {
        do {
            try interrupter.during(name) {
                try body { if interrupter.checkTime() != nil { throw interrupter.reason } }
            }
        } catch let damage as DamagedRow {
            throw StoreError.damaged(path: path, reason: damage.description)
        }
    }

    /// The names of a statement's parameters, without their sigils, in order.
    package func parameterNames(of sql: String) throws -> [String] {
        try interrupter.during(sql) {
            let statement = try prepare(sql)
            defer { sqlite3_finalize(statement) }
            return Self.parameters(of: statement).map(\.name)
        }
    }

    private func prepare(_ sql: String) throws -> OpaquePointer {
        queryGuard.denial = nil
        let tokens = StatementText(sql)
        guard tokens.isReading else {
            throw tokens.refusal
        }
        // SQLite would stop there, and not say so.
        if let end = sql.utf8.firstIndex(of: 0) {
            let behind = StatementText(String(sql[end...].dropFirst())).beginning ?? "nothing"
            throw StoreError.sql(
                message: "a NUL character ends the statement; after it: \(behind)", sql: sql,
                offset: sql.utf8.distance(from: sql.utf8.startIndex, to: end))
        }
        var statement: OpaquePointer?
        var used = 0
        let code = sql.withCString { start in
            var tail: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v2(connection, start, -1, &statement, &tail)
            used = tail.map { $0 - start } ?? 0
            return code
        }
        guard code == SQLITE_OK, let statement else {
            throw code == SQLITE_INTERRUPT ? interrupter.reason : failure(sql)
        }
        if let error = Self.objection(to: statement, tokens, sql, used: used) {
            sqlite3_finalize(statement)
            throw error
        }
        return statement
    }

    /// What is wrong with a statement that SQLite understands, or with what follows it.
    private static func objection(
        to statement: OpaquePointer, _ tokens: StatementText, _ sql: String, used: Int
    ) -> StoreError? {
        let rest = StatementText(String(decoding: sql.utf8.dropFirst(used), as: UTF8.self))
        if let beginning = rest.beginning {
            let offset = sql.utf8.count - rest.length
            return .sql(message: "unexpected text after the statement: \(beginning)", sql: sql, offset: offset)
        }
        guard sqlite3_stmt_readonly(statement) == 0 else { return nil }
        let isExplained = tokens.firstWord == "EXPLAIN"
        return .forbidden(reason: "\(isExplained ? "EXPLAIN of " : "")a statement that does more than read")
    }

    private static func parameters(of statement: OpaquePointer) -> [(index: Int32, name: String)] {
        let count = sqlite3_bind_parameter_count(statement)
        guard count > 0 else { return [] }
        return (1...count).compactMap { index in
            sqlite3_bind_parameter_name(statement, index).map { (index, String(String(cString: $0).dropFirst())) }
        }
    }

    /// - Throws: ``StoreError`` when a parameter has no value, or no name by which it could get one.
    private static func requireValues(_ values: [String: SQLValue], of statement: OpaquePointer) throws {
        let parameters = parameters(of: statement)
        if let missing = parameters.first(where: { values[$0.name] == nil }) {
            throw StoreError.unbound(
                parameter: sqlite3_bind_parameter_name(statement, missing.index).map { String(cString: $0) } ?? "",
                name: missing.name)
        }
        if parameters.count < Int(sqlite3_bind_parameter_count(statement)) {
            throw StoreError.unbound(parameter: "?", name: nil)
        }
    }

    private func bind(_ values: [String: SQLValue], to statement: OpaquePointer) throws {
        var unused = Set(values.keys)
        let parameters = Self.parameters(of: statement)
        for (index, name) in parameters {
            unused.remove(name)
            var binder = RowBinder(statement: statement, index: index)
            binder.value(values[name] ?? .null)
        }
        if let name = unused.min() {
            let names = Set(parameters.map(\.name)).sorted().joined(separator: ", ")
            throw StoreError.parameter(
                name: name,
                reason: names.isEmpty ? "the query has no parameters" : "the query does not have it; it has \(names)")
        }
    }

    private func failure(_ sql: String) -> StoreError {
        if let denial = queryGuard.denial { return .forbidden(reason: denial) }
        let message = String(cString: sqlite3_errmsg(connection))
        switch sqlite3_errcode(connection) {
        case SQLITE_NOMEM: return .outOfMemory
        case SQLITE_NOTADB, SQLITE_CORRUPT: return .damaged(path: path, reason: message)
        case SQLITE_BUSY, SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_FULL: return .database(path: path, reason: message)
        default:
            let offset = sqlite3_error_offset(connection)
            return .sql(message: message, sql: sql, offset: offset < 0 ? nil : Int(offset))
        }
    }

    private static func open(_ path: String) throws -> OpaquePointer {
        var result = connect(path, SQLITE_OPEN_READONLY)
        if case .failure(let refusal) = result {
            if refusal.isCutOff {
                // A writer was stopped in the middle; what it had begun is undone by a process that may write.
                if case .success(let writer) = connect(path, SQLITE_OPEN_READWRITE) {
                    sqlite3_close_v2(writer)
                    result = connect(path, SQLITE_OPEN_READONLY)
                }
            } else if refusal.code == SQLITE_CANTOPEN || refusal.code == SQLITE_READONLY, DatabaseFile.isWhole(path) {
                // It opens from a read-only folder only when told that nothing changes.
                result = connect("file:\(uriPath(path))?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
            }
        }
        do throws(Refusal) {
            return try result.get()
        } catch {
            switch error.code {
            case SQLITE_NOTADB, SQLITE_CORRUPT:
                throw StoreError.unreadable(path: path, reason: DatabaseFile.shortfall(of: path) ?? error.reason)
            case SQLITE_BUSY:
                throw StoreError.database(
                    path: path, reason: "another program keeps it locked; try again when it is done")
            case _ where error.isCutOff:
                throw StoreError.cannotOpen(
                    path: path,
                    reason:
                        "a writer was stopped in the middle, and what it had begun must be undone by a user who may "
                        + "write to the file")
            case SQLITE_CANTOPEN where DatabaseFile.holdsAnything(DatabaseFile.resolved(path) + "-wal"):
                throw StoreError.cannotOpen(
                    path: path,
                    reason: "part of it is in the file ending in -wal beside it; that needs a user who may write there")
            default: throw StoreError.cannotOpen(path: path, reason: error.reason)
            }
        }
    }

    /// What SQLite says where it opens nothing.
    private struct Refusal: Error {
        var extended: Int32
        var reason: String
        var code: Int32 { extended & 0xff }
        /// Whether a transaction that was begun has to be taken back first; Swift does not see the macro of its name.
        var isCutOff: Bool { extended == SQLITE_READONLY | 3 << 8 }
    }

    /// Opens a connection in a transaction: what is read first decides which state all that follows sees.
    private static func connect(_ name: String, _ flags: Int32) -> Result<OpaquePointer, Refusal> {
        var connection: OpaquePointer?
        if sqlite3_open_v2(name, &connection, flags | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK, let connection {
            sqlite3_busy_timeout(connection, 10_000)
            if sqlite3_exec(connection, "BEGIN; SELECT count(*) FROM sqlite_schema", nil, nil, nil) == SQLITE_OK {
                return .success(connection)
            }
        }
        defer { sqlite3_close_v2(connection) }
        return .failure(
            Refusal(
                extended: connection.map { sqlite3_extended_errcode($0) } ?? SQLITE_NOMEM,
                reason: connection.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"))
    }

    private static func uriPath(_ path: String) -> String {
        path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
    }
}
