/// A part of the report with a heading of its own.
package struct ReportSection: Sendable, Hashable {
    /// Anchor in the page: lower-case letters, digits and hyphens, unique in the report.
    package var id: String
    package var title: String
    /// What the section answers, in a sentence; may be empty.
    package var introduction: String
    package var blocks: [ReportBlock]
    /// The queries behind its figures.
    package var questions: [ReportQuestion]

    package init(
        id: String, title: String, introduction: String = "", blocks: [ReportBlock], questions: [ReportQuestion] = []
    ) {
        self.id = id
        self.title = title
        self.introduction = introduction
        self.blocks = blocks
        self.questions = questions
    }
}
