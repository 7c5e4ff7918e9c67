import ArgumentParser
import Foundation
import LifeStatsKit

struct ShellCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shell",
        abstract: "Starts an interactive prompt.",
        discussion: """
            Each line is either the name of a query with optional parameters (`dwell_times app=MyApp`) or SQL (`select * \
            from runs`). Tab completes, the arrow keys recall earlier lines (kept in \
            ~/.local/state/lifestats/history), and `.help` lists the commands. The prompt is read-only. To use the stock \
            shell instead: sqlite3 -readonly lifestats.db

            Ctrl-C stops a query. If the query has not stopped two seconds later, because SQLite cannot interrupt the \
            function that it is in, the shell exits.

            In a script on standard input, an SQL statement may span several lines and ends with a semicolon. Errors are \
            reported, the remaining lines are still answered, and the exit code is 2.
            """
    )

    @OptionGroup var database: DatabaseOptions

    func run() throws {
        QueryRunner.limitMemory()
        if Prompt.isInteractive { Streams.ignoreInterruption() }
        var shell = try Shell(database: database.path)
        var history = ShellHistory(environment: ProcessInfo.processInfo.environment)
        let prompt = Prompt(history: history.lines)
        if Console.outputIsTerminal { Console.say(shell.greeting) }
        var input = ShellInput()
        var hasFailed = false
        while let line = prompt.line() {
            if Prompt.isInteractive { history.add(line) }
            for command in Prompt.isInteractive ? [line] : input.add(line) {
                guard Self.answer(command, by: &shell, &hasFailed) else { return try Self.end(hasFailed) }
            }
        }
        if let rest = input.rest() { _ = Self.answer(rest, by: &shell, &hasFailed) }
        try Self.end(hasFailed)
    }

    /// Answers one command; false when it is the last.
    private static func answer(_ command: String, by shell: inout Shell, _ hasFailed: inout Bool) -> Bool {
        var style = Shell.Style()
        style.colors = Console.colorsOutput
        style.isTerminal = Console.outputIsTerminal
        style.width = Console.terminalWidth
        style.giveUp = Console.end(with:)
        switch shell.answer(command, style: style, output: { Console.write($0) }) {
        case .answered(let notes): for note in notes { Console.say(note) }
        case .failed(let error):
            hasFailed = true
            Console.error(error)
        case .quit: return false
        }
        return true
    }

    /// At a prompt the user has seen what failed; a script needs an exit code.
    private static func end(_ hasFailed: Bool) throws {
        if hasFailed, !Prompt.isInteractive { throw ExitCode(2) }
    }
}
