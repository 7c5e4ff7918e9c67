import ArgumentParser
import LifeStatsKit

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Writes a self-contained HTML page that answers the usual questions.",
        discussion: """
            The page needs no network and no other files.

            Example:
              lifestats report -o report.html
            """
    )

    @OptionGroup var reading: ReadingOptions

    @OptionGroup var output: OutputOptions

    @OptionGroup var language: LanguageOptions

    @OptionGroup var models: ModelOptions

    @OptionGroup(title: "Filters") var filters: FilterOptions

    func run() throws {
        let file = try output.file(besides: reading.path)
        var request = ReportRequest(database: reading.path)
        request.limit = reading.limit
        request.filter = try filters.filter()
        request.language = language.language
        request.models = models.files
        try output.write(Array(ReportBuilder.html(request).utf8), to: file)
    }
}
