import ArgumentParser
import Foundation
import LifeStatsKit

struct TimelineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: "Draws the visits of runs as swim lanes, as text or as a picture.",
        discussion: """
            Examples:
              lifestats timeline --app MyApp
              lifestats timeline --run 3 -o run3.svg
              lifestats timeline --worst 5 -o worst.svg
              lifestats timeline --app MyApp --axis launch
            """
    )

    @OptionGroup var reading: ReadingOptions

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "A picture (.svg, .png or .pdf); without it, the timeline is printed as text.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Draw at most this many runs.", valueName: "n"))
    var most = 12

    @Option(
        help: ArgumentHelp("Draw the n runs with the worst findings and ends, the worst first.", valueName: "n"))
    var worst: Int?

    @Option(
        help: ArgumentHelp(
            "One time axis for all runs, or each from its launch on (default: launch with --worst, else clock).",
            valueName: "clock|launch"))
    var axis: TimelineAxis?

    @OptionGroup var language: LanguageOptions

    @OptionGroup var models: ModelOptions

    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Filters") var scenarioFilter: ScenarioOption

    func validate() throws {
        if let worst, worst < 1 { throw ValidationError("--worst \(worst): give a number of runs, such as 5.") }
        if most < 1 { throw ValidationError("--most \(most): give a number of runs, such as 12.") }
    }

    func run() throws {
        var request = TimelineRequest(database: reading.path)
        request.limit = reading.limit
        request.filter = try filters.filter(scenario: scenarioFilter.scenario)
        request.mostRuns = most
        request.worst = worst
        request.axis = axis
        request.models = models.files
        request.language = language.language
        guard let output else {
            return Console.write(
                try TimelineRenderer.text(request, width: Console.width, colors: Console.colorsOutput))
        }
        let file = try OutputFile(output, database: reading.path)
        let format = try DiagramFormat(forFile: output, among: [.svg, .png, .pdf])
        let picture = try TimelineRenderer.picture(request, format: format)
        try file.write(picture.bytes)
        Console.say("wrote \(output) · \(picture.summary)")
    }
}
