import ArgumentParser
import Foundation
import LifeStatsKit

struct TimelineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: "Draws the visits of runs as swim lanes, in the terminal or as a picture.",
        discussion: """
            Examples:
              lifestats timeline --app MyApp
              lifestats timeline --run 3 -o run3.svg
              lifestats timeline --worst --most 5
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "A picture (.svg, .png, .pdf); without it the terminal's version is printed.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Draw at most this many runs.", valueName: "n"))
    var most = 12

    @Flag(help: "Draw the runs in which most goes wrong, not the first ones.")
    var worst = false

    @Option(name: .customLong("lang"), help: ArgumentHelp("Language of the names.", valueName: "en|zh-Hans|zh-Hant|es"))
    var language = "en"

    @OptionGroup var models: ModelOptions

    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Filters") var scenarioFilter: ScenarioOption

    func run() throws {
        var request = TimelineRequest(database: database.path)
        request.filter = try filters.filter(scenario: scenarioFilter.scenario)
        request.mostRuns = most
        request.mostInterestingFirst = worst
        request.models = models.files
        request.language = language
        if let output {
            let picture = try TimelineRenderer.picture(request, format: DiagramFormat(fileName: output) ?? .svg)
            try TextFile.write(picture.bytes, to: output)
            Console.say("wrote \(output) · \(picture.summary)")
        } else {
            Console.write(
                try TimelineRenderer.text(request, width: Console.width, colors: Console.colorsOutput))
        }
    }
}
