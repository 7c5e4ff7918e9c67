import ArgumentParser
import LifeStatsKit

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows a run, visit, event or finding with the log lines around it.",
        discussion: """
            For a run, it shows how the run ended and on what evidence, a strip of its visits, and its findings with \
            the lines around them. `check` and `query --rows` print the ids.

            The lines are read from the log, provided it still has the content that was ingested. A log that has been \
            rotated is looked for in the folder of its old name.

            Examples:
              lifestats show run:12
              lifestats show finding:3 --context 5
              lifestats show finding:3 --from logs/
            """
    )

    @Argument(help: ArgumentHelp("What to show: run:3, visit:12, event:9 or finding:4.", valueName: "id"))
    var id: String

    @Option(
        name: .customLong("from"), parsing: .upToNextOption,
        help: ArgumentHelp("Logs to look in, instead of a database.", valueName: "path"))
    var paths: [String] = []

    @OptionGroup var reading: ReadingOptions

    @Option(help: ArgumentHelp("Number of log lines before and after.", valueName: "n"))
    var context = 3

    @Flag(help: "Print the columns as they are stored.")
    var raw = false

    @OptionGroup var models: ModelOptions

    @OptionGroup var oneStep: OneStepOptions

    func run() throws {
        var options = RecordOptions()
        options.context = max(0, context)
        options.raw = raw
        options.colors = Console.colorsOutput
        options.width = Console.width
        options.models = models.files
        try oneStep.answer(from: paths, in: reading.database, models: models.files) {
            Console.write(try Record.text(of: id, in: $0.path, options: options, limit: reading.limit))
        }
    }
}
