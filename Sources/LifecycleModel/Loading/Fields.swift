/// The keys of one mapping, being read or being written.
///
/// A record names each of its fields once, in ``FieldRecord/bind(_:)``; the same list reads a file and writes one.
struct Fields {
    /// The mapping that is read; `nil` when writing.
    private let source: Field?
    /// Entries that were not read yet, or those written so far.
    private var pairs: [ModelTree.Pair]

    /// Reads a mapping.
    init(reading field: Field) throws(ModelError) {
        guard let pairs = field.tree.pairs else {
            throw field.error("\(field.role) must be a mapping of keys to values")
        }
        source = field
        self.pairs = pairs
    }

    private init() {
        source = nil
        pairs = []
    }

    /// Writes a mapping.
    static func tree(_ bind: (inout Fields) throws(ModelError) -> Void) -> ModelTree {
        var fields = Fields()
        // Only reading can fail.
        try? bind(&fields)
        return ModelTree(content: .map(fields.pairs))
    }

    var isReading: Bool { source != nil }

    /// The unread entry with a key, for its position; `nil` when writing.
    func entry(_ key: String) -> Field? {
        guard let source, let pair = pairs.first(where: { $0.key == key }) else { return nil }
        return Field(file: source.file, tree: pair.value, key: key, owner: source.key)
    }

    /// A field that may be missing: it has the usual value then, and is not written. Without a usual value it is required.
    mutating func bind<Value: FieldValue>(
        _ key: String, _ value: inout Value, usual: Value? = Value.absent
    ) throws(ModelError) {
        guard let source else {
            if value != usual { pairs.append(ModelTree.Pair(key: key, value: value.tree)) }
            return
        }
        if let index = pairs.firstIndex(where: { $0.key == key }) {
            value = try Value(
                Field(file: source.file, tree: pairs.remove(at: index).value, key: key, owner: source.key))
        } else if let usual {
            value = usual
        } else {
            throw source.error("\(source.role) has no '\(key)'")
        }
    }

    /// A field that must be present.
    mutating func require<Value: FieldValue>(_ key: String, _ value: inout Value) throws(ModelError) {
        try bind(key, &value, usual: nil)
    }

    /// A title; the id where there is none, or an empty one.
    mutating func bindTitle(_ title: inout LocalizedText, of id: String) throws(ModelError) {
        try bind("title", &title)
        if title.byLanguage.isEmpty { title = LocalizedText(["en": id]) }
    }

    /// Reports the first key that was not read, so that a misspelt key is not ignored.
    func finish() throws(ModelError) {
        guard let source, let unknown = pairs.first else { return }
        throw ModelError(
            file: source.file, line: unknown.value.line,
            message: "\(source.role) has an unknown key '\(unknown.key)'")
    }
}

/// A value that files write as a mapping.
protocol FieldRecord: FieldValue, Sendable, Hashable {
    /// The key that a single word stands for; `nil` where a mapping is required.
    static var shorthand: String? { get }
    init()
    /// Reads or writes all fields.
    mutating func bind(_ fields: inout Fields) throws(ModelError)
}

extension FieldRecord {
    static var shorthand: String? { nil }

    init(_ field: Field) throws(ModelError) {
        self.init()
        var field = field
        if let shorthand = Self.shorthand, field.tree.text != nil {
            let pair = ModelTree.Pair(key: shorthand, value: field.tree)
            field.tree = ModelTree(content: .map([pair]), line: field.line)
        }
        var fields = try Fields(reading: field)
        try bind(&fields)
        try fields.finish()
    }

    var tree: ModelTree {
        var record = self
        return Fields.tree { fields throws(ModelError) in try record.bind(&fields) }
    }
}

/// A record that files write under its id.
protocol KeyedRecord: KeyedValue {
    var id: String { get }
    init(id: String)
    /// Reads or writes all fields but the id.
    mutating func bind(_ fields: inout Fields) throws(ModelError)
}

extension KeyedRecord {
    var key: String { id }

    init(_ field: Field) throws(ModelError) {
        self.init(id: field.key)
        var fields = try Fields(reading: field)
        try bind(&fields)
        try fields.finish()
    }

    var tree: ModelTree {
        var record = self
        return Fields.tree { fields throws(ModelError) in try record.bind(&fields) }
    }
}
