import GRDBSQLite

/// What SQLite's callbacks of one connection refer to: what a statement may do, and for how long.
final class QueryGuard {
    let interrupter: Interrupter
    /// Why the authorizer refused, for the error message.
    var denial: String?

    init(connection: OpaquePointer) {
        interrupter = Interrupter(connection: connection)
    }

    /// Prepares for the next query.
    func begin(timeout: Double?) {
        denial = nil
        interrupter.begin(timeout: timeout)
    }

    /// Whether the running query has to stop now.
    func mustStop() -> Bool { interrupter.checkTime() != nil }

    /// Sets the callbacks. The guard must outlive the connection.
    func watch(_ connection: OpaquePointer) {
        Self.declareTableFunctions(of: connection)
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_set_authorizer(
            connection,
            { context, action, first, second, _, _ in
                guard let context else { return SQLITE_DENY }
                let mine = Unmanaged<QueryGuard>.fromOpaque(context).takeUnretainedValue()
                let reason = QueryGuard.objection(
                    to: action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
                if let reason { mine.denial = reason }
                return reason == nil ? SQLITE_OK : SQLITE_DENY
            }, context)
        sqlite3_progress_handler(
            connection, 10_000,
            { context in
                guard let context else { return 1 }
                return Unmanaged<QueryGuard>.fromOpaque(context).takeUnretainedValue().mustStop() ? 1 : 0
            }, context)
    }

    /// Has SQLite declare the functions that stand in place of a table. It does so when it first meets one, by a
    /// `CREATE TABLE` that the authorizer could not tell from a real one.
    private static func declareTableFunctions(of connection: OpaquePointer) {
        let names = ["json_each", "json_tree"] + pragmasWithArgument.union(pragmas).map { "pragma_\($0)" }
        for name in names {
            var statement: OpaquePointer?
            sqlite3_prepare_v2(connection, "SELECT 1 FROM \(name)", -1, &statement, nil)
            sqlite3_finalize(statement)
        }
    }

    /// What is wrong with an action; `nil` when it only reads.
    private static func objection(to action: Int32, _ first: String?, _ second: String?) -> String? {
        switch action {
        case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE:
            return nil
        case SQLITE_FUNCTION:
            let name = (second ?? "").lowercased()
            return forbiddenFunctions.contains(name) ? "the function \(name)" : nil
        case SQLITE_PRAGMA:
            let name = (first ?? "").lowercased()
            if pragmasWithArgument.contains(name) { return nil }
            if pragmas.contains(name), second == nil { return nil }
            return "PRAGMA \(name)\(second == nil ? "" : " with a value")"
        case SQLITE_ATTACH: return "ATTACH"
        case SQLITE_DETACH: return "DETACH"
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
            // SQLite declares a function in place of a table by rows of the schema.
            return first == "sqlite_master"
                ? "changing the schema, or a function in place of a table that does more than read"
                : "changing rows (\(first ?? ""))"
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: return "transactions"
        default: return "anything but reading"
        }
    }

    private static let forbiddenFunctions: Set = [
        "load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "lsmode", "fsdir", "zipfile",
    ]

    /// Pragmas that only read, and take the name of a table or a number.
    private static let pragmasWithArgument: Set = [
        "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list",
        "integrity_check", "quick_check", "foreign_key_check",
    ]

    /// Pragmas that only read as long as no value is given.
    private static let pragmas: Set = [
        "user_version", "application_id", "schema_version", "page_count", "page_size", "encoding", "compile_options",
        "function_list", "collation_list", "pragma_list", "module_list", "freelist_count", "data_version",
    ]
}

/// What a query may cost.
package struct QueryLimits: Sendable, Hashable {
    /// Longest time in seconds; `nil` for no limit.
    package var timeout: Double?
    /// Most rows; `nil` for no limit.
    package var rows: Int?

    package init(timeout: Double? = 30, rows: Int? = nil) {
        self.timeout = timeout
        self.rows = rows
    }

    /// For what reads a whole database: ten minutes.
    package static let scan = QueryLimits(timeout: 600)
}
