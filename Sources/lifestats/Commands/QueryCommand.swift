import ArgumentParser
import LifeStatsKit

struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Runs a named query or SQL, read-only.",
        discussion: """
            One word is the name of a query (see --list); anything longer is SQL; `-` reads SQL from standard input.

            Examples:
              lifestats query dwell_times --from logs/
              lifestats query dwell_times --param app=Harbour --format csv
              lifestats query "select app, count(*) runs from runs group by app"
              lifestats query dwell_times --rows 1     the visits in row 1
              lifestats query --show transition_counts

            SQL may use functions that the stock sqlite3 shell lacks: percentile(x, p) and median(x) (R type 7), \
            regexp(pattern, text), also as `text REGEXP pattern` (POSIX extended), and duration(ns) (1 h 23 min). \
            The named queries do not need them.

            --show NAME --dialect duckdb|spark prints a query in the SQL of that engine, to run on exported tables \
            (docs/fleet.md), with the values of --param in place of its parameters.

            In CSV, text that a spreadsheet would run as a formula (it begins with =, +, -, @, a tab or a line end) \
            gets a leading ', and control characters are made visible. JSON has the exact text.

            In your own SQL, the value of a parameter is a number if it looks like one, otherwise text. Where that is \
            wrong, give the type (text, integer, real or time): --param version:text=1.1. SQL with a header like \
            those printed by --show declares the types itself.
            """
    )

    @Argument(help: ArgumentHelp("The name of a query, SQL, or - for standard input.", valueName: "name|sql|-"))
    var query: String?

    @Option(help: "The output format.")
    var format: OutputFormat = .table

    @Option(name: .customLong("param"), help: ArgumentHelp("A parameter of the query.", valueName: "name[:type]=value"))
    var parameters: [String] = []

    @Flag(help: "List the named queries.")
    var list = false

    @Option(help: ArgumentHelp("Show a named query: purpose, parameters, columns, SQL.", valueName: "name"))
    var show: String?

    @Option(
        help: ArgumentHelp(
            "List the visits, transitions, events, findings or runs that this row of the result is about, with their ids.",
            valueName: "n"))
    var rows: Int?

    @Option(help: "With --show: print the query for another engine.")
    var dialect: QueryDialect?

    @Option(name: .customLong("file"), help: ArgumentHelp("Read the SQL from a file.", valueName: "file.sql"))
    var file: String?

    @Flag(help: "Print durations and shares as plain numbers in tables.")
    var raw = false

    @Flag(help: "End the lines of CSV with CR and LF instead of LF.")
    var crlf = false

    @Option(help: ArgumentHelp("Print at most this many rows, with a note when there are more.", valueName: "n"))
    var maxRows: Int?

    @Option(
        name: .customLong("from"), parsing: .upToNextOption,
        help: ArgumentHelp("Logs to query, instead of a database.", valueName: "path"))
    var paths: [String] = []

    @OptionGroup var database: DatabaseOptions

    @Option(help: ArgumentHelp("Stop the query after this time.", valueName: "seconds"))
    var timeout = 30.0

    @OptionGroup var models: ModelOptions

    @OptionGroup var oneStep: OneStepOptions

    /// The filters of other commands, which are parameters here, and parameters that are taken for options.
    @OptionGroup(visibility: .hidden) var filters: FilterOptions
    @Option(help: .hidden) var by: String?
    @Option(help: .hidden) var layer: String?

    func validate() throws {
        let more = [("by", by), ("layer", layer)].compactMap { name, value in value.map { (name: name, value: $0) } }
        if let (name, value) = (filters.given + more).first {
            let words = "--param \(name.replacing("-", with: "_"))=\(value)"
            throw ValidationError("--\(name): a query takes it as a parameter; write \(words).")
        }
        let given = [query != nil, list, show != nil, file != nil].filter(\.self).count
        if given == 0 {
            throw ValidationError(
                "Missing query: give the name of a query, SQL, -, --file, --list or --show"
                    + (paths.isEmpty ? "." : "; a query comes before --from."))
        }
        if given > 1 {
            let words = [query.map { "'\($0.prefix(40))'" }, file.map { "--file \($0)" }, list ? "--list" : nil]
            let all = (words + [show.map { "--show \($0)" }]).compactMap(\.self).joined(separator: " and ")
            throw ValidationError("\(all) cannot be combined.")
        }
        if !models.files.isEmpty, paths.isEmpty {
            throw ValidationError("--model: it applies to logs that are read now (--from); see `lifestats replay`.")
        }
        if dialect != nil, show == nil { throw ValidationError("--dialect needs --show.") }
        let hasValues = dialect.map { $0 != .sqlite } ?? false
        if list || show != nil, !parameters.isEmpty && !hasValues || maxRows != nil {
            throw ValidationError("--param and --max-rows do not apply to --list and --show.")
        }
        guard timeout > 0, timeout <= 31_536_000 else {
            throw ValidationError("--timeout \(timeout): must be above 0 and at most 31536000 seconds (one year).")
        }
        if let rows, rows < 1 { throw ValidationError("--rows \(rows): rows are counted from 1.") }
        if let maxRows, maxRows < 0 { throw ValidationError("--max-rows \(maxRows): must be 0 or more.") }
        for parameter in parameters where parameter.prefix(while: { $0 != "=" }).isEmpty || !parameter.contains("=") {
            throw ValidationError("--param \(parameter): write it as name=value.")
        }
    }

    func run() throws {
        if list {
            return Console.write(QueryCatalog.listing(format: format, width: Console.width))
        }
        let values = parameters.map { parameter in
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: String(parts[0]), value: String(parts[1]))
        }
        if let show {
            return Console.write(
                try QueryCatalog.description(of: show, in: dialect ?? .sqlite, parameters: values))
        }
        let question = try question()
        try QueryRunner.check(question, parameters: values)
        try oneStep.answer(from: paths, in: database, models: models.files) { try ask(question, values, $0) }
    }

    private func ask(
        _ question: QueryRequest.Question, _ values: [(name: String, value: String)], _ database: OneStep.Database
    ) throws {
        QueryRunner.limitMemory()
        var request = QueryRequest(database: database.path, question: question)
        request.wayBack = database.wayBack
        request.parameters = values
        request.rowsBehind = rows
        request.format = format
        request.raw = raw
        request.crlf = crlf
        request.colors = Console.colorsOutput
        request.isTerminal = Console.outputIsTerminal
        request.width = Console.terminalWidth
        request.giveUp = Console.end(with:)
        request.timeout = timeout
        request.maxRows = maxRows
        let notes = try QueryRunner.run(request) { Console.write($0) }
        for note in notes { Console.say(note) }
    }

    private func question() throws -> QueryRequest.Question {
        if let file { return try .file(file) }
        guard let query, query != "-" else { return try .standardInput() }
        return QueryRequest.Question(query)
    }
}

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Documents the views and their columns.",
        discussion: """
            Example:
              lifestats schema visits
            """
    )

    @Argument(help: ArgumentHelp("The view (default: all).", valueName: "view"))
    var view: String?

    @Option(help: "The output format.")
    var format: OutputFormat = .table

    func run() throws { Console.write(try SchemaGuide.text(view: view, format: format)) }
}

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows a run, visit, event or finding with the log lines around it.",
        discussion: """
            For a run, it shows how the run ended and on what evidence, a strip of its visits, and its findings with \
            the lines around them. `check` and `query --rows` print the ids.

            The lines are read from the log, provided it still has the content that was ingested. A log that has been \
            rotated is looked for in the folder of its old name.

            Examples:
              lifestats show run:65537
              lifestats show finding:65537 --context 5
              lifestats show finding:65537 --from logs/
            """
    )

    @Argument(
        help: ArgumentHelp(
            "What to show: run:65537, or a visit, event or finding; tables have their ids.", valueName: "id"))
    var id: String

    @Option(help: ArgumentHelp("Number of log lines before and after.", valueName: "n"))
    var context = 3

    @Flag(help: "Print the columns as they are stored.")
    var raw = false

    @Option(
        name: .customLong("from"), parsing: .upToNextOption,
        help: ArgumentHelp("Logs to look in, instead of a database.", valueName: "path"))
    var paths: [String] = []

    @OptionGroup var reading: ReadingOptions

    @OptionGroup var models: ModelOptions

    @OptionGroup var oneStep: OneStepOptions

    func run() throws {
        var options = RecordOptions()
        options.context = max(0, context)
        options.raw = raw
        options.colors = Console.colorsOutput
        options.width = Console.terminalWidth
        options.models = models.files
        try Record.requireID(id)
        try oneStep.answer(from: paths, in: reading.database, models: models.files) {
            options.wayBack = $0.wayBack
            Console.write(try Record.text(of: id, in: $0.path, options: options, limit: reading.limit))
        }
    }
}
