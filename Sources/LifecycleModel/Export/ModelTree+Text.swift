import Yams

extension ModelTree {
    /// The tree as YAML, in block style, with short lists and mappings on one line.
    func yaml() throws(ModelError) -> String {
        do {
            return try Yams.serialize(node: node(depth: 0), width: 120, allowUnicode: true)
        } catch {
            throw ModelError(file: "export", line: 0, message: "the model cannot be written as YAML: \(error)")
        }
    }

    private func node(depth: Int) -> Node {
        switch self {
        case .text(let text):
            return Node(text)
        case .number(let number):
            return Node(Self.text(number))
        case .flag(let flag):
            return Node(flag ? "yes" : "no")
        case .list(let elements):
            let style: Node.Sequence.Style = elements.allSatisfy(\.isScalar) ? .flow : .block
            return .sequence(Node.Sequence(elements.map { $0.node(depth: depth + 1) }, .implicit, style))
        case .map(let pairs):
            let isShort = depth > 1 && pairs.allSatisfy { $0.value.isScalar } && pairs.count < 5
            let nodes = pairs.map { (Node($0.key), $0.value.node(depth: depth + 1)) }
            return .mapping(Node.Mapping(nodes, .implicit, isShort ? .flow : .block))
        }
    }

    private var isScalar: Bool {
        switch self {
        case .text, .number, .flag: true
        case .list, .map: false
        }
    }

    private static func text(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? String(number)
    }

    /// The tree as JSON, two blanks per level.
    func json(indent: Int = 0) -> String {
        let inner = String(repeating: "  ", count: indent + 1)
        let outer = String(repeating: "  ", count: indent)
        switch self {
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
