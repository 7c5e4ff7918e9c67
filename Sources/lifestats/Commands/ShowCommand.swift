import ArgumentParser
import LifeStatsKit

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows a run, visit, event or finding with the log lines around it.",
        discussion: """
            The lines are those of the file as it stands, if it is still the one that was ingested; a log that was \
            rotated since is looked for beside it.

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

    func run() throws {
        Console.write(
            try Record.text(of: id, in: database.path, context: max(0, context)))
    }
}
