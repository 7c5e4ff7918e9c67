import ArgumentParser
import LifeStatsKit

struct FormatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "formats",
        abstract: "Lists the formats that are read; explains how a file was read.",
        discussion: """
            A format is described by a layout: a YAML file, like those of the program. Name one of your own with \
            --formats, or put it into ~/.config/lifestats/formats.

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

        @Option(
            name: .customLong("formats"),
            help: ArgumentHelp("A file with layouts of your own; may be repeated.", valueName: "file"))
        var formatFiles: [String] = []

        func run() throws { Console.write(try FormatsGuide.listing(formats: formatFiles)) }
    }

    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says how a file is read: layouts tried and matched, fields of sample lines, assumptions.")

        @Argument(help: ArgumentHelp("The file.", valueName: "file"))
        var path: String

        @Option(
            name: .customLong("formats"),
            help: ArgumentHelp("A file with layouts of your own; may be repeated.", valueName: "file"))
        var formatFiles: [String] = []

        // An offset may begin with a minus.
        @Option(parsing: .unconditional, help: ArgumentHelp("Zone of times that carry none.", valueName: "zone"))
        var timezone = "UTC"

        @Option(help: ArgumentHelp("Year of times that carry none.", valueName: "yyyy"))
        var year: Int?

        @Option(help: ArgumentHelp("Date of times that carry none.", valueName: "yyyy-mm-dd"))
        var date: String?

        func run() throws {
            var options = IngestOptions(paths: [path], database: "")
            options.formats = formatFiles
            options.timezone = timezone
            options.year = year
            options.date = date
            Console.write(try FormatsGuide.explanation(of: path, options: options))
        }
    }

    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Checks a layout of your own against its samples, and reads a file by it.")

        @Argument(help: ArgumentHelp("The layout.", valueName: "layout.yaml"))
        var layout: String

        @Argument(help: ArgumentHelp("The file.", valueName: "file"))
        var path: String

        func run() throws { Console.write(try FormatsGuide.test(layout: layout, on: path)) }
    }
}
