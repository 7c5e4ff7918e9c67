import ArgumentParser
import LifeStatsKit

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Checks the database's invariants and prints the digest of its content.",
        discussion: """
            Prints `digest <64 hex digits>`: equal for equal content, whatever the order, the chunking or the \
            compression in which it was ingested. Exit code 2 when an invariant is broken.
            """
    )

    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let result = try DatabaseCheck.verify(database.path)
        for problem in result.problems { Console.say(problem) }
        Console.write("digest \(result.digest)\n")
        if !result.problems.isEmpty { throw ExitCode(2) }
        Console.say("every invariant holds")
    }
}
