import ArgumentParser
import LifeStatsKit

struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compares two cohorts of runs, such as two builds, and fails a build that got worse.",
        discussion: """
            A cohort is the path of a database, or one or more conditions column=pattern on the runs of the database, \
            separated by commas. The columns are app, app_version, os_version and device, and from and until for the \
            time of the launch.

            The visits of one device are not independent, so lifestats compares devices, or runs where no device is \
            known; each side needs at least six. One test over all rows decides whether anything differs, so that \
            many rows do not cause false alarms. docs/compare.md explains each number.

            Exit codes: 0 nothing got worse; 1 something did, as --fail-on says; 2 error.

            Examples:
              lifestats compare app_version=4.1 app_version=4.2
              lifestats compare base.db new.db --format markdown
              lifestats compare 'os_version=17.*' 'os_version=18.*' --min-effect 10%
              lifestats compare app_version=4.1 app_version=4.2 --curves dwell.svg
              lifestats compare until=2026-03-08 from=2026-03-08 --worse dwell:background
            """
    )

    @Argument(help: ArgumentHelp("Cohort A, the baseline.", valueName: "a"))
    var a: String

    @Argument(help: ArgumentHelp("Cohort B, which is compared with A.", valueName: "b"))
    var b: String

    @Option(help: "The output format.")
    var format: CompareFormat = .table

    @Option(help: "Which differences fail the comparison.")
    var failOn: CompareFailOn = .worse

    @Option(help: ArgumentHelp("Only runs of this app (process name).", valueName: "name"))
    var app: String?

    @Option(
        help: ArgumentHelp(
            "Draw curves of how long visits last in both cohorts, with bands; .svg, .png or .pdf.", valueName: "file"))
    var curves: String?

    @Option(
        name: .customLong("min-effect"),
        help: ArgumentHelp("Ignore differences up to this percentage of A.", valueName: "percent"))
    var minEffect: EffectSize = EffectSize(part: 0)

    @Option(
        help: ArgumentHelp(
            "Count an increase (:less: a decrease) of this row as worse; repeatable.", valueName: "kind:name[:less]"))
    var worse: [String] = []

    @Option(help: ArgumentHelp("Probability of a false alarm over all looks.", valueName: "0-1"))
    var alpha = 0.05

    @Option(
        help: ArgumentHelp(
            "Planned number of looks at growing data; the database records those taken.", valueName: "n"))
    var looks = 1

    @Option(help: ArgumentHelp("The same seed gives the same result.", valueName: "n"))
    var seed: UInt64 = 1

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        guard alpha > 0, alpha <= 0.5 else {
            throw ValidationError("--alpha \(alpha): must be above 0 and at most 0.5.")
        }
        guard (1...1_000).contains(looks) else { throw ValidationError("--looks \(looks): must be from 1 to 1000.") }
    }

    func run() throws {
        Console.goOnUnread()
        var request = CompareRequest(a: a, b: b, database: reading.path)
        request.limit = reading.limit
        request.app = app
        request.format = format
        request.failOn = failOn
        request.worse = worse
        request.alpha = alpha
        request.looks = looks
        request.leastEffect = minEffect.part
        request.seed = seed
        request.colors = Console.colorsOutput
        request.width = Console.terminalWidth
        request.curves = curves
        let file = try curves.map { try OutputFile($0, database: reading.path) }
        let result = try CohortComparer.run(request)
        if let picture = result.curves, let curves {
            try file?.write(picture.bytes)
            Console.say("wrote \(curves)")
        }
        Console.write(result.text)
        if result.fails { throw ExitCode(1) }
    }
}

/// A size as a part of another one, in percent: `10%`, `10 %` or `10`.
struct EffectSize: ExpressibleByArgument {
    var part: Double

    init(part: Double) { self.part = part }

    init?(argument: String) {
        guard let number = argument.wholeMatch(of: /([0-9.]+) ?%?/)?.1, let percent = Double(number),
            percent.isFinite
        else { return nil }
        part = percent / 100
    }

    var defaultValueDescription: String { "0%" }
}
