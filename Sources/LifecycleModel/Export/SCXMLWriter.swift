/// Writes a model as State Chart XML of the W3C.
///
/// States and moves are native elements, so that any SCXML tool shows the machine. What SCXML has no words for (titles,
/// rules, scenarios …) stands in one element of a namespace of our own, which other tools ignore.
enum SCXMLWriter {
    static let namespace = "http://www.w3.org/2005/07/scxml"
    static let ownNamespace = "urn:lifestats:model"
    /// Beginning of the events that stand for transitions without a callback. An SCXML transition without an event
    /// would be taken at once.
    static let silentPrefix = "silent."

    static func text(of model: LifecycleModel) throws(ModelError) -> String {
        let edges = model.edges
        let silent = model.silentMoves
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<scxml xmlns=\"\(namespace)\" xmlns:lifestats=\"\(ownNamespace)\" version=\"1.0\" "
                + "name=\"\(XMLText.name(model.id))\" initial=\"\(XMLText.name(model.initial))\">",
        ]
        for state in model.states {
            let moves = moves(from: state.id, edges: edges, silent: silent)
            let id = XMLText.name(state.id)
            if moves.isEmpty {
                lines.append("  <\(model.final.contains(state.id) ? "final" : "state") id=\"\(id)\"/>")
            } else {
                lines.append("  <state id=\"\(id)\">")
                for move in moves {
                    lines.append("    <transition event=\"\(move.event)\" target=\"\(XMLText.name(move.to))\"/>")
                }
                lines.append("  </state>")
            }
        }
        lines.append("  <lifestats:model>\(XMLText.escaped(try model.tree.yaml()))</lifestats:model>")
        return lines.joined(separator: "\n") + "\n</scxml>\n"
    }

    /// The moves out of a state: one per target and set of transitions, with all its callbacks as event names.
    static func moves(
        from state: String, edges: [ModelEdge], silent: [(from: String, to: String, transitions: [String])]
    ) -> [(event: String, to: String)] {
        var targets: [String] = []
        var events: [String: [String]] = [:]
        for edge in edges where edge.from == state {
            if events[edge.to] == nil { targets.append(edge.to) }
            events[edge.to, default: []].append(XMLText.name(edge.callback))
        }
        for move in silent where move.from == state {
            if events[move.to] == nil { targets.append(move.to) }
            events[move.to, default: []].append(silentPrefix + XMLText.name(move.transitions.joined(separator: ".")))
        }
        return targets.map { (events[$0, default: []].joined(separator: " "), $0) }
    }
}
