extension StateGraph {
    /// The graph in Graphviz's language, canonical: sorted, one statement a line, equal bytes for equal graphs. `dot`
    /// draws it as it stands.
    ///
    /// - Parameter options: View, metrics, folding and language; side by side becomes two clusters.
    package func dot(_ options: DiagramOptions = DiagramOptions()) -> String {
        let graph = canonical().folded(below: options.foldBelow)
        let labels = DiagramLabels(graph: graph, options: options)
        let words = labels.words
        var text = """
            digraph lifecycle {
              graph [charset="UTF-8", fontname="Helvetica", fontsize=20, label=\(DotText.label([title, subtitle])), \
            labelloc=t, nodesep=0.4, ranksep=0.5]
              node [fontname="Helvetica", fontsize=13, penwidth=1.4, shape=box, style="rounded,filled", \
            color="\(Ink.stateFrame.colours.light)", fillcolor="#ffffff", fontcolor="\(Ink.text.colours.light)"]
              edge [fontname="Helvetica", fontsize=11, penwidth=1.5]

            """
        switch options.view {
        case .sideBySide:
            text += graph.cluster(.documented, prefix: "d_", name: words.documented, labels: labels)
            text += graph.cluster(.observed, prefix: "o_", name: words.observed, labels: labels)
        case .overlay: text += graph.statements(.overlay, prefix: "", indent: "  ", labels: labels)
        case .observed: text += graph.statements(.observed, prefix: "", indent: "  ", labels: labels)
        case .documented: text += graph.statements(.documented, prefix: "", indent: "  ", labels: labels)
        }
        return text + "}\n"
    }

    private func cluster(
        _ side: DiagramComposer.Side, prefix: String, name: String, labels: DiagramLabels
    ) -> String {
        "  subgraph cluster_\(side.rawValue) {\n    graph [label=\(DotText.quoted(name)), color=\"\(Ink.frame.colours.light)\"]\n"
            + statements(side, prefix: prefix, indent: "    ", labels: labels) + "  }\n"
    }

    private func statements(
        _ side: DiagramComposer.Side, prefix: String, indent: String, labels: DiagramLabels
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
        let sides: [DiagramComposer.Side] = prefix.isEmpty ? [side] : [.documented, .observed]
        for edge in edges {
            guard let label = DiagramComposer.label(of: edge, on: side, sides: sides, labels: labels) else { continue }
            let colour = labels.ink(of: edge.kind).colours.light
            let style =
                switch edge.kind {
                case .documented: "solid"
                case .undocumented: "dashed"
                case .neverOccurred: "dotted"
                // Graphviz has no fourth dash: the open arrow tells silent from undocumented without colour.
                case .silent: "dashed"
                }
            var attributes = "label=\(DotText.label(label.lines.map(\.text))), color=\"\(colour)\", "
            attributes += "fontcolor=\"\(colour)\", style=\(style)"
            if edge.kind == .silent { attributes += ", arrowhead=empty" }
            if side != .documented, edge.seen != nil {
                attributes += ", penwidth=\(NumberText.coordinate(strokeWidth(of: edge)))"
            }
            text += "\(indent)\(DotText.quoted(prefix + edge.from)) -> \(DotText.quoted(prefix + edge.to)) "
            text += "[\(attributes)]\n"
        }
        return text
    }
}

extension StateGraph {
    /// Thickness by frequency: the root makes rare edges visible beside frequent ones, and a handful of transitions
    /// draws no thick lines.
    func strokeWidth(of edge: Edge) -> Double {
        guard let count = edge.seen?.count, count > 0, !edge.isFolded else { return 1.4 }
        let most = max(edges.compactMap { $0.seen?.count }.max() ?? 0, 10)
        return 1.4 + 4.6 * (Double(count) / Double(most)).squareRoot()
    }
}
