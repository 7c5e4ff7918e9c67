import ArgumentParser
import LifeStatsKit

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows a run, visit, event or finding with the log lines around it.",
        discussion: """
            Examples:
              lifestats show finding:3
              lifestats show run:12 --context 5
            """
    )

    @Argument(help: ArgumentHelp("What to show: run:3, visit:12, event:9 or finding:4.", valueName: "id"))
    var id: String

    @OptionGroup var database: DatabaseOptions

    @Option(help: ArgumentHelp("Log lines before and after.", valueName: "n"))
    var context = 3

    @Option(
        name: .customLong("formats"),
        help: ArgumentHelp("A file of the layouts that the log was read with; may be repeated.", valueName: "file"))
    var formatFiles: [String] = []

    func run() throws {
        Console.write(
            try Record.text(of: id, in: database.path, context: max(0, context), formats: formatFiles))
    }
}
