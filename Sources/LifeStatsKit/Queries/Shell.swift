import NamedQueries
import TraceStore

/// Answers the lines of an interactive prompt.
public struct Shell: Sendable {
    /// What a line gave.
    public struct Answer: Sendable {
        public var text: String
        /// Errors and remarks, for standard error.
        public var notes: [String]
    }

    private let database: String

    /// - Throws: ``LifeStatsError`` when there is no database at the path.
    public init(database: String) throws {
        self.database = database
        _ = try LifeStatsError.translated { try TraceReader(path: database) }
    }

    /// What to say at the beginning.
    public var greeting: String { "\(database), read-only. A query's name or SQL; .help, .quit" }

    /// The answer to a line; `nil` when the line ends the conversation.
    public func answer(_ line: String, colors: Bool) -> Answer? {
        let text = line.trimmingPrefix { $0.isWhitespace }
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        switch words.first {
        case nil: return Answer(text: "", notes: [])
        case ".quit", ".exit": return nil
        case ".help": return Answer(text: Self.help, notes: [])
        case ".queries": return Answer(text: QueryCatalog.listing(), notes: [])
        case ".views", ".schema":
            return attempt { try SchemaGuide.text(view: words.dropFirst().first, format: .table) }
        case .some(let word) where word.hasPrefix("."):
            return Answer(text: "", notes: ["there is no command \(word); try .help"])
        default: return ask(String(text), colors: colors)
        }
    }

    private func ask(_ text: String, colors: Bool) -> Answer {
        var request = QueryRequest(database: database, question: QueryRequest.Question(text))
        request.colors = colors
        let bytes = Collected()
        do {
            let notes = try QueryRunner.run(request) { bytes.add($0) }
            return Answer(text: bytes.text, notes: notes)
        } catch {
            return Answer(text: bytes.text, notes: ["\(error)"])
        }
    }

    private func attempt(_ body: () throws -> String) -> Answer {
        do {
            return Answer(text: try body(), notes: [])
        } catch {
            return Answer(text: "", notes: ["\(error)"])
        }
    }

    private static let help = """
        A line is the name of a query (dwell_times) or SQL (select * from runs).
          .queries        the named queries
          .views [NAME]   the views and what their columns mean
          .quit           the end

        """
}

/// Pieces of output, put together.
private final class Collected {
    private var bytes: [UInt8] = []

    func add(_ more: [UInt8]) { bytes += more }

    var text: String { String(decoding: bytes, as: UTF8.self) }
}
