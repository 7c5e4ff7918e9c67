import ArgumentParser
import LifeStatsKit

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows a run, visit, event or finding with the log lines around it.",
        discussion: """
            The lines are read from the log, provided it still has the content that was ingested. A log that has been \
            rotated is looked for next to its old name.

            Examples:
              lifestats show finding:3
              lifestats show run:12 --context 5
            """
    )

    @Argument(help: ArgumentHelp("What to show: run:3, visit:12, event:9 or finding:4.", valueName: "id"))
    var id: String

    @OptionGroup var reading: ReadingOptions

    @Option(help: ArgumentHelp("Number of log lines before and after.", valueName: "n"))
    var context = 3

    func run() throws {
        Console.write(try Record.text(of: id, in: reading.path, context: max(0, context), limit: reading.limit))
    }
}
