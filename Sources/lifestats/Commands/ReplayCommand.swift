import ArgumentParser
import LifeStatsKit

struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Derives everything again with another model or grace time, without the logs.",
        discussion: """
            Events and signs of life are kept as facts; visits, transitions, findings and scenarios are derived from \
            them, log by log, each in one transaction.

            Example:
              lifestats replay --suspend-grace 30
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Option(help: ArgumentHelp("A model of your own beside the built-in ones; may be repeated.", valueName: "file"))
    var model: [String] = []

    @Option(
        help: ArgumentHelp(
            "Seconds of silence in background after which the app counts as suspended, or off.",
            valueName: "seconds|off"))
    var suspendGrace: SuspendGrace = .seconds(5)

    @Option(help: ArgumentHelp("Profile of rules to follow (ios12-, ios13+ …).", valueName: "profile"))
    var profile: String?

    func run() throws {
        var request = ReplayRequest(database: database.path)
        request.models = model
        request.suspendGrace = suspendGrace.nanoseconds
        request.profile = profile
        Console.say(try Replaying.run(request) { Console.say($0) })
    }
}
