import ArgumentParser
import LifeStatsKit

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Makes one database from shards, as one ingest of all logs would.",
        discussion: """
            Ingest on each machine, then merge. Every log must be complete in one shard; shards may overlap, and a log \
            that several of them have counts once. Evidence that logs of a device have about each other counts across \
            shards. The order of the shards does not matter. The shards stay as they are; a database that exists is never \
            replaced, and an interrupted merge leaves nothing.

            Example:
              lifestats merge all.db monday.db tuesday.db
            """
    )

    @Argument(help: ArgumentHelp("The database to make; must not exist.", valueName: "out"))
    var output: String

    @Argument(help: ArgumentHelp("The databases to merge.", valueName: "shard"))
    var shards: [String]

    func run() throws {
        Console.say(try Merging.run(MergeRequest(database: output, shards: shards)) { Console.say($0) })
    }
}

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

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Checks the invariants of a database and prints a digest of its content.",
        discussion: """
            Prints `digest <64 hex digits>`. Equal content has an equal digest, in whatever order, pieces or \
            compression it was ingested. Exit code 2 when an invariant is broken.
            """
    )

    @OptionGroup var reading: ReadingOptions

    func run() throws {
        let result = try DatabaseCheck.verify(reading.path, limit: reading.limit)
        for problem in result.problems { Console.say(problem) }
        Console.write("digest \(result.digest)\n")
        if !result.problems.isEmpty { throw ExitCode(2) }
        Console.say("all invariants hold")
    }
}
