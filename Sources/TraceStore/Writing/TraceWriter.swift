import Foundation
import GRDB

/// The one writer of a database. It holds the right to write until ``close(notice:)`` or ``abort()``.
///
/// Not for use from several threads at a time.
package final class TraceWriter {
    /// How a database that does not exist yet is written.
    package enum WriteMode: Sendable {
        /// Into a file beside it, which is renamed at the end: nothing is visible before, and nothing is left of an ingest
        /// that does not finish. An existing database is written by transactions.
        case whole
        /// By transactions in the database itself: for input that has no end or cannot be read again.
        case asItArrives
    }

    /// What is known about the rows, so that writing need not query it. Restored when a transaction fails.
    struct Known {
        var kinds = KindTable()
        var suspensionKinds: InternedRows<SuspensionKind>
        var scenarioKinds: InternedRows<ScenarioKind>
        var findingKinds: InternedRows<FindingKind>
        /// Row ids of the kinds that the replay of a log numbers 0, 1, 2 …, by log.
        var kindsOfLogs: [Int32: KindRows] = [:]
        var lastLog: Int32
        var lastSource: Int32
        var lastBlock: Int64
        /// Devices of runs that were written or deleted.
        var devices: Set<String> = []
        /// Whether steps were written or deleted.
        var hasNewSteps = false

        init(_ db: Database) throws {
            kinds = try KindTable(db)
            suspensionKinds = try InternedRows(db)
            scenarioKinds = try InternedRows(db)
            findingKinds = try InternedRows(db)
            func last(_ table: String, _ id: String, below most: Int64) throws -> Int64 {
                let row = try Row.fetchOne(db, sql: "SELECT min(\(id)), max(\(id)) FROM \(table)")
                let (first, last): (Int64, Int64) = (try row?.value(0) ?? 0, try row?.value(1) ?? 0)
                guard first >= 0, last < most else {
                    throw DamagedRow(description: "a row of \(table) has the id \(first < 0 ? first : last)")
                }
                return last
            }
            lastLog = Int32(try last("raw_logs", "log_id", below: Int64(Int32.max)))
            lastSource = Int32(try last("raw_sources", "source_id", below: Int64(Int32.max)))
            lastBlock = try last("raw_blocks", "block_id", below: 1 << 46)
        }
    }

    /// Path as shown to users, and that of the file which SQLite writes.
    let path: String
    private let file: String
    let queue: DatabaseQueue
    /// The tables that are written as pages; `nil` when everything is written by SQL.
    var load: FirstLoad?
    private var isLoading: Bool
    var known: Known
    package let codec: FactCodec
    private var lock: WriterLock?
    /// The connection while a transaction is under way, which inner ones then are part of.
    private var inTransaction: Database?

    /// Opens the database, or creates it when there is none, and takes the right to write to it.
    ///
    /// - Parameters:
    ///   - path: path of the database file.
    ///   - callbacks: canonical ids of the vocabulary, by index.
    ///   - waiting: gets a sentence for the user before waiting for another process.
    /// - Throws: ``StoreError`` when the file is not a lifestats database or cannot be opened; it is left unchanged.
    package init(
        path: String, callbacks: [String], mode: WriteMode = .whole, waiting: (String) -> Void = { _ in }
    ) throws {
        self.path = path
        codec = FactCodec(callbacks: callbacks)
        // No file is created beside something that is not a lifestats database.
        _ = try DatabaseFile.inspect(path)
        let target = DatabaseFile.resolved(path)
        lock = try WriterLock(file: target, shown: path) {
            waiting("another process is writing to \(path); waiting for it")
        }
        // Another process may have made it meanwhile.
        let isNew = try DatabaseFile.inspect(path) == .absent
        if isNew { try DatabaseFile.requireOwnName(target) }
        try DatabaseFile.requireOneName(path)
        let loadingFile = target + FirstLoad.suffix
        // Only the writer makes it, so one that is there is left over from a process that was killed.
        DatabaseFile.remove(loadingFile)
        isLoading = isNew && mode == .whole
        file = isLoading ? loadingFile : target
        do {
            queue = try DatabaseQueue(
                path: file, configuration: isLoading ? FirstLoad.configuration : Self.configuration)
            let (queue, isLoading) = (queue, isLoading)
            known = try queue.inDatabase { db in
                try Self.prepare(db, path: path)
                // What is damaged is found before the journal mode changes the file.
                let known = try Known(db)
                if isLoading { try FirstLoad.begin(db) }
                return known
            }
            if isLoading {
                load = try FirstLoad(file: file, queue)
            } else {
                try beginJournal(waiting)
            }
        } catch {
            if isNew { DatabaseFile.remove(file) }
            throw StoreError(error, path: path, isOpen: false)
        }
    }

    /// Makes the tables where there are none, and checks those that there are.
    private static func prepare(_ db: Database, path: String) throws {
        let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        // The first thing in the file says whose it is, so that a process after a crash can continue with it.
        if try Int32.fetchOne(db, sql: "PRAGMA application_id") == 0 {
            try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
        }
        let found: [(name: String, type: String, sql: String)] = try Row.fetchAll(db, sql: Schema.definitions).map {
            (try $0.value(0), try $0.value(1), try $0.value(2))
        }
        if version == 0, found.isEmpty {
            return try db.inTransaction {
                try Schema.create(in: db)
                return .commit
            }
        }
        if version == 0 { throw StoreError.withoutVersion(path) }
        guard let difference = Schema.differences(found).first else { return }
        throw StoreError.foreignSchema(path: path, difference: difference.description)
    }

    /// From here on, lets others read while this one writes. For a moment nobody else may use the file: idle readers
    /// are waited for. Others may begin to read meanwhile, but for a while every now and then: readers that overlap would
    /// never leave a gap.
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
                    waiting("another process is reading \(path), so it cannot be written now; waiting for it")
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

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "lifestats.writer"
        configuration.foreignKeysEnabled = false  // `verify` checks them; the replay hands over whole runs
        configuration.busyMode = .timeout(Double(patience))
        // A larger page cache makes nothing faster, since rows are written in order. The pages that a statement changes
        // are kept until it ends: memory is the place for so few.
        configuration.prepareDatabase { db in
            try db.execute(
                sql: """
                    PRAGMA page_size = \(FirstLoad.pageSize);
                    PRAGMA cache_size = -4096;
                    PRAGMA synchronous = NORMAL;
                    PRAGMA temp_store = MEMORY;
                    """)
        }
        return configuration
    }

    // MARK: - Transactions

    /// Runs a transaction, or a part of the one under way; afterwards either all of it is stored or nothing. On a first
    /// load there is none, because every error ends it.
    func transaction(_ body: (Database) throws -> Void) throws {
        if let inTransaction { return try body(inTransaction) }
        let before = isLoading ? nil : known
        do {
            try queue.inDatabase { db in
                inTransaction = db
                defer { inTransaction = nil }
                if isLoading { return try body(db) }
                try db.inTransaction(.immediate) {
                    try body(db)
                    return .commit
                }
            }
        } catch {
            if let before { known = before }
            throw worded(error)
        }
    }

    /// Stores all that is written meanwhile, or nothing of it; inside another one, nothing of either.
    package func atomically(_ body: () throws -> Void) throws {
        try transaction { _ in try body() }
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

    /// An error of SQLite in words for users; those of code that works inside a transaction stay as they are.
    private func worded(_ error: any Error) -> any Error {
        error is DatabaseError || error is SystemFailure || error is RowDecodingError || error is DamagedRow
            ? StoreError(error, path: path) : error
    }

    // MARK: - The end

    /// Makes the database one durable file that opens from a read-only folder, and gives up the right to write.
    ///
    /// Where readers are at work, or the disk is full, the journal stays beside it until the next ingest.
    ///
    /// - Parameter notice: gets a sentence for the user when what was stored is in two files.
    package func close(notice: (String) -> Void = { _ in }) throws {
        do {
            if isLoading {
                try finishLoading()
            } else {
                try finishJournal(notice)
            }
            try queue.close()
            if isLoading { try DatabaseFile.publish(file, as: DatabaseFile.resolved(path)) }
            isLoading = false
            lock = nil
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private func finishLoading() throws {
        try settle()
        try queue.inDatabase { db in
            // The answers are made from what is in the file.
            try db.execute(sql: "COMMIT; BEGIN")
            if known.hasNewSteps { try KeptAnswers.update(in: db) }
            try db.execute(sql: "COMMIT")
        }
    }

    private func finishJournal(_ notice: (String) -> Void) throws {
        try queue.inDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA busy_timeout = 2000")
            if let obstacle = try Self.obstacle(toCheckpointIn: db) {
                notice(
                    "\(path): everything is stored, part of it in \(file)-wal, because \(obstacle); a copy needs both "
                        + "files, until the next `lifestats ingest` merges them")
            }
            Self.endJournal(in: db)
        }
        guard known.hasNewSteps else { return }
        // Now that the file has everything, the answers are made from it; what they add up can be queried without them.
        do { try transaction { try KeptAnswers.update(in: $0) } } catch StoreError.diskFull {}
        queue.inDatabase(Self.endJournal)
    }

    /// Writes the rows of the large tables, when they are not in the database yet; from then on they are written by SQL.
    func settle() throws {
        guard let load else { return }
        self.load = nil
        if let inTransaction {
            try load.settle(inTransaction)
        } else {
            try queue.inDatabase { try load.settle($0) }
        }
    }

    /// Gives up: nothing is left of a first load; of other writing what was committed is.
    package func abort() {
        guard lock != nil else { return }
        load = nil
        if isLoading {
            try? queue.close()
            DatabaseFile.remove(file)
        } else {
            // One file again, if it can be.
            queue.inDatabase(Self.endJournal)
            try? queue.close()
        }
        lock = nil
    }

    deinit { abort() }

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

    /// Makes the database one file again, if nobody else is using it.
    private static func endJournal(in db: Database) {
        try? db.execute(sql: "PRAGMA busy_timeout = 200; PRAGMA journal_mode = DELETE")
    }
}
