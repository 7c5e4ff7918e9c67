import ArgumentParser
import LifeStatsKit

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merges shards into one database, with the result of one ingest of all logs.",
        discussion: """
            Ingest on each machine, then merge. Every log must be complete in one shard; shards may overlap, and a \
            log that is in several of them counts once. Logs of one device serve as evidence for each other across \
            shards. The order of the shards does not matter. The shards are not changed; an existing database is \
            never replaced, and an interrupted merge leaves nothing behind.

            Example:
              lifestats merge all.db monday.db tuesday.db
            """
    )

    @Argument(help: ArgumentHelp("The database to create; it must not exist.", valueName: "out"))
    var output: String

    @Argument(help: ArgumentHelp("The databases to merge.", valueName: "shard"))
    var shards: [String]

    func run() throws {
        Console.say(try Merging.run(shards, into: output) { Console.say($0) })
    }
}

struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Derives everything again without reading the logs, for instance with another model or grace time.",
        discussion: """
            The database stores the facts that the log lines state. Visits, transitions, findings and scenarios are \
            derived from them again, in one transaction. The grace time and the profile are stored for later ingests. \
            Rows get new ids; runs.run_key does not change.

            Example:
              lifestats replay --suspend-grace 30
            """
    )

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var models: ModelOptions

    @OptionGroup var suspension: SuspendGraceOptions

    @Option(
        help: ArgumentHelp(
            "Profile of rules (ios12-, ios13+ …), or auto to choose it by the callbacks (default: unchanged).",
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
            Afterwards the database is as if the source had never been ingested: its log is derived again from what \
            was read from its other files. The files themselves are not needed.

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
            Prints `digest <64 hex digits>`. Equal content has an equal digest, regardless of the order, pieces or \
            compression in which it was ingested. The exit code is 2 when an invariant is broken.
            """
    )

    @OptionGroup var reading: ReadingOptions

    func run() throws {
        Console.goOnUnread()
        let result = try DatabaseCheck.verify(reading.path, limit: reading.limit)
        for problem in result.problems { Console.say(problem) }
        Console.write("digest \(result.digest)\n")
        if !result.problems.isEmpty { throw ExitCode(2) }
        Console.say("all invariants hold")
    }
}
