extension StateGraph {
    /// The graph in Graphviz's language, canonical: sorted, one statement per line, equal bytes for equal graphs.
    ///
    /// - Parameter options: View, metrics, folding and language; side by side becomes two clusters.
    package func dot(_ options: DiagramOptions = DiagramOptions()) -> String {
        let graph = canonical().folded(below: options.foldBelow)
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
        for state in states where state.isDocumented || side != .documented {
            let figures =
                side == .documented
                ? [state.id] : labels.figures(state, in: self) + labels.endings(state).map(\.text)
            var attributes = "label=\(DotText.label(StateBox.title(state) + figures))"
            if state.isFinal { attributes += ", peripheries=2" }
            if !state.isDocumented { attributes += ", color=\"\(Ink.undocumented.colours.light)\"" }
            text += "\(indent)\(DotText.quoted(prefix + state.id)) [\(attributes)]\n"
        }
        for edge in edges {
            guard let label = labels.label(of: edge, on: side) else { continue }
            let colour = edge.ink.colours.light
            let style =
                switch edge.kind {
                case .documented: "solid"
                case .undocumented, .undocumentedInferred, .inferred, .silent: "dashed"
                case .neverOccurred: "dotted"
                }
            var attributes = "label=\(DotText.label(label.lines.map(\.text))), color=\"\(colour)\", "
            attributes += "fontcolor=\"\(colour)\", style=\(style)"
            // Graphviz has no further dashes: without colour, an open arrow marks what no line of a log shows.
            if [.inferred, .undocumentedInferred, .silent].contains(edge.kind) { attributes += ", arrowhead=empty" }
            if side != .documented, edge.seen != nil {
                attributes += ", penwidth=\(Coordinate.text(strokeWidth(of: edge)))"
            }
            text += "\(indent)\(DotText.quoted(prefix + edge.from)) -> \(DotText.quoted(prefix + edge.to)) "
            text += "[\(attributes)]\n"
        }
        return text
    }

    /// Thickness by frequency, or by the difference between two cohorts. The square root keeps rare edges visible beside frequent ones; fewer than ten
    /// transitions never draw the thickest line.
    func strokeWidth(of edge: Edge) -> Double {
        guard edge.occurrences > 0, !edge.isFolded else { return 1.4 }
        if isComparison {
            // Differences of less than five points never draw the thickest line.
            let most = edges.compactMap { $0.change?.difference.magnitude }.max() ?? 0
            return 1.4 + 5.6 * (edge.change?.difference.magnitude ?? 0) / max(most, 0.05)
        }
        let most = max(edges.map(\.occurrences).max() ?? 0, 10)
        return 1.4 + 4.6 * (Double(edge.occurrences) / Double(most)).squareRoot()
    }
}
