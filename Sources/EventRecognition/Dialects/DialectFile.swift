import Yams

/// A dialect or alias file that cannot be used.
package struct DialectError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Name of the file.
    package var file: String
    /// Line in it, counted from 1; `nil` when the file as a whole is meant.
    package var line: Int?
    /// What is wrong, and how to fix it.
    package var message: String

    package init(file: String, line: Int? = nil, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    package var description: String {
        line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
    }
}

/// A YAML file of words and texts, read with messages that name the line.
struct DialectFile {
    let name: String
    private let root: Node

    init(name: String, text: String) throws(DialectError) {
        self.name = name
        let node: Node?
        do {
            node = try Yams.compose(yaml: text)
        } catch {
            throw DialectError(file: name, message: "This is not YAML: \(error)")
        }
        guard let node, node.mapping != nil else {
            throw DialectError(file: name, message: "A mapping of keys to values is expected at the top.")
        }
        root = node
    }

    /// The top-level keys, in order, with their nodes.
    var fields: [(key: String, value: Node)] {
        root.mapping?.map { (key: $0.key.string ?? "", value: $0.value) } ?? []
    }

    /// The node under a key; `nil` when there is none.
    subscript(key: String) -> Node? { root[key] }

    /// The list of texts under a key.
    func texts(_ key: String) throws(DialectError) -> [String] {
        try texts(of: try node(key), as: key)
    }

    /// The texts under a key, as UTF-8.
    func bytes(_ key: String) throws(DialectError) -> [[UInt8]] { try texts(key).map { Array($0.utf8) } }

    /// The whole number under a key.
    func number(_ key: String) throws(DialectError) -> Int {
        let node = try node(key)
        guard let number = node.int else { throw error(node, "`\(key)` must be a whole number.") }
        return number
    }

    /// The lists of texts under `alternatives`, by the name that patterns use, and those that all files share.
    func alternatives(
        _ shared: [String: [String]] = [:]
    ) throws(DialectError) -> [String: [String]] {
        var alternatives = shared
        for (key, value) in self["alternatives"]?.mapping ?? [:] {
            alternatives[key.string ?? ""] = try texts(of: value, as: key.string ?? "")
        }
        return alternatives
    }

    /// The patterns under a key.
    func patterns(
        _ key: String, _ alternatives: [String: [String]] = [:], bounds: TextPattern.Bounds = .anywhere
    ) throws(DialectError) -> [TextPattern] {
        try patterns(of: try node(key), as: key, alternatives, bounds: bounds)
    }

    /// A node as a list of patterns.
    func patterns(
        of node: Node, as key: String, _ alternatives: [String: [String]], bounds: TextPattern.Bounds = .anywhere
    ) throws(DialectError) -> [TextPattern] {
        var patterns: [TextPattern] = []
        for text in try texts(of: node, as: key).flatMap({ Self.expand($0, alternatives) }) {
            guard let pattern = TextPattern(text, alternatives: alternatives, bounds: bounds) else {
                throw error(node, "`\(text)` names an unknown place in braces.")
            }
            patterns.append(pattern)
        }
        return patterns
    }

    /// The texts that a text stands for: alternatives that have places of their own are written out.
    private static func expand(_ text: String, _ alternatives: [String: [String]]) -> [String] {
        for (name, texts) in alternatives where texts.contains(where: { $0.contains("{") }) {
            guard let place = text.firstRange(of: "{\(name)}") else { continue }
            return texts.flatMap { expand(String(text[..<place.lowerBound]) + $0 + text[place.upperBound...], alternatives) }
        }
        return [text]
    }

    /// A node as a list of texts; a single text is a list of one.
    func texts(of node: Node, as key: String) throws(DialectError) -> [String] {
        if let text = node.scalar?.string { return [text] }
        guard let sequence = node.sequence else { throw error(node, "`\(key)` must be a list of texts.") }
        var texts: [String] = []
        for item in sequence {
            guard let text = item.scalar?.string else {
                throw error(item, "`\(key)` holds something that is not a text.")
            }
            texts.append(text)
        }
        return texts
    }

    func node(_ key: String) throws(DialectError) -> Node {
        guard let node = root[key] else { throw DialectError(file: name, message: "The key `\(key)` is missing.") }
        return node
    }

    func error(_ node: Node, _ message: String) -> DialectError {
        DialectError(file: name, line: node.mark?.line, message: message)
    }
}
