/// The built-in files of a target in one compact form, so that no YAML has to be parsed at start-up. `make data` compiles
/// them after a change, and a test compares both.
package struct CompiledFiles: Sendable {
    private let files: [String: DataTree]

    /// - Parameter name: what messages call the bytes.
    /// - Throws: ``DataFileError`` when the bytes are damaged.
    package init(_ bytes: [UInt8], name: String) throws(DataFileError) {
        let pairs = try CompactTree.tree(bytes, file: name).pairs ?? []
        files = Dictionary(pairs.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The top of a file.
    ///
    /// - Throws: ``DataFileError`` when there is no file of that name.
    package func file(_ name: String) throws(DataFileError) -> Field {
        guard let tree = files[name] else {
            throw DataFileError(file: name, message: "the file was not compiled; run `make data`")
        }
        return Field(file: name, tree: tree)
    }
}

/// A compact form of trees: all texts, each once, separated by NUL, and after two NULs the nodes from the top down in
/// numbers of two bytes. A node is a kind, a line, and the number of its text or of its elements; before a value in a map
/// is the number of its key.
package enum CompactTree {
    private enum Kind: UInt16 {
        case text, list, map
    }

    /// - Precondition: the tree has texts, lists and maps only, as trees that were read have.
    package static func bytes(of tree: DataTree) -> [UInt8] {
        var numbers: [String: UInt16] = [:]
        var texts: [String] = []
        var words: [UInt16] = []
        func number(of text: String) -> UInt16 {
            if let known = numbers[text] { return known }
            numbers[text] = UInt16(texts.count)
            texts.append(text)
            return UInt16(texts.count - 1)
        }
        func write(_ tree: DataTree) {
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

    /// - Throws: ``DataFileError`` when the bytes are damaged.
    package static func tree(_ bytes: [UInt8], file: String) throws(DataFileError) -> DataTree {
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
        func node() -> DataTree? {
            guard let kind = word().flatMap({ Kind(rawValue: UInt16($0)) }), let line = word(), let number = word()
            else { return nil }
            var (elements, pairs): ([DataTree], [DataTree.Pair]) = ([], [])
            switch kind {
            case .text:
                return number < texts.count ? DataTree(content: .text(texts[number]), line: line) : nil
            case .list:
                for _ in 0..<number {
                    guard let element = node() else { return nil }
                    elements.append(element)
                }
                return DataTree(content: .list(elements), line: line)
            case .map:
                for _ in 0..<number {
                    guard let key = word(), key < texts.count, let value = node() else { return nil }
                    pairs.append(DataTree.Pair(key: texts[key], value: value))
                }
                return DataTree(content: .map(pairs), line: line)
            }
        }
        guard let tree = node(), at == bytes.count else {
            throw DataFileError(file: file, line: 0, message: "the compiled files are damaged; run `make data`")
        }
        return tree
    }
}
