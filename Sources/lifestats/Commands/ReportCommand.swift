import ArgumentParser
import LifeStatsKit

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Writes the answers to the usual questions as one self-contained HTML page.",
        discussion: """
            The page needs no network and no other file: send it as it is.

            Example:
              lifestats report -o report.html
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The file; standard output without it.", valueName: "file"))
    var output: String?

    @Option(
        name: .customLong("lang"),
        help: ArgumentHelp("Language of the states' names.", valueName: "en|zh-Hans|zh-Hant|es"))
    var language = "en"

    @OptionGroup var models: ModelOptions

    @OptionGroup(title: "Filters") var filters: FilterOptions

    func run() throws {
        var request = ReportRequest(database: database.path)
        request.filter = try filters.filter()
        request.language = language
        request.models = models.files
        request.restrictions = filters.words
        let page = try ReportBuilder(request).html()
        if let output {
            try TextFile.write(page.utf8, to: output)
            Console.say("wrote \(output)")
        } else {
            Console.write(page)
        }
    }
}
