import ArgumentParser
import LifeStatsKit

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Writes a self-contained HTML page that answers the usual questions.",
        discussion: """
            The page needs no network and no other files.

            Examples:
              lifestats report logs/ -o report.html
              lifestats report --compare app_version=4.1 app_version=4.2 -o report.html
            """
    )

    @Argument(help: ArgumentHelp("Logs to report on, instead of a database.", valueName: "path"))
    var paths: [String] = []

    @OptionGroup var reading: ReadingOptions

    @OptionGroup var output: OutputOptions

    @OptionGroup var comparison: ComparisonOptions

    @OptionGroup var language: LanguageOptions

    @OptionGroup var models: ModelOptions

    @OptionGroup(title: "Filters") var filters: FilterOptions

    @OptionGroup var oneStep: OneStepOptions

    func run() throws {
        try oneStep.answer(from: paths, in: reading.database, models: models.files) { try report($0.path) }
    }

    private func report(_ database: String) throws {
        let file = try output.file(besides: database)
        try output.require(["html", "htm"], "an HTML page")
        var request = ReportRequest(database: database)
        if reading.database.file == nil { request.logs = paths }
        request.limit = reading.limit
        request.filter = try filters.filter()
        request.language = language.language
        request.models = models.files
        request.comparison = try comparison.request(database, filters, limit: reading.limit)
        try output.write(Array(ReportBuilder.html(request).utf8), to: file)
    }
}
