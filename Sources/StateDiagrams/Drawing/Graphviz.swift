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

extension StateGraph {
    /// The graph in Graphviz's language, canonical: sorted, one statement per line, equal bytes for equal graphs.
    ///
    /// - Parameter options: View, metrics, folding and language; side by side becomes two clusters.
    package func dot(_ options: DiagramOptions = DiagramOptions()) -> String {
        let graph = drawn(options)
        let labels = DiagramLabels(graph: graph, options: options)
        let sides = options.view.sides
        var text = """
            digraph lifecycle {
              graph [charset="UTF-8", fontname="Helvetica", fontsize=20, label=\(DotText.label([title, subtitle])), \
            labelloc=t, nodesep=0.4, ranksep=0.5]
              node [fontname="Helvetica", fontsize=13, penwidth=1.4, shape=box, style="rounded,filled", \
            color="\(Ink.stateFrame.colours.light)", fillcolor="#ffffff", fontcolor="\(Ink.text.colours.light)"]
              edge [fontname="Helvetica", fontsize=11, penwidth=1.5]

            """
        for side in sides where sides.count == 1 {
            text += graph.statements(side, prefix: "", indent: "  ", labels: labels)
        }
        for side in sides where sides.count > 1 {
            let name = DotText.quoted(labels.words[side.heading])
            text += "  subgraph cluster_\(side.rawValue) {\n"
            text += "    graph [label=\(name), color=\"\(Ink.frame.colours.light)\"]\n"
            text += graph.statements(side, prefix: "\(side.rawValue.prefix(1))_", indent: "    ", labels: labels)
            text += "  }\n"
        }
        return text + "}\n"
    }

    private func statements(
        _ side: DiagramSide, prefix: String, indent: String, labels: DiagramLabels
    ) -> String {
        var text = ""
        for state in states where state.isModelled || side != .documented {
            let figures =
                side == .documented
                ? [state.id] : labels.figures(state, in: self) + labels.endings(state).map(\.text)
            var attributes = "label=\(DotText.label(labels.room.title(state) + figures))"
            if state.isFinal { attributes += ", peripheries=2" }
            if !state.isDocumented { attributes += ", color=\"\(Ink.undocumented.colours.light)\"" }
            text += "\(indent)\(DotText.quoted(prefix + state.id)) [\(attributes)]\n"
        }
        for edge in edges.map({ $0.on(side) }) {
            guard let label = labels.label(of: edge, on: side) else { continue }
            let colour = edge.ink.colours.light
            let style =
                switch edge.kind {
                case .documented: "solid"
                case .undocumented, .undocumentedInferred, .inferred, .inSteps, .estimated, .silent: "dashed"
                case .neverOccurred: "dotted"
                }
            var attributes = "label=\(DotText.label(label.lines.map(\.text))), color=\"\(colour)\", "
            attributes += "fontcolor=\"\(colour)\", style=\(style)"
            // Graphviz has no further dashes: without colour, an open arrow marks what no line of a log shows.
            if [.inferred, .inSteps, .undocumentedInferred, .estimated, .silent].contains(edge.kind) {
                attributes += ", arrowhead=empty"
            }
            if side != .documented, edge.seen != nil {
                attributes += ", penwidth=\(Coordinate.text(strokeWidth(of: edge)))"
            }
            text += "\(indent)\(DotText.quoted(prefix + edge.from)) -> \(DotText.quoted(prefix + edge.to)) "
            text += "[\(attributes)]\n"
        }
        return text
    }
}
