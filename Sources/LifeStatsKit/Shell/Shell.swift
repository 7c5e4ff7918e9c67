import NamedQueries
import Reports
import TraceRecords
import TraceStore

/// Answers the lines of an interactive prompt.
public struct Shell: Sendable {
    /// The outcome of a line.
    public enum Outcome: Sendable {
        /// It was answered; the notes are for the user.
        case answered(notes: [String])
        /// It could not be answered.
        case failed(LifeStatsError)
        /// The user wants to leave.
        case quit
    }

    /// How answers are written.
    public struct Style: Sendable {
        public var colors = false
        public var isTerminal = false
        public var width: Int?
        /// See ``ReadingLimit/giveUp``.
        public var giveUp: (@Sendable (LifeStatsError) -> Void)?

        public init() {}
    }

    private let database: String
    private var format = OutputFormat.table
    private var raw = false

    /// - Throws: ``LifeStatsError`` when there is no database at the path.
    public init(database: String) throws {
        self.database = database
        _ = try LifeStatsError.translated { try TraceReader(path: database) }
    }

    /// The greeting.
    public var greeting: String { "\(database) (read-only). Type the name of a query, SQL, .help or .quit." }

    /// Answers a line.
    public mutating func answer(
        _ line: String, style: Style, output: @escaping (String) -> Void
    ) -> Outcome {
        let words = Self.words(of: line)
        guard let first = words.first else { return .answered(notes: []) }
        do {
            if Self.isShow(words) {
                output(try show(words, style))
                return .answered(notes: [])
            }
            if first.hasPrefix(".") {
                guard let text = try command(first, words.dropFirst().first, style) else { return .quit }
                output(text)
                return .answered(notes: [])
            }
            return .answered(notes: try ask(line, words, style, output))
        } catch {
            return .failed(error as? LifeStatsError ?? LifeStatsError("\(error)"))
        }
    }

    /// Whether a line asks for one row: `show` is no word of SQL.
    static func isShow(_ words: [String]) -> Bool {
        2...3 ~= words.count && ["show", ".show"].contains(words[0].lowercased())
            && words[1].contains(/^[a-z]+:?-?\d+$/) && words.dropFirst(2).allSatisfy { $0 == "--raw" }
    }

    private func show(_ words: [String], _ style: Style) throws -> String {
        var options = RecordOptions()
        options.colors = style.colors
        options.width = style.width
        options.raw = raw || words.count > 2
        options.wayBack = OneStep.Database(path: database, named: database == "lifestats.db" ? nil : database).wayBack
        return try Record.text(of: words[1], in: database, options: options)
    }

    /// Runs a dot command. Returns the text to show, or `nil` to leave.
    private mutating func command(_ name: String, _ argument: String?, _ style: Style) throws -> String? {
        switch name {
        case ".quit", ".exit": return nil
        case ".help": return Self.help + Self.functions(width: style.width ?? 100)
        case ".queries": return QueryCatalog.listing(width: style.width ?? 100)
        case ".views", ".schema": return try SchemaGuide.text(view: argument, format: .table)
        case ".show":
            guard let argument else {
                throw LifeStatsError(
                    ".show: missing the name of a query, or an id such as run:65537", remedy: "see .queries")
            }
            return try QueryCatalog.description(of: argument)
        case ".format":
            guard let chosen = argument.flatMap(OutputFormat.init(rawValue:)) else {
                let known = OutputFormat.allCases.map(\.rawValue)
                throw LifeStatsError(
                    ".format \(argument ?? ""): there is no such format",
                    remedy: Suggestion.remedy(argument ?? "", among: known, or: "use \(known.joined(separator: ", "))"))
            }
            format = chosen
            return ""
        case ".raw":
            guard argument == "on" || argument == "off" else { throw LifeStatsError(".raw: use on or off") }
            raw = argument == "on"
            return ""
        case ".output", ".once":
            throw LifeStatsError(
                "there is no command \(name): answers go to standard output",
                remedy: "to write one to a file, use `lifestats query --db \(database) … > FILE`")
        default:
            throw LifeStatsError(
                "there is no command \(name)",
                remedy: Suggestion.remedy(name, among: Self.commands, or: ".help lists them"))
        }
    }

    private func ask(
        _ line: String, _ words: [String], _ style: Style, _ output: @escaping (String) -> Void
    ) throws -> [String] {
        // The name of a query may be followed by parameters.
        let values = words.dropFirst().map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) }
        let isNamed = NamedQueries.query(named: words[0]) != nil
        if isNamed, let wrong = values.firstIndex(where: { $0.count < 2 }) {
            throw LifeStatsError(
                "\(words[wrong + 1]): parameters of \(words[0]) are written as name=value",
                remedy: ".show \(words[0]) lists them")
        }
        let text = line.trimmingPrefix { $0.isWhitespace }
        let question = isNamed ? QueryRequest.Question.named(words[0]) : QueryRequest.Question(String(text))
        var request = QueryRequest(database: database, question: question)
        if isNamed { request.parameters = values.map { (name: String($0[0]), value: String($0[1])) } }
        request.format = format
        request.raw = raw
        request.colors = style.colors
        request.isTerminal = style.isTerminal
        request.width = style.width
        request.giveUp = style.giveUp
        return try QueryRunner.run(request) { output(String(decoding: $0, as: UTF8.self)) }
    }

    /// The words of a line. Quotation marks keep blanks in a word; a final semicolon is dropped.
    private static func words(of line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
                word = word ?? ""
            } else if quote == nil, character.isWhitespace || character == ";" {
                words += word.map { [$0] } ?? []
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }

    /// The dot commands, for completion.
    static let commands = [".exit", ".format", ".help", ".queries", ".quit", ".raw", ".schema", ".show", ".views"]

    private static let help = """
        A line is the name of a query with optional parameters, or one SQL statement.
        From a pipe, SQL may span several lines and ends with a semicolon.
          dwell_times app="My App" layer=app
          select app, count(*) from runs group by app
        Commands:
          show run:65537  a run, or a visit, event or finding, with its log lines; --raw prints its columns
          .queries        list the named queries
          .show NAME      show a query: purpose, parameters, columns, SQL
          .views [NAME]   describe the views and their columns (also .schema)
          .format FORMAT  set the format: table, csv, json, ndjson or markdown
          .raw on|off     print durations and shares as plain numbers
          .quit           leave (also .exit and Ctrl-D)
        Keys:
          Tab             completes queries, parameters, views, columns and functions
          Up, Down        earlier lines that contain the text before the cursor
          Ctrl-R          searches earlier lines while you type; again for an older one
          Ctrl-C          discards the line, or stops the running query
        SQL may use these functions, which the stock sqlite3 shell lacks:

        """

    private static func functions(width: Int) -> String {
        WrappedList.text(QueryFunctions.documentation.map { ("  " + $0.call, $0.purpose) }, width: width)
    }
}

/// Joins the lines of a script: an SQL statement extends to its semicolon; what begins with another word is one line, so
/// that a mistyped query does not swallow those that follow.
public struct ShellInput: Sendable {
    /// The statement so far, and whether it has more than blanks and comments.
    private var text = ""
    private var hasBegun = false
    /// What ends the quotation or comment that is open.
    private var end: String?

    public init() {}

    /// The commands that a further line completes.
    public mutating func add(_ line: String) -> [String] {
        if !hasBegun, end == nil {
            let words = line.split { $0.isWhitespace || $0 == ";" }.map(String.init)
            guard let first = words.first else { return [] }
            let isWord = first.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
            if first.hasPrefix(".") || isWord && !StatementText.reading.contains(first.uppercased()) {
                text = ""
                return [line]
            }
        }
        var statements: [String] = []
        var rest = line[...]
        while let first = rest.first {
            var length = 1
            if let open = end {
                if rest.hasPrefix(open) { (length, end) = (open.count, nil) }
            } else if rest.hasPrefix("--") {
                length = rest.count
            } else if rest.hasPrefix("/*") {
                (length, end) = (2, "*/")
            } else if !first.isWhitespace, first != ";" {
                hasBegun = true
                end = ["'": "'", "\"": "\"", "`": "`", "[": "]"][first]
            }
            text += rest.prefix(length)
            rest = rest.dropFirst(length)
            if first == ";", end == nil, hasBegun, text.last == ";" {
                statements.append(text)
                (text, hasBegun) = ("", false)
            }
        }
        text += "\n"
        return statements
    }

    /// The statement at the end of the script that has no semicolon; `nil` when there is none.
    public mutating func rest() -> String? {
        defer { self = ShellInput() }
        return hasBegun ? text : nil
    }
}
