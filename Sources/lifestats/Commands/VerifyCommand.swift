import ArgumentParser
import LifeStatsKit

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
