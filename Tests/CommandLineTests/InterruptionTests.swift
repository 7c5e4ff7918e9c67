import Foundation
import Testing

/// A kill at any moment loses nothing and counts nothing twice: the next ingest completes the first.
@Suite("Interruption")
struct InterruptionTests {
    private static let simulation = ["simulate", "--callbacks", "6000", "--files", "3", "-o", "logs"]

    /// The digest of an ingest of the simulation that nothing interrupted.
    private static let whole = Result {
        let program = try Program()
        #expect(try program.run(simulation).status == 0)
        #expect(try program.run("ingest", "logs").status == 0)
        return try program.run("verify").text
    }

    @Test("an interrupted ingest is completed by the next one", arguments: [SIGHUP, SIGINT, SIGTERM, SIGKILL])
    func interrupted(signal: Int32) throws {
        let program = try Program()
        #expect(try program.run(Self.simulation).status == 0)
        let process = Process()
        process.executableURL = Program.executable
        process.arguments = ["ingest", "logs", "--db", "cut.db"]
        process.currentDirectoryURL = program.folder.url
        process.standardError = FileHandle.nullDevice
        try process.run()
        // As soon as there is a database the reading is under way.
        let database = program.folder.url.appendingPathComponent("cut.db").path
        while process.isRunning, !FileManager.default.fileExists(atPath: database) { sched_yield() }
        kill(process.processIdentifier, signal)
        process.waitUntilExit()

        #expect(try program.run("ingest", "logs", "--db", "cut.db").status == 0)
        #expect(try program.run("verify", "--db", "cut.db").text == Self.whole.get())
    }

    @Test("a signal is not lost, however early it comes")
    func early() throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "logs/app.log")
        // A process that follows ends on a signal only; one that missed it is killed in the end.
        let outcome = try program.shell(
            """
            for number in $(seq 25); do
                timeout -s KILL 60 $LIFESTATS ingest logs --follow --db $number.db >/dev/null 2>&1 & A=$!
                until [ -e $number.db-wal ] || ! kill -0 $A; do :; done
                kill -TERM $A; wait $A; echo $?
            done
            """)
        let statuses = Set(outcome.text.split(separator: "\n").map(String.init))
        // 143: it came before anything was to be finished.
        #expect(statuses.isSubset(of: ["0", "143"]), "\(outcome.text)")
    }

    @Test("an interrupted export leaves no part of a file", arguments: ["TERM", "HUP"])
    func export(signal: String) throws {
        let outcome = try Program().shell(
            """
            $LIFESTATS simulate -o logs --callbacks 20000 2>/dev/null && $LIFESTATS ingest logs 2>/dev/null
            for target in "xes -o x" "csv x"; do
                $LIFESTATS export $target 2>/dev/null & A=$!
                until [ -e .x.$A ] || ! kill -0 $A; do :; done
                kill -\(signal) $A; wait $A; echo $?; ls -A | grep '^\\.x'
            done
            """)
        // 0: it had ended before.
        let statuses = Set(outcome.text.split(separator: "\n").map(String.init))
        #expect(statuses.isSubset(of: ["0", "130"]) && !statuses.isEmpty, "\(outcome.text)")
    }

    @Test("a command that nohup started goes on when its terminal is gone")
    func hangup() throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "logs/app.log")
        let outcome = try program.shell(
            """
            mkfifo pipe
            (cat logs/app.log; until [ -e sent ]; do :; done) > pipe &
            trap '' HUP; $LIFESTATS ingest - < pipe > summary 2>&1 & A=$!
            until [ -e lifestats.db ] || ! kill -0 $A; do :; done
            kill -HUP $A; : > sent; wait $A; echo $?
            $LIFESTATS query 'select sum(events) from sources' --format csv
            """)
        #expect(outcome.text.hasPrefix("0\n") && outcome.text.contains("\n17"), "\(outcome.text)\(outcome.errors)")
    }

    @Test("what a pipe says is in the database")
    func pipe() throws {
        let program = try Program()
        let log = RepeatedIngestTests.text(RepeatedIngestTests.log)
        let ingest = try program.run("ingest", "-", input: log)
        #expect(ingest.status == 0, "\(ingest.errors)")
        let events = try program.run("query", "select sum(events) from sources", "--format", "csv")
        #expect(events.text.contains("17"))
    }
}
