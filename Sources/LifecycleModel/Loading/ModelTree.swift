import Yams

/// The content of a model file as nested keys and values, in file order.
struct ModelTree: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case text(String)
        /// Numbers and flags are distinguished only for writing; files are read as texts.
        case number(Double)
        case flag(Bool)
        case list([ModelTree])
        case map([Pair])
    }

    struct Pair: Sendable, Hashable {
        var key: String
        var value: ModelTree
    }

    var content: Content
    /// Line in the file: that of the key, where there is one. 0 if unknown.
    var line = 0

    /// The text of a scalar.
    var text: String? {
        switch content {
        case .text(let text): text
        case .number(let number): Self.text(number)
        case .flag(let flag): flag ? "yes" : "no"
        case .list, .map: nil
        }
    }

    /// The entries of a mapping; none for an empty scalar, which is what a key without a value has.
    var pairs: [Pair]? {
        switch content {
        case .map(let pairs): pairs
        case .text(""): []
        default: nil
        }
    }

    private var isScalar: Bool { text != nil }

    private static func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? String(number) }
}

extension ModelTree {
    /// Reads YAML. All scalars are read as texts; guessing types would cost a regular expression per value.
    ///
    /// - Throws: ``ModelError`` when the text is empty or not YAML.
    init(yaml text: String, file: String) throws(ModelError) {
        do {
            guard let node = try Yams.compose(yaml: text, .basic) else {
                throw ModelError(file: file, line: 0, message: "the file is empty; a model needs at least 'model:'")
            }
            try self.init(node, file: file)
        } catch let error as ModelError {
            throw error
        } catch let error as YamlError {
            throw ModelError(file: file, line: error.line, message: "not YAML: \(error.problem)")
        } catch {
            throw ModelError(file: file, line: 0, message: "not YAML: \(error)")
        }
    }

    private init(_ node: Node, file: String) throws(ModelError) {
        line = node.mark?.line ?? 0
        switch node {
        case .scalar(let scalar):
            content = .text(scalar.string)
        case .sequence(let nodes):
            var elements: [ModelTree] = []
            for node in nodes { elements.append(try ModelTree(node, file: file)) }
            content = .list(elements)
        case .mapping(let mapping):
            var pairs: [Pair] = []
            for (key, node) in mapping {
                guard let name = key.scalar?.string else {
                    throw ModelError(file: file, line: key.mark?.line ?? line, message: "a key must be a text")
                }
                var value = try ModelTree(node, file: file)
                value.line = key.mark?.line ?? value.line
                pairs.append(Pair(key: name, value: value))
            }
            content = .map(pairs)
        case .alias:
            throw ModelError(file: file, line: line, message: "the alias has no anchor")
        }
    }

    /// The tree as YAML in block style, with short lists and mappings on one line.
    ///
    /// - Throws: ``ModelError`` when the text cannot be made.
    func yaml() throws(ModelError) -> String {
        do {
            return try Yams.serialize(node: node(depth: 0), width: 120, allowUnicode: true)
        } catch {
            throw ModelError(file: "export", line: 0, message: "the model cannot be written as YAML: \(error)")
        }
    }

    private func node(depth: Int) -> Node {
        switch content {
        case .text, .number, .flag:
            return Node(text ?? "")
        case .list(let elements):
            let style: Node.Sequence.Style = elements.allSatisfy(\.isScalar) ? .flow : .block
            return .sequence(Node.Sequence(elements.map { $0.node(depth: depth + 1) }, .implicit, style))
        case .map(let pairs):
            let isShort = depth > 1 && pairs.allSatisfy { $0.value.isScalar } && pairs.count < 5
            let nodes = pairs.map { (Node($0.key), $0.value.node(depth: depth + 1)) }
            return .mapping(Node.Mapping(nodes, .implicit, isShort ? .flow : .block))
        }
    }
}

extension ModelTree {
    /// The tree as JSON, indented by two spaces per level.
    func json(indent: Int = 0) -> String {
        let inner = String(repeating: "  ", count: indent + 1)
        let outer = String(repeating: "  ", count: indent)
        switch content {
        case .text(let text): return Self.quoted(text)
        case .number(let number): return Self.text(number)
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
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case let control where control.value < 0x20:
                let digits = String(control.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension YamlError {
    fileprivate var line: Int {
        switch self {
        case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _): mark.line
        case .duplicatedKeysInMapping(_, let context): context.mark.line
        default: 0
        }
    }

    fileprivate var problem: String {
        switch self {
        case .scanner(_, let problem, _, _), .parser(_, let problem, _, _), .composer(_, let problem, _, _): problem
        case .duplicatedKeysInMapping(let keys, _):
            "the key \(keys.map { "\($0)" }.sorted().joined(separator: ", ")) appears twice"
        default: "\(self)"
        }
    }
}
