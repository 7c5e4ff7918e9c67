/// What a rule says, for people who meet its id in a finding.
package struct RuleText: Sendable, Hashable {
    /// `R-APP-15`.
    package var id: String
    /// One sentence.
    package var title: String
    /// Where the documentation says so.
    package var citation: String?

    package init(id: String, title: String, citation: String? = nil) {
        self.id = id
        self.title = title
        self.citation = citation
    }
}
