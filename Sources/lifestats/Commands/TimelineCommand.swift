import ArgumentParser
import Foundation
import LifeStatsKit

struct TimelineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: "Draws the visits of runs as swim lanes, as text or as a picture.",
        discussion: """
            Examples:
              lifestats timeline logs/
              lifestats timeline --app MyApp
              lifestats timeline --run 3 -o run3.svg
              lifestats timeline --worst --most 5
            """
    )

    @Argument(help: ArgumentHelp("Logs to draw, instead of a database.", valueName: "path"))
    var paths: [String] = []

    @OptionGroup var reading: ReadingOptions

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "A picture (.svg, .png or .pdf); without it, the timeline is printed as text.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Draw at most this many runs.", valueName: "n"))
    var most = 12

    @Flag(help: "Draw the runs with the worst findings and ends instead of the first ones.")
    var worst = false

    @OptionGroup var language: LanguageOptions

    @OptionGroup var models: ModelOptions

    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Filters") var scenarioFilter: ScenarioOption

    @OptionGroup var oneStep: OneStepOptions

    func run() throws {
        try oneStep.answer(from: paths, in: reading.database, models: models.files) { try draw($0.path) }
    }

    private func draw(_ database: String) throws {
        var request = TimelineRequest(database: database)
        request.limit = reading.limit
        request.filter = try filters.filter(scenario: scenarioFilter.scenario)
        request.mostRuns = most
        request.mostInterestingFirst = worst
        request.models = models.files
        request.language = language.language
        guard let output else {
            return Console.write(
                try TimelineRenderer.text(request, width: Console.width, colors: Console.colorsOutput))
        }
        let file = try OutputFile(output, database: database)
        let format = try DiagramFormat(forFile: output, among: [.svg, .png, .pdf])
        let picture = try TimelineRenderer.picture(request, format: format)
        try file.write(picture.bytes)
        Console.say("wrote \(output) · \(picture.summary)")
    }
}
