import ArgumentParser
import LifeStatsKit

struct IngestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Reads logs into the database.",
        discussion: """
            Reads files, folders (with everything below), globs, compressed files and archives; `-` is standard input.
            The format of each file is found out from its content. What was read before is not read again, and \
            what was appended since is read once.

            Whoever asks meanwhile sees the database as it was before, until all is read; after Ctrl-C it holds what was \
            read until then. With --follow, and from a pipe, logs are stored as they come.

            Examples:
              lifestats ingest logs/
              lifestats ingest app.log app.log.1 app.log.2.gz
              idevicesyslog | lifestats ingest -
              lifestats ingest --timezone Europe/Zurich --device 'iPhone 15' console.txt
            """
    )

    @Argument(help: ArgumentHelp("Files, folders, globs, archives, or - for standard input.", valueName: "path"))
    var paths: [String]

    @OptionGroup var database: DatabaseOptions

    @Option(help: ArgumentHelp("Read everything in this format (see `lifestats formats`).", valueName: "name"))
    var format: String?

    @Option(
        name: .customLong("formats"),
        help: ArgumentHelp("A file with layouts of your own; may be repeated.", valueName: "file"))
    var formatFiles: [String] = []

    @Option(help: ArgumentHelp("The device the logs come from, where they name none.", valueName: "name"))
    var device: String?

    @Option(help: ArgumentHelp("The version of the app that wrote the logs.", valueName: "version"))
    var appVersion: String?

    // An offset may begin with a minus.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Zone of times that carry none: UTC, Europe/Zurich, +02:00 (default: UTC, so that digits stay as printed).",
            valueName: "zone"))
    var timezone = "UTC"

    @Option(
        help: ArgumentHelp(
            "Year of times that carry none (default: 1972, the same on every machine).", valueName: "yyyy"))
    var year: Int?

    @Option(help: ArgumentHelp("Date of times that carry none (default: 1970-01-01).", valueName: "yyyy-mm-dd"))
    var date: String?

    @OptionGroup var models: ModelOptions

    @Option(
        help: ArgumentHelp("Your own spellings of callbacks, as YAML (callback: [spelling, …]).", valueName: "file"))
    var aliases: String?

    @OptionGroup var suspension: SuspendGraceOptions

    @Flag(help: "Go on reading what is appended, until interrupted.")
    var follow = false

    @Flag(help: "Keep the text of each event's line in events.message.")
    var keepMessages = false

    @Flag(
        help: ArgumentHelp(
            "Store pseudonyms in place of device names, paths, identifiers and free text.",
            discussion: """
                Names of processes, classes and states stay. Equal values get equal pseudonyms, made with a secret key: \
                ~/.config/lifestats/redaction-key, or what LIFESTATS_REDACTION_KEY holds. What is ingested later into \
                the same database is redacted, too.
                """))
    var redact = false

    @Flag(help: "Show no progress.")
    var noProgress = false

    func run() throws {
        var options = IngestOptions(paths: paths, database: database.path)
        options.format = format
        options.formats = formatFiles
        options.device = device
        options.appVersion = appVersion
        options.timezone = timezone
        options.year = year
        options.date = date
        options.models = models.files
        options.aliases = aliases
        options.suspendGrace = suspension.grace
        options.follow = follow
        options.keepMessages = keepMessages
        options.redact = redact
        let showsProgress = !noProgress && Console.errorIsTerminal
        let report = try IngestPipeline(options: options).run(
            progress: { if showsProgress { Console.progress($0) } }, notice: { Console.say($0) })
        if showsProgress { Console.progress(nil) }
        Console.say(report.summary)
        if report.namedPathFailed || report.isInterrupted { throw ExitCode(2) }
    }
}
