import ArgumentParser
import LifeStatsKit

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Lists deviations from the documented lifecycle and exceeded limits; fails a build.",
        discussion: """
            Exit codes: 0 no finding at or above --fail-on; 1 there is one; 2 error. A check that finds no runs or no \
            events is an error, so that an empty log does not pass unnoticed; --allow-empty lets it pass.

            With paths, the logs are read and checked in one step; --db FILE keeps what was read. A check does not \
            change stored findings: an overlay (--model) that changes rules or limits applies only to logs that are \
            read now. To apply it to everything, use `lifestats replay --model FILE`.

            Examples:
              lifestats check logs/
              lifestats check logs/ --fail-on warning --format github
              lifestats check --write-baseline known.txt
              lifestats check --baseline known.txt
              lifestats check --explain R-APP-15
              lifestats check --measures --format json
              lifestats check --migration old.db new.db
            """
    )

    @Option(help: "The output format.")
    var format: CheckFormat = .text

    @Option(
        help: "The lowest severity that fails the check (info: remarks).")
    var failOn: FailOn = .error

    @Flag(help: "List every location, not only the first five for each rule.")
    var all = false

    @Option(help: ArgumentHelp("Accept the findings listed in this file, one for each line.", valueName: "file"))
    var baseline: String?

    @Option(help: ArgumentHelp("Write all current findings to this file, and accept them.", valueName: "file"))
    var writeBaseline: String?

    @Option(help: ArgumentHelp("Explain a rule and cite its source.", valueName: "rule"))
    var explain: String?

    @Flag(
        help: """
            Measure how well logs and models agree: token-replay and alignment fitness, ETC precision, footprints, \
            coverage, unusual times, each with its formula. For text, json and markdown.
            """)
    var measures = false

    @Flag(
        help: """
            Compare two databases, or two app versions in one (4.1 or app_version=4.1; a name that is a file is taken \
            for a database), and list what replaces each callback of the app delegate in the build with scenes. The \
            exit code is 1 when something is missing, or when the newer build shows no transition. For text, \
            json and markdown.
            """)
    var migration = false

    @Flag(help: "Pass when there are no runs or no events to check.")
    var allowEmpty = false

    @OptionGroup var source: SourceOptions

    func validate() throws {
        guard migration, explain == nil, source.paths.count != 2 else { return }
        throw ValidationError(
            "--migration needs two databases or versions, the build before the move to scenes and the one after: "
                + "check --migration old.db new.db, or check --migration 4.1 4.2 --db FILE.")
    }

    func run() throws {
        if let explain {
            return Console.write(
                try RuleExplanation.text(of: explain, models: source.models.files, width: Console.terminalWidth))
        }
        Console.goOnUnread()
        if migration { return try checkMigration() }
        try CheckRunner.requireBaseline(baseline)
        try source.answer(needsLogs: !allowEmpty) { database in
            try check(database)
        }
    }

    private func checkMigration() throws {
        let result = try MigrationCheck.run(
            old: source.paths[0], new: source.paths[1], database: source.reading.path, app: source.filters.app,
            format: format,
            limit: source.reading.limit)
        Console.write(result.text)
        let names = result.missing.joined(separator: ", ")
        if !result.missing.isEmpty { Console.say("Nothing replaces \(names).") }
        if result.showsNothing {
            let advice = "launch the app, leave it and return to it"
            Console.say("\(source.paths[1]) shows no transition of the app: \(advice).")
        }
        if !result.missing.isEmpty || result.showsNothing, failOn != .never { throw ExitCode(1) }
    }

    private func check(_ database: OneStep.Database) throws {
        var request = CheckRequest(database: database.path)
        request.mayBeOld = !database.isNew
        request.leftOut = database.leftOut
        request.limit = source.reading.limit
        request.filter = try source.filters.filter()
        request.models = source.models.files
        request.format = format
        request.failOn = failOn
        request.baseline = baseline
        request.newBaseline = writeBaseline
        request.allowsEmpty = allowEmpty
        request.measures = measures
        request.examples = all ? nil : 5
        request.colors = Console.colorsOutput
        request.width = Console.terminalWidth
        let result = try CheckRunner.run(request) {
            Console.say($0)
        } write: {
            Console.write($0)
        }
        if format == .text, let id = result.firstFinding { Console.say(database.hint(forFinding: id)) }
        if result.fails { throw ExitCode(1) }
    }
}
