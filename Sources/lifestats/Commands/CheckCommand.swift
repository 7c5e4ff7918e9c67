import ArgumentParser
import Foundation
import LifeStatsKit

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Lists deviations and limit overruns; fails a build.",
        discussion: """
            Ingests first when given paths. Exit codes: 0 nothing at or over --fail-on, 1 something, 2 an error.
            A check changes nothing that is stored: what an overlay (--model) changes about rules and limits holds for \
            what is ingested now, and for everything after `lifestats replay --model FILE`.

            Examples:
              lifestats check
              lifestats check logs/ --fail-on warning --format github
              lifestats check --write-baseline known.txt, then lifestats check --baseline known.txt
              lifestats check --explain R-APP-15
              lifestats check --measures --format json
            """
    )

    @Argument(help: ArgumentHelp("Logs to ingest first.", valueName: "path"))
    var paths: [String] = []

    @OptionGroup var database: DatabaseOptions

    @Option(help: ArgumentHelp("The severity from which on the check fails.", valueName: "error|warning|info|never"))
    var failOn: FailOn = .error

    @Option(help: ArgumentHelp("How to write the findings.", valueName: "text|json|junit|sarif|github|markdown"))
    var format: CheckFormat = .text

    @Option(help: ArgumentHelp("Accept the findings that this file lists.", valueName: "file"))
    var baseline: String?

    @Option(help: ArgumentHelp("Write all present findings to this file, and accept them.", valueName: "file"))
    var writeBaseline: String?

    @Option(help: ArgumentHelp("Say what a rule means and where it comes from.", valueName: "rule"))
    var explain: String?

    @Flag(help: "List every place, not just the first five of each rule.")
    var all = false

    @Flag(
        help: """
            Measure how well logs and models agree, formulas beside the figures: token-replay and alignment fitness, \
            ETC precision, footprints, coverage, unusual times. In text, json and markdown.
            """)
    var measures = false

    @OptionGroup var models: ModelOptions

    @OptionGroup(title: "Filters") var filters: FilterOptions

    func run() throws {
        if let explain { return Console.write(try RuleExplanation.text(of: explain, models: models.files)) }
        let hasOlderFindings = FileManager.default.fileExists(atPath: database.path)
        if !paths.isEmpty {
            var options = IngestOptions(paths: paths, database: database.path)
            options.models = models.files
            let report = try IngestPipeline(options: options).run(notice: { Console.say($0) })
            if report.namedPathFailed || report.isInterrupted {
                Console.say(report.summary)
                throw ExitCode(2)
            }
        }
        var request = CheckRequest(database: database.path)
        request.filter = try filters.filter()
        request.models = models.files
        request.format = format
        request.failOn = failOn
        request.baseline = baseline
        request.newBaseline = writeBaseline
        request.measures = measures
        request.examples = all ? nil : 5
        request.colors = Console.colorsOutput
        let result = try CheckRunner.run(request)
        if hasOlderFindings, let notice = result.notice { Console.say(notice) }
        Console.write(result.text)
        if result.fails { throw ExitCode(1) }
    }
}
