/// Reads State Chart XML as a model.
///
/// A file of ours comes back equal to the model that was written; if somebody has changed its states or transitions
/// since, those count and the rest is kept. Of other files, the innermost states become states, and transitions of the
/// states around them hold for all inside. Parallel states and histories have no counterpart and are refused.
package enum SCXMLReader {
    /// The model of an SCXML text, and what of the text it lacks.
    ///
    /// - Throws: ``ModelError`` with file and line.
    package static func read(_ text: String, file: String) throws(ModelError) -> ImportedModel {
        let root = try XMLReader.read(text, file: file)
        guard root.name == "scxml" else {
            throw ModelError(
                file: file, line: root.line, message: "the root element is <\(root.name)>, not <scxml>")
        }
        var chart = Chart(file: file)
        try chart.collect(root.children, inside: [])
        guard !chart.leaves.isEmpty else {
            throw ModelError(file: file, line: root.line, message: "the chart has no states")
        }
        let native = try chart.model(root)
        guard let own = root.children.first(where: { $0.namespace == SCXMLWriter.ownNamespace }) else {
            return ImportedModel(model: native, remarks: chart.remarks)
        }
        var model = try ModelReader.read(own.text, file: file)
        let sameStates = Set(model.states.map { XMLText.name($0.id) }) == Set(native.states.map(\.id))
        if sameStates, moves(of: model) == moves(of: native), XMLText.name(model.initial) == native.initial,
            Set(native.final).isSubset(of: model.final.map(XMLText.name))
        {
            return ImportedModel(model: model, remarks: chart.remarks)
        }
        let lost = model.take(native)
        return ImportedModel(model: model, remarks: chart.remarks + lost.map { "\(file): \($0)" })
    }

    /// What the native elements say about a machine: from, event, to.
    private static func moves(of model: LifecycleModel) -> Set<[String]> {
        let marked = model.edges.map { [XMLText.name($0.from), XMLText.name($0.callback), XMLText.name($0.to)] }
        let silent = model.silentMoves.map { [XMLText.name($0.from), "", XMLText.name($0.to)] }
        return Set(marked + silent)
    }
}

/// The states of a chart, flattened.
private struct Chart {
    let file: String
    /// Innermost states in the order of the file.
    private(set) var leaves: [XMLElement] = []
    /// What a model has nothing for.
    private(set) var remarks: [String] = []
    /// All states by id.
    private var states: [String: XMLElement] = [:]
    /// States around a state, the outermost first.
    private var around: [String: [XMLElement]] = [:]

    init(file: String) { self.file = file }

    mutating func collect(_ elements: [XMLElement], inside: [XMLElement]) throws(ModelError) {
        for element in elements where element.namespace != SCXMLWriter.ownNamespace {
            switch element.name {
            case "state", "final":
                guard let id = element.attributes["id"] else {
                    throw error(element, "a <\(element.name)> has no id; give it one")
                }
                guard states.updateValue(element, forKey: id) == nil else {
                    throw error(element, "there are two states '\(id)'")
                }
                around[id] = inside
                let inner = element.children.filter { $0.name == "state" || $0.name == "final" }
                if inner.isEmpty { leaves.append(element) }
                try collect(element.children, inside: inside + [element])
            case "parallel", "history":
                throw error(element, "<\(element.name)> has no counterpart in a model; take it out")
            case "transition":
                remark(transition: element)
            case "initial":
                continue
            default:
                remark(element, "<\(element.name)>")
            }
        }
    }

    private mutating func remark(transition: XMLElement) {
        let targets = transition.attributes["target"]?.split(separator: " ") ?? []
        if targets.isEmpty { remark(transition, "a transition without a target") }
        for target in targets.dropFirst() { remark(transition, "the further target '\(target)'") }
        if let condition = transition.attributes["cond"] { remark(transition, "the condition '\(condition)'") }
        for child in transition.children { remark(child, "<\(child.name)>") }
    }

    /// What other tools add in namespaces of theirs is nothing that SCXML says.
    private mutating func remark(_ element: XMLElement, _ what: String) {
        guard element.namespace.isEmpty || element.namespace == SCXMLWriter.namespace else { return }
        remarks.append("\(file):\(element.line): \(what) is left out; a model has nothing for it")
    }

    private func error(_ element: XMLElement, _ message: String) -> ModelError {
        ModelError(file: file, line: element.line, message: message)
    }

    func model(_ root: XMLElement) throws(ModelError) -> LifecycleModel {
        let id = root.attributes["name"] ?? "chart"
        let first = try leaf(leaves[0])
        let start = try initial(of: root) ?? first
        var model = LifecycleModel(
            id: id, layer: id, title: LocalizedText(["en": id]), scope: .object, initial: start,
            final: leaves.filter { $0.name == "final" }.compactMap { $0.attributes["id"] })
        model.origin.file = file
        for leaf in leaves {
            let id = leaf.attributes["id"] ?? ""
            model.states.append(ModelState(id: id, title: LocalizedText(["en": id]), citation: ""))
            for owner in [leaf] + (around[id] ?? []).reversed() {
                for element in owner.children where element.name == "transition" {
                    try add(element, from: id, to: &model)
                }
            }
        }
        return model
    }

    private func add(_ element: XMLElement, from: String, to model: inout LifecycleModel) throws(ModelError) {
        guard let target = element.attributes["target"]?.split(separator: " ").first.map(String.init) else { return }
        guard let state = states[target] else { throw error(element, "there is no state '\(target)'") }
        let to = try leaf(state)
        let events = (element.attributes["event"] ?? "").split(separator: " ").map(String.init)
        let names = events.filter { !$0.hasPrefix(SCXMLWriter.silentPrefix) }
        func transition(_ steps: [StepPattern]) -> ModelTransition {
            ModelTransition(
                id: "T\(model.transitions.count + 1)", from: [from], to: [to], steps: steps, citation: "")
        }
        if !names.isEmpty { model.transitions.append(transition([.callback(CallbackPattern(names: names))])) }
        if names.count < events.count || events.isEmpty { model.transitions.append(transition([])) }
        for name in names where model.callback(name) == nil {
            model.callbacks.append(ModelCallback(id: name, spellings: [name], citation: ""))
        }
    }

    /// Id of the state that the machine is in when a state is entered.
    private func leaf(_ element: XMLElement) throws(ModelError) -> String {
        if let inner = try initial(of: element) { return inner }
        let first = element.children.first { $0.name == "state" || $0.name == "final" }
        if let first { return try leaf(first) }
        return element.attributes["id"] ?? ""
    }

    private func initial(of element: XMLElement) throws(ModelError) -> String? {
        let inner = element.children.first { $0.name == "initial" }?.children.first { $0.name == "transition" }
        guard
            let target = (element.attributes["initial"] ?? inner?.attributes["target"])?.split(separator: " ").first
        else { return nil }
        guard let state = states[String(target)] else { throw error(element, "there is no state '\(target)'") }
        return try leaf(state)
    }
}
