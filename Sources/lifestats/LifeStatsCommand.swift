import ArgumentParser
import Foundation
import LifeStatsKit

/// The command line: options, one call of `LifeStatsKit`, an exit code.
@main
struct LifeStatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lifestats",
        abstract: "Shows how an iOS app moves through its lifecycle, next to how Apple documents it.",
        discussion: """
            Reads lifecycle logs into a SQLite database, answers questions about them, and draws the observed states \
            next to the documented ones.

              lifestats report logs/ -o report.html   what the logs show, on one page
              lifestats check logs/                   deviations, with file and line

            To ask more than once, read the logs into a database:

              lifestats ingest logs/             read logs into lifestats.db
              lifestats query dwell_times        how long the app stays in each state
              lifestats query transition_counts  how often it changes states
              lifestats diagram -o app.svg       draw both lifecycles

            Data goes to standard output; progress, summaries and hints go to standard error.
            Exit codes: 0 success; 1 `check` or `compare` found something; 2 error; 64 usage error.
            """,
        version: LifeStatsVersion.current,
        subcommands: [
            IngestCommand.self, WatchCommand.self, DiagramCommand.self, QueryCommand.self, TimelineCommand.self,
            ReportCommand.self, CheckCommand.self, CompareCommand.self, ShowCommand.self, ModelCommand.self,
            FormatsCommand.self, SchemaCommand.self, ShellCommand.self, ReplayCommand.self, ForgetCommand.self,
            MergeCommand.self, ExportCommand.self, SimulateCommand.self, VerifyCommand.self,
        ]
    )

    static func main() {
        ProcessMemory.keepHeapSmall()
        Streams.occupyClosed()
        Streams.ignoreFailureSignals()
        let arguments = Arguments.withComments(Arguments.typed)
        if arguments.first == IngestCommand.configuration.commandName { IngestPipeline.prepare() }
        var running: (any ParsableCommand)?
        do {
            var command = try parseAsRoot(arguments)
            running = command
            try command.run()
        } catch let error as LifeStatsError {
            Console.failure(Arguments.naming(command: arguments.first, in: error))
            Foundation.exit(2)
        } catch {
            end(error, arguments, running)
        }
    }

    /// Prints help, a version or a usage error, and ends with its exit code.
    ///
    /// - Parameter running: the command that ended; `nil` when it did not begin.
    private static func end(_ error: any Error, _ arguments: [String], _ running: (any ParsableCommand)?) -> Never {
        let code = exitCode(for: error)
        if code == .validationFailure || arguments.first == "help",
            let unknown = Arguments.unknownCommand(in: arguments)
        {
            Console.error(unknown)
            Foundation.exit(ExitCode.validationFailure.rawValue)
        } else {
            var message = fullMessage(for: error)
            if let running {
                // It does not know what it is a part of.
                message = type(of: running).fullMessage(for: error)
                    .replacing(/(Usage: |See ')(?!lifestats )/) { "\($0.1)lifestats " }
            }
            if code.isSuccess {
                Console.write(Arguments.withShortUsage(message) + "\n")
            } else if !message.isEmpty {
                let command = configuration.subcommands.first { Arguments.name(of: $0) == arguments.first }
                Console.say(LifeStatsError.usage(message, of: arguments.first, help: helpMessage(for: command ?? self)))
            }
        }
        Foundation.exit(code.rawValue)
    }
}

/// What was typed after the name of the program.
enum Arguments {
    /// The arguments; a file name that is not UTF-8 keeps its bytes.
    static var typed: [String] {
        (0..<Int(CommandLine.argc)).dropFirst().compactMap { CommandLine.unsafeArgv[$0].map { FileName.text(of: $0) } }
    }

    /// The arguments, with a blank before those that begin with an SQL comment and would be taken for options: no option
    /// has blanks or line ends in its name.
    static func withComments(_ arguments: some Sequence<String>) -> [String] {
        arguments.map { argument in
            guard argument.hasPrefix("--"), let end = argument.firstIndex(where: { $0.isWhitespace || $0 == "=" }),
                argument[end] != "="
            else { return argument }
            return " " + argument
        }
    }

    /// Has a usage line that is longer than a line of a terminal leave its options to the list below.
    static func withShortUsage(_ help: String) -> String {
        help.replacing(#/(?m)^USAGE: .{74,}$/#) { usage in
            var isFirst = true
            return usage.output.replacing(#/ \[-[^\]]*\]/#) { _ in
                defer { isFirst = false }
                return isFirst ? " [<options>]" : ""
            }
        }
    }

    /// Has the way to an answer without a database lead to the answer that was asked for, if there is one.
    static func naming(command: String?, in error: LifeStatsError) -> LifeStatsError {
        let ways = [
            "check": "logs/", "diagram": "logs/", "report": "logs/", "timeline": "logs/", "query": "… --from logs/",
            "show": "… --from logs/",
        ]
        func hint(_ answer: String) -> String {
            ", name another with --db, or read logs in one step, such as `lifestats \(answer)`"
        }
        let way = command.flatMap { name in ways[name].map { hint("\(name) \($0)") } }
        // Those that take several databases have no --db for them.
        let other = ["merge", "compare"].contains(command) ? "" : " with --db"
        let what = error.what.replacing(hint("check logs/"), with: way ?? " or name another\(other)")
        return LifeStatsError(what, why: error.why, remedy: error.remedy)
    }

    /// The error for a mistyped command or subcommand, with the nearest ones; `nil` when the fault is elsewhere.
    static func unknownCommand(in arguments: [String]) -> LifeStatsError? {
        var command: any ParsableCommand.Type = LifeStatsCommand.self
        var path = "lifestats"
        for argument in arguments.drop(while: { $0 == "help" }) {
            let known = command.configuration.subcommands
            guard !known.isEmpty, !argument.hasPrefix("-") else { return nil }
            guard let next = known.first(where: { name(of: $0) == argument }) else {
                return .unknownCommand(argument, among: known.map(name), help: "\(path) --help")
            }
            command = next
            path += " \(argument)"
        }
        return nil
    }

    static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? "\(command)".lowercased()
    }
}

/// Standard streams and signals at the start of the process.
enum Streams {
    /// Turns failed writes into errors instead of signals that end the process: of a reader that is gone
    /// (`lifestats query … | head`), and of a file that may not grow further (`ulimit -f`).
    static func ignoreFailureSignals() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// At a prompt, Ctrl-C is for the line or the query. One that comes too late must not end the program.
    static func ignoreInterruption() { signal(SIGINT, SIG_IGN) }

    /// Where standard input, output or error is closed, the next opened file would take its number and receive every
    /// message. A file that always fails takes the number instead.
    static func occupyClosed() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
            _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
