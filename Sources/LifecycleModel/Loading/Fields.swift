/// The keys of one mapping, being read or being written.
///
/// A record names each of its fields once, in ``FieldRecord/bind(_:)``; the same list reads a file and writes one.
struct Fields {
    /// The mapping that is read; `nil` when writing.
    private let source: Field?
    /// The entries of that mapping, or those written so far.
    private var pairs: [ModelTree.Pair]
    /// Entries that were read, one bit each. No record has 64 fields, so a mapping with more entries has unknown ones.
    private var taken: UInt64 = 0

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

    /// The entry with a key, for its position; `nil` when writing.
    func entry(_ key: String) -> Field? { index(of: key).flatMap { field($0) } }

    private func index(of key: String) -> Int? {
        guard isReading else { return nil }
        for index in 0..<min(64, pairs.count) where pairs[index].key == key { return index }
        return nil
    }

    private func field(_ index: Int) -> Field? {
        source.map { Field(file: $0.file, tree: pairs[index].value, key: pairs[index].key, owner: $0.key) }
    }

    /// A field that may be missing: it has the usual value then, and is not written. Without a usual value it is required.
    mutating func bind<Value: FieldValue>(
        _ key: String, _ value: inout Value, usual: Value? = Value.absent
    ) throws(ModelError) {
        guard let source else {
            if value != usual { pairs.append(ModelTree.Pair(key: key, value: value.tree)) }
            return
        }
        if let index = index(of: key), let field = field(index) {
            taken |= 1 << UInt64(index)
            value = try Value(field)
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
        guard let source,
            let unknown = pairs.indices.first(where: { $0 > 63 || taken & 1 << UInt64($0) == 0 }).map({ pairs[$0] })
        else { return }
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
