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

    /// An identifier as an XML name. Characters that a name cannot contain become `_x<hex>_`, so that different
    /// identifiers stay different.
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
