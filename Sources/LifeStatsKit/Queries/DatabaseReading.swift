import Dispatch
import Foundation
import Synchronization
import TraceRecords
import TraceStore

/// How long a command may read a database, all its queries together.
public struct ReadingLimit: Sendable {
    /// Seconds; `nil` for no limit.
    public var seconds: Double?
    /// Called from another thread, with the error to report, when a query has not stopped two seconds after it was told to.
    /// A command can end the process here: reading has changed nothing.
    public var giveUp: (@Sendable (LifeStatsError) -> Void)?

    public init(seconds: Double? = 300, giveUp: (@Sendable (LifeStatsError) -> Void)? = nil) {
        self.seconds = seconds
        self.giveUp = giveUp
    }
}

/// A database that a command reads: queries, and the scans that the store offers, within a ``ReadingLimit``.
final class DatabaseReading {
    let store: TraceReader
    var path: String { store.path }

    private init(_ store: TraceReader) { self.store = store }

    /// Opens a database and reads it.
    ///
    /// - Parameter isLenient: whether its schema need not be ours.
    /// - Throws: ``LifeStatsError``: there is no database, it cannot be read, or the time is up.
    static func run<T>(
        _ path: String, limit: ReadingLimit = ReadingLimit(), isLenient: Bool = false,
        _ body: (DatabaseReading) throws -> T
    ) throws -> T {
        try LifeStatsError.translated { try run(try TraceReader(path: path, isLenient: isLenient), limit, body) }
    }

    /// Opens a database for two threads and has each read its part.
    ///
    /// - Parameters:
    ///   - isLenient: whether its schema need not be ours.
    ///   - body: called once in each thread. There is only one when somebody writes to the database at the same moment,
    ///     since both must see the same state.
    /// - Throws: ``LifeStatsError``, as ``run(_:limit:isLenient:_:)``; after the first error the other thread is stopped.
    static func runInTwoThreads(
        _ path: String, limit: ReadingLimit, isLenient: Bool = false, _ body: @Sendable (DatabaseReading) throws -> Void
    ) throws {
        try LifeStatsError.translated {
            let pair = try TraceReader.pair(path: path, isLenient: isLenient)
            // Each thread has its own.
            nonisolated(unsafe) let stores = [pair.first] + (pair.second.map { [$0] } ?? [])
            let failure = Mutex<(any Error)?>(nil)
            DispatchQueue.concurrentPerform(iterations: stores.count) { number in
                do {
                    try run(stores[number], limit, body)
                } catch {
                    failure.withLock { $0 = $0 ?? error }
                    for store in stores { store.interrupter.interrupt() }
                }
            }
            if let error = failure.withLock(\.self) { throw error }
        }
    }

    /// Has a clock stop the queries when their time is up: SQLite asks by itself only between the steps of a statement.
    private static func run<T>(
        _ store: TraceReader, _ limit: ReadingLimit, _ body: (DatabaseReading) throws -> T
    ) throws -> T {
        let interrupter = store.interrupter
        interrupter.allow(seconds: limit.seconds)
        let clock = DispatchSource.makeTimerSource(queue: .global())
        clock.schedule(deadline: .now() + .milliseconds(50), repeating: .milliseconds(50))
        clock.setEventHandler {
            guard let overdue = interrupter.checkTime(), overdue > .seconds(2) else { return }
            limit.giveUp?(LifeStatsError(interrupter.reason.description))
        }
        clock.resume()
        defer { clock.cancel() }
        do {
            return try body(DatabaseReading(store))
        } catch let error as LifeStatsError {
            throw error.asking(store.path)
        }
    }

    /// Runs one query and hands over its rows.
    func query(
        _ sql: String, _ parameters: [String: SQLValue] = [:], columns: ([String]) throws -> Void = { _ in },
        row: (ResultRow) throws -> Void
    ) throws {
        try store.query(sql, parameters: parameters, columns: columns, row: row)
    }

    /// Writes output in the middle of a query. The time does not count: the reader of a pipe may be slow.
    func whileWriting(_ write: () throws -> Void) rethrows { try store.interrupter.whileWriting(write) }
}

/// Rows of a result by column name: a small result as a whole, a large one row by row.
struct Rows {
    /// One row, by column name.
    struct Row {
        fileprivate var places: [String: Int]
        fileprivate var values: [SQLValue]

        private func value(_ name: String) -> SQLValue { places[name].map { values[$0] } ?? .null }

        func integer(_ name: String) -> Int64? {
            switch value(name) {
            case .integer(let number): number
            case .real(let number): Int64(exactly: number.rounded())
            default: nil
            }
        }

        func text(_ name: String) -> String? {
            if case .text(let text) = value(name) { text } else { nil }
        }
    }

    /// Runs a query and keeps its rows.
    static func all(
        _ reader: DatabaseReading, _ sql: String, _ parameters: [String: SQLValue] = [:]
    ) throws -> [Row] {
        var rows: [Row] = []
        try each(reader, sql, parameters) { rows.append($0) }
        return rows
    }

    /// Runs a query and hands over its rows one by one.
    static func each(
        _ reader: DatabaseReading, _ sql: String, _ parameters: [String: SQLValue] = [:],
        _ body: (Row) throws -> Void
    ) throws {
        var places: [String: Int] = [:]
        try reader.query(sql, parameters) { columns in
            places = Dictionary(
                columns.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { a, _ in a })
        } row: { row in
            try body(Row(places: places, values: row.values))
        }
    }
}
