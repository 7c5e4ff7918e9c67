import ArgumentParser
import LifeStatsKit

struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Writes logs whose truth is known.",
        discussion: """
            Plays the documented app model out into logs, the same for the same seed, and writes what a perfect \
            reading of them must find as JSON.

            Example:
              lifestats simulate --callbacks 10000 --files 3 -o simulated --truth truth.json
            """
    )

    @Option(name: [.customShort("o"), .customLong("output")], help: ArgumentHelp("The folder.", valueName: "folder"))
    var output: String

    @Option(help: ArgumentHelp("Where to write the truth.", valueName: "file"))
    var truth: String?

    @Option(help: ArgumentHelp("Equal seeds give equal logs.", valueName: "n"))
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("How many callbacks in all.", valueName: "n"))
    var callbacks = 10_000

    @Option(help: ArgumentHelp("How many files; each is a log of its own.", valueName: "n"))
    var files = 1

    @Option(help: ArgumentHelp("One line in N is a callback, the others are noise.", valueName: "n"))
    var sparse = 1

    func validate() throws {
        if callbacks < 1 || files < 1 || sparse < 1 {
            throw ValidationError("--callbacks, --files and --sparse take numbers from 1.")
        }
    }

    func run() throws {
        let summary = try SimulationRun.write(
            seed: seed, callbacks: callbacks, files: files, sparse: sparse, folder: output, truth: truth)
        Console.say(summary)
    }
}
