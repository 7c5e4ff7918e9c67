import GRDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The one writer of a database. It holds the right to write from ``init(path:waiting:)`` to ``close()``.
///
/// Not for use from several threads at a time.
package final class TraceWriter {
    let path: String
    let queue: DatabaseQueue
    private var lock: WriterLock?
    var kinds = KindTable()
    var suspensionKinds: [SuspensionKind: Int64] = [:]
    var scenarioKinds: [ScenarioKind: Int64] = [:]
    var known = KnownRows()
    /// The connection while a transaction is under way, which inner ones then are part of.
    private var inTransaction: Database?

    /// Opens the database, or creates it when there is none, and takes the right to write to it.
    ///
    /// - Parameters:
    ///   - path: path of the database file.
    ///   - waiting: gets a sentence for the person before waiting for another process.
    /// - Throws: ``StoreError`` when the file is not a database of ours, or cannot be opened; it is then left as it is.
    package init(path: String, waiting: (String) -> Void = { _ in }) throws {
        self.path = path
        // Nothing is put beside what is no database of ours.
        _ = try DatabaseFile.inspect(path)
        let file = DatabaseFile.resolved(path)
        lock = try WriterLock(file: file, shown: path) {
            waiting("another process is writing to \(path); waiting for it")
        }
        // Another process may have made it meanwhile.
        let isNew = try DatabaseFile.inspect(path) == .absent
        try DatabaseFile.requireOneName(path)
        do {
            queue = try DatabaseQueue(path: path, configuration: Self.configuration)
            let queue = queue
            let version = try queue.inDatabase { try Int32.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
            guard version <= Schema.version else { throw StoreError.tooNew(path: path, version: version) }
            // The first thing in the file says whose it is, so that whoever comes after a crash can go on with it.
            try queue.inDatabase { db in
                if try Int32.fetchOne(db, sql: "PRAGMA application_id") == 0 {
                    try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
                }
            }
            let definitions = try Self.definitions(in: queue)
            if version == 0, definitions["raw_sources"] != nil { throw StoreError.withoutVersion(path) }
            if version == Schema.version,
                let other = Schema.differences(definitions, from: Schema.tables).first
            {
                throw StoreError.otherTable(path: path, name: other.name)
            }
            try Schema.migrator.migrate(queue)
            // What is damaged is found before the journal mode changes the file.
            try queue.inDatabase(readKinds)
            try beginJournal(waiting)
        } catch {
            if isNew { DatabaseFile.remove(file) }
            throw StoreError(error, path: path, isOpen: false)
        }
    }

    /// Lets others read while this one writes, from here on. For a moment the file has to be nobody else's: who reads it
    /// at rest is waited for. Others may begin to read meanwhile, but for a while every now and then: readers that
    /// overlap would never leave a gap.
    private func beginJournal(_ waiting: (String) -> Void) throws {
        var tries = 0
        while true {
            do {
                let isLong = tries % Self.triesUntilLongOne == Self.triesUntilLongOne - 1
                let patience = isLong ? Self.millisecondsOfLongTry : Self.millisecondsOfTry
                try queue.inDatabase { db in
                    try db.execute(sql: "PRAGMA busy_timeout = \(patience); PRAGMA journal_mode = WAL")
                }
                break
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                tries += 1
                if tries == Self.triesInSilence {
                    waiting("another process is reading \(path), so that it cannot be written now; waiting for it")
                }
                usleep(Self.microsecondsBetweenTries)
            }
        }
        try queue.inDatabase { try $0.execute(sql: "PRAGMA busy_timeout = \(Self.patience * 1000)") }
    }

    /// How long a statement waits for a lock, in seconds.
    private static let patience = 30
    private static let triesInSilence = 5
    private static let triesUntilLongOne = 100
    private static let millisecondsOfTry = 20
    private static let millisecondsOfLongTry = 2000
    private static let microsecondsBetweenTries: UInt32 = 50_000

    private static func definitions(in queue: DatabaseQueue) throws -> [String: String] {
        try queue.inDatabase { db in
            let rows = try Row.fetchAll(db, sql: Schema.definitions).map {
                (try $0.value(0) as String, try $0.value(1) as String)
            }
            return Dictionary(rows) { $1 }
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "lifestats.writer"
        configuration.foreignKeysEnabled = false  // `verify` checks them; the replay hands over whole runs
        configuration.busyMode = .timeout(Double(patience))
        // A larger page cache makes nothing faster, since rows are written in order.
        configuration.prepareDatabase { db in
            try db.execute(
                sql: """
                    PRAGMA page_size = 16384;
                    PRAGMA cache_size = -4096;
                    PRAGMA synchronous = NORMAL;
                    PRAGMA temp_store = FILE;
                    """)
        }
        return configuration
    }

    /// Reads what is interned in the database.
    private func readKinds(_ db: Database) throws {
        kinds = try KindTable(db)
        suspensionKinds = try SuspensionKind.all(db)
        scenarioKinds = try ScenarioKind.all(db)
        known = try KnownRows(db)
    }

    /// Runs a transaction, or a part of the one under way; afterwards either all of it is stored or nothing.
    func transaction(_ body: (Database) throws -> Void) throws {
        if let inTransaction { return try body(inTransaction) }
        do {
            try queue.inDatabase { db in
                inTransaction = db
                defer { inTransaction = nil }
                try db.inTransaction(.immediate) {
                    try body(db)
                    return .commit
                }
            }
        } catch {
            // What was interned in the failed transaction is not there.
            try? queue.inDatabase(readKinds)
            throw worded(error)
        }
    }

    /// Stores all that is written meanwhile, or nothing of it; inside another one, nothing of either.
    package func atomically(_ body: () throws -> Void) throws {
        try transaction { _ in try body() }
    }

    /// Stores all that is written meanwhile, or nothing of it, so that what it is part of may go on without it.
    package func attempt(_ body: () throws -> Void) throws {
        guard let inTransaction else { return try atomically(body) }
        do {
            try inTransaction.inSavepoint {
                try body()
                return .commit
            }
        } catch {
            try? readKinds(inTransaction)
            throw error
        }
    }

    /// Reads something through the writer's connection.
    func read<T>(_ body: (Database) throws -> T) throws -> T {
        if let inTransaction { return try body(inTransaction) }
        do {
            return try queue.inDatabase(body)
        } catch {
            throw worded(error)
        }
    }

    /// An error of SQLite in words for people; those of whoever works inside a transaction stay as they are.
    private func worded(_ error: any Error) -> any Error {
        error is DatabaseError || error is RowDecodingError || error is DamagedRow
            ? StoreError(error, path: path) : error
    }

    /// Makes the database one durable file that opens from a read-only folder, and gives up the right to write.
    ///
    /// Where readers are at work, or there is no room, the journal stays beside it until the next ingest.
    ///
    /// - Parameter notice: gets a sentence for the person when what was stored is in two files.
    package func close(notice: (String) -> Void = { _ in }) throws {
        var obstacle: String?
        do {
            try transaction { try Summary.bringUpToDate(in: $0) }
        } catch StoreError.diskFull {
            // What it adds up can be asked for without it.
            obstacle = Self.noRoom
        }
        do {
            try queue.inDatabase { db in
                try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA busy_timeout = 2000")
                obstacle = try Self.obstacle(toCheckpointIn: db) ?? obstacle
                if let obstacle {
                    let journal = DatabaseFile.resolved(path) + "-wal"
                    notice(
                        "\(path): everything is stored, part of it in \(journal), because \(obstacle); a copy needs "
                            + "both files, until the next `lifestats ingest` makes them one")
                }
                Self.endJournal(in: db)
            }
            try queue.close()
            lock = nil
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Moves what is in the journal into the database's file. Why some of it stays where it is; `nil` when none does.
    private static func obstacle(toCheckpointIn db: Database) throws -> String? {
        do {
            guard let row = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") else { return nil }
            let (isBusy, frames, moved): (Int, Int, Int) = (try row.value(0), try row.value(1), try row.value(2))
            return moved < frames || isBusy != 0 && frames < 0 ? "another process is still reading" : nil
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            return noRoom
        }
    }

    private static let noRoom = "the disk is full"

    /// Whoever gives up in the middle leaves one file, too, if it can.
    deinit {
        guard lock != nil else { return }
        queue.inDatabase(Self.endJournal)
    }

    /// Makes the database one file again, if nobody else is using it.
    private static func endJournal(in db: Database) {
        try? db.execute(sql: "PRAGMA busy_timeout = 200; PRAGMA journal_mode = DELETE")
    }
}
