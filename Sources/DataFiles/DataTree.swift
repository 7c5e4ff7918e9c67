import Yams

/// The content of a data file as nested keys and values, in file order.
package struct DataTree: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        case text(String)
        /// Numbers and flags are distinguished only for writing; files are read as texts.
        case number(Double)
        case flag(Bool)
        case list([DataTree])
        case map([Pair])
    }

    package struct Pair: Sendable, Hashable {
        package var key: String
        package var value: DataTree

        package init(key: String, value: DataTree) {
            self.key = key
            self.value = value
        }
    }

    package var content: Content
    /// Line in the file: that of the key, where there is one. 0 if unknown.
    package var line: Int

    package init(content: Content, line: Int = 0) {
        self.content = content
        self.line = line
    }

    package var text: String? {
        switch content {
        case .text(let text): text
        case .number(let number): Self.text(number)
        case .flag(let flag): flag ? "yes" : "no"
        case .list, .map: nil
        }
    }

    /// The entries of a mapping; none for an empty scalar, which is what a key without a value has.
    package var pairs: [Pair]? {
        switch content {
        case .map(let pairs): pairs
        case .text(""): []
        default: nil
        }
    }

    package var isScalar: Bool { text != nil }

    private static func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? String(number) }
}

extension DataTree {
    /// Reads YAML. All scalars are read as texts; guessing types would cost a regular expression per value.
    ///
    /// - Throws: ``DataFileError`` when the text is empty or not YAML.
    package init(yaml text: String, file: String) throws(DataFileError) {
        do {
            guard let node = try Yams.compose(yaml: text, .basic, .default, .utf8) else {
                throw DataFileError(file: file, line: 0, message: "the file is empty")
            }
            try self.init(node, file: file)
        } catch let error as DataFileError {
            throw error
        } catch let error as YamlError {
            throw DataFileError(file: file, line: error.line, message: "not YAML: \(error.problem)")
        } catch {
            throw DataFileError(file: file, line: 0, message: "not YAML: \(error)")
        }
    }

    private init(_ node: Node, file: String) throws(DataFileError) {
        line = node.mark?.line ?? 0
        switch node {
        case .scalar(let scalar):
            content = .text(scalar.string)
        case .sequence(let nodes):
            var elements: [DataTree] = []
            for node in nodes { elements.append(try DataTree(node, file: file)) }
            content = .list(elements)
        case .mapping(let mapping):
            var pairs: [Pair] = []
            for (key, node) in mapping {
                guard let name = key.scalar?.string else {
                    throw DataFileError(file: file, line: key.mark?.line ?? line, message: "a key must be a text")
                }
                var value = try DataTree(node, file: file)
                value.line = key.mark?.line ?? value.line
                pairs.append(Pair(key: name, value: value))
            }
            content = .map(pairs)
        case .alias:
            throw DataFileError(file: file, line: line, message: "the alias has no anchor")
        }
    }

    /// The tree as YAML in block style, with short lists and mappings on one line.
    ///
    /// - Throws: ``DataFileError`` when the text cannot be made.
    package func yaml() throws(DataFileError) -> String {
        do {
            return try Yams.serialize(node: node(depth: 0), width: 120, allowUnicode: true)
        } catch {
            throw DataFileError(file: "export", line: 0, message: "the model cannot be written as YAML: \(error)")
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

/// Why a data file cannot be used: what, where and how to fix it.
package struct DataFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file, as the caller named it.
    package var file: String
    /// Line, counted from 1; 0 when it concerns the whole file.
    package var line: Int
    /// What is wrong and how to fix it, as one sentence.
    package var message: String

    package init(file: String, line: Int = 0, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    package var description: String { line > 0 ? "\(file):\(line): \(message)" : "\(file): \(message)" }
}

/// A value in a YAML file with its position, so that every error names file and line.
package struct Field {
    package let file: String
    package var tree: DataTree
    /// Its key, and the key of the mapping that contains it; the owner is empty at the top of a file.
    package let key: String
    package let owner: String

    package init(file: String, tree: DataTree, key: String = "the file", owner: String = "") {
        self.file = file
        self.tree = tree
        self.key = key
        self.owner = owner
    }

    /// The top of a YAML file.
    package static func document(_ yaml: String, file: String) throws(DataFileError) -> Field {
        Field(file: file, tree: try DataTree(yaml: yaml, file: file))
    }

    /// What it is, for messages (`'severity' of R-APP-10`).
    package var role: String { owner.isEmpty ? key : "'\(key)' of \(owner)" }

    package var line: Int { tree.line }

    package func error(_ message: String) -> DataFileError { DataFileError(file: file, line: line, message: message) }

    /// The text that it is; `nil` for a list or a mapping.
    package var text: String? { tree.text }

    /// The entry of a mapping with a key; `nil` where there is none.
    package subscript(key: String) -> Field? {
        tree.pairs?.first { $0.key == key }.map { Field(file: file, tree: $0.value, key: key, owner: self.key) }
    }

    /// The entries of a mapping, in file order.
    package func entries() throws(DataFileError) -> [Field] {
        guard let pairs = tree.pairs else { throw error("\(role) must be a mapping of keys to values") }
        return pairs.map { Field(file: file, tree: $0.value, key: $0.key, owner: key) }
    }

    /// The elements of a list; a single text counts as a list of one.
    package func elements() throws(DataFileError) -> [Field] {
        if tree.text != nil { return [self] }
        guard case .list(let elements) = tree.content else { throw error("\(role) must be a list") }
        return elements.map { element in
            guard case .map = element.content, !owner.isEmpty else {
                return Field(file: file, tree: element, key: key, owner: owner)
            }
            // Errors in an element that is a mapping name the list.
            return Field(file: file, tree: element, key: "\(key) of \(owner)", owner: "")
        }
    }
}

extension Field {
    /// The texts that it lists; a single text is a list of one.
    package func texts() throws(DataFileError) -> [String] {
        var texts: [String] = []
        for element in try elements() {
            guard let text = element.text else { throw element.error("\(element.role) must be a text") }
            texts.append(text)
        }
        return texts
    }
}
