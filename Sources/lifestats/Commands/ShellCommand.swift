import ArgumentParser
import LifeStatsKit

struct ShellCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shell",
        abstract: "Starts an interactive prompt.",
        discussion: """
            Each line is a question as `lifestats query` takes it: the name of a query, or SQL. `.help` says more. \
            The prompt is read-only. For the stock shell: sqlite3 -readonly lifestats.db
            """
    )

    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let shell = try Shell(database: database.path)
        if Console.outputIsTerminal { Console.say(shell.greeting) }
        while true {
            if Console.outputIsTerminal { Console.write("lifestats> ") }
            guard let line = readLine() else { break }
            guard let answer = shell.answer(line, colors: Console.colorsOutput) else { break }
            Console.write(answer.text)
            for note in answer.notes { Console.say(note) }
        }
    }
}
