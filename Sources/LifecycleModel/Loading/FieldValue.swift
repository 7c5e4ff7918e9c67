import DataFiles

/// A value that model files contain: it is made from a field, and written as a tree.
protocol FieldValue: Equatable {
    /// The value where the key is missing; `nil` if the key is required.
    static var absent: Self? { get }
    init(_ field: Field) throws(DataFileError)
    var tree: DataTree { get }

    /// How files write several of them: a list, unless they have keys.
    static func values(_ field: Field) throws(DataFileError) -> [Self]
    static func tree(of values: [Self]) -> DataTree
}

extension FieldValue {
    static var absent: Self? { nil }

    static func values(_ field: Field) throws(DataFileError) -> [Self] {
        var values: [Self] = []
        for element in try field.elements() { values.append(try Self(element)) }
        return values
    }

    static func tree(of values: [Self]) -> DataTree { DataTree(content: .list(values.map(\.tree))) }
}

/// A value that files write under a key of its own; several are a mapping.
protocol KeyedValue: FieldValue, Sendable, Hashable {
    var key: String { get }
}

extension KeyedValue {
    static func values(_ field: Field) throws(DataFileError) -> [Self] {
        var values: [Self] = []
        for entry in try field.entries() { values.append(try Self(entry)) }
        return values
    }

    static func tree(of values: [Self]) -> DataTree {
        DataTree(content: .map(values.map { .init(key: $0.key, value: $0.tree) }))
    }
}

/// A word out of a fixed set.
protocol FieldWord: FieldValue, RawRepresentable<String>, CaseIterable, Sendable, Hashable {}

extension FieldWord {
    init(_ field: Field) throws(DataFileError) {
        let text = try String(field)
        guard let word = Self(rawValue: text) else {
            let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw field.error("\(field.role) is '\(text)'; it must be one of \(known)")
        }
        self = word
    }

    var tree: DataTree { rawValue.tree }
}

/// What the keys of a dictionary can be.
protocol FieldKey: Hashable, Comparable {
    init(key field: Field) throws(DataFileError)
    var keyText: String { get }
}

extension FieldKey where Self: FieldWord {
    init(key field: Field) throws(DataFileError) {
        guard let word = Self(rawValue: field.key) else {
            let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw field.error("'\(field.key)' of \(field.owner) is unknown; use one of \(known)")
        }
        self = word
    }

    var keyText: String { rawValue }
}

extension String: FieldValue, FieldKey {
    static var absent: String? { "" }

    init(_ field: Field) throws(DataFileError) {
        guard let text = field.tree.text else { throw field.error("\(field.role) must be a text") }
        self = text
    }

    init(key field: Field) { self = field.key }

    var keyText: String { self }
    var tree: DataTree { DataTree(content: .text(self)) }
}

extension Bool: FieldValue {
    static var absent: Bool? { false }

    init(_ field: Field) throws(DataFileError) {
        switch field.tree.text?.lowercased() {
        case "yes", "true", "on": self = true
        case "no", "false", "off": self = false
        default: throw field.error("\(field.role) must be yes or no")
        }
    }

    var tree: DataTree { DataTree(content: .flag(self)) }
}

extension FieldValue where Self: FixedWidthInteger {
    init(_ field: Field) throws(DataFileError) {
        guard let number = field.tree.text.flatMap({ Self($0) }) else {
            throw field.error("\(field.role) must be a whole number")
        }
        self = number
    }

    var tree: DataTree { DataTree(content: .number(Double(self))) }
}

extension Int: FieldValue {}
extension UInt64: FieldValue {}

/// A number of seconds.
extension Double: FieldValue {
    init(_ field: Field) throws(DataFileError) {
        guard let seconds = field.tree.text.flatMap(Double.init(seconds:)) else {
            throw field.error("\(field.role) must be a number of seconds from 0 to 1000000000")
        }
        self = seconds
    }

    /// A length of time whose nanoseconds fit into 64 bits; `nil` for any other text.
    init?(seconds text: String) {
        guard let seconds = Double(text), seconds >= 0, seconds <= 1e9 else { return nil }
        self = seconds
    }

    var tree: DataTree { DataTree(content: .number(self)) }
}

extension Optional: FieldValue where Wrapped: FieldValue {
    static var absent: Wrapped?? { .some(nil) }

    init(_ field: Field) throws(DataFileError) { self = try Wrapped(field) }

    var tree: DataTree { self?.tree ?? "".tree }
}

extension Array: FieldValue where Element: FieldValue {
    static var absent: [Element]? { [] }

    init(_ field: Field) throws(DataFileError) { self = try Element.values(field) }

    var tree: DataTree { Element.tree(of: self) }
}

extension Dictionary: FieldValue where Key: FieldKey, Value: FieldValue {
    static var absent: [Key: Value]? { [:] }

    init(_ field: Field) throws(DataFileError) {
        self = [:]
        for entry in try field.entries() { self[try Key(key: entry)] = try Value(entry) }
    }

    var tree: DataTree {
        let sorted = sorted { $0.key < $1.key }
        return DataTree(content: .map(sorted.map { .init(key: $0.key.keyText, value: $0.value.tree) }))
    }
}

/// One text, or texts by language. Empty texts are ignored.
extension LocalizedText: FieldValue {
    static var absent: LocalizedText? { LocalizedText() }

    init(_ field: Field) throws(DataFileError) {
        let texts = if let text = field.tree.text { ["en": text] } else { try [String: String](field) }
        self.init(texts.filter { !$0.value.isEmpty })
    }

    var tree: DataTree { Set(byLanguage.keys) == ["en"] ? english.tree : byLanguage.tree }
}

/// Steps are one text in ``StepNotation``, so an array of them is what a field contains.
extension StepPattern: FieldValue {
    init(_ field: Field) throws(DataFileError) { throw field.error("\(field.role) must be one text") }

    var tree: DataTree { StepNotation.text([self]).tree }

    static func values(_ field: Field) throws(DataFileError) -> [StepPattern] {
        guard let text = field.tree.text else {
            throw field.error("\(field.role) must be one text; put it in quotes, for example \"[a], b\"")
        }
        do throws(StepNotation.Malformed) {
            return try StepNotation.parse(text)
        } catch {
            throw field.error("\(field.role): \(error.reason)")
        }
    }

    static func tree(of steps: [StepPattern]) -> DataTree { StepNotation.text(steps).tree }
}

/// The keys of one mapping, being read or being written.
///
/// A record names each of its fields once, in ``FieldRecord/bind(_:)``; the same list reads a file and writes one.
struct Fields {
    /// The mapping that is read; `nil` when writing.
    private let source: Field?
    /// The entries of that mapping, or those written so far.
    private var pairs: [DataTree.Pair]
    /// Entries that were read, one bit each. No record has 64 fields, so a mapping with more entries has unknown ones.
    private var taken: UInt64 = 0

    init(reading field: Field) throws(DataFileError) {
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
    static func tree(_ bind: (inout Fields) throws(DataFileError) -> Void) -> DataTree {
        var fields = Fields()
        // Only reading can fail.
        try? bind(&fields)
        return DataTree(content: .map(fields.pairs))
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
    ) throws(DataFileError) {
        guard let source else {
            if value != usual { pairs.append(DataTree.Pair(key: key, value: value.tree)) }
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
    mutating func require<Value: FieldValue>(_ key: String, _ value: inout Value) throws(DataFileError) {
        try bind(key, &value, usual: nil)
    }

    /// A title; the id where there is none, or an empty one.
    mutating func bindTitle(_ title: inout LocalizedText, of id: String) throws(DataFileError) {
        try bind("title", &title)
        if title.byLanguage.isEmpty { title = LocalizedText(["en": id]) }
    }

    /// Reports the first key that was not read, so that a misspelt key is not ignored.
    func finish() throws(DataFileError) {
        guard let source,
            let unknown = pairs.indices.first(where: { $0 > 63 || taken & 1 << UInt64($0) == 0 }).map({ pairs[$0] })
        else { return }
        throw DataFileError(
            file: source.file, line: unknown.value.line,
            message: "\(source.role) has an unknown key '\(unknown.key)'")
    }
}

/// A value with named fields.
protocol BoundFields {
    /// Reads or writes all fields, apart from a key.
    mutating func bind(_ fields: inout Fields) throws(DataFileError)
}

extension BoundFields {
    fileprivate mutating func read(_ field: Field) throws(DataFileError) {
        var fields = try Fields(reading: field)
        try bind(&fields)
        try fields.finish()
    }

    var tree: DataTree {
        var record = self
        return Fields.tree { fields throws(DataFileError) in try record.bind(&fields) }
    }
}

/// A value that files write as a mapping.
protocol FieldRecord: BoundFields, FieldValue, Sendable, Hashable {
    /// The key that a single word stands for; `nil` where a mapping is required.
    static var shorthand: String? { get }
    init()
}

extension FieldRecord {
    static var shorthand: String? { nil }

    init(_ field: Field) throws(DataFileError) {
        self.init()
        var field = field
        if let shorthand = Self.shorthand, field.tree.text != nil {
            let pair = DataTree.Pair(key: shorthand, value: field.tree)
            field.tree = DataTree(content: .map([pair]), line: field.line)
        }
        try read(field)
    }
}

/// A record that files write under its id.
protocol KeyedRecord: BoundFields, KeyedValue {
    var id: String { get }
    init(id: String)
}

extension KeyedRecord {
    var key: String { id }

    init(_ field: Field) throws(DataFileError) {
        self.init(id: field.key)
        try read(field)
    }
}
