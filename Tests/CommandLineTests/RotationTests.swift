import Foundation
import Testing

/// A log is the same whatever its files are called, and however it is cut into them.
@Suite("Rotations and copies of logs")
struct RotationTests {
    @Test("rotations give the same, in whatever order they are ingested")
    func rotations() throws {
        for order in [["app.log.2", "app.log.1", "app.log"], ["app.log", "app.log.2", "app.log.1"]] {
            let program = try Program()
            try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log[..<6]), to: "logs/app.log.2")
            try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log[6..<12]), to: "logs/app.log.1")
            try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log[12...]), to: "logs/app.log")
            for name in order { #expect(try program.run("ingest", "logs/\(name)").status == 0) }
            #expect(try RepeatedIngestTests.digest(program) == RepeatedIngestTests.cleanDigest())
        }
    }

    @Test("older lines of a known run are no run of their own, and what they settle is no finding any more")
    func olderRotation() throws {
        let program = try Program()
        func ingest(_ lines: String..., name: String) throws -> String {
            let text = lines.map { "2026-03-10 \($0)\n" }.joined()
            try program.write(text, to: "logs/\(name)")
            return try program.run("ingest", "logs/\(name)").errors
        }
        let newer = try ingest(
            "10:00:00.000 Tea[777:1] application:didFinishLaunchingWithOptions:",
            "10:00:00.500 Tea[777:1] applicationDidBecomeActive", "10:05:00.000 Tea[801:1] applicationDidBecomeActive",
            name: "app.log")
        #expect(newer.contains("3 events in 2 runs of Tea") && newer.contains("findings   1 warning"), "\(newer)")
        let older = try ingest(
            "09:59:59.900 Tea[777:1] application:willFinishLaunchingWithOptions:", name: "app.log.1")
        #expect(older.contains("1 event in known runs of Tea") && older.contains("findings   none"), "\(older)")
        #expect(try program.run("check").text.contains("1 warning"))
    }

    @Test(
        "a run has the device that its own lines name, also where lines that turned up later cut it in two",
        arguments: [([], "? Pad"), (["--device", "Phone"], "Pad Phone")])
    func devices(options: [String], found: String) throws {
        let program = try Program()
        try program.write("2026-03-09 18:48:20.000 Tea[7:1] applicationDidBecomeActive\n", to: "logs/app.log.2")
        try program.write(
            """
            2026-03-09 18:48:25.000 Tea[7:1] applicationWillTerminate:
            2026-03-09 18:48:27.000 Tea[7:1] application:didFinishLaunchingWithOptions:

            """, to: "logs/app.log.1")
        try program.write(
            #"{"timestamp": "2026-03-09T18:48:30Z", "device": "Pad", "process": "Tea", "pid": "7", "#
                + #""message": "applicationDidEnterBackground"}"# + "\n", to: "logs/app.log")
        for (name, options) in [("app.log", []), ("app.log.2", options), ("app.log.1", [])] {
            #expect(try program.run(["ingest", "logs/\(name)"] + options).status == 0)
        }
        let devices = "select ifnull(device, '?') as device from runs order by 1"
        let all = "select group_concat(device, ' ') from (\(devices))"
        #expect(try program.run("query", all, "--format", "csv").figure == found)
    }

    @Test("an older rotation that turns up is known by what the next one repeats of it, though its file is gone")
    func overlapOfGoneFile() throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log[6...]), to: "logs/app.log")
        #expect(try program.run("ingest", "logs").status == 0)
        try FileManager.default.removeItem(at: program.folder.url.appendingPathComponent("logs/app.log"))
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log[..<9]), to: "logs/app.log.1")
        #expect(try program.run("ingest", "logs").status == 0)
        let whole = try Program()
        try whole.write(RepeatedIngestTests.text(RepeatedIngestTests.log[..<9]), to: "logs/app.log.1")
        try whole.write(RepeatedIngestTests.text(RepeatedIngestTests.log[6...]), to: "logs/app.log")
        #expect(try whole.run("ingest", "logs").status == 0)
        #expect(try RepeatedIngestTests.digest(program) == RepeatedIngestTests.digest(whole))
        let copies = "select count(*) from events where callback = 'applicationWillEnterForeground'"
        #expect(try program.run("query", copies, "--format", "csv").text.split(whereSeparator: \.isNewline).last == "1")
    }

    @Test("files that a rotation moved are told apart one by one, the newest first")
    func rotatedOneByOne() throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log[..<3]), to: "logs/app.log.1")
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log[3..<8]), to: "logs/app.log")
        for name in ["app.log", "app.log.1"] { #expect(try program.run("ingest", "logs/\(name)").status == 0) }
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log[..<3]), to: "logs/app.log.2")
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log[3..<12]), to: "logs/app.log.1")
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log[12...]), to: "logs/app.log")
        for name in ["app.log.1", "app.log", "app.log.2"] {
            #expect(try program.run("ingest", "logs/\(name)").status == 0)
        }
        #expect(try RepeatedIngestTests.digest(program) == RepeatedIngestTests.cleanDigest())
    }

    @Test("a file that is rotated between two ingests is not read twice")
    func rotatedBetween() throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log[..<8]), to: "logs/app.log")
        try program.run("ingest", "logs")
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log[..<10]), to: "logs/app.log.1")
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log[10...]), to: "logs/app.log")
        #expect(try program.run("ingest", "logs").status == 0)
        #expect(try RepeatedIngestTests.digest(program) == RepeatedIngestTests.cleanDigest())
    }

    @Test("rotations that begin with the same lines are told apart", arguments: [1, 2])
    func rotationsAlike(count: Int) throws {
        // The first file is the beginning of the second.
        let lines = RepeatedIngestTests.log[..<count] + RepeatedIngestTests.log[..<12]
        let first = RepeatedIngestTests.text(lines[..<count])
        let second = RepeatedIngestTests.text(lines[count...])
        let whole = try Program()
        try whole.write(RepeatedIngestTests.text(lines + RepeatedIngestTests.log[12...]), to: "logs/app.log")
        try whole.run("ingest", "logs")
        let program = try Program()
        try program.write(first, to: "logs/app.log.1")
        try program.write(String(second.dropLast(40)), to: "logs/app.log")
        try program.run("ingest", "logs")
        try program.write(first, to: "logs/app.log.2")
        try program.write(second, to: "logs/app.log.1")
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log[12...]), to: "logs/app.log")
        #expect(try program.run("ingest", "logs").status == 0)
        #expect(try RepeatedIngestTests.digest(program) == RepeatedIngestTests.digest(whole))
        let sources = try program.run("query", "select count(*) from sources", "--format", "csv")
        // The oldest file is the beginning of the next one.
        #expect(sources.figure == "2")
    }

    @Test("a copy under another name is recognised and skipped with a notice")
    func copy() throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "logs/app.log")
        try program.run("ingest", "logs")
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "logs/copy of app.log")
        let second = try program.run("ingest", "logs")
        #expect(second.errors.contains("copy of app.log"))
        #expect(try RepeatedIngestTests.digest(program) == RepeatedIngestTests.cleanDigest())
    }

    @Test("a copy of a log is one also where the log has grown since it was read")
    func copyOfGrown() throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log[..<9]), to: "logs/app.log")
        try program.run("ingest", "logs")
        for name in ["logs/app.log", "logs/app.log.1", "logs/a copy.log"] {
            try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: name)
        }
        let second = try program.run("ingest", "logs")
        #expect(second.errors.contains("a copy.log"), "\(second.errors)")
        #expect(try RepeatedIngestTests.digest(program) == RepeatedIngestTests.cleanDigest())
    }

    @Test(
        "a log that held no entry when it was read takes up what its rotation left, also where that is read later",
        arguments: [
            // The rotation tells the date, or the year.
            ("", "2026-03-09 18:48:26.000 Tea[5:1]", "18:48:27.000 Tea[5:1] "),
            ("Filtering the log data using \"x\"\n\n", "2026-03-09 18:48:26.000 Tea[5:1]", "18:48:27.000 Tea[5:1] "),
            ("", "Dec 31 23:59:50 Phone Tea[5] <Notice>:", "Jan  1 00:00:10 Phone Tea[5] <Notice>: "),
        ])
    func nothingYet(header: String, before: String, after: String) throws {
        let (program, clean) = (try Program(), try Program())
        try program.write(header, to: "logs/app.log")
        try program.run("ingest", "logs")
        for place in [program, clean] {
            try place.write("\(before) applicationDidBecomeActive\n", to: "logs/app.log.1")
            try place.write("\(header)\(after)applicationDidEnterBackground\n", to: "logs/app.log")
            #expect(try place.run("ingest", "logs").status == 0)
        }
        #expect(try RepeatedIngestTests.digest(program) == RepeatedIngestTests.digest(clean))
    }
}
