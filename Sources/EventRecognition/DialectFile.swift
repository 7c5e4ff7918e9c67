import Yams

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

    /// The list of texts under a key.
    func texts(_ key: String) throws(DialectError) -> [String] {
        try texts(of: try node(key), as: key)
    }

    /// The whole number under a key.
    func number(_ key: String) throws(DialectError) -> Int {
        let node = try node(key)
        guard let number = node.int else { throw error(node, "`\(key)` must be a whole number.") }
        return number
    }

    /// A node as a list of texts; a single text is a list of one.
    func texts(of node: Node, as key: String) throws(DialectError) -> [String] {
        if let text = node.scalar?.string { return [text] }
        guard let sequence = node.sequence else { throw error(node, "`\(key)` must be a list of texts.") }
        var texts: [String] = []
        for item in sequence {
            guard let text = item.scalar?.string else { throw error(item, "`\(key)` holds something that is no text.") }
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
