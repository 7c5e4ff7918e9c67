import Foundation
import Testing

/// A kill at any moment loses nothing and counts nothing twice: the next ingest completes the first.
@Suite("Interruption")
struct InterruptionTests {
    @Test("an interrupted ingest is completed by the next one", arguments: [SIGINT, SIGTERM, SIGKILL])
    func interrupted(signal: Int32) throws {
        let program = try Program()
        #expect(try program.run("simulate", "--callbacks", "60000", "--files", "3", "-o", "logs").status == 0)
        #expect(try program.run("ingest", "logs", "--db", "whole.db").status == 0)
        let whole = try program.run("verify", "--db", "whole.db").text

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
        #expect(try program.run("verify", "--db", "cut.db").text == whole)
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
