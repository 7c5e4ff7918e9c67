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
