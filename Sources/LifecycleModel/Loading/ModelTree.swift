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
            guard let node = try Yams.compose(yaml: text, .basic, .default, .utf8) else {
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

/// A compact form of trees, so that no YAML has to be parsed for the built-in models.
///
/// A version, then a table of all texts, then the nodes from the top down: a kind, the difference to the line before, and
/// numbers of texts or counts of elements. All numbers have seven bits per byte, lowest first.
enum CompactTree {
    static let version = 1

    /// - Precondition: the tree has texts, lists and maps only, as trees that were read have.
    static func bytes(of tree: ModelTree) -> [UInt8] {
        var writer = CompactWriter()
        writer.write(tree)
        return writer.bytes
    }

    /// - Throws: ``ModelError`` when the bytes are damaged or of another version.
    static func tree(_ bytes: [UInt8], file: String) throws(ModelError) -> ModelTree {
        var reader = CompactReader(bytes: bytes)
        guard reader.number() == version, let tree = reader.file(), reader.isAtEnd else {
            throw ModelError(file: file, line: 0, message: "the compiled models are damaged; run `make models`")
        }
        return tree
    }

    fileprivate enum Kind: Int {
        case text, list, map
    }
}

private struct CompactWriter {
    private var nodes: [UInt8] = []
    private var texts: [UInt8] = []
    private var numbers: [String: Int] = [:]
    private var line = 0

    var bytes: [UInt8] {
        var head: [UInt8] = []
        Self.append(CompactTree.version, to: &head)
        Self.append(numbers.count, to: &head)
        return head + texts + nodes
    }

    mutating func write(_ tree: ModelTree) {
        // Aliases lead back to earlier lines.
        let step = tree.line - line
        line = tree.line
        func begin(_ kind: CompactTree.Kind, _ number: Int) {
            for number in [kind.rawValue, step < 0 ? -2 * step - 1 : 2 * step, number] {
                Self.append(number, to: &nodes)
            }
        }
        switch tree.content {
        case .list(let elements):
            begin(.list, elements.count)
            for element in elements { write(element) }
        case .map(let pairs):
            begin(.map, pairs.count)
            for pair in pairs {
                Self.append(number(of: pair.key), to: &nodes)
                write(pair.value)
            }
        case .text, .number, .flag:
            begin(.text, number(of: tree.text ?? ""))
        }
    }

    private mutating func number(of text: String) -> Int {
        if let number = numbers[text] { return number }
        Self.append(text.utf8.count, to: &texts)
        texts += text.utf8
        numbers[text] = numbers.count
        return numbers.count - 1
    }

    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

private struct CompactReader {
    let bytes: [UInt8]
    private var index = 0
    private var texts: [String] = []
    private var line = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    mutating func number() -> Int? {
        var number = 0
        var shift = 0
        while index < bytes.count, shift < 56 {
            let byte = bytes[index]
            index += 1
            number |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        return nil
    }

    /// The texts and the nodes.
    mutating func file() -> ModelTree? {
        guard let count = number(), count <= bytes.count else { return nil }
        texts.reserveCapacity(count)
        for _ in 0..<count {
            guard let length = number(), length <= bytes.count - index else { return nil }
            texts.append(String(decoding: bytes[index..<index + length], as: UTF8.self))
            index += length
        }
        return node()
    }

    private mutating func node() -> ModelTree? {
        guard let kind = number().flatMap(CompactTree.Kind.init), let step = number(), let number = number(),
            kind == .text ? number < texts.count : number <= bytes.count - index
        else { return nil }
        line += step % 2 == 0 ? step / 2 : -(step + 1) / 2
        var tree = ModelTree(content: .text(""), line: line)
        switch kind {
        case .text:
            tree.content = .text(texts[number])
        case .list:
            var elements: [ModelTree] = []
            elements.reserveCapacity(number)
            for _ in 0..<number {
                guard let element = node() else { return nil }
                elements.append(element)
            }
            tree.content = .list(elements)
        case .map:
            var pairs: [ModelTree.Pair] = []
            pairs.reserveCapacity(number)
            for _ in 0..<number {
                guard let key = self.number(), key < texts.count, let value = node() else { return nil }
                pairs.append(ModelTree.Pair(key: texts[key], value: value))
            }
            tree.content = .map(pairs)
        }
        return tree
    }
}
