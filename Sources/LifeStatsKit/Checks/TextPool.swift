/// Texts that repeat, each kept once: hundreds of thousands of findings have a few hundred messages.
struct TextPool {
    private var texts: Set<String> = []

    /// The same text, as it was first seen.
    mutating func once(_ text: String) -> String {
        texts.insert(text).memberAfterInsert
    }

    mutating func once(_ text: String?) -> String? {
        text.map { once($0) }
    }
}
