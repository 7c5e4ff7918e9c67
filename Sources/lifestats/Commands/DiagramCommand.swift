import ArgumentParser
import LifeStatsKit

struct DiagramCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diagram",
        abstract: "Draws the observed lifecycle over the documented one, or beside it.",
        discussion: """
            Examples:
              lifestats diagram logs/ -o app.svg
              lifestats diagram --view side-by-side -o both.svg
              lifestats diagram --layer view --view observed --format png -o view.png
              lifestats diagram --app MyApp --since 2026-03-01 -o march.svg
              lifestats diagram --compare app_version=4.1 app_version=4.2 -o difference.svg
            """
    )

    @Argument(help: ArgumentHelp("Logs to draw, instead of a database.", valueName: "path"))
    var paths: [String] = []

    @OptionGroup var reading: ReadingOptions

    @Option(help: ArgumentHelp("The model: app, scene, view, or the id of one of your own.", valueName: "layer"))
    var layer = "app"

    @Option(help: ArgumentHelp("What to draw.", valueName: "side-by-side|overlay|observed|documented"))
    var view: DiagramView = .overlay

    @OptionGroup var comparison: ComparisonOptions

    @Option(
        help: ArgumentHelp(
            "The file format (default: by the extension of the file, else svg).", valueName: "svg|png|pdf|dot|json"))
    var format: DiagramFormat?

    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("The heading of the picture, such as its main message.", valueName: "text"))
    var title: String?

    @OptionGroup var language: LanguageOptions

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
        help: ArgumentHelp("What the colour of a state shows.", valueName: "plain|frequency|performance"))
    var colouring: DiagramColouring = .plain

    @Option(
        help: ArgumentHelp(
            "Hide edges that have less than this share of the transitions from their state.", valueName: "0-1"))
    var foldBelow = 0.0

    @OptionGroup var models: ModelOptions

    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Filters") var scenarioFilter: ScenarioOption

    @OptionGroup var oneStep: OneStepOptions

    func validate() throws {
        guard !comparison.compare.isEmpty, view != .overlay else { return }
        throw ValidationError("--compare draws its own view: leave out --view.")
    }

    func run() throws {
        try oneStep.answer(from: paths, in: reading.database, models: models.files) { try draw($0.path) }
    }

    private func draw(_ database: String) throws {
        let file = try output.file(besides: database)
        var request = DiagramRequest(database: database)
        request.limit = reading.limit
        request.layer = layer
        request.view = view
        request.title = title
        request.format = try format ?? DiagramFormat(forFile: output.path)
        request.language = language.language
        request.filter = try filters.filter(scenario: scenarioFilter.scenario)
        request.comparison = try comparison.request(database, filters, limit: reading.limit)
        if request.comparison != nil { request.filter = nil }
        request.models = models.files
        request.stateMetrics = stateMetrics
        request.edgeMetrics = edgeMetrics
        request.colouring = colouring
        request.foldBelow = foldBelow
        let picture = try DiagramRenderer.render(request)
        try output.write(picture.bytes, to: file, summary: picture.summary)
    }
}
