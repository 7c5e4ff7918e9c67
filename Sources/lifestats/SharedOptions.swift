public import ArgumentParser
import Foundation
public import LifeStatsKit

/// Which database a command works on.
struct DatabaseOptions: ParsableArguments {
    @Option(
        name: .customLong("db"),
        help: ArgumentHelp("The database (default: $LIFESTATS_DB, else lifestats.db).", valueName: "file"))
    var file: String?

    /// The path: the option, else the environment, else `lifestats.db` in the working folder.
    var path: String {
        file ?? ProcessInfo.processInfo.environment["LIFESTATS_DB"].flatMap { $0.isEmpty ? nil : $0 }
            ?? "lifestats.db"
    }

    var database: OneStep.Database { OneStep.Database(path: path, named: file) }
}

/// Which database a command reads, and for how long.
struct ReadingOptions: ParsableArguments {
    @OptionGroup var database: DatabaseOptions

    @Option(help: ArgumentHelp("Stop reading the database after this time; 0 means no limit.", valueName: "seconds"))
    var timeout = 300.0

    var path: String { database.path }

    var limit: ReadingLimit {
        var limit = ReadingLimit(seconds: timeout > 0 ? timeout : nil)
        limit.giveUp = Console.end(with:)
        return limit
    }

    func validate() throws {
        guard timeout >= 0, timeout <= 31_536_000 else {
            throw ValidationError("--timeout \(timeout): must be from 0 to 31536000 seconds (one year).")
        }
    }
}

/// The layouts that a command knows besides the built-in ones.
struct LayoutOptions: ParsableArguments {
    @Option(
        name: .customLong("formats"),
        help: ArgumentHelp("A file with your own layouts; repeatable.", valueName: "file"))
    var files: [String] = []
}

/// How logs are read, where they leave something open.
struct LogOptions: ParsableArguments {
    // An offset may start with a minus sign.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Time zone for times without one: UTC, Europe/Zurich, +02:00.", valueName: "zone"))
    var timezone = "UTC"

    @Option(help: ArgumentHelp("Year for times without one (default: 1972).", valueName: "yyyy"))
    var year: Int?

    @Option(help: ArgumentHelp("Date for times without one (default: 1970-01-01).", valueName: "yyyy-mm-dd"))
    var date: String?

    @Option(
        help: ArgumentHelp(
            "Version of iOS for logs that do not state it; rules of other versions do not apply.",
            valueName: "version"))
    var osVersion: String?

    @Option(
        help: ArgumentHelp(
            "YAML file with your own spellings of callbacks (callback: [spelling, …]) and evidence "
                + "(evidence: {background: [text, …]}).", valueName: "file"))
    var aliases: String?

    @OptionGroup var layouts: LayoutOptions

    /// The options for reading paths.
    func options(for paths: [String], database: String = "", models: [String] = []) -> IngestOptions {
        var options = IngestOptions(paths: paths, database: database)
        options.formats = layouts.files
        options.timezone = timezone
        options.year = year
        options.date = date
        options.systemVersion = osVersion
        options.aliases = aliases
        options.models = models
        return options
    }
}

/// Logs that a command answers from in one step.
struct OneStepOptions: ParsableArguments {
    @OptionGroup(title: "Reading logs") var logs: LogOptions

    /// Reads the paths into the database of `--db`, or into a temporary one, and answers from it. Without paths, answers
    /// from the database.
    func answer(
        from paths: [String], in database: DatabaseOptions, models: [String] = [], needsLogs: Bool = true,
        _ body: (OneStep.Database) throws -> Void
    ) throws {
        guard !paths.isEmpty else { return try body(database.database) }
        let showsProgress = Console.errorIsTerminal
        try OneStep.run(
            reading: logs.options(for: paths, models: models), keepingIn: database.file,
            needsLogs: needsLogs, progress: { if showsProgress { Console.progress($0) } }, notice: { Console.say($0) },
            body)
    }
}

/// What a command answers from: logs or a database, which part of it, and with which models.
struct SourceOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Logs to read, instead of a database.", valueName: "path"))
    var paths: [String] = []

    @OptionGroup var reading: ReadingOptions

    @OptionGroup var models: ModelOptions

    @OptionGroup(title: "Filters") var filters: FilterOptions

    @OptionGroup var oneStep: OneStepOptions

    /// - Parameters:
    ///   - file: where the result goes; `nil` for standard output.
    ///   - requireName: throws where the name of the file promises something else. A file that must not be replaced is refused
    ///     as such instead.
    func answer(
        into file: String? = nil, needsLogs: Bool = true, requireName: () throws -> Void = {},
        body: (OneStep.Database) throws -> Void
    ) throws {
        // Before logs are read, which may take long.
        _ = try filters.filter()
        try OutputFile.requireFolder(of: file)
        if let file, !paths.isEmpty, !FileManager.default.fileExists(atPath: file) { try requireName() }
        try oneStep.answer(
            from: paths, in: reading.database, models: models.files, needsLogs: needsLogs, body)
    }
}

/// Two cohorts whose differences a command shows.
struct ComparisonOptions: ParsableArguments {
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Show what differs between two cohorts of `lifestats compare`.", valueName: "a> <b"))
    var compare: [String] = []

    func validate() throws {
        guard compare.isEmpty || compare.count == 2 else {
            throw ValidationError("--compare: give two cohorts, such as app_version=4.1 app_version=4.2.")
        }
    }

    /// Cohort B where both are databases: what is not a comparison is then about B.
    var database: String? {
        compare.count == 2 && compare.allSatisfy { FileManager.default.fileExists(atPath: $0) } ? compare[1] : nil
    }

    /// What to compare; `nil` without the option.
    func request(_ database: String, _ filters: FilterOptions, limit: ReadingLimit) throws -> CompareRequest? {
        guard compare.count == 2 else { return nil }
        guard filters.isEmptyBesideApp else {
            throw ValidationError("--compare: the cohorts select the runs; --app is the only filter that it takes.")
        }
        var request = CompareRequest(a: compare[0], b: compare[1], database: database)
        request.app = filters.app
        request.limit = limit
        return request
    }
}

/// Where a command writes a file.
struct OutputOptions: ParsableArguments {
    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The output file (default, or with -: standard output).", valueName: "file"))
    private var named: String?

    /// Where the result goes; `nil` for standard output.
    var path: String? { named == "-" ? nil : named }

    /// The file, checked before the work begins; `nil` for standard output.
    ///
    /// - Parameter database: the database, which neither the file nor standard output may be.
    func file(besides database: String) throws -> OutputFile? {
        if path == nil { try OutputFile.requireHarmlessStandardOutput(database: database) }
        return try path.map { try OutputFile($0, database: database) }
    }

    /// Refuses a file whose extension promises another kind of file.
    ///
    /// - Parameter extensions: those of the kind that is written; a file without one is taken as it is.
    func require(_ extensions: [String], _ kind: String) throws {
        guard let path, let name = path.split(separator: "/").last, let dot = name.lastIndex(of: ".") else { return }
        let ending = name[name.index(after: dot)...].lowercased()
        guard !extensions.contains(ending) else { return }
        throw ValidationError("-o \(path): the result is \(kind); use .\(extensions[0]).")
    }

    /// Refuses to fill a terminal with a file that nobody reads there, unless -o - asks for it.
    func requireFile(_ kind: String, _ example: String) throws {
        guard named == nil, Console.outputIsTerminal else { return }
        throw ValidationError("Missing file: the result is \(kind); write -o \(example), or -o - for standard output.")
    }

    /// Writes the result, and reports the file.
    func write(_ bytes: [UInt8], to file: OutputFile?, summary: String? = nil) throws {
        if file == nil, Console.outputIsTerminal, bytes.contains(0) {
            throw LifeStatsError("will not write binary data to the terminal", remedy: "name a file with -o")
        }
        try write(to: file, summary: summary) { append in append(bytes) }
    }

    /// Writes the result piece by piece, and reports the file.
    func write(
        to file: OutputFile?, summary: String? = nil, _ body: (@escaping ([UInt8]) -> Void) throws -> Void
    ) throws {
        guard let file, let path else { return try body { Console.write($0) } }
        try TemporaryFiles.removing { try file.write(body) }
        Console.say(["wrote \(path)", summary].compactMap(\.self).joined(separator: " · "))
    }
}

/// Which part of the database a command looks at.
struct FilterOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only this app (process name).", valueName: "name"))
    var app: String?

    @Option(help: ArgumentHelp("Only this version of the app.", valueName: "version"))
    var appVersion: String?

    @Option(help: ArgumentHelp("Only this device.", valueName: "name"))
    var device: String?

    @Option(help: ArgumentHelp("Only this run (run_id).", valueName: "id"))
    var run: Int64?

    @Option(
        help: ArgumentHelp(
            "Only from this time on (ISO 8601, UTC unless it has a zone): visits entered, transitions, events and findings "
                + "from then on; a run that still lives then counts, and is drawn, as a whole.", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Only before this time (ISO 8601, UTC unless it has a zone).", valueName: "time"))
    var until: String?

    /// The options that were given, with their values.
    var given: [(name: String, value: String)] {
        let all = [
            ("app", app), ("app-version", appVersion), ("device", device), ("run", run.map(String.init)),
            ("since", since), ("until", until),
        ]
        return all.compactMap { name, value in value.map { (name, $0) } }
    }

    /// Whether only the app is restricted.
    var isEmptyBesideApp: Bool { given.allSatisfy { $0.name == "app" } }

    func filter(scenario: String? = nil) throws -> Filter {
        try Filter(
            app: app, appVersion: appVersion, device: device, run: run, scenario: scenario, since: since, until: until)
    }
}

/// The filter by scenario, for pictures only.
struct ScenarioOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only runs with this documented scenario or a scenario of this class (SC-A06, EQ-1).", valueName: "id"))
    var scenario: String?
}

/// The models that a command knows besides the built-in ones.
struct ModelOptions: ParsableArguments {
    @Option(
        name: .customLong("model"),
        help: ArgumentHelp("A model of your own, besides the built-in ones; repeatable.", valueName: "file"))
    var files: [String] = []
}

/// The language of pictures, and of the states in tables.
struct LanguageOptions: ParsableArguments {
    @Option(
        name: .customLong("lang"),
        help: ArgumentHelp(
            "Language of pictures and of the names of states; everything else is English.",
            valueName: "en|zh-Hans|zh-Hant|es"))
    var language = "en"
}

/// How an app's suspension is estimated.
struct SuspendGraceOptions: ParsableArguments {
    @Option(
        name: .customLong("suspend-grace"),
        help: ArgumentHelp(
            "Seconds of silence in the background after which the app counts as suspended, or off (default: the "
                + "database's setting, initially 5).",
            valueName: "seconds|off"))
    var grace: SuspendGrace?
}

// The values that options take have the names that `LifeStatsKit` gives them.
extension OutputFormat: ExpressibleByArgument {}
extension QueryDialect: ExpressibleByArgument {}
extension DiagramView: ExpressibleByArgument {}
extension DiagramFormat: ExpressibleByArgument {}
extension CheckFormat: ExpressibleByArgument {}
extension FailOn: ExpressibleByArgument {}
extension CompareFormat: ExpressibleByArgument {}
extension CompareFailOn: ExpressibleByArgument {}
extension ExportFormat: ExpressibleByArgument {}
extension DiagramMetric: ExpressibleByArgument {}
extension TimelineAxis: ExpressibleByArgument {}
extension TimelineFormat: ExpressibleByArgument {}
extension DiagramColouring: ExpressibleByArgument {}
extension SuspendGrace: ExpressibleByArgument {}
