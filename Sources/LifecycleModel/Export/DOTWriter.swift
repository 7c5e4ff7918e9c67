/// Writes the documented picture in Graphviz's language; ``DOTReader`` reads it back as a machine.
enum DOTWriter {
    static func text(of model: LifecycleModel, language: String) -> String {
        var lines = [
            "digraph \(quoted(model.id)) {", "  label=\(quoted(model.title[language]));",
            "  node [shape=box, style=rounded];",
        ]
        for state in model.states where state.isDrawn {
            var attributes = ["label=\(quoted(state.title[language]))"]
            if state.id == model.initial { attributes.append("initial=true") }
            if model.final.contains(state.id) { attributes.append("final=true, peripheries=2") }
            lines.append("  \(quoted(state.id)) [\(attributes.joined(separator: ", "))];")
        }
        for edge in model.drawnEdges(abnormal: true) {
            var attributes: [String] = []
            if !edge.callbacks.isEmpty {
                attributes.append("label=\(quoted(edge.callbacks.joined(separator: "\n")))")
            }
            if edge.isSilent { attributes.append("style=dashed") }
            if edge.isAbnormal { attributes.append("style=dotted") }
            attributes.append("tooltip=\(quoted(edge.transitions.joined(separator: ", ")))")
            lines.append("  \(quoted(edge.from)) -> \(quoted(edge.to)) [\(attributes.joined(separator: ", "))];")
        }
        return lines.joined(separator: "\n") + "\n}\n"
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text {
            switch character {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            default: quoted.append(character)
            }
        }
        return quoted + "\""
    }
}
