import ArgumentParser
import LifeStatsKit

struct IngestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Reads logs into the database.",
        discussion: """
            Reads files, folders (recursively), globs, compressed files and archives; `-` is standard input. The \
            format of each line is detected from its content. Lines that were read before are not read again; of a \
            file that has grown, only the appended lines are read.

            Other readers see the previous state of the database until the ingest finishes. Ctrl-C stops the ingest \
            and keeps what was read so far. With --follow, and from a pipe, lines are stored as they arrive; --follow \
            also prints each transition and each finding (`lifestats watch` shows them in a live view).

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

    @Flag(help: "Keep reading what is appended until interrupted.")
    var follow = false

    @Option(
        help: ArgumentHelp("Read all files in this format (see `lifestats formats`).", valueName: "name")
    )
    var format: String?

    @Option(help: ArgumentHelp("Device of the logs, where they name none.", valueName: "name"))
    var device: String?

    @Option(help: ArgumentHelp("Version of the app that wrote the logs.", valueName: "version"))
    var appVersion: String?

    @OptionGroup var logs: LogOptions

    @OptionGroup var models: ModelOptions

    @OptionGroup var suspension: SuspendGraceOptions

    @Flag(help: "Store the text of each event's line in events.message.")
    var keepMessages = false

    @Flag(
        help: ArgumentHelp(
            "Store pseudonyms in place of device names, paths, identifiers and free text.",
            discussion: """
                Names of processes, classes and states are kept. Equal values get equal pseudonyms, made with a secret \
                key: LIFESTATS_REDACTION_KEY, or ~/.config/lifestats/redaction-key. Later ingests into the same \
                database are redacted too.
                """))
    var redact = false

    @Flag(help: "Do not show progress.")
    var noProgress = false

    func run() throws {
        var options = logs.options(for: paths, database: database.path, models: models.files)
        options.format = format
        options.device = device
        options.appVersion = appVersion
        options.suspendGrace = suspension.grace
        options.follow = follow
        options.keepMessages = keepMessages
        options.redact = redact
        Console.goOnUnread()
        let showsProgress = !noProgress && Console.errorIsTerminal
        let report =
            follow
            ? try LiveView.lines(
                options, colors: false, notice: { Console.say($0) }, write: { Console.write($0 + "\n") }, pause: {})
            : try IngestPipeline(options: options).run(
                progress: { if showsProgress { Console.progress($0) } }, notice: { Console.say($0) })
        if showsProgress { Console.progress(nil) }
        Console.say(report.summary)
        if report.namedPathFailed || report.isInterrupted { throw ExitCode(2) }
    }
}

struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows live what an app does: current states, transitions, findings.",
        discussion: """
            The view is updated in place. For each app, scene and view controller it shows the current state, how \
            long it has lasted, and a strip of the last five minutes; below, the latest transitions (red: undocumented; \
            yellow: a callback between is missing, which the app has not logged so far and may never log) and findings \
            as they happen, with their smallest repair. If standard output is not a terminal, transitions \
            and findings are printed as plain lines.

            What is read is stored in a temporary database; --db FILE keeps it. The lines of idevicesyslog have no year: \
            --year adds it.

            Keys: p pauses the view, f shows only apps whose name contains a text, s saves the diagram and the report into \
            the working folder, q quits.

            Examples:
              idevicesyslog | lifestats watch -
              xcrun simctl spawn booted log stream --style compact | lifestats watch -
              lifestats watch app.log
            """
    )

    @Argument(help: ArgumentHelp("A log that grows, or - for standard input.", valueName: "file"))
    var path = "-"

    @Option(
        name: .customLong("db"),
        help: ArgumentHelp("Keep what is read in this database (default: a temporary one).", valueName: "file"))
    var database: String?

    @OptionGroup var models: ModelOptions

    @OptionGroup(title: "Reading logs") var logs: LogOptions

    func run() throws {
        var options = logs.options(for: [path], models: models.files)
        options.follow = path != "-"
        let report = try OneStep.live(options, keepingIn: database) { options in
            guard !LiveView.isPossible else { return try LiveView.screen(options, colors: Console.colorsOutput) }
            return try LiveView.lines(
                options, colors: false, notice: { Console.say($0) }, write: { Console.write($0 + "\n") },
                pause: Console.endIfUnread)
        }
        Console.say(report)
    }
}
