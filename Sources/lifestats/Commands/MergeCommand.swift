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
