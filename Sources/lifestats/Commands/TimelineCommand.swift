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
              lifestats timeline --app Harbour
              lifestats timeline --since 2026-05-12 --until 2026-05-13 -o day.svg
              lifestats timeline --worst 5 -o worst.svg
              lifestats timeline --app Harbour --axis launch
            """
    )

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "A file for the picture (.svg, .png or .pdf; -: standard output); without it, the timeline is printed as text.",
            valueName: "file"))
    var output: String?

    @Option(help: "The format (default: by the extension of the file, else svg; text without a file).")
    var format: TimelineFormat?

    @Option(
        help: ArgumentHelp("Draw the n runs with the worst findings and ends, the worst first.", valueName: "n"))
    var worst: Int?

    @Option(help: ArgumentHelp("Draw at most this many runs (default: 12, or all of up to 18).", valueName: "n"))
    var most: Int?

    @Option(
        help: """
            One time axis for all runs, or each from its launch on (default: launch with --worst and for runs that are mostly too \
            short for a common clock, span more than a week or have no date, else clock).
            """)
    var axis: TimelineAxis?

    @Option(help: ArgumentHelp("The heading, such as the main message of the picture.", valueName: "text"))
    var title: String?

    @OptionGroup var language: LanguageOptions

    @OptionGroup var source: SourceOptions

    @OptionGroup(title: "Filters") var scenarioFilter: ScenarioOption

    func validate() throws {
        if let worst, worst < 1 { throw ValidationError("--worst \(worst): give a number of runs, such as 5.") }
        if let most, most < 1 { throw ValidationError("--most \(most): give a number of runs, such as 12.") }
    }

    func run() throws {
        try DiagramRenderer.requireLanguage(language.language)
        try source.answer(into: output == "-" ? nil : output) {
            if format == nil { _ = try TimelineFormat(forFile: output) }
        } body: {
            try draw($0.path)
        }
    }

    private func draw(_ database: String) throws {
        var request = TimelineRequest(database: database)
        request.limit = source.reading.limit
        request.filter = try source.filters.filter(scenario: scenarioFilter.scenario)
        request.mostRuns = most
        request.worst = worst
        request.axis = axis
        request.title = title
        request.models = source.models.files
        request.language = language.language
        let file = try output.flatMap { $0 == "-" ? nil : try OutputFile($0, database: database) }
        let format = try format ?? TimelineFormat(forFile: output)
        guard let drawn = format.drawn else {
            let text = try TimelineRenderer.text(
                request, width: file == nil ? Console.terminalWidth : nil,
                colors: Console.colorsOutput && file == nil)
            guard let file else { return Console.write(text) }
            return try file.write(Array(text.utf8))
        }
        let picture = try TimelineRenderer.picture(request, format: drawn)
        guard let file else { return Console.write(picture.bytes) }
        try file.write(picture.bytes)
        Console.say("wrote \(output ?? "") · \(picture.summary)")
    }
}
