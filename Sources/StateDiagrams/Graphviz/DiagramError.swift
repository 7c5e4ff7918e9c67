/// Why a picture could not be drawn.
package enum DiagramError: Error, Hashable, CustomStringConvertible {
    /// Graphviz could not read the graph that was handed to it; the text is what it said.
    case unreadableGraph(String)
    /// Graphviz found no layout; the text is what it said.
    case noLayout(String)
    /// Graphviz could not write the format, mostly because the plugin for it is not installed.
    case noRenderer(format: String, message: String)

    /// A figure of the graph is infinite or not a number, which JSON cannot say.
    case notANumber

    package var description: String {
        switch self {
        case .unreadableGraph(let message):
            "Graphviz could not read the graph: \(message). Please report this, with the output of --format dot."
        case .noLayout(let message):
            "Graphviz could not lay out the graph: \(message). Check that Graphviz is installed whole (dot -c)."
        case .noRenderer(let format, let message):
            "Graphviz could not write \(format): \(message). Install its Cairo plugin "
                + "(Debian: libgraphviz-dev, macOS: brew install graphviz), or write --format svg."
        case .notANumber:
            "A figure of the diagram is infinite or not a number. Run lifestats verify on the database."
        }
    }
}
