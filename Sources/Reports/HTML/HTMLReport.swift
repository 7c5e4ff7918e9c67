internal import Mustache

/// One self-contained page: equal reports give equal bytes, and nothing in it reaches for the network.
package struct HTMLReport: Sendable, Hashable {
    package var title: String
    /// Path of the database, as the user wrote it.
    package var database: String
    /// Version of lifestats.
    package var version: String
    /// Filters in words (`app MyApp`, `since 2024-05-01`).
    package var restrictions: [String]
    package var overview: ReportOverview
    /// States that can be highlighted from the bar at the top, in the order of their models.
    package var states: [String]
    package var sections: [ReportSection]

    package init(
        title: String, database: String, version: String, restrictions: [String] = [], overview: ReportOverview,
        states: [String], sections: [ReportSection]
    ) {
        self.title = title
        self.database = database
        self.version = version
        self.restrictions = restrictions
        self.overview = overview
        self.states = states
        self.sections = sections
    }

    /// The page.
    ///
    /// - Throws: an error of the template engine, when an embedded template is broken.
    package func html() throws -> String {
        MustacheContentTypes.register(SafeHTML(), named: SafeHTML.name)
        var library = MustacheLibrary()
        for (name, template) in ReportTemplates.mustache { try library.register(template, named: name) }
        return library.render(ReportPage(self), withTemplate: "report") ?? ""
    }
}
