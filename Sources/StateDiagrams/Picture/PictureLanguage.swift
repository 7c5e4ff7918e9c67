/// The languages of the words in pictures. Titles of states come with the graph.
package enum PictureLanguage: String, Sendable, CaseIterable, Codable {
    case english = "en"
    case simplifiedChinese = "zh-Hans"
    case traditionalChinese = "zh-Hant"
    case spanish = "es"

    /// The value of `xml:lang`.
    var code: String { rawValue }
}
