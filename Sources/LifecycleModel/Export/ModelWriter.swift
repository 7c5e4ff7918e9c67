package import DataFiles
import Foundation

/// Writes models for users and for other tools.
package enum ModelWriter {
    /// The formats of `lifestats model export`, except pictures.
    package enum Format: String, Sendable, CaseIterable {
        case yaml, json, dot, mermaid, scxml
    }

    /// A model in a format.
    ///
    /// - Parameter language: language of the titles of states in `dot` and `mermaid`.
    /// - Throws: ``DataFileError`` when the text cannot be made.
    package static func text(
        of model: LifecycleModel, as format: Format, language: String = "en"
    ) throws(DataFileError) -> String {
        switch format {
        case .yaml: try model.tree.yaml()
        case .json: model.tree.json() + "\n"
        case .dot: DOTWriter.text(of: model, language: language)
        case .mermaid: MermaidWriter.text(of: model, language: language)
        case .scxml: SCXMLWriter.text(of: model)
        }
    }
}

extension DataTree {
    /// The tree as JSON, indented by two spaces per level.
    fileprivate func json(indent: Int = 0) -> String {
        let inner = String(repeating: "  ", count: indent + 1)
        let outer = String(repeating: "  ", count: indent)
        switch content {
        case .text(let text): return Self.quoted(text)
        case .number: return text ?? ""
        case .flag(let flag): return flag ? "true" : "false"
        case .list(let elements):
            if elements.allSatisfy(\.isScalar) {
                return "[" + elements.map { $0.json() }.joined(separator: ", ") + "]"
            }
            return "[\n" + elements.map { inner + $0.json(indent: indent + 1) }.joined(separator: ",\n")
                + "\n\(outer)]"
        case .map(let pairs):
            if pairs.isEmpty { return "{}" }
            let lines = pairs.map { inner + Self.quoted($0.key) + ": " + $0.value.json(indent: indent + 1) }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
        }
    }

    private static func quoted(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
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

/// Writes the machine of a model as State Chart XML of the W3C. Titles, rules and scenarios have no place in it.
enum SCXMLWriter {
    static func text(of model: LifecycleModel) -> String {
        let moves = moves(of: model)
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" name=\"\(name(model.id))\" "
                + "initial=\"\(name(model.initial))\">",
        ]
        for state in model.states {
            let own = moves.filter { $0.from == state.id }
            let id = name(state.id)
            if own.isEmpty {
                lines.append("  <\(model.final.contains(state.id) ? "final" : "state") id=\"\(id)\"/>")
            } else {
                lines.append("  <state id=\"\(id)\">")
                for move in own {
                    let events = move.events.joined(separator: " ")
                    lines.append("    <transition event=\"\(events)\" target=\"\(name(move.to))\"/>")
                }
                lines.append("  </state>")
            }
        }
        return lines.joined(separator: "\n") + "\n</scxml>\n"
    }

    /// One move for each pair of states, with the events that cause it.
    ///
    /// An SCXML transition without an event would be taken at once, so silent transitions get an event with their ids.
    private static func moves(of model: LifecycleModel) -> [(from: String, to: String, events: [String])] {
        var moves: [(from: String, to: String, events: [String])] = []
        func add(_ from: String, _ to: String, _ event: String) {
            if let index = moves.firstIndex(where: { $0.from == from && $0.to == to }) {
                moves[index].events.append(event)
            } else {
                moves.append((from, to, [event]))
            }
        }
        for edge in model.edges { add(edge.from, edge.to, name(edge.callback)) }
        for move in model.silentMoves {
            add(move.from, move.to, "silent." + name(move.transitions.joined(separator: ".")))
        }
        return moves
    }

    /// An identifier as an XML name; other characters become `_x<hex>_`, so that different identifiers stay different.
    private static func name(_ id: String) -> String {
        var name = ""
        for (index, scalar) in id.unicodeScalars.enumerated() {
            let isLetter = scalar.isASCII && scalar.properties.isAlphabetic
            let isFurther = scalar == "-" || scalar == "." || ("0"..."9").contains(scalar)
            if isLetter || scalar == "_" || (isFurther && index > 0) {
                name.unicodeScalars.append(scalar)
            } else {
                name += "_x\(String(scalar.value, radix: 16))_"
            }
        }
        return name
    }
}
