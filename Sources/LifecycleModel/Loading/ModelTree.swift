import Foundation
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
                throw ModelError(file: file, line: 0, message: "the file is empty")
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
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
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

/// A compact form of trees, so that no YAML has to be parsed for the built-in models: all texts, each once, separated by
/// NUL, and after two NULs the nodes from the top down in numbers of two bytes. A node is a kind, a line, and the number of
/// its text or of its elements; before a value in a map is the number of its key.
enum CompactTree {
    private enum Kind: UInt16 {
        case text, list, map
    }

    /// - Precondition: the tree has texts, lists and maps only, as trees that were read have.
    static func bytes(of tree: ModelTree) -> [UInt8] {
        var numbers: [String: UInt16] = [:]
        var texts: [String] = []
        var words: [UInt16] = []
        func number(of text: String) -> UInt16 {
            if let known = numbers[text] { return known }
            numbers[text] = UInt16(texts.count)
            texts.append(text)
            return UInt16(texts.count - 1)
        }
        func write(_ tree: ModelTree) {
            func begin(_ kind: Kind, _ number: UInt16) { words += [kind.rawValue, UInt16(tree.line), number] }
            switch tree.content {
            case .list(let elements):
                begin(.list, UInt16(elements.count))
                for element in elements { write(element) }
            case .map(let pairs):
                begin(.map, UInt16(pairs.count))
                for pair in pairs {
                    words.append(number(of: pair.key))
                    write(pair.value)
                }
            case .text, .number, .flag: begin(.text, number(of: tree.text ?? ""))
            }
        }
        // Two NULs end the texts, so that no text but the first may be empty.
        _ = number(of: "")
        write(tree)
        var bytes: [UInt8] = []
        for text in texts { bytes += Array(text.utf8) + [0] }
        bytes.append(0)
        for word in words { bytes += [UInt8(word & 0xFF), UInt8(word >> 8)] }
        return bytes
    }

    /// - Throws: ``ModelError`` when the bytes are damaged.
    static func tree(_ bytes: [UInt8], file: String) throws(ModelError) -> ModelTree {
        var texts: [String] = []
        var at = 0
        while let end = bytes[at...].firstIndex(of: 0), end > at || texts.isEmpty {
            texts.append(String(decoding: bytes[at..<end], as: UTF8.self))
            at = end + 1
        }
        at += 1
        func word() -> Int? {
            guard at + 1 < bytes.count else { return nil }
            defer { at += 2 }
            return Int(bytes[at]) | Int(bytes[at + 1]) << 8
        }
        func node() -> ModelTree? {
            guard let kind = word().flatMap({ Kind(rawValue: UInt16($0)) }), let line = word(), let number = word()
            else { return nil }
            var (elements, pairs): ([ModelTree], [ModelTree.Pair]) = ([], [])
            switch kind {
            case .text:
                return number < texts.count ? ModelTree(content: .text(texts[number]), line: line) : nil
            case .list:
                for _ in 0..<number {
                    guard let element = node() else { return nil }
                    elements.append(element)
                }
                return ModelTree(content: .list(elements), line: line)
            case .map:
                for _ in 0..<number {
                    guard let key = word(), key < texts.count, let value = node() else { return nil }
                    pairs.append(ModelTree.Pair(key: texts[key], value: value))
                }
                return ModelTree(content: .map(pairs), line: line)
            }
        }
        guard let tree = node(), at == bytes.count else {
            throw ModelError(file: file, line: 0, message: "the compiled models are damaged; run `make models`")
        }
        return tree
    }
}
