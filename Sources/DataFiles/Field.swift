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
