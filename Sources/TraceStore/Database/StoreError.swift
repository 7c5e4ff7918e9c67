import Foundation
import GRDB

/// Why the store could not do what was asked, worded for users: what, where, why, and how to fix it.
public enum StoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is no file at the path.
    case missing(path: String)
    /// The path is a link to a file that does not exist.
    case dangling(path: String, target: String)
    /// There is no table in the database, or nothing in the file.
    case empty(path: String)
    /// The file is not a database.
    case notADatabase(path: String, reason: String)
    /// The file is a lifestats database, but so damaged that it cannot be opened.
    case unreadable(path: String, reason: String)
    /// A part of the database turned out to be damaged while it was read or written.
    case damaged(path: String, reason: String)
    /// The file is a database of another program.
    case foreign(path: String)
    /// The database was written by a later version of lifestats.
    case tooNew(path: String, version: Int32)
    /// The database was written by an earlier version of lifestats.
    case tooOld(path: String)
    /// The schema of the database has something foreign, missing or different.
    case foreignSchema(path: String, difference: String)
    /// The file or its folder cannot be opened or written.
    case cannotOpen(path: String, reason: String)
    /// There is no room on the disk; what was written before is intact.
    case diskFull(path: String)
    /// A statement that is not allowed in a query.
    case forbidden(reason: String)
    /// The queries of a reader took longer than they may; with the one that was stopped.
    case timedOut(seconds: Double, query: String)
    /// A statement that needs more memory than it may take.
    case outOfMemory
    /// A statement that was stopped by the user.
    case interrupted
    /// A parameter that the statement does not have, or a value that it cannot take.
    case parameter(name: String, reason: String)
    /// A parameter without a value; its name is `nil` where it has none.
    case unbound(parameter: String, name: String?)
    /// A statement that SQLite refuses.
    case sql(message: String, sql: String, offset: Int?)
    /// Writing failed although the disk is not full.
    case cannotGrow(path: String, reason: String)
    /// The device fails.
    case deviceFails(path: String, reason: String)
    /// Anything else that SQLite says.
    case database(path: String, reason: String)

    public var description: String {
        switch self {
        case .missing(let path):
            "\(path): there is no such database. Create it with `lifestats ingest`, name another with --db, or read logs in "
                + "one step, such as `lifestats check logs/`."
        case .dangling(let path, let target):
            "\(path): this is a link to \(target), which does not exist. Fix the link, or name a database with --db."
        case .empty(let path):
            "\(path): the database is empty. Fill it with `lifestats ingest`, or name another with --db."
        case .notADatabase(let path, let reason):
            "\(path): this is not a lifestats database (\(reason)). It was left as it is; name another file with --db."
        case .unreadable(let path, let reason):
            "\(path): this lifestats database is damaged (\(reason)). It was left as it is; take a complete copy of it, or "
                + "ingest the logs into another file with --db."
        case .damaged(let path, let reason):
            "\(path): the database is damaged (\(reason)). `lifestats verify --db \(path)` shows more; ingest the "
                + "logs into another file with --db."
        case .foreign(let path):
            "\(path): this is a database of another program. It was left as it is; name another file with --db."
        case .foreignSchema(let path, let difference):
            "\(path): \(difference): the database was made by another version of lifestats, or changed by another program. "
                + "It was left as it is; ingest the logs again into a new database."
        case .tooOld(let path):
            "\(path): made by an older lifestats; ingest the logs again into a new database (name it with --db)."
        case .tooNew(let path, let version):
            "\(path): a later version of lifestats wrote this database (schema \(version), this one supports up to "
                + "\(Schema.version)). Update lifestats, or name another file with --db."
        case .cannotOpen(let path, let reason):
            "\(path): the database cannot be opened (\(reason)). Check the path and its permissions."
        case .diskFull(let path):
            "\(path): the disk is full. What was stored before is intact; make room and run the command again."
        case .cannotGrow(let path, let reason):
            "\(path): cannot be written (\(reason)): a quota or file size limit may be reached. What was stored "
                + "before is intact; make room and run the command again."
        case .deviceFails(let path, let reason):
            "\(path): the disk, or the connection to it, is failing (\(reason)). What was stored before is intact; run the command "
                + "again once it works, or name a file elsewhere with --db."
        case .forbidden(let reason):
            "Not allowed in a query: \(reason). Queries can only read."
        case .timedOut(let seconds, let query):
            "Reading took longer than \(seconds) s and was stopped; the last query was: \(Self.beginning(of: query)). Narrow "
                + "it (--app and --since, with `query` a condition or --param), or raise the limit with --timeout SECONDS."
        case .outOfMemory:
            "The query needs more memory than allowed and was stopped. Narrow it, or query less at a time."
        case .interrupted:
            "The query was stopped."
        case .parameter(let name, let reason):
            "Parameter \(name): \(reason)."
        case .unbound(let parameter, let name?):
            "The parameter \(parameter) has no value. Give it with --param \(name)=VALUE; in the prompt, write the value "
                + "into the statement."
        case .unbound(let parameter, nil):
            "The parameter \(parameter) has no name, so it cannot get a value. Write :name, and --param name=VALUE."
        case .sql(let message, let sql, let offset):
            "The query has an error: \(message)\(StoreError.place(offset, in: sql))."
                + (message.contains(/^no such (table|column)/)
                    ? " `lifestats schema` lists the views and their columns." : "")
        case .database(let path, let reason):
            "\(path): \(reason)."
        }
    }

    /// There are tables, but no version of their schema.
    static func withoutVersion(_ path: String) -> StoreError {
        .unreadable(path: path, reason: "the version of its schema, `PRAGMA user_version`, is 0")
    }

    private static func beginning(of query: String) -> String {
        let words = query.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.count > 160 ? words.prefix(160) + "…" : words
    }

    private static func place(_ offset: Int?, in sql: String) -> String {
        guard let offset, let end = sql.utf8.index(sql.utf8.startIndex, offsetBy: offset, limitedBy: sql.utf8.endIndex)
        else { return "" }
        let before = sql[..<end]
        let line = before.count { $0.isNewline } + 1
        let column = before.reversed().prefix { !$0.isNewline }.count + 1
        return " (line \(line), column \(column))"
    }
}

extension StoreError {
    /// An error that occurred while working on the database at a path, in words; a `StoreError` stays as it is.
    ///
    /// - Parameter isOpen: whether the database was opened before, so that it may have been changed.
    init(_ error: any Error, path: String, isOpen: Bool = true) {
        if let known = error as? StoreError {
            self = known
            return
        }
        if error is RowDecodingError || error is DamagedRow {
            // The value and its column; GRDB would add the whole row and the statement.
            let reason = "\(error)".prefix(200).replacing("\n", with: " ").split(separator: ", column index:")
            self = .damaged(path: path, reason: reason.first.map(String.init) ?? "")
            return
        }
        if let failure = error as? SystemFailure {
            self = failure.error(path: path)
            return
        }
        guard let sqlite = error as? DatabaseError else {
            self = .database(path: path, reason: "\(error)")
            return
        }
        let reason = sqlite.message ?? "\(sqlite.resultCode)"
        switch sqlite.resultCode {
        case .SQLITE_FULL: self = .diskFull(path: path)
        // The memory that readers and writers share is a file as well.
        case .SQLITE_IOERR where sqlite.extendedResultCode == .SQLITE_IOERR_SHMSIZE: self = .diskFull(path: path)
        // A quota or file size limit: the only failure that SQLite distinguishes is a full disk.
        case .SQLITE_IOERR where sqlite.extendedResultCode == .SQLITE_IOERR_WRITE:
            self = .cannotGrow(path: path, reason: reason)
        case .SQLITE_IOERR: self = .deviceFails(path: path, reason: reason)
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            self =
                isOpen
                ? .damaged(path: path, reason: reason)
                : .unreadable(path: path, reason: DatabaseFile.shortfall(of: path) ?? reason)
        // All statements here are built in, so only numbers that are never written are too large for them.
        case .SQLITE_ERROR where reason == "integer overflow": self = .damaged(path: path, reason: reason)
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            self = .cannotOpen(path: path, reason: reason)
        case .SQLITE_INTERRUPT: self = .interrupted
        default: self = .database(path: path, reason: reason)
        }
    }
}

/// A system call that failed while a file was used without SQLite.
struct SystemFailure: Error {
    /// The number of the error.
    private let number = errno

    /// Words for it.
    ///
    /// - Parameter path: of the database, whichever of its files the call was about.
    func error(path: String) -> StoreError {
        let reason = String(cString: strerror(number))
        return switch number {
        case ENOSPC, EDQUOT: .diskFull(path: path)
        case EFBIG: .cannotGrow(path: path, reason: reason)
        case EIO: .deviceFails(path: path, reason: reason)
        default: .cannotOpen(path: path, reason: reason)
        }
    }
}

/// A row that this program never writes: something else has changed the database, or its pages are damaged.
struct DamagedRow: Error, CustomStringConvertible {
    /// What is wrong with it.
    var description: String
}

extension Row {
    /// The value of a column. It throws when the type is wrong: in a file that something else has changed, or whose
    /// pages are damaged, a column may hold anything, and the subscripts of GRDB would end the program.
    @inline(__always)
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: Int) throws -> Value {
        try decode(atIndex: column)
    }

    /// The same by the name of the column.
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: String) throws -> Value {
        try decode(forColumn: column)
    }
}

extension Row: NamedColumns {
    func text(_ column: String) throws -> String? { try value(column) }
    func number(_ column: String) throws -> Int64? { try value(column) }
}
