internal import Mustache
internal import TraceRecords

/// One self-contained page: it loads nothing from the network, and equal reports give equal bytes.
package struct HTMLReport: Sendable, Hashable {
    package var title: String
    /// Path of the database, as the user wrote it.
    package var database: String
    package var version: String
    /// Filters in words (`app MyApp`, `since 2024-05-01`).
    package var restrictions: [String]
    package var overview: ReportOverview
    /// States that the bar at the top can highlight, in the order of their models.
    package var states: [StateName]
    package var sections: [ReportSection]
    /// A style sheet for all pictures.
    package var pictureStyle: String

    package init(
        title: String, database: String, version: String, restrictions: [String] = [], overview: ReportOverview,
        states: [StateName], sections: [ReportSection], pictureStyle: String = ""
    ) {
        (self.pictureStyle, self.title, self.database, self.version) = (pictureStyle, title, database, version)
        (self.restrictions, self.overview, self.states, self.sections) = (restrictions, overview, states, sections)
    }

    /// A state by the name that queries know, and its name for people.
    package struct StateName: Sendable, Hashable {
        package var id: String
        package var title: String

        package init(id: String, title: String) { (self.id, self.title) = (id, title) }
    }

    /// The page.
    ///
    /// - Throws: An error of the template engine when an embedded template is broken.
    package func html() throws -> String {
        MustacheContentTypes.register(SafeHTML(), named: SafeHTML.name)
        var library = MustacheLibrary()
        for (name, template) in ReportTemplates.mustache { try library.register(template, named: name) }
        return library.render(ReportPage(self), withTemplate: "report") ?? ""
    }
}

/// A part of the report with its own heading.
package struct ReportSection: Sendable, Hashable {
    /// Anchor in the page: lower-case letters, digits and hyphens, unique in the report.
    package var id: String
    package var title: String
    /// The question that the section answers, in a sentence; may be empty.
    package var introduction: String
    package var blocks: [ReportBlock]
    /// The queries behind its figures.
    package var questions: [ReportQuestion]

    package init(
        id: String, title: String, introduction: String = "", blocks: [ReportBlock], questions: [ReportQuestion] = []
    ) {
        (self.id, self.title, self.introduction, self.blocks) = (id, title, introduction, blocks)
        self.questions = questions
    }
}

/// A piece of a section.
package enum ReportBlock: Sendable, Hashable {
    case text(String)
    /// One drawing, as wide as the page.
    case picture(ReportPicture)
    /// Small drawings beside each other.
    case pictures([ReportPicture])
    case table(ReportTable)
    /// Findings grouped by rule, with their places, log lines, fixes and sources: the worst rules, and the others.
    case findings(FindingReport)
    case otherFindings(FindingReport)
    /// Short statements, one per line.
    case list([String])
    /// One of several, chosen by the reader. Groups with the same label change together.
    case tabs(ReportTabs)
    /// Beside each other where the screen is wide enough, below each other elsewhere.
    case columns([[ReportBlock]])
    /// What opens at the reader's request; paper leaves it out.
    case more(String, [ReportBlock])
}

/// Alternatives of which a page shows one at a time.
package struct ReportTabs: Sendable, Hashable {
    package struct Tab: Sendable, Hashable {
        package var title: String
        package var blocks: [ReportBlock]

        package init(title: String, blocks: [ReportBlock]) {
            (self.title, self.blocks) = (title, blocks)
        }
    }

    /// Unique in the report: lower-case letters, digits and hyphens.
    package var id: String
    /// What the reader chooses, for a screen reader.
    package var label: String
    package var tabs: [Tab]
    /// Whether paper shows all of them below each other.
    package var isPrintedWhole: Bool

    package init(id: String, label: String, tabs: [Tab], isPrintedWhole: Bool = false) {
        (self.id, self.label, self.tabs, self.isPrintedWhole) = (id, label, tabs, isPrintedWhole)
    }

    /// The tabs as a block; a single one is shown as it is.
    package var blocks: [ReportBlock] { tabs.count == 1 ? tabs[0].blocks : tabs.isEmpty ? [] : [.tabs(self)] }
}

/// A drawing of the report.
package struct ReportPicture: Sendable, Hashable {
    /// An SVG element that lifestats made, well-formed and free of scripts; it is copied into the page.
    package var svg: String
    /// The same for a phone; empty where it needs no other drawing.
    package var narrow: String
    /// What it shows, in a sentence.
    package var caption: String
    /// What a reader can do with it on a screen; empty for nothing.
    package var hint: String

    package init(svg: String, narrow: String = "", caption: String, hint: String = "") {
        (self.svg, self.narrow, self.caption, self.hint) = (svg, narrow, caption, hint)
    }
}

/// A link inside the page (`#run-3`) or to a page on the web.
package struct ReportLink: Sendable, Hashable {
    package var text: String
    package var target: String

    package init(text: String, target: String) {
        (self.text, self.target) = (text, target)
    }
}

/// How to get a figure of the report again.
package struct ReportQuestion: Sendable, Hashable {
    /// The command that answers: `lifestats query dwell_times`.
    package var command: String
    /// The SQL behind it; `nil` when another question of the report shows it.
    package var sql: String?

    package init(_ command: String, sql: String? = nil) {
        (self.command, self.sql) = (command, sql)
    }
}

/// Escapes the texts of the templates.
///
/// The engine's own escaping goes by characters as readers see them. It misses a `<` that follows a prepending mark or
/// carries a combining one, which a browser takes for a tag.
struct SafeHTML: MustacheContentType {
    /// Name of the content type in the templates.
    static let name = "SAFE_HTML"

    func escapeText(_ text: String) -> String { XMLText.escaped(text) }

    /// The escaped text, which may break after the dots of a name, and between the words of a long one in camel case.
    static func withBreaks(_ text: String) -> String {
        XMLText.escaped(text).replacing(/(\p{L}\.)(\p{L})/) { "\($0.1)<wbr>\($0.2)" }
            .replacing(/\w{40,}/) { $0.0.replacing(/(\p{Ll})(\p{Lu})/) { "\($0.1)<wbr>\($0.2)" } }
    }

    /// The escaped text with elements around its dates and times, which a browser would break at their hyphens.
    static func withWholeDates(_ text: String) -> String {
        XMLText.escaped(text).replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T][0-9]{2}:[0-9:.]*[0-9])?/) {
            "<span class=\"moment\">\($0.0)</span>"
        }
    }

    /// The text with no line break inside its durations. It is not escaped.
    static func unbroken(_ text: String) -> String {
        text.replacing(/[0-9](?: (?:[0-9]+ )?(?:d|h|min|s|ms)\b)+/) { $0.0.replacing(" ", with: "\u{A0}") }
    }
}
