import Dispatch
import Foundation
import Synchronization
import TraceStore

/// How long a command may read a database, all its queries together.
public struct ReadingLimit: Sendable {
    /// Seconds; `nil` for no limit.
    public var seconds: Double?
    /// Called from another thread when a query does not stop although its time is up, with the error to report. A
    /// command can end the process here: reading has changed nothing.
    public var giveUp: (@Sendable (LifeStatsError) -> Void)?

    /// - Parameter seconds: `nil` for no limit.
    public init(seconds: Double? = 300) { self.seconds = seconds }
}

/// A database that a command reads: queries, and the scans that the store offers, within a ``ReadingLimit``.
final class DatabaseReading {
    private static let (tick, grace) = (50, 2.0)

    let store: TraceReader
    var path: String { store.path }
    private let watch: Watch

    private init(_ store: TraceReader, _ watch: Watch) {
        self.store = store
        self.watch = watch
    }

    /// Opens a database and reads it.
    ///
    /// - Throws: ``LifeStatsError``: there is no database, it cannot be read, or the time is up.
    static func run<T>(
        _ path: String, limit: ReadingLimit = ReadingLimit(), _ body: (DatabaseReading) throws -> T
    ) throws -> T {
        try LifeStatsError.translated {
            let store = try TraceReader(path: path)
            let watch = Watch(limit.seconds)
            return try watch.guarding(store, limit) { try body(DatabaseReading(store, watch)) }
        }
    }

    /// Opens a database for two threads and has each read its part.
    ///
    /// - Parameter body: called once in each thread. There is only one when somebody writes to the database at the same
    ///   moment, since both must see the same state.
    /// - Throws: ``LifeStatsError``, as ``run(_:limit:_:)``; after the first error the other thread is stopped.
    static func runInTwoThreads(
        _ path: String, limit: ReadingLimit, _ body: @Sendable (DatabaseReading) throws -> Void
    ) throws {
        try LifeStatsError.translated {
            let pair = try TraceReader.pair(path: path)
            // Each thread has its own.
            nonisolated(unsafe) let stores = [pair.first] + (pair.second.map { [$0] } ?? [])
            let failure = Mutex<(any Error)?>(nil)
            DispatchQueue.concurrentPerform(iterations: stores.count) { number in
                do {
                    let watch = Watch(limit.seconds)
                    try watch.guarding(stores[number], limit) { try body(DatabaseReading(stores[number], watch)) }
                } catch {
                    failure.withLock { $0 = $0 ?? error }
                    for store in stores { store.interrupter.interrupt() }
                }
            }
            if let error = failure.withLock(\.self) { throw error }
        }
    }

    /// Runs something that reads a database by itself, and cannot be stopped other than by ``ReadingLimit/giveUp``.
    static func watch<T>(_ name: String, limit: ReadingLimit, _ body: () throws -> T) throws -> T {
        try LifeStatsError.translated {
            let watch = Watch(limit.seconds)
            let timer = watch.start(limit, interrupter: nil)
            defer { timer?.cancel() }
            return try watch.during(name, body)
        }
    }

    /// Runs one query and hands over its rows.
    func query(
        _ sql: String, _ parameters: [String: SQLValue] = [:], columns: ([String]) throws -> Void = { _ in },
        row: (ResultRow) throws -> Void
    ) throws {
        try watch.during(sql) {
            _ = try store.query(
                sql, parameters: parameters, limits: QueryLimits(timeout: nil), columns: columns, row: row)
        }
    }

    /// Runs a scan of the store.
    ///
    /// - Parameter name: what is read, for an error.
    func scan<T>(_ name: String, _ body: (TraceReader) throws -> T) throws -> T {
        try watch.during(name) { try body(store) }
    }

    /// Writes output in the middle of a query. The time does not count: the reader of a pipe may be slow.
    func whileWriting(_ write: () throws -> Void) rethrows { try watch.whileWriting(write) }

    /// Interrupts a query when the time is up.
    private final class Watch: Sendable {
        private struct State {
            var deadline: ContinuousClock.Instant?
            /// The current or last query.
            var query = ""
            /// How many queries are running: a row of one may ask another.
            var running = 0
            var isWriting = false

            var isOver: Bool { !isWriting && deadline.map { ContinuousClock.now > $0 } ?? false }
        }

        private let seconds: Double?
        private let state: Mutex<State>

        init(_ seconds: Double?) {
            self.seconds = seconds
            state = Mutex(State(deadline: seconds.map { ContinuousClock.now + .seconds($0) }))
        }

        /// Runs something that reads, and interrupts it when the time is up.
        func guarding<T>(_ store: TraceReader, _ limit: ReadingLimit, _ body: () throws -> T) throws -> T {
            let timer = start(limit, interrupter: store.interrupter)
            defer { timer?.cancel() }
            do {
                return try body()
            } catch let stop as StoreError where stop == .interrupted && isOver {
                throw error
            }
        }

        /// - Parameter interrupter: what stops a query; without one, only giving up helps.
        func start(_ limit: ReadingLimit, interrupter: Interrupter?) -> (any DispatchSourceTimer)? {
            guard let seconds else { return nil }
            let grace = interrupter == nil ? 0 : DatabaseReading.grace
            let timer = DispatchSource.makeTimerSource(queue: .global())
            timer.schedule(deadline: .now() + seconds, repeating: .milliseconds(tick))
            timer.setEventHandler {
                let state = self.state.withLock { $0 }
                guard state.isOver, state.running > 0, let deadline = state.deadline else { return }
                interrupter?.interrupt()
                if ContinuousClock.now > deadline + .seconds(grace) { limit.giveUp?(self.error) }
            }
            timer.resume()
            return timer
        }

        func during<T>(_ query: String, _ body: () throws -> T) throws -> T {
            let isOver = state.withLock { state in
                state.query = query
                state.running += 1
                return state.isOver
            }
            defer { state.withLock { $0.running -= 1 } }
            if isOver { throw error }
            return try body()
        }

        func whileWriting(_ write: () throws -> Void) rethrows {
            let start = ContinuousClock.now
            state.withLock { $0.isWriting = true }
            defer {
                state.withLock { state in
                    state.isWriting = false
                    state.deadline = state.deadline.map { $0 + (ContinuousClock.now - start) }
                }
            }
            try write()
        }

        var isOver: Bool { state.withLock(\.isOver) }

        var error: LifeStatsError {
            let words = state.withLock(\.query).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            return LifeStatsError(
                "reading took longer than \(seconds.map { "\($0)" } ?? "") s and was stopped",
                why: "the last query was: \(words.count > 160 ? words.prefix(160) + "…" : words)",
                remedy: "narrow the question with a filter such as --app or --since, or raise the limit with --timeout "
                    + "SECONDS (0: no limit)")
        }
    }
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

        func real(_ name: String) -> Double? {
            switch value(name) {
            case .integer(let number): Double(number)
            case .real(let number): number
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
            try body(Row(places: places, values: (0..<row.count).map { row[$0] }))
        }
    }
}
