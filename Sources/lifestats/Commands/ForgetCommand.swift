import ArgumentParser
import LifeStatsKit

struct ForgetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Removes a source and everything that came from it.",
        discussion: """
            The database is then as if the source had never been ingested: its log is derived again from the other \
            files. The files themselves are not needed.

            Example:
              lifestats forget logs/app.log.3
            """
    )

    @Argument(help: ArgumentHelp("The path of the source as it was ingested, or its source_id.", valueName: "source"))
    var source: String

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var models: ModelOptions

    @OptionGroup var suspension: SuspendGraceOptions

    func run() throws {
        var request = ReplayRequest(database: database.path)
        request.models = models.files
        request.suspendGrace = suspension.grace
        Console.say(try Forgetting.forget(source, request) { Console.say($0) })
    }
}
