/// A model as nested keys and values, in the order in which its file has them.
enum ModelTree: Sendable, Hashable {
    case text(String)
    case number(Double)
    case flag(Bool)
    case list([ModelTree])
    case map([Pair])

    struct Pair: Sendable, Hashable {
        var key: String
        var value: ModelTree
    }

    /// Whether there is nothing to write.
    var isEmpty: Bool {
        switch self {
        case .text(let text): text.isEmpty
        case .number, .flag: false
        case .list(let elements): elements.isEmpty
        case .map(let pairs): pairs.isEmpty
        }
    }
}

/// Collects the pairs of a mapping and leaves out what is empty or what a reader assumes anyway.
struct TreeBuilder {
    private(set) var pairs: [ModelTree.Pair] = []

    var tree: ModelTree { .map(pairs) }

    mutating func add(_ key: String, _ value: ModelTree) {
        if !value.isEmpty { pairs.append(ModelTree.Pair(key: key, value: value)) }
    }

    mutating func add(_ key: String, _ text: String?) {
        if let text { add(key, .text(text)) }
    }

    mutating func add(_ key: String, _ number: Double?) {
        if let number { add(key, .number(number)) }
    }

    mutating func add(_ key: String, _ texts: [String]) {
        add(key, .list(texts.map { .text($0) }))
    }

    mutating func add(_ key: String, _ flag: Bool, unless usual: Bool) {
        if flag != usual { add(key, .flag(flag)) }
    }

    mutating func add(_ key: String, _ text: LocalizedText) {
        if Set(text.byLanguage.keys) == ["en"] {
            add(key, text.english)
        } else {
            add(
                key, .map(text.byLanguage.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .text($0.value)) })
            )
        }
    }

    mutating func add(_ key: String, _ values: [String: String]) {
        add(key, .map(values.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .text($0.value)) }))
    }

    /// One mapping with an entry for each element, by its id.
    mutating func add<Element>(
        _ key: String, _ elements: [Element], id: (Element) -> String, _ tree: (Element) -> ModelTree
    ) {
        add(key, .map(elements.map { .init(key: id($0), value: tree($0)) }))
    }
}
