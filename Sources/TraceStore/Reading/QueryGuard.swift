import GRDBSQLite
import Synchronization

/// What SQLite's callbacks of one connection refer to: what a statement may do, and for how long.
final class QueryGuard {
    let interrupter: Interrupter
    /// Why the authorizer refused, for the error message.
    var denial: String?

    init(connection: OpaquePointer) {
        interrupter = Interrupter(connection: connection)
    }

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
                return Unmanaged<QueryGuard>.fromOpaque(context).takeUnretainedValue().interrupter.checkTime() == nil
                    ? 0 : 1
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

/// What the first word of a statement says of it.
package struct StatementText {
    /// The first word in upper case, without comments and blanks before it; empty when there is none.
    let firstWord: String
    /// How much there is from the first word, or what stands in place of it, to the end, in bytes.
    let length: Int
    /// The beginning of that, for a message; `nil` when there is nothing.
    let beginning: String?

    private static let longestBeginning = 40

    init(_ sql: String) {
        var rest = Substring(sql)
        while let first = rest.first {
            if first.isWhitespace || first == ";" || first == "\u{FEFF}" {
                rest.removeFirst()
            } else if rest.hasPrefix("--") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*") {
                guard let end = rest.dropFirst(2).firstRange(of: "*/") else {
                    rest = ""
                    break
                }
                rest = rest[end.upperBound...]
            } else {
                break
            }
        }
        firstWord = rest.prefix { $0.isLetter }.uppercased()
        length = rest.utf8.count
        let line = rest.prefix { !$0.isNewline }
        let shown = line.prefix(Self.longestBeginning)
        beginning = rest.isEmpty ? nil : shown.count < line.count ? "\(shown)…" : String(shown)
    }

    /// Whether statements of this sort only read. What they call is the authorizer's to judge.
    var isReading: Bool { Self.reading.contains(firstWord) }

    /// Why a statement of another sort is refused.
    var refusal: StoreError {
        guard let beginning else { return .sql(message: "there is no statement", sql: "", offset: nil) }
        guard Self.writing.contains(firstWord) else {
            let words = Self.reading.joined(separator: ", ")
            let first = firstWord.isEmpty ? beginning : firstWord
            return .sql(message: "a query begins with \(words), not with \(first)", sql: "", offset: nil)
        }
        return .forbidden(reason: "\(firstWord) statements")
    }

    /// The words that statements which only read begin with.
    package static let reading = ["SELECT", "WITH", "VALUES", "EXPLAIN", "PRAGMA"]
    private static let writing: Set = [
        "ALTER", "ANALYZE", "ATTACH", "BEGIN", "COMMIT", "CREATE", "DELETE", "DETACH", "DROP", "END", "INSERT",
        "REINDEX", "RELEASE", "REPLACE", "ROLLBACK", "SAVEPOINT", "UPDATE", "VACUUM",
    ]
}

/// Stops the running query of a ``TraceReader``, from any thread: when somebody asks for it, or when the time is up that
/// all its queries have together.
package final class Interrupter: Sendable {
    private struct State {
        /// The connection's address; 0 when it is closed.
        var connection: UInt
        var seconds: Double?
        var deadline: ContinuousClock.Instant?
        /// The current or last query, and how many are running: a row of one may ask another.
        var query = ""
        var running = 0
        var isWanted = false
        var hasTimedOut = false
        /// When the query was first told to stop.
        var toldAt: ContinuousClock.Instant?
        /// When the writing of an answer began, which lasts as long as its reader takes.
        var writesSince: ContinuousClock.Instant?
    }

    private let state: Mutex<State>

    init(connection: OpaquePointer) {
        state = Mutex(State(connection: UInt(bitPattern: connection)))
    }

    /// Gives all queries from now on so many seconds; `nil` for no limit.
    package func allow(seconds: Double?) {
        state.withLock {
            $0.seconds = seconds
            $0.deadline = seconds.map { ContinuousClock.now + .seconds($0) }
            $0.hasTimedOut = false
        }
    }

    /// Stops the query that runs, or the next one.
    package func interrupt() {
        state.withLock {
            $0.isWanted = true
            Self.stop(&$0)
        }
    }

    /// Stops the query if its time is up. A statement asks by itself only after thousands of its steps, and one step can
    /// take long; so a thread with a clock should call this now and then.
    ///
    /// - Returns: for how long the query has not obeyed; `nil` when it was not told to stop.
    @discardableResult
    package func checkTime() -> Duration? {
        state.withLock {
            guard $0.writesSince == nil, $0.running > 0 else { return nil }
            if !$0.isWanted, let deadline = $0.deadline, ContinuousClock.now > deadline { $0.hasTimedOut = true }
            guard $0.isWanted || $0.hasTimedOut else { return nil }
            Self.stop(&$0)
            return $0.toldAt.map { ContinuousClock.now - $0 }
        }
    }

    /// Why a query was stopped: ``StoreError/timedOut(seconds:query:)`` or ``StoreError/interrupted``.
    package var reason: StoreError {
        state.withLock {
            $0.hasTimedOut ? .timedOut(seconds: $0.seconds ?? 0, query: $0.query) : .interrupted
        }
    }

    /// Does something that takes no time of the query: a reader of the answer may be slow.
    package func whileWriting(_ write: () throws -> Void) rethrows {
        state.withLock { $0.writesSince = ContinuousClock.now }
        defer {
            state.withLock {
                if let since = $0.writesSince { $0.deadline = $0.deadline.map { $0 + (ContinuousClock.now - since) } }
                $0.writesSince = nil
            }
        }
        try write()
    }

    /// Runs a query.
    ///
    /// - Throws: ``reason`` when the time is up already.
    func during<T>(_ query: String, _ body: () throws -> T) throws -> T {
        state.withLock {
            $0.query = query
            $0.running += 1
        }
        defer {
            state.withLock {
                $0.running -= 1
                if $0.running == 0 { ($0.isWanted, $0.toldAt) = (false, nil) }
            }
        }
        if checkTime() != nil { throw reason }
        return try body()
    }

    /// The connection is closed; nothing may refer to it.
    func forget() {
        state.withLock { $0.connection = 0 }
    }

    private static func stop(_ state: inout State) {
        if state.toldAt == nil { state.toldAt = ContinuousClock.now }
        if let connection = OpaquePointer(bitPattern: state.connection) { sqlite3_interrupt(connection) }
    }
}
