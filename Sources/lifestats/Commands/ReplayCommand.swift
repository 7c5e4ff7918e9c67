import ArgumentParser
import LifeStatsKit

struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Derives everything again, with another model or grace time, without reading the logs.",
        discussion: """
            The database keeps the facts that the log lines state. Visits, transitions, findings and scenarios are \
            derived from them again, in one transaction. The database keeps the grace time and the profile for later \
            ingests. Rows get new ids; runs.run_key does not change.

            Example:
              lifestats replay --suspend-grace 30
            """
    )

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var models: ModelOptions

    @OptionGroup var suspension: SuspendGraceOptions

    @Option(
        help: ArgumentHelp(
            "Profile of rules (ios12-, ios13+ …), or auto: the callbacks decide (default: unchanged).",
            valueName: "profile"))
    var profile: String?

    func run() throws {
        var request = ReplayRequest(database: database.path)
        request.models = models.files
        request.suspendGrace = suspension.grace
        request.profile = profile
        Console.say(try Replaying.run(request) { Console.say($0) })
    }
}
