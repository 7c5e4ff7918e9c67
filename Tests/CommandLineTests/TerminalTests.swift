import Foundation
import Testing

/// Names come from logs and archives, and may contain escape sequences.
@Suite("Hostile names on a terminal")
struct TerminalTests {
    /// Clears the screen, sets the clipboard, turns text red, rings, moves back, with C0 and C1 codes, and reverses text.
    private static let hostile = "\u{1B}[2J\u{1B}]52;c;QQ==\u{07}\u{1B}[31m\u{08}\u{9B}2J\u{202E}"

    /// A database full of them: names of files, members, processes, devices, versions, controllers, reasons.
    private func program() throws -> Program {
        let program = try Program()
        let lines = """
            2024-03-09 10:00:00.000 De\(Self.hostile)mo[7:1] application:didFinishLaunchingWithOptions:
            2024-03-09 10:00:00.500 De\(Self.hostile)mo[7:1] <My\(Self.hostile)Controller: 0x1> viewDidAppear:
            2024-03-09 10:00:01.000 De\(Self.hostile)mo[7:1] applicationDidBecomeActive:
            2024-03-09 10:00:02.000 De\(Self.hostile)mo[7:1] applicationDidEnterBackground: \(Self.hostile)
            2024-03-09 10:00:01.000 De\(Self.hostile)mo[7:1] applicationDidBecomeActive: \(Self.hostile)
            2024-03-09 10:00:03.000 Plain[9:1] application:didFinishLaunchingWithOptions:
            2024-03-09 10:00:04.000 Plain[9:1] applicationDidEnterBackground:

            """
        try program.write(lines, to: "lo\(Self.hostile)gs/a\(Self.hostile).log")
        try program.write(lines.replacingOccurrences(of: "[7:", with: "[8:"), to: "me\(Self.hostile)mber.log")
        try program.write(lines, to: "truth.log")
        let packed = try program.shell("tar czf packed.tgz me*.log && rm me*.log")
        #expect(packed.status == 0, "\(packed.errors)")
        let outcome = try program.run([
            "ingest", "lo\(Self.hostile)gs", "packed.tgz", "--device", "iPh\(Self.hostile)one", "--app-version",
            "1\(Self.hostile)", "--keep-messages",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        requireHarmless(outcome.errors, "ingest")
        return program
    }

    private func requireHarmless(_ shown: String, _ command: String) {
        // A progress line replaces the one before.
        let bad = shown.replacingOccurrences(of: "\r\u{1B}[K", with: "").unicodeScalars.filter {
            ($0.value < 0x20 && $0 != "\n" && $0 != "\r") || (0x7F..<0xA0).contains($0.value) || $0.value == 0x202E
        }
        #expect(bad.isEmpty, "\(command): \(shown.debugDescription.prefix(2_000))")
    }

    /// The smallest id of a kind of record, as `show` takes it.
    private func id(_ kind: String, _ program: Program) throws -> String {
        let rows = try program.run("query", "select min(\(kind)_id) from \(kind)s", "--format", "ndjson").text
        return "\(kind):\(rows.filter(\.isNumber))"
    }

    @Test("no command prints control characters of names")
    func everyCommand() throws {
        let program = try program()
        let name = "x\(Self.hostile)"
        let path = "lo\(Self.hostile)gs/a\(Self.hostile).log"
        let commands: [[String]] = [
            ["query", "run_summary"], ["query", "select * from events"],
            ["query", "select * from events", "--format", "csv"], ["query", "select * from runs", "--format", "json"],
            ["query", "select * from sources", "--format", "markdown"],
            ["query", "select * from findings", "--format", "ndjson"], ["query", name], ["query", "select '\(name)"],
            ["query", "--show", name], ["query", "dwell_times", "--param", "app=\(name)"],
            ["query", "--file", name], ["diagram", "-o", "-"], ["diagram"], ["diagram", "--format", "dot"],
            ["diagram", "--layer", name, "-o", "-"],
            ["diagram", "-o", "\(name).gif"], ["timeline"], ["timeline", "--layer", name], ["report", "-o", "-"],
            ["report"],
            ["report", "-o", "\(name).html"], ["check", "--all"], ["check", "--format", "github"],
            ["check", "--format", "junit"], ["check", "--format", "sarif"], ["check", "--format", "json"],
            ["check", "--format", "markdown"], ["check", "--app", name], ["check", "--explain", name],
            ["show", try id("run", program)], ["show", try id("event", program)],
            ["show", try id("finding", program)], ["show", try id("visit", program)], ["show", name],
            ["model", "show", name], ["model", "validate", path], ["model", "coverage"],
            ["model", name], ["formats", "explain", path], ["formats", "explain", "packed.tgz"],
            ["formats", "test", path, path], ["schema", name], ["replay"], ["replay", "--model", path],
            ["export", "xes"], ["export", "perfetto"], ["export", "datasette"], ["export", name], ["verify"],
            ["verify", "--db", name], ["verify", "--db", path], ["simulate", "-o", name, "--callbacks", "100"],
            ["simulate", "-o", "s", "--callbacks", "100", "--truth", path], ["ingest", path], ["ingest", name],
            ["ingest", path, "--device", "other"], ["forget", name], ["forget", path], [name], ["--\(name)"],
            ["query", "--\(name)"],
        ]
        for command in commands {
            let shown = try PseudoTerminal(program, command).ends()
            #expect(!shown.isEmpty, "\(command)")
            requireHarmless(shown, command.joined(separator: " "))
        }
        let shell = try program.run("shell", input: "select '\(name)' as x;\n.show \(name)\n\(name)\n")
        requireHarmless(shell.errors, "shell")
    }

    @Test("text output is harmless on a pipe, too")
    func onAPipe() throws {
        let program = try program()
        for command in [
            ["show", try id("run", program)], ["show", try id("event", program)],
            ["show", try id("finding", program)], ["check", "--all"], ["timeline"],
            ["query", "run_summary"], ["formats", "explain", "packed.tgz"],
        ] {
            let outcome = try program.run(command)
            requireHarmless(outcome.text + outcome.errors, command.joined(separator: " "))
            #expect(outcome.text.contains("De") || outcome.text.contains("me"), "\(command)")
        }
    }
}
