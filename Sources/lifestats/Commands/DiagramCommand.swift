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
              lifestats diagram --app Harbour --since 2026-05-12 -o may.svg
              lifestats diagram --compare app_version=4.1 app_version=4.2 -o difference.svg
            """
    )

    @OptionGroup var output: OutputOptions

    @Option(help: "The file format (default: by the extension of the file, else svg).")
    var format: DiagramFormat?

    @Option(help: ArgumentHelp("The model: app, scene, view, or the id of one of your own.", valueName: "layer"))
    var layer = "app"

    @Option(help: "What to draw.")
    var view: DiagramView = .overlay

    @OptionGroup var comparison: ComparisonOptions

    @Option(help: ArgumentHelp("The heading of the picture, such as its main message.", valueName: "text"))
    var title: String?

    @Option(
        name: .customLong("state-metric"), parsing: .upToNextOption,
        help: "Figures on states, one or more words: count median; probability is one of edges.")
    var stateMetrics: [DiagramMetric] = [.count, .median]

    @Option(
        name: .customLong("edge-metric"), parsing: .upToNextOption,
        help: "Figures on edges, one or more words: count probability.")
    var edgeMetrics: [DiagramMetric] = [.count, .probability]

    @Option(name: .customLong("colour"), help: "What the colour of a state shows.")
    var colouring: DiagramColouring = .plain

    @Option(
        help: ArgumentHelp(
            "Hide edges that have less than this share of the transitions from their state.", valueName: "0-1"))
    var foldBelow = 0.0

    @OptionGroup var language: LanguageOptions

    @OptionGroup var source: SourceOptions

    @OptionGroup(title: "Filters") var scenarioFilter: ScenarioOption

    func validate() throws {
        if format != .dot, format != .json { try output.requireFile("a picture", "app.svg") }
        guard (0...1).contains(foldBelow) else {
            throw ValidationError("--fold-below \(foldBelow): give a share from 0 to 1, such as 0.05.")
        }
        guard !comparison.compare.isEmpty, view != .overlay else { return }
        throw ValidationError("--compare draws its own view: leave out --view.")
    }

    func run() throws {
        if !source.paths.isEmpty, source.reading.database.file == nil {
            try DiagramRenderer.requireLayer(layer, models: source.models.files)
        }
        try DiagramRenderer.requireLanguage(language.language)
        try source.answer(into: output.path) {
            if format == nil { _ = try DiagramFormat(forFile: output.path) }
        } body: {
            try draw($0.path)
        }
    }

    private func draw(_ database: String) throws {
        let file = try output.file(besides: database)
        var request = DiagramRequest(database: database)
        request.limit = source.reading.limit
        request.layer = layer
        request.view = view
        request.title = title
        request.format = try format ?? DiagramFormat(forFile: output.path)
        request.language = language.language
        request.filter = try source.filters.filter(scenario: scenarioFilter.scenario)
        request.comparison = try comparison.request(database, source.filters, limit: source.reading.limit)
        if request.comparison != nil { request.filter = nil }
        request.models = source.models.files
        request.stateMetrics = stateMetrics
        request.edgeMetrics = edgeMetrics
        request.colouring = colouring
        request.foldBelow = foldBelow
        let picture = try DiagramRenderer.render(request)
        try output.write(picture.bytes, to: file, summary: picture.summary)
        let own = layer == "app" ? try DiagramRenderer.ownLayers(source.models.files) : []
        if !own.isEmpty { Console.say("your model: \(own.map { "--layer \($0)" }.joined(separator: ", or "))") }
    }
}

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

    @OptionGroup var output: OutputOptions

    @OptionGroup var comparison: ComparisonOptions

    @OptionGroup var language: LanguageOptions

    @OptionGroup var source: SourceOptions

    func validate() throws { try output.requireFile("an HTML page", "report.html") }

    func run() throws {
        try DiagramRenderer.requireLanguage(language.language)
        try source.answer(into: output.path) {
            try requirePage()
        } body: {
            let isNamed = !source.paths.isEmpty || source.reading.database.file != nil
            try report((isNamed ? nil : comparison.database) ?? $0.path)
        }
    }

    private func requirePage() throws {
        try output.require(["html", "htm"], "an HTML page")
    }

    private func report(_ database: String) throws {
        let file = try output.file(besides: database)
        try requirePage()
        var request = ReportRequest(database: database)
        if source.reading.database.file == nil { request.logs = source.paths }
        request.limit = source.reading.limit
        request.filter = try source.filters.filter()
        request.language = language.language
        request.models = source.models.files
        request.comparison = try comparison.request(database, source.filters, limit: source.reading.limit)
        try output.write(Array(ReportBuilder.html(request).utf8), to: file)
    }
}
