import Foundation
import Testing

@Suite("The prompt")
struct ShellTests {
    private static let log = """
        2024-03-09 10:00:00.000 Demo[7:1] application:didFinishLaunchingWithOptions:
        2024-03-09 10:00:01.000 Demo[7:1] applicationDidBecomeActive:
        2024-03-09 10:00:05.000 Demo[7:1] applicationWillResignActive:
        2024-03-09 10:00:06.000 Demo[7:1] applicationDidEnterBackground:

        """

    /// What the program prints when the prompt is ready for keys, with bracketed paste on.
    private static let prompt = "\u{1B}[?2004hlifestats> "

    private func program() throws -> Program {
        let program = try Program()
        try program.write(Self.log, to: "app.log")
        #expect(try program.run("ingest", "app.log").status == 0)
        return program
    }

    @Test("at a terminal: completion, history, a dropped line, an interrupted query, the end")
    func terminal() throws {
        let program = try program()
        let terminal = try PseudoTerminal(program, ["shell"])
        #expect(terminal.shows(Self.prompt).contains("read-only"))
        terminal.type("SEL\tstate from visits where sta\t= 'act\u{7F}\u{7F}\u{7F}inactive'\r")
        terminal.shows("─\r\n")
        #expect(terminal.shows(Self.prompt).contains("inactive\r\ninactive\r\n"))
        terminal.type("nonsense\u{03}")
        terminal.shows("^C")
        terminal.type("\u{1B}[A")
        #expect(terminal.shows("'inactive'").contains("select state from visits where state = 'inactive'"))
        terminal.type("\u{01}\u{1B}f\u{0B} count(*) n from events\r")
        #expect(terminal.shows(Self.prompt).contains("─\r\n4\r\n"))
        // Several possible words are listed.
        terminal.type(".raw o\t")
        terminal.shows("off  on")
        // An open bracket continues on the next line, and so does pasted text.
        terminal.type("\u{15}select (40\r+ 2) as n\r")
        #expect(terminal.shows(Self.prompt).contains("──\r\n42\r\n"))
        terminal.type("\u{1B}[200~select 1 as a,\r\n\t'時計' as b\u{07}\u{1B}[201~\r")
        #expect(terminal.shows(Self.prompt).contains("1  時計\r\n"))
        // The last line that contains what was typed.
        terminal.type("\u{12}count\r")
        #expect(terminal.shows(Self.prompt).contains("─\r\n4\r\n"))
        terminal.type("with recursive n(i) as (select 1 union all select i + 1 from n) select i from n\r")
        terminal.shows("\r\n1000\r\n")
        kill(terminal.process.processIdentifier, SIGINT)
        terminal.shows("The query was stopped")
        terminal.shows(Self.prompt)
        terminal.type("\u{04}")
        terminal.ends()
        #expect(terminal.process.terminationStatus == 0)

        // The next shell knows the lines of this one.
        let next = try PseudoTerminal(program, ["shell"])
        next.shows(Self.prompt)
        next.type("count\u{1B}[A\r")
        #expect(next.shows(Self.prompt).contains("─\r\n4\r\n"))
        next.type(".quit\r")
        next.ends()
        #expect(next.process.terminationStatus == 0)
    }

    @Test("from a pipe, a mistyped query does not swallow the lines after it")
    func mistyped() throws {
        let program = try program()
        let script = "dwel_times\nshow run:1 --raw\nselect count(*) as n\n from events;\nend_reasons app=Demo\n"
        let outcome = try program.run(["shell"], input: script)
        #expect(outcome.status != 0 && outcome.errors.contains("did you mean dwell_times?"))
        #expect(outcome.text.contains("n\n─\n4\n") && outcome.text.contains("log_end"), "\(outcome.text)")
    }

    @Test("on a pipe: results on standard output, errors on standard error, no prompt")
    func pipe() throws {
        let input = """
            dwell_times layer=app state=x
            dwell_times layer
            .format csv
            dwell_times layer=app;
            .raw perhaps
            .nothing
            .output answers.txt
            -- a statement ends with a semicolon, not with; a line
            select 'a;
            b' as x /* not; here */
              where 1; select
            'c' as y; delete from raw_steps;
            .format csv
            select 1 as last
            """
        let done = try program().run("shell", input: input)
        #expect(done.status == 2)
        let lines = done.text.split(separator: "\n").map(String.init)
        #expect(lines.count == 11)
        #expect(lines.first?.hasPrefix("layer,state,visits,complete") == true)
        // Active for four seconds between two seconds inactive, of which the first may have begun before the log, and an
        // open end in background.
        #expect(lines.contains { $0.hasPrefix("app,active,1,1,0,4") })
        #expect(lines.contains { $0.hasPrefix("app,inactive,2,1,1,1") })
        #expect(lines.suffix(6) == ["\"a;", "b\"", "y", "c", "last", "1"])
        #expect(try program().run("shell", input: "select 1;\n.quit\nnonsense\n").status == 0)
        let errors = [
            "no such parameter", "written as name=value", "on or off", "no command .nothing", "DELETE",
            "no command .output: answers go to standard output",
        ]
        for text in errors {
            #expect(done.errors.contains(text), "\(done.errors)")
        }
        let shown = try program().run("shell", input: "show run:65537\n.raw on\nshow run:99\nselect 7 as n\n")
        #expect(shown.text.hasPrefix("Run 65537: ") && shown.text.hasSuffix("─\n7\n"), "\(shown.text)")
        #expect(shown.errors.contains("there is no run 99"), "\(shown.errors)")
        let columns = try program().run("shell", input: "show run:65537 --raw\n").text
        #expect(columns.hasPrefix("run 65537\n  run_id  ") && columns.contains("end_reason"), "\(columns)")
        let other = try program()
        _ = try other.run("ingest", "app.log", "--db", "other.db")
        let hints = try other.run(["shell", "--db", "other.db"], input: "show run:65537\n").text
        #expect(hints.contains("`lifestats show run:65537 --raw --db other.db`"), "\(hints)")
    }

    @Test("SQL that begins with a comment is not an option, and blanks around a name are ignored")
    func comments() throws {
        let program = try program()
        let sql = "-- how many\nselect count(*) as n from runs"
        #expect(try program.run("query", sql, "--format", "csv").text == "n\n1\n")
        #expect(try program.run("query", "--format", "csv", " dwell_times ").text.hasPrefix("layer,"))
        #expect(try program.run("query", "--nothing").status == 64)
    }

    @Test("help names every command and function")
    func help() throws {
        let program = try program()
        let query = try program.run("query", "--help").text
        for function in ["percentile(x, p)", "median(x)", "regexp(pattern,", "duration(ns)"] {
            #expect(query.contains(function))
        }
        let text = try program.run("shell", input: ".help\n").text
        for word in [".queries", ".show", ".views", ".format", ".raw", ".quit", "Tab", "percentile(x, p)", "regexp"] {
            #expect(text.contains(word))
        }
    }

    @Test("tables are fitted to the terminal, and complete on a pipe")
    func fits() throws {
        let program = try program()
        let rule = try PseudoTerminal(program, ["check", "--explain", "clock-regression"]).ends()
        // An address is never broken.
        let lines = rule.split(separator: "\r\n").filter { !$0.contains("developer.apple.com") }
        #expect(rule.contains("Nothing is reordered") && lines.allSatisfy { $0.count <= 100 })
        let long = String(repeating: "時計", count: 100)
        let sql = "select '\(long)' as name, 12345678 as n, char(27) || '[2J' as code"
        #expect(try program.run("query", sql).text.contains(long))
        // A file may end up on a terminal, too; JSON has the exact text.
        #expect(try program.run("query", sql, "--format", "csv").text.contains("␛[2J"))
        #expect(try program.run("query", sql, "--format", "json").text.contains(#"\u001b[2J"#))
        for format in ["table", "csv"] {
            let terminal = try PseudoTerminal(program, ["query", sql, "--format", format])
            let shown = terminal.ends()
            #expect(!shown.contains("\u{1B}[2J"))
            #expect(shown.contains(long) == (format == "csv"))
        }
    }
}
