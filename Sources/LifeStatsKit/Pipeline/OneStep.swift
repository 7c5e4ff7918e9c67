import Foundation
import Reports
import Synchronization
import TraceRecords
import TraceStore

/// From logs to an answer in one command: reads the logs into a temporary database, or into one that is kept.
public enum OneStep {
    /// The database to answer from.
    public struct Database: Sendable {
        public var path: String
        /// Whether all that it holds was read now.
        public var isNew: Bool
        public var wayBack: WayBack
        /// What could not be read of the logs that were given; see ``IngestReport/leftOut``.
        public var leftOut: [String] = []

        public init(path: String, isNew: Bool = false, wayBack: WayBack = WayBack()) {
            self.path = path
            self.isNew = isNew
            self.wayBack = wayBack
        }

        /// A database that was named with `--db`; with `nil` the usual one.
        public init(path: String, named: String?, isNew: Bool = false) {
            let options = named.map { " --db \(ShellText.quoted($0))" } ?? ""
            self.init(path: path, isNew: isNew, wayBack: WayBack(options: options))
        }

        /// The command that shows a finding with its lines.
        public func hint(forFinding id: Int64) -> String {
            let command = "lifestats show finding:\(id)\(wayBack.options)"
            return wayBack.condition.isEmpty
                ? "Next\n  \(command)  the log lines around it"
                : "Next\n  \(wayBack.condition)`\(command)` shows what is known of it"
        }
    }

    /// What leads another command to the same rows.
    public struct WayBack: Sendable {
        /// Its options: ` --db old.db`, ` --from logs/`; empty for the usual database.
        public var options = ""
        /// What must be done before it works: what came through a pipe cannot be read again.
        public var condition = ""

        public init(options: String = "", condition: String = "") {
            self.options = options
            self.condition = condition
        }
    }

    /// What a temporary database is called in messages.
    static let temporaryName = "the logs"

    /// Reads logs, then runs something on the database that has them.
    ///
    /// - Parameters:
    ///   - options: the logs, and how to read them. Its database is not used.
    ///   - database: the database that keeps what was read; `nil` for a temporary one.
    ///   - needsLogs: whether paths without any log are an error.
    ///   - progress: gets a line for the terminal several times a second, and `nil` at the end.
    ///   - notice: gets what was read, and what the user should know at once.
    /// - Throws: ``LifeStatsError`` when not all logs could be read, or what `body` throws.
    public static func run<T>(
        reading options: IngestOptions, keepingIn database: String?, needsLogs: Bool = true,
        progress: @escaping @Sendable (String?) -> Void = { _ in }, notice: @escaping (String) -> Void = { _ in },
        _ body: (Database) throws -> T
    ) throws -> T {
        var options = options
        if let database {
            options.database = database
            let isNew = !FileManager.default.fileExists(atPath: database)
            var kept = Database(path: database, named: database, isNew: isNew)
            let report = try read(options, name: database, needsLogs: needsLogs, progress, notice)
            kept.leftOut = report.leftOut
            return try report.answered(body(kept))
        }
        return try TemporaryFiles.with { path in
            options.database = path
            do {
                var read = Database(path: path, isNew: true, wayBack: options.wayBack)
                let report = try self.read(options, name: nil, needsLogs: needsLogs, progress, notice)
                read.leftOut = report.leftOut
                return try report.answered(TemporaryFiles.removing { [read] in try body(read) })
            } catch let error as LifeStatsError {
                throw error.naming(path, options.wayBack.options)
            }
        }
    }

    /// Runs a live view on a temporary database, or on one that is kept.
    ///
    /// - Returns: what was read, for the user.
    public static func live(
        _ options: IngestOptions, keepingIn database: String?, _ view: (IngestOptions) throws -> IngestReport
    ) throws -> String {
        var options = options
        if let database {
            options.database = database
            return try view(options).brief(database: database)
        }
        return try TemporaryFiles.with { path in
            options.database = path
            do {
                return try view(options).brief(database: nil)
            } catch let error as LifeStatsError {
                throw error.naming(path, options.wayBack.options)
            }
        }
    }

    private static func read(
        _ options: IngestOptions, name: String?, needsLogs: Bool, _ progress: @escaping @Sendable (String?) -> Void,
        _ notice: @escaping (String) -> Void
    ) throws -> IngestReport {
        let report = try IngestPipeline(options: options).run(progress: progress, notice: notice)
        progress(nil)
        notice(report.brief(database: name))
        if needsLogs, !report.hasLogs, !report.namedPathFailed, !report.isInterrupted {
            throw LifeStatsError(
                "nothing was answered",
                why: "there is no log in \(options.paths.map(ShellText.quoted).joined(separator: " "))",
                remedy: "name files or folders with logs; `lifestats formats` lists the supported formats")
        }
        guard report.nothingOfPath || report.isInterrupted else { return report }
        throw LifeStatsError(
            "nothing was answered", why: report.isInterrupted ? "the reading was interrupted" : "not all logs were read"
        )
    }
}

extension IngestReport {
    /// An answer from what was read, if that was all of the logs.
    ///
    /// - Throws: ``LifeStatsError`` when a log is damaged: what was answered is about the rest.
    fileprivate func answered<T>(_ answer: T) throws -> T {
        guard let first = inPart.min() else { return answer }
        throw LifeStatsError(
            "the answer is about a part of the logs",
            why: "\(first) is damaged\(inPart.count > 1 ? ", and \(Plural.text(inPart.count - 1, "other file"))" : "")")
    }
}

extension LifeStatsError {
    /// The same error for a temporary database, whose path means nothing to the user.
    fileprivate func naming(_ path: String, _ options: String) -> LifeStatsError {
        if what == StoreError.diskFull(path: path).description {
            return LifeStatsError(
                "cannot keep what is read", why: "the disk of \(FileManager.default.temporaryDirectory.path) is full",
                remedy: TemporaryFiles.remedy)
        }
        func named(_ text: String) -> String {
            text.replacing(" --db \(ShellText.quoted(path))", with: options)
                .replacing(path, with: OneStep.temporaryName)
        }
        return LifeStatsError(named(what), why: why.map(named), remedy: remedy.map(named))
    }

    /// The same error, with advice that asks this database.
    func asking(_ database: String) -> LifeStatsError {
        guard database != "lifestats.db" else { return self }
        let option = " --db \(ShellText.quoted(database))"
        return LifeStatsError(
            what, why: why,
            remedy: remedy?.replacing(/`lifestats query ([^`]+)`/) { match in
                match.output.1.hasPrefix("--") ? String(match.output.0) : "`lifestats query \(match.output.1)\(option)`"
            })
    }
}

extension IngestOptions {
    /// What makes another command read the same logs in the same way: ` --from logs/ --year 2026`.
    var wayBack: OneStep.WayBack {
        if paths.contains(where: { $0 == "-" || SystemFile.isSpecial($0) }) {
            return OneStep.WayBack(options: " --db FILE", condition: "add --db FILE to keep what is read; then ")
        }
        let given =
            [
                ("timezone", timezone == "UTC" ? nil : timezone), ("year", year.map(String.init)), ("date", date),
                ("os-version", systemVersion), ("aliases", aliases),
            ] + formats.map { ("formats", $0) } + models.map { ("model", $0) }
        // A name that begins with a dash would be an option.
        let logs = paths.map { $0.hasPrefix("-") ? "./\($0)" : $0 }
        return OneStep.WayBack(
            options: logs.reduce(" --from") { "\($0) \(ShellText.quoted($1))" }
                + given.map { name, value in value.map { " --\(name) \(ShellText.quoted($0))" } ?? "" }.joined())
    }
}

/// What must not be left behind when a command ends: databases for one command, and results that are not complete.
public enum TemporaryFiles {
    private static let paths = Mutex<Set<String>>([])
    private static let isWatched: Void = { _ = atexit { TemporaryFiles.removeAll() } }()

    static let remedy = "set TMPDIR to a folder with enough space, or keep what is read with --db FILE"

    /// Runs something with the path of a database that does not exist yet, and removes the database afterwards.
    ///
    /// - Throws: ``LifeStatsError`` when no folder can be made for it, or what `body` throws.
    static func with<T>(_ body: (String) throws -> T) throws -> T {
        let folder = FileManager.default.temporaryDirectory.path + "/lifestats-\(UUID().uuidString)"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw LifeStatsError(
                "cannot create the temporary folder \(folder)", why: String(cString: strerror(errno)),
                remedy: remedy)
        }
        hold(folder)
        defer { remove(folder) }
        return try body(folder + "/lifestats.db")
    }

    /// Removes a file or folder when the process ends, unless it is kept until then.
    static func hold(_ path: String) { hold(path) {} }

    /// The same for one that is made now, with no interruption between.
    static func hold<T>(_ path: String, making body: () throws -> T) rethrows -> T {
        _ = isWatched
        return try paths.withLock { paths in
            paths.insert(path)
            return try body()
        }
    }

    /// Whether the folder of a file is removed when the process ends.
    static func isFolderHeld(of file: String) -> Bool {
        paths.withLock { $0.contains(URL(fileURLWithPath: file).deletingLastPathComponent().path) }
    }

    /// It is complete, and has got its name.
    static func keep(_ path: String) { paths.withLock { _ = $0.remove(path) } }

    static func remove(_ path: String) {
        try? FileManager.default.removeItem(atPath: path)
        keep(path)
    }

    /// Runs something that no interruption comes between: a file that is made in a folder that is being removed would
    /// stay.
    static func uninterrupted<T>(_ body: () throws -> T) rethrows -> T { try paths.withLock { _ in try body() } }

    /// Runs something that leaves nothing behind when SIGHUP, SIGINT or SIGTERM ends it.
    public static func removing<T>(_ body: () throws -> T) rethrows -> T {
        let interruption = Interruption {
            // Threads that go on making files wait here for ever.
            paths.withLock { paths in
                for path in paths { try? FileManager.default.removeItem(atPath: path) }
                _exit(130)
            }
        }
        defer { interruption.cancel() }
        return try body()
    }

    /// Removes what this process, which is about to end, must not leave behind.
    public static func removeAll() {
        for path in paths.withLock(\.self) { remove(path) }
    }
}
