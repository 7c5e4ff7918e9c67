import ArgumentParser
import Foundation
import LifeStatsKit

struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Answers a named question, or SQL of your own; never changes anything.",
        discussion: """
            A word is the name of a query (see --list), anything longer is SQL, and `-` reads SQL from standard input.

            Examples:
              lifestats query dwell_times
              lifestats query dwell_times --param app=MyApp --format csv
              lifestats query "select app, count(*) runs from runs group by app"
              lifestats query --show transition_counts

            SQL may use what the stock sqlite3 shell does not have: percentile(x, p) and median(x) (R type 7), \
            regexp(pattern, text), also as `text REGEXP pattern` (POSIX extended), and duration(ns) (1 h 23 min). \
            The named queries do without.

            A value for SQL of your own is a number where it is written as one, else a text; say the type (text, \
            integer, real, time) where that is wrong: --param version:text=1.1. SQL with a header like those of \
            --show says the types itself.
            """
    )

    @Argument(help: ArgumentHelp("The name of a query, SQL, or - for standard input.", valueName: "name|sql|-"))
    var query: String?

    @OptionGroup var database: DatabaseOptions

    @Option(help: ArgumentHelp("How to write the answer.", valueName: "table|csv|json|ndjson|markdown"))
    var format: OutputFormat = .table

    @Option(name: .customLong("param"), help: ArgumentHelp("A parameter of the query.", valueName: "name[:type]=value"))
    var parameters: [String] = []

    @Flag(help: "List the named queries and what they answer.")
    var list = false

    @Option(help: ArgumentHelp("Show a named query: purpose, parameters, columns, SQL.", valueName: "name"))
    var show: String?

    @Option(name: .customLong("file"), help: ArgumentHelp("Read the SQL from a file.", valueName: "file.sql"))
    var file: String?

    @Flag(help: "Print durations and shares as plain numbers in tables.")
    var raw = false

    @Option(help: ArgumentHelp("Give up after this many seconds.", valueName: "seconds"))
    var timeout = 30.0

    @Option(help: ArgumentHelp("Print at most this many rows, and say when there are more.", valueName: "n"))
    var maxRows: Int?

    func validate() throws {
        let given = [query != nil, list, show != nil, file != nil].filter(\.self).count
        if given == 0 {
            throw ValidationError("Say what to ask: the name of a query, SQL, -, --file, --list or --show.")
        }
        if given > 1 {
            let words = [query.map { "'\($0.prefix(40))'" }, file.map { "--file \($0)" }, list ? "--list" : nil]
            let all = (words + [show.map { "--show \($0)" }]).compactMap(\.self).joined(separator: " and ")
            throw ValidationError("\(all): ask one thing at a time.")
        }
        if list || show != nil, !parameters.isEmpty || maxRows != nil {
            throw ValidationError("--param and --max-rows are for answers, not for --list and --show.")
        }
        guard timeout > 0, timeout <= 31_536_000 else {
            throw ValidationError("--timeout \(timeout): give seconds, more than none and at most a year (31536000).")
        }
        if let maxRows, maxRows < 0 { throw ValidationError("--max-rows \(maxRows): give a number of rows.") }
        for parameter in parameters where parameter.prefix(while: { $0 != "=" }).isEmpty || !parameter.contains("=") {
            throw ValidationError("--param \(parameter): write it as name=value.")
        }
    }

    func run() throws {
        if list {
            let width = Console.outputIsTerminal ? Console.width : nil
            return Console.write(QueryCatalog.listing(format: format, width: width))
        }
        if let show { return Console.write(try QueryCatalog.description(of: show)) }
        QueryRunner.limitMemory()
        var request = QueryRequest(database: database.path, question: try question())
        request.parameters = parameters.map { parameter in
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: String(parts[0]), value: String(parts[1]))
        }
        request.format = format
        request.raw = raw
        request.colors = Console.colorsOutput
        request.isTerminal = Console.outputIsTerminal
        request.width = Console.outputIsTerminal ? Console.width : nil
        request.giveUp = Console.end(with:)
        request.timeout = timeout
        request.maxRows = maxRows
        let notes = try QueryRunner.run(request) { Console.write($0) }
        for note in notes { Console.say(note) }
    }

    private func question() throws -> QueryRequest.Question {
        if let file { return .file(file, sql: try Self.filled(try TextFile.read(file), file)) }
        guard let query, query != "-" else {
            return .sql(try Self.filled(TextFile.readStandardInput(), "standard input"))
        }
        return QueryRequest.Question(query)
    }

    private static func filled(_ text: String, _ place: String) throws -> String {
        guard text.allSatisfy(\.isWhitespace) else { return text }
        throw LifeStatsError("\(place) is empty", remedy: "write a statement of SQL into it")
    }
}
