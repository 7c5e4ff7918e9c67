import Dispatch
import NamedQueries
import Reports
import TraceStore

/// Asks a database, read-only, and writes the answer.
public enum QueryRunner {
    /// How often the clock is looked at, and how long a query may go on after it was told to stop, in milliseconds.
    private static let (tick, patience) = (50, 2_000)

    /// Runs a query.
    ///
    /// - Parameters:
    ///   - output: gets the answer in pieces. The time that it takes is not counted.
    /// - Returns: notes for the person (the answer was cut short …).
    /// - Throws: ``LifeStatsError`` when the database, the query or a parameter is no good, or the time is up.
    public static func run(_ request: QueryRequest, output: @escaping ([UInt8]) -> Void) throws -> [String] {
        try LifeStatsError.translated {
            let (sql, parameters) = try resolve(request)
            let reader = try TraceReader(path: request.database)
            let interrupter = reader.interrupter
            let interruption = Interruption { interrupter.interrupt() }
            defer { interruption.cancel() }
            let clock = watch(interrupter, request)
            defer { clock.cancel() }
            var writer: ResultWriter?
            let options = TableOptions(
                raw: request.raw, colour: request.colors, width: request.width, isTerminal: request.isTerminal)
            let outcome = try reader.query(
                sql, parameters: parameters,
                limits: QueryLimits(timeout: request.timeout, rows: request.maxRows)
            ) { columns in
                writer = ResultWriter(
                    format: request.format.tableFormat, columns: columns.map { Column($0.name) }, options: options
                ) { bytes in interrupter.whileWriting { output(bytes) } }
            } row: { row in
                try writer?.write((0..<row.count).map { Cell(row[$0]) })
            }
            try writer?.finish()
            return outcome.isCutShort ? ["stopped after \(outcome.rows) rows (--max-rows)"] : []
        }
    }

    /// Looks at the clock while a query runs. A single step of it may take for ever; then the caller gives up.
    private static func watch(_ interrupter: Interrupter, _ request: QueryRequest) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + .milliseconds(tick), repeating: .milliseconds(tick))
        let (timeout, giveUp) = (request.timeout, request.giveUp)
        timer.setEventHandler {
            guard let overdue = interrupter.checkTime(), overdue > .milliseconds(patience) else { return }
            let error: StoreError = interrupter.hasTimedOut ? .timedOut(seconds: timeout) : .interrupted
            giveUp?(LifeStatsError(error.description))
        }
        timer.resume()
        return timer
    }

    private static func resolve(_ request: QueryRequest) throws -> (sql: String, parameters: [String: SQLValue]) {
        let names = request.parameters.map(\.name)
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw LifeStatsError("--param \(twice): it is given more than once", remedy: "a parameter has one value")
        }
        switch request.question {
        case .named(let name):
            let query = try QueryCatalog.query(name)
            var values: [String: SQLValue] = [:]
            for (name, text) in request.parameters {
                guard let parameter = query.parameters.first(where: { $0.name == name }) else {
                    let names = query.parameters.map(\.name).joined(separator: ", ")
                    throw LifeStatsError(
                        "--param \(name): \(query.name) has no such parameter",
                        remedy: names.isEmpty ? "it has none" : "it has \(names)")
                }
                values[name] = try ParameterText.value(text, of: parameter)
            }
            return (query.sql, values)
        case .sql(let sql):
            let values = request.parameters.map { ($0.name, ParameterText.guess($0.value)) }
            return (sql, Dictionary(uniqueKeysWithValues: values))
        }
    }
}

extension Cell {
    /// A value of the store as a value of a table.
    init(_ value: SQLValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .text(let text): self = .text(text)
        case .blob(let bytes): self = .blob(bytes)
        }
    }
}
