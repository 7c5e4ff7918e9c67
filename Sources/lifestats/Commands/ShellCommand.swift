import ArgumentParser
import Foundation
import LifeStatsKit

struct ShellCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shell",
        abstract: "Starts an interactive prompt.",
        discussion: """
            Each line is the name of a query, perhaps with parameters, or SQL: `dwell_times app=MyApp`, `select * from \
            runs`. Tab completes, the arrow keys recall earlier lines (kept in ~/.local/state/lifestats/history), \
            `.help` says more. The prompt is read-only. For the stock shell: sqlite3 -readonly lifestats.db
            """
    )

    @OptionGroup var database: DatabaseOptions

    func run() throws {
        var shell = try Shell(database: database.path, giveUp: Console.end(with:))
        var history = ShellHistory(environment: ProcessInfo.processInfo.environment)
        var prompt = Prompt(history: history.lines)
        if Console.outputIsTerminal { Console.say(shell.greeting) }
        while let line = prompt.line() {
            if Prompt.isInteractive { history.add(line) }
            var style = Shell.Style()
            style.colors = Console.colorsOutput
            style.isTerminal = Console.outputIsTerminal
            style.width = Console.outputIsTerminal ? Console.width : nil
            switch shell.answer(line, style: style, output: { Console.write($0) }) {
            case .answered(let notes): for note in notes { Console.say(note) }
            case .failed(let error): Console.error(error)
            case .quit: return
            }
        }
    }
}
