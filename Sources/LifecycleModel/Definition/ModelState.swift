/// A state of a documented model.
package struct ModelState: Sendable, Hashable {
    /// Identifier used in the database and in transitions (`not_running`, `fg_active` …).
    package var id: String
    /// What people call it.
    package var title: LocalizedText
    /// Other names for it, in any language; a tool-tip, and spellings of states in logs.
    package var synonyms: [String]
    /// Name or raw value of the platform's own constant for it; `nil` when it has none.
    package var platformValue: String?
    /// What it means, in a few words.
    package var summary: String
    /// Where it is documented.
    package var citation: String
    /// Whether the documented picture shows it. States that exist only for analysis are not drawn.
    package var isDrawn: Bool
    /// Whether the process runs code in it; `nil` when the question makes no sense.
    package var runsCode: Bool?
    /// Callbacks that may come in this state without being a step of any transition.
    package var accepts: [String]

    package init(
        id: String, title: LocalizedText, synonyms: [String] = [], platformValue: String? = nil, summary: String = "",
        citation: String, isDrawn: Bool = true, runsCode: Bool? = nil, accepts: [String] = []
    ) {
        self.id = id
        self.title = title
        self.synonyms = synonyms
        self.platformValue = platformValue
        self.summary = summary
        self.citation = citation
        self.isDrawn = isDrawn
        self.runsCode = runsCode
        self.accepts = accepts
    }
}
