/// Writes the documented picture as a Mermaid state diagram.
enum MermaidWriter {
    static func text(of model: LifecycleModel, language: String) -> String {
        var lines = ["stateDiagram-v2", "  direction LR"]
        // Mermaid's identifiers are letters, digits and underscores; the titles carry the rest.
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
        // "end" is a word of the language.
        return isPlain && id.lowercased() != "end" ? id : "state\(index)"
    }

    private static func plain(_ text: String) -> String {
        text.map { "\":;\n#".contains($0) ? " " : String($0) }.joined()
    }
}
