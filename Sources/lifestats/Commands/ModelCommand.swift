import ArgumentParser
import LifeStatsKit

struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Lists, shows, validates and exports the documented models.",
        subcommands: [List.self, Show.self, Validate.self, Export.self, Coverage.self],
        defaultSubcommand: List.self
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the models.")

        @OptionGroup var models: ModelOptions

        func run() throws { Console.write(try ModelGuide.listing(models: models.files)) }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows a model: states, callbacks, transitions, scenarios, limits, rules, and their sources.")

        @Argument(help: ArgumentHelp("The id of a model, or a file.", valueName: "model"))
        var model: String

        @Option(
            name: .customLong("os"),
            help: ArgumentHelp("Only what applies to this version of iOS.", valueName: "version"))
        var system: String?

        @OptionGroup var language: LanguageOptions

        @Option(help: "The output format.")
        var format: OutputFormat = .table

        func run() throws {
            Console.write(
                try ModelGuide.description(of: model, system: system, language: language.language, format: format))
        }
    }

    struct Validate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "validate",
            abstract: "Checks a model file and lists its errors with line numbers; exit code 1 when there are any.")

        @Argument(help: ArgumentHelp("The file.", valueName: "file"))
        var file: String

        @OptionGroup var models: ModelOptions

        func run() throws {
            let found = try ModelGuide.validation(of: file, models: models.files)
            Console.write(found.text)
            if found.hasErrors { throw ExitCode(1) }
            Console.say("\(file): no errors")
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Writes a model as a file for another tool, or as a picture.")

        @Argument(help: ArgumentHelp("The id of a model, or a file.", valueName: "model"))
        var model: String

        @Option(help: ArgumentHelp("The output format.", valueName: "yaml|json|dot|svg|mermaid|scxml"))
        var format = "yaml"

        @OptionGroup var language: LanguageOptions

        @OptionGroup var output: OutputOptions

        @OptionGroup var database: DatabaseOptions

        func run() throws {
            let file = try output.file(besides: database.path)
            let bytes = try ModelGuide.export(model, format: format, language: language.language)
            let endings = [
                "yaml": ["yaml", "yml"], "dot": ["dot", "gv"], "mermaid": ["mmd", "mermaid", "md"],
                "scxml": ["scxml", "xml"],
            ]
            try output.require(endings[format] ?? [format], "a model as \(format)")
            try output.write(bytes, to: file)
        }
    }

    struct Coverage: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "coverage",
            abstract: "Shows which documented states, transitions, callbacks, scenarios and rules have occurred.",
            discussion: "One row for each app, version, model and kind. Exit code 1 below --fail-under. A model of "
                + "your own is included only when --model names its file, even if the logs were ingested with it.")

        @OptionGroup var reading: ReadingOptions

        @Option(help: "The output format.")
        var format: OutputFormat = .table

        @Option(help: ArgumentHelp("Fail when the coverage of a model is below this percentage.", valueName: "percent"))
        var failUnder: Double?

        @OptionGroup var models: ModelOptions

        @OptionGroup(title: "Filters") var filters: FilterOptions

        func run() throws {
            let result = try CoverageReport.run(
                database: reading.path, filter: try filters.filter(), models: models.files, format: format,
                limit: reading.limit)
            Console.write(result.text)
            for remark in result.remarks { Console.say(remark) }
            if let failUnder, result.fraction * 100 < failUnder { throw ExitCode(1) }
        }
    }
}
