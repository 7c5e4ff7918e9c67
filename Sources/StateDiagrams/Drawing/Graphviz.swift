import CGraphviz
import Synchronization
internal import TraceRecords

/// The one owner of Graphviz. The library keeps global state, so all calls go through one lock.
enum Graphviz {
    private static let context = Mutex(GraphvizContext())

    /// Renders a graph.
    ///
    /// - Parameters:
    ///   - engine: `nop2` for a graph whose nodes already have positions, or an engine that finds them (`dot`).
    ///   - format: A renderer of Graphviz, such as `png:cairo`.
    static func render(_ dot: String, engine: String = "nop2", format: String) throws(DiagramError) -> [UInt8] {
        try context.withLock { context throws(DiagramError) in
            try context.render(dot, engine: engine, format: format)
        }
    }
}

/// Graphviz's context, freed in `deinit`. Not safe for two threads; ``Graphviz`` guards it.
final class GraphvizContext {
    private typealias Graph = UnsafeMutablePointer<Agraph_t>

    private let context: OpaquePointer?

    init() {
        context = gvContext()
        // Otherwise Graphviz writes warnings to standard error; the last error is read instead.
        agseterr(AGMAX)
    }

    deinit { gvFreeContext(context) }

    func render(_ dot: String, engine: String, format: String) throws(DiagramError) -> [UInt8] {
        let graph = try open(dot)
        defer { agclose(graph) }
        guard gvLayout(context, graph, engine) == 0 else { throw .noLayout(lastError) }
        defer { gvFreeLayout(context, graph) }
        var data: UnsafeMutablePointer<CChar>?
        var length = 0
        guard lifestats_render(context, graph, format, &data, &length) == 0, let data, length > 0 else {
            throw .noRenderer(format: format, message: lastError)
        }
        defer { gvFreeRenderData(data) }
        return UnsafeRawBufferPointer(start: data, count: length).map { $0 }
    }

    private func open(_ dot: String) throws(DiagramError) -> Graph {
        guard let graph = agmemread(dot) else { throw .unreadableGraph(lastError) }
        return graph
    }

    private var lastError: String {
        guard let text = aglasterr() else { return "no reason given" }
        return String(cString: text).split(whereSeparator: \.isNewline).joined(separator: "; ")
    }
}

/// Why a picture could not be drawn.
package enum DiagramError: Error, Hashable, CustomStringConvertible {
    /// Graphviz could not read the graph; the text is its message.
    case unreadableGraph(String)
    /// Graphviz found no layout; the text is its message.
    case noLayout(String)
    /// Graphviz could not write the format, usually because the plugin for it is not installed.
    case noRenderer(format: String, message: String)
    /// A figure of the graph is infinite or not a number, which JSON does not allow.
    case notANumber

    package var description: String {
        switch self {
        case .unreadableGraph(let message):
            "Graphviz could not read the graph: \(message). Please report this, with the output of --format dot."
        case .noLayout(let message):
            "Graphviz could not lay out the graph: \(message). Check the installation of Graphviz (dot -c)."
        case .noRenderer(let format, let message):
            "Graphviz could not write \(format): \(message). Install its Cairo plugin "
                + "(Debian: libgraphviz-dev, macOS: brew install graphviz), or write --format svg."
        case .notANumber:
            "A figure of the diagram is infinite or not a number. Run lifestats verify on the database."
        }
    }
}

/// Text inside DOT.
enum DotText {
    /// The text as a quoted string of DOT, in which only the quote and the backslash are special. Graphviz reads HTML
    /// entities in labels, so `&` is written as one.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for character in VisibleText.line(text).unicodeScalars {
            switch character {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "&": result += "&amp;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result + "\""
    }

    static func label(_ lines: [String]) -> String {
        let inner = lines.map { String(quoted($0).dropFirst().dropLast()) }
        return "\"" + inner.joined(separator: "\\n") + "\""
    }
}
