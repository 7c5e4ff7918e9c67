/// The keys of one mapping, each of which must be asked for.
struct YAMLKeys {
    let field: YAMLField
    private var rest: [String: YAMLField] = [:]
    private var order: [String] = []

    init(_ field: YAMLField) throws(ModelError) {
        self.field = field
        for (key, value) in try field.pairs() {
            rest[key] = value
            order.append(key)
        }
    }

    /// The same keys, called something better in messages.
    mutating func take(_ key: String) -> YAMLField? { rest.removeValue(forKey: key) }

    mutating func require(_ key: String) throws(ModelError) -> YAMLField {
        guard let value = take(key) else { throw field.error("\(field.role) has no '\(key)'") }
        return value
    }

    mutating func text(_ key: String) throws(ModelError) -> String? { try take(key)?.text() }
    mutating func texts(_ key: String) throws(ModelError) -> [String] { try take(key)?.texts() ?? [] }
    mutating func flag(_ key: String) throws(ModelError) -> Bool? { try take(key)?.flag() }
    mutating func seconds(_ key: String) throws(ModelError) -> Double? { try take(key)?.seconds() }
    mutating func integer(_ key: String) throws(ModelError) -> Int? { try take(key)?.integer() }

    /// The title; the id where there is none, or an empty one.
    mutating func title(orID id: String) throws(ModelError) -> LocalizedText {
        let title = try take("title")?.localized() ?? LocalizedText()
        return title.byLanguage.isEmpty ? LocalizedText(["en": id]) : title
    }

    mutating func steps(_ key: String) throws(ModelError) -> [StepPattern] { try take(key)?.steps() ?? [] }

    /// Reports the keys that nobody asked for.
    func finish() throws(ModelError) {
        guard let unknown = order.first(where: { rest[$0] != nil }) else { return }
        throw (rest[unknown] ?? field).error("\(field.role) has an unknown key '\(unknown)'")
    }
}
