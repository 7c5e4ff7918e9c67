import ArgumentParser
import LifeStatsKit

struct FormatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "formats",
        abstract: "Lists the supported log formats, and explains how a file is read.",
        discussion: """
            A format is described by a layout, which is a YAML file. Use a layout of your own with --formats, or put it \
            into ~/.config/lifestats/formats.

            \(FormatsGuide.language)

            Example:
              name: kettle
              title: The log of our kettle
              patterns: ["{time:yyyy-MM-dd HH:mm:ss[.S][Z]} {process}[{pid}]: {message}"]
              samples:
                - line: "2024-03-09 07:30:00Z Tea[412]: viewDidLoad"
                  time: "2024-03-09T07:30:00Z"
                  process: Tea
                  pid: 412
            """,
        subcommands: [List.self, Explain.self, Test.self],
        defaultSubcommand: List.self
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the formats.")

        @OptionGroup var layouts: LayoutOptions

        func run() throws { Console.write(try FormatsGuide.listing(formats: layouts.files)) }
    }

    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Explains how a file is read: matching layouts, fields of sample lines, assumptions.")

        @Argument(help: ArgumentHelp("The file.", valueName: "file"))
        var path: String

        @OptionGroup var layouts: LayoutOptions

        // An offset may begin with a minus.
        @Option(parsing: .unconditional, help: ArgumentHelp("Time zone of times without one.", valueName: "zone"))
        var timezone = "UTC"

        @Option(help: ArgumentHelp("Year of times without one.", valueName: "yyyy"))
        var year: Int?

        @Option(help: ArgumentHelp("Date of times without one.", valueName: "yyyy-mm-dd"))
        var date: String?

        func run() throws {
            var options = IngestOptions(paths: [path], database: "")
            options.formats = layouts.files
            options.timezone = timezone
            options.year = year
            options.date = date
            Console.write(try FormatsGuide.explanation(of: path, options: options))
        }
    }

    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Checks a layout against its samples, and reads a file with it.")

        @Argument(help: ArgumentHelp("The layout.", valueName: "layout.yaml"))
        var layout: String

        @Argument(help: ArgumentHelp("The file.", valueName: "file"))
        var path: String

        func run() throws { Console.write(try FormatsGuide.test(layout: layout, on: path)) }
    }
}

/// The layouts that a command knows besides the built-in ones.
struct LayoutOptions: ParsableArguments {
    @Option(
        name: .customLong("formats"),
        help: ArgumentHelp("A file with layouts of your own; repeatable.", valueName: "file"))
    var files: [String] = []
}
