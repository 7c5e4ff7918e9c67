/// Writes models for users and for other tools.
package enum ModelWriter {
    /// The formats of `lifestats model export`, except pictures.
    package enum Format: String, Sendable, CaseIterable {
        case yaml, json, dot, mermaid, scxml
    }

    /// A model in a format.
    ///
    /// - Parameter language: language of the titles of states in `dot` and `mermaid`.
    /// - Throws: ``ModelError`` when the text cannot be made.
    package static func text(
        of model: LifecycleModel, as format: Format, language: String = "en"
    ) throws(ModelError) -> String {
        switch format {
        case .yaml: try model.tree.yaml()
        case .json: model.tree.json() + "\n"
        case .dot: DOTWriter.text(of: model, language: language)
        case .mermaid: MermaidWriter.text(of: model, language: language)
        case .scxml: SCXMLWriter.text(of: model)
        }
    }
}

/// Writes the documented picture in Graphviz's language.
private enum DOTWriter {
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
            if edge.isAbnormal {
                attributes.append("style=dotted")
            } else if edge.isSilent {
                attributes.append("style=dashed")
            }
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

/// Writes the documented picture as a Mermaid state diagram.
private enum MermaidWriter {
    static func text(of model: LifecycleModel, language: String) -> String {
        var lines = ["stateDiagram-v2", "  direction LR"]
        // Mermaid's identifiers are letters, digits and underscores; titles may contain anything.
        for (index, state) in model.states.enumerated() where state.isDrawn {
            lines.append("  state \"\(plain(state.title[language]))\" as \(name(state.id, index))")
        }
        let names = Dictionary(
            model.states.enumerated().map { ($1.id, name($1.id, $0)) }, uniquingKeysWith: { first, _ in first })
        if let initial = names[model.initial] { lines.append("  [*] --> \(initial)") }
        for edge in model.drawnEdges(abnormal: true) {
            guard let from = names[edge.from], let to = names[edge.to] else { continue }
            let label = edge.callbacks.isEmpty ? "(silent)" : edge.callbacks.map(plain).joined(separator: "<br/>")
            lines.append("  \(from) --> \(to) : \(label)")
        }
        for state in model.final where state != model.initial {
            if let name = names[state] { lines.append("  \(name) --> [*]") }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func name(_ id: String, _ index: Int) -> String {
        let isPlain = id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        // "end" is a keyword.
        return isPlain && id.lowercased() != "end" ? id : "state\(index)"
    }

    private static func plain(_ text: String) -> String {
        text.map { "\":;\n#".contains($0) ? " " : String($0) }.joined()
    }
}
