import ArgumentParser
import LifeStatsKit

struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Writes logs with known ground truth.",
        discussion: """
            Generates logs by playing the documented app model. The same seed gives the same logs. The ground truth, \
            written as JSON, is what a perfect reading of the logs finds.

            Example:
              lifestats simulate --callbacks 10000 --files 3 -o simulated --truth truth.json
            """
    )

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The folder for the logs.", valueName: "folder"))
    var output: String

    @Option(help: ArgumentHelp("The file for the ground truth.", valueName: "file"))
    var truth: String?

    @Option(help: ArgumentHelp("The same seed gives the same logs.", valueName: "n"))
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Total number of callbacks.", valueName: "n"))
    var callbacks = 10_000

    @Option(help: ArgumentHelp("Number of files; each is a separate log.", valueName: "n"))
    var files = 1

    @Option(help: ArgumentHelp("One of N lines is a callback, the others are noise.", valueName: "n"))
    var sparse = 1

    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        if callbacks < 1 || files < 1 || sparse < 1 {
            throw ValidationError("--callbacks, --files and --sparse must be at least 1.")
        }
    }

    func run() throws {
        let summary = try SimulationRun.write(
            seed: seed, callbacks: callbacks, files: files, sparse: sparse, folder: output, truth: truth,
            database: database.path)
        Console.say(summary)
    }
}
