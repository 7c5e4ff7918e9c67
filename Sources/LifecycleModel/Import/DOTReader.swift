/// Reads a directed graph in Graphviz's language as a model: nodes are states, the lines of an edge's label callbacks,
/// and edges without a label silent transitions.
///
/// The initial state is the node with `initial=true`, the one that a node of shape `point` leads to, or the first;
/// final are nodes with `final=true`, of shape `doublecircle` or with two peripheries. Clusters are flattened.
package enum DOTReader {
    /// The model of a DOT text.
    ///
    /// - Throws: ``ModelError`` with file and line.
    package static func read(_ text: String, file: String) throws(ModelError) -> LifecycleModel {
        var graph = DOTGraph(tokens: try DOTTokens.read(text, file: file), file: file)
        try graph.parse()
        return try graph.model()
    }
}

/// A graph under way from tokens to a model.
private struct DOTGraph {
    private let tokens: [DOTTokens.Token]
    private let file: String
    private var index = 0
    private var name = "graph"
    private var order: [String] = []
    private var nodes: [String: [String: String]] = [:]
    private var edges: [(from: String, to: String, attributes: [String: String], line: Int)] = []

    init(tokens: [DOTTokens.Token], file: String) {
        self.tokens = tokens
        self.file = file
    }

    private func error(_ message: String) -> ModelError {
        let line = index < tokens.count ? tokens[index].line : tokens.last?.line ?? 1
        return ModelError(file: file, line: line, message: "not a DOT graph: \(message)")
    }

    private func isNext(_ text: String) -> Bool {
        index < tokens.count && !tokens[index].isQuoted && tokens[index].text == text
    }

    private mutating func take(_ text: String) -> Bool {
        guard isNext(text) else { return false }
        index += 1
        return true
    }

    private mutating func identifier(_ what: String) throws(ModelError) -> String {
        guard index < tokens.count, tokens[index].isQuoted || !"{}[];,=".contains(tokens[index].text),
            tokens[index].text != "->"
        else { throw error("\(what) is missing") }
        index += 1
        return tokens[index - 1].text
    }

    mutating func parse() throws(ModelError) {
        _ = take("strict")
        guard take("digraph") else { throw error("it must begin with 'digraph'") }
        if !isNext("{") { name = try identifier("a name") }
        guard take("{") else { throw error("'{' is missing") }
        _ = try statements(depth: 0)
        guard index == tokens.count else { throw error("something follows the graph") }
    }

    /// Statements up to the closing brace; the nodes that they name.
    private mutating func statements(depth: Int) throws(ModelError) -> [String] {
        guard depth < 100 else { throw error("braces are nested too deep") }
        var named: [String] = []
        while !take("}") {
            guard index < tokens.count else { throw error("'}' is missing at the end") }
            if take(";") || take(",") { continue }
            if isNext("node") || isNext("edge") || isNext("graph") {
                index += 1
                _ = try attributes()
                continue
            }
            named += try statement(depth: depth)
        }
        return named
    }

    private mutating func statement(depth: Int) throws(ModelError) -> [String] {
        let line = tokens[index].line
        var chain = [try group(depth: depth)]
        if take("=") {
            _ = try identifier("a value")
            return []
        }
        while take("->") { chain.append(try group(depth: depth)) }
        let attributes = try attributes()
        for group in chain {
            for node in group where nodes[node] == nil {
                nodes[node] = [:]
                order.append(node)
            }
        }
        if chain.count == 1 {
            for node in chain[0] { nodes[node]?.merge(attributes) { _, new in new } }
        }
        for (from, to) in zip(chain, chain.dropFirst()) {
            for source in from {
                for target in to { edges.append((source, target, attributes, line)) }
            }
        }
        return chain.flatMap(\.self)
    }

    /// A node, or the nodes of a subgraph.
    private mutating func group(depth: Int) throws(ModelError) -> [String] {
        if take("subgraph"), !isNext("{") { _ = try identifier("a name") }
        if take("{") { return try statements(depth: depth + 1) }
        let node = try identifier("a node")
        // A port does not matter to a machine.
        while take(":") { _ = try identifier("a port") }
        return [node]
    }

    private mutating func attributes() throws(ModelError) -> [String: String] {
        var attributes: [String: String] = [:]
        while take("[") {
            while !take("]") {
                guard index < tokens.count else { throw error("']' is missing") }
                if take(",") || take(";") { continue }
                let key = try identifier("an attribute")
                attributes[key] = take("=") ? try identifier("a value") : "true"
            }
        }
        return attributes
    }

    func model() throws(ModelError) -> LifecycleModel {
        let points = Set(order.filter { nodes[$0]?["shape"] == "point" })
        let states = order.filter { !points.contains($0) }
        guard let first = states.first else {
            throw ModelError(file: file, line: 1, message: "the graph has no nodes")
        }
        let entry = edges.first { points.contains($0.from) && !points.contains($0.to) }?.to
        let marked = states.first { nodes[$0]?["initial"] == "true" }
        var model = LifecycleModel(
            id: name, layer: name, title: LocalizedText(["en": name]), scope: .object,
            initial: marked ?? entry ?? first,
            final: states.filter { Self.isFinal(nodes[$0] ?? [:]) })
        model.origin.file = file
        model.states = states.map { id in
            let label = nodes[id]?["label"].map { String($0.map { $0.isNewline ? " " : $0 }) }
            return ModelState(id: id, title: LocalizedText(["en": label ?? id]), citation: "")
        }
        for edge in edges where !points.contains(edge.from) && !points.contains(edge.to) {
            let label = edge.attributes["label"] ?? ""
            let names = label.split(whereSeparator: \.isNewline).map(\.trimmed).filter { !$0.isEmpty }
            let ids = names.map { String($0.map { $0.isWhitespace ? "_" : $0 }) }
            for (id, name) in zip(ids, names) where model.callback(id) == nil {
                model.callbacks.append(ModelCallback(id: id, spellings: [name], citation: ""))
            }
            model.transitions.append(
                ModelTransition(
                    id: "T\(model.transitions.count + 1)", from: [edge.from], to: [edge.to],
                    steps: ids.isEmpty ? [] : [.callback(CallbackPattern(names: ids))], citation: ""))
        }
        return model
    }

    private static func isFinal(_ attributes: [String: String]) -> Bool {
        attributes["final"] == "true" || attributes["shape"] == "doublecircle" || attributes["peripheries"] == "2"
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
