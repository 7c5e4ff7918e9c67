import ArgumentParser
import LifeStatsKit

struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Writes logs with known ground truth.",
        discussion: """
            Generates logs from the documented app model. The same seed gives the same logs. The ground truth, \
            written as JSON, is what a perfect reader of the logs would find.

            With --devices, the logs are those of two cohorts of devices for `lifestats compare`, in the folders a and b.

            With --scenario, each log is a documented scenario, such as the run of a background task (SC-B01).

            Examples:
              lifestats simulate --callbacks 10000 --files 3 -o made --truth truth.json
              lifestats simulate --devices 40 --spread 0.5 --change background=4 -o fleet
              lifestats simulate --scenario SC-U01 SC-B01 -o scenarios --truth truth.json
            """
    )

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The folder for the logs, without logs so far.", valueName: "folder"))
    var output: String

    @Option(help: ArgumentHelp("The file for the ground truth.", valueName: "file"))
    var truth: String?

    @Option(help: ArgumentHelp("The same seed gives the same logs.", valueName: "n"))
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Total number of callbacks.", valueName: "n"))
    var callbacks = 10_000

    @Option(help: ArgumentHelp("Number of files; each is a separate log.", valueName: "n"))
    var files = 1

    @Option(help: ArgumentHelp("One in N lines is a callback; the others are noise.", valueName: "n"))
    var sparse = 1

    @Option(help: ArgumentHelp("Write two cohorts with this many devices each.", valueName: "n"))
    var devices: Int?

    @Option(
        help: ArgumentHelp(
            "How much devices differ: standard deviation of the logarithm of their dwell times.", valueName: "sd"))
    var spread = 0.0

    @Option(
        help: ArgumentHelp(
            "How B differs: a factor for the dwell times of a state, or for the odds of a transition.",
            valueName: "state=factor|from>to=factor"))
    var change: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Write logs of documented scenarios, or of all.", valueName: "id> … <all"))
    var scenario: [String] = []

    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        if !scenario.isEmpty, devices != nil || files != 1 || sparse != 1 {
            throw ValidationError("--scenario writes one file per scenario; leave out --devices, --files and --sparse.")
        }
        if callbacks < 1 || files < 1 || sparse < 1 {
            throw ValidationError("--callbacks, --files and --sparse must be at least 1.")
        }
        if devices != nil, files != 1 {
            throw ValidationError("--devices and --files cannot be combined; every device has a file of its own.")
        }
        if devices == nil, spread != 0 || change != nil {
            throw ValidationError("--spread and --change need --devices.")
        }
        if let devices, devices < 1 { throw ValidationError("--devices \(devices): must be at least 1.") }
    }

    func run() throws {
        guard scenario.isEmpty else {
            return Console.say(
                try SimulationRun.write(
                    scenarios: scenario, folder: output, truth: truth, database: database.path))
        }
        var logs = SimulationRun.Logs()
        logs.seed = seed
        logs.callbacks = callbacks
        logs.files = files
        logs.sparse = sparse
        logs.devices = devices
        logs.spread = spread
        logs.change = change
        Console.say(try SimulationRun.write(logs, folder: output, truth: truth, database: database.path))
    }
}
