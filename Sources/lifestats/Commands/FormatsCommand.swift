import ArgumentParser
import LifeStatsKit

struct FormatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "formats",
        abstract: "Lists the supported log formats; shows how a file is read, as a whole or entry by entry.",
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
        subcommands: [List.self, Explain.self, Entries.self, Test.self],
        defaultSubcommand: List.self
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the formats.")

        @OptionGroup var layouts: LayoutOptions

        func run() throws { Console.write(try FormatsGuide.listing(formats: layouts.files)) }
    }

    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract: "Explains how a file is read: matching layouts, fields of sample lines, assumptions.")

        @Argument(help: ArgumentHelp("The file.", valueName: "file"))
        var path: String

        @OptionGroup var logs: LogOptions

        func run() throws { Console.write(try FormatsGuide.explanation(of: path, options: logs.options(for: [path]))) }
    }

    struct Entries: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "entries",
            abstract: "Prints every entry as it is read, and what is recognised in it, one JSON object per line.",
            discussion: """
                `recognised` is empty for lines that are not lifecycle events. `library` is the sender where it is not the \
                process itself. What an entry does not have is left out; `thread`, `activity`, `library`, `category` and \
                `level` are left out for formats that are JSON, too.

                Examples:
                  lifestats formats entries system_logs.logarchive > entries.jsonl
                  lifestats formats entries app.log | jq -c 'select(.recognised == [])'
                """)

        @Argument(help: ArgumentHelp("Files, folders, archives, or - for standard input.", valueName: "file"))
        var paths: [String]

        @Option(help: ArgumentHelp("Read all files in this format; do not detect it.", valueName: "name"))
        var format: String?

        @OptionGroup var models: ModelOptions

        @OptionGroup var logs: LogOptions

        func run() throws {
            var options = logs.options(for: paths, models: models.files)
            options.format = format
            let isComplete = try EntryListing.write(
                options, output: { Console.write($0) }, notice: { Console.say($0) })
            if !isComplete { throw ExitCode(2) }
        }
    }

    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Checks a layout or a file with your own spellings, and reads a file with it.",
            discussion: """
                Given a file for --aliases, it shows the lines of the log that the file recognises.

                Examples:
                  lifestats formats test kettle.yaml kettle.log
                  lifestats formats test words.yaml app.log
                """)

        @Argument(help: ArgumentHelp("The layout, or the file with spellings and evidence.", valueName: "layout.yaml"))
        var layout: String

        @Argument(help: ArgumentHelp("The file.", valueName: "file"))
        var path: String

        func run() throws { Console.write(try FormatsGuide.test(layout: layout, on: path)) }
    }
}
