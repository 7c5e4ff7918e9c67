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

    @OptionGroup(title: "Filters") var filters: FilterOptions

    func run() throws {
        var request = DiagramRequest(database: database.path)
        request.layer = layer
        request.view = view
        request.format = format ?? output.flatMap(DiagramFormat.init(fileName:)) ?? .svg
        request.language = language
        request.filter = try filters.filter()
        let picture = try DiagramRenderer.render(request)
        if let output {
            try TextFile.write(picture.bytes, to: output)
            Console.say("wrote \(output) · \(picture.summary)")
        } else {
            Console.write(picture.bytes)
        }
    }
}
