import StateDiagrams

extension PictureLanguage {
    /// - Throws: ``LifeStatsError`` when the value of `--lang` is none of the languages.
    init(named name: String) throws {
        guard let language = Self(rawValue: name) else {
            throw LifeStatsError(
                "--lang \(name): this language is not known",
                remedy: "use \(Self.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self = language
    }
}
