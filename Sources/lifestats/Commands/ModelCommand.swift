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
        static let configuration = CommandConfiguration(abstract: "Lists the models.")

        @Option(help: ArgumentHelp("A model of your own; may be repeated.", valueName: "file"))
        var model: [String] = []

        func run() throws { Console.write(try ModelGuide.listing(models: model)) }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows a model: states, callbacks, transitions, scenarios, limits and rules with their sources.")

        @Argument(help: ArgumentHelp("The id of a model, or a file.", valueName: "model"))
        var model: String

        @Option(
            name: .customLong("lang"), help: ArgumentHelp("Language of the names.", valueName: "en|zh-Hans|zh-Hant|es"))
        var language = "en"

        @Option(help: ArgumentHelp("How to write the tables.", valueName: "table|csv|json|ndjson|markdown"))
        var format: OutputFormat = .table

        func run() throws {
            Console.write(try ModelGuide.description(of: model, language: language, format: format))
        }
    }

    struct Validate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Finds what is wrong with a model file, with line numbers; exit code 1 when something is.")

        @Argument(help: ArgumentHelp("The file.", valueName: "file"))
        var file: String

        @Option(help: ArgumentHelp("A model of your own that the file builds on; may be repeated.", valueName: "file"))
        var model: [String] = []

        func run() throws {
            let found = try ModelGuide.validation(of: file, models: model)
            Console.write(found.text)
            if found.hasErrors { throw ExitCode(1) }
            Console.say("\(file): no error")
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Writes a model for another tool, or as a picture.")

        @Argument(help: ArgumentHelp("The id of a model, or a file.", valueName: "model"))
        var model: String

        @Option(help: ArgumentHelp("The format.", valueName: "yaml|json|dot|svg|mermaid|scxml"))
        var format = "yaml"

        @Option(
            name: .customLong("lang"), help: ArgumentHelp("Language of the names.", valueName: "en|zh-Hans|zh-Hant|es"))
        var language = "en"

        @Option(
            name: [.customShort("o"), .customLong("output")],
            help: ArgumentHelp("The file; standard output without it.", valueName: "file"))
        var output: String?

        func run() throws {
            let bytes = try ModelGuide.export(model, format: format, language: language)
            if let output {
                try TextFile.write(bytes, to: output)
                Console.say("wrote \(output)")
            } else {
                Console.write(bytes)
            }
        }
    }

    struct Coverage: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says which documented states, transitions, callbacks, scenarios and rules were exercised.",
            discussion: "One row for each app, version, model and kind. Exit code 1 below --fail-under. A model of "
                + "your own is covered when --model names its file, also after an ingest with it.")

        @OptionGroup var database: DatabaseOptions

        @Option(help: ArgumentHelp("How to write the table.", valueName: "table|csv|json|ndjson|markdown"))
        var format: OutputFormat = .table

        @Option(help: ArgumentHelp("Fail when a model is covered by less than this, in percent.", valueName: "percent"))
        var failUnder: Double?

        @OptionGroup var models: ModelOptions

        @OptionGroup(title: "Filters") var filters: FilterOptions

        func run() throws {
            let result = try CoverageReport.run(
                database: database.path, filter: try filters.filter(), models: models.files, format: format)
            Console.write(result.text)
            for remark in result.remarks { Console.say(remark) }
            if let failUnder, result.fraction * 100 < failUnder { throw ExitCode(1) }
        }
    }
}
