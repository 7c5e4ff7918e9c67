import GRDB

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension StoreError {
    /// Words for an error that occurred while working on the database at a path; errors of ours stay as they are.
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
        // A quota, or a limit of the size of files: SQLite tells only a full disk from other failures.
        case .SQLITE_IOERR where sqlite.extendedResultCode == .SQLITE_IOERR_WRITE:
            self = .cannotGrow(path: path, reason: reason)
        case .SQLITE_IOERR: self = .deviceFails(path: path, reason: reason)
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            self =
                isOpen
                ? .damaged(path: path, reason: reason)
                : .unreadable(path: path, reason: DatabaseFile.shortfall(of: path) ?? reason)
        // All statements here are ours: only numbers that we never write are too large for them.
        case .SQLITE_ERROR where reason == "integer overflow": self = .damaged(path: path, reason: reason)
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            self = .cannotOpen(path: path, reason: reason)
        case .SQLITE_INTERRUPT: self = .interrupted
        default: self = .database(path: path, reason: reason)
        }
    }
}

/// A call of the system that failed, while a file was worked on without SQLite.
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

/// A row that this program would never write: something else has changed the database, or its pages are damaged.
struct DamagedRow: Error, CustomStringConvertible {
    /// What is wrong with it.
    var description: String
}

extension Row {
    /// The value of a column. One that is not of the type throws: in a file that something else has changed, or whose
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
