/// A text in several languages, by BCP 47 tag (`en`, `zh-Hans`, `zh-Hant`, `es`).
package struct LocalizedText: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The texts by language tag.
    package var byLanguage: [String: String]

    package init(_ byLanguage: [String: String] = [:]) { self.byLanguage = byLanguage }

    package init(stringLiteral text: String) { byLanguage = ["en": text] }

    /// The text in a language; English where there is none.
    package subscript(language: String) -> String {
        byLanguage[language] ?? byLanguage["en"] ?? ""
    }

    /// The English text.
    package var english: String { self["en"] }
}
