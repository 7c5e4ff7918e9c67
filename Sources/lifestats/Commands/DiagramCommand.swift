import ArgumentParser
import LifeStatsKit

struct DiagramCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diagram",
        abstract: "Draws the observed states beside the documented ones.",
        discussion: """
            Examples:
              lifestats diagram -o app.svg
              lifestats diagram --layer view --view observed --format png -o view.png
              lifestats diagram --app MyApp --since 2026-03-01 -o march.svg
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Option(help: ArgumentHelp("Which model: app, scene, view, or the id of one of your own.", valueName: "layer"))
    var layer = "app"

    @Option(help: ArgumentHelp("What to draw.", valueName: "side-by-side|overlay|observed|documented"))
    var view: DiagramView = .sideBySide

    @Option(help: ArgumentHelp("The file format (default: from the name of the file, else svg).", valueName: "format"))
    var format: DiagramFormat?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The file; standard output without it.", valueName: "file"))
    var output: String?

    @Option(
        name: .customLong("lang"),
        help: ArgumentHelp("Language of the states' names.", valueName: "en|zh-Hans|zh-Hant|es"))
    var language = "en"

    @Option(
        name: .customLong("state-metric"), parsing: .upToNextOption,
        help: ArgumentHelp("Figures on states.", valueName: "count|share|median|p90|total"))
    var stateMetrics: [DiagramMetric] = [.count, .median]

    @Option(
        name: .customLong("edge-metric"), parsing: .upToNextOption,
        help: ArgumentHelp("Figures on edges.", valueName: "count|share|probability|median|p90|total"))
    var edgeMetrics: [DiagramMetric] = [.count, .probability]

    @Option(
        name: .customLong("colour"),
        help: ArgumentHelp("What the colour of a state tells.", valueName: "plain|frequency|performance"))
    var colouring: DiagramColouring = .plain

    @Option(
        help: ArgumentHelp(
            "Fold edges away that are less than this part of the moves out of their state.", valueName: "0-1"))
    var foldBelow = 0.0

    @OptionGroup var models: ModelOptions

    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Filters") var scenarioFilter: ScenarioOption

    func run() throws {
        var request = DiagramRequest(database: database.path)
        request.layer = layer
        request.view = view
        request.format = format ?? output.flatMap(DiagramFormat.init(fileName:)) ?? .svg
        request.language = language
        request.filter = try filters.filter(scenario: scenarioFilter.scenario)
        request.models = models.files
        request.stateMetrics = stateMetrics
        request.edgeMetrics = edgeMetrics
        request.colouring = colouring
        request.foldBelow = foldBelow
        let picture = try DiagramRenderer.render(request)
        if let output {
            try TextFile.write(picture.bytes, to: output)
            Console.say("wrote \(output) · \(picture.summary)")
        } else {
            Console.write(picture.bytes)
        }
    }
}
