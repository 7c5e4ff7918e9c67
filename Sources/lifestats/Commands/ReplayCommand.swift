import ArgumentParser
import LifeStatsKit

struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Derives everything again with another model or grace time, without the logs.",
        discussion: """
            Events and signs of life are kept as facts; visits, transitions, findings and scenarios are derived from \
            them, log by log, each in one transaction. The database remembers the grace time and the profile: later \
            ingests go by them. Rows get new ids; the column run_key of a run stays.

            Example:
              lifestats replay --suspend-grace 30
            """
    )

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var models: ModelOptions

    @OptionGroup var suspension: SuspendGraceOptions

    @Option(
        help: ArgumentHelp(
            "Profile of rules to follow (ios12-, ios13+ …), or auto: the callbacks decide (default: as it is).",
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
