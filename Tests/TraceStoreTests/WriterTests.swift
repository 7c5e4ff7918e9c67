import Foundation
import GRDB
import Testing
import TraceRecords

@testable import TraceStore

@Suite("Writing")
struct WriterTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("t.db")
    }

    @Test("At rest the database is one file, and opens from a read-only folder")
    func oneFile() throws {
        try store(smallRun(), at: path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["t.db"])
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path) }
        #expect(try rows(path, "SELECT count(*) FROM visits") == ["4"])
    }

    @Test("Files that are not a database of ours are refused and left as they are")
    func foreign() throws {
        let text = folder.file("notes.txt")
        try Data(repeating: 65, count: 500).write(to: URL(filePath: text))
        #expect(throws: StoreError.self) { try TraceWriter(path: text) }
        #expect(throws: StoreError.self) { try TraceReader(path: text) }
        #expect(try Data(contentsOf: URL(filePath: text)) == Data(repeating: 65, count: 500))

        let other = folder.file("other.db")
        let made = Process()
        made.executableURL = URL(filePath: "/usr/bin/env")
        made.arguments = ["sqlite3", other, "CREATE TABLE t (x)"]
        try made.run()
        made.waitUntilExit()
        let before = try Data(contentsOf: URL(filePath: other))
        #expect(throws: StoreError.foreign(path: other)) { try TraceWriter(path: other) }
        #expect(throws: StoreError.foreign(path: other)) { try TraceReader(path: other) }
        #expect(try Data(contentsOf: URL(filePath: other)) == before)

        #expect(throws: StoreError.missing(path: path)) { try TraceReader(path: path) }
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == ["notes.txt", "other.db"])
    }

    @Test("A second writer waits, says so, and then goes on")
    func secondWriter() async throws {
        let first = try TraceWriter(path: path)
        let (said, say) = AsyncStream<Void>.makeStream()
        let path = path
        let second = Task.detached {
            let writer = try TraceWriter(path: path, callbacks: []) { _ in say.yield() }
            try writer.close()
        }
        for await _ in said { break }
        try first.close()
        try await second.value
    }

    @Test("A reader sees the database as it was when it opened it, whatever is written meanwhile")
    func snapshot() throws {
        try store(smallRun(), at: path)
        func steps(_ reader: TraceReader) throws -> Int64? {
            var count: Int64?
            try reader.query("SELECT count(*) FROM raw_steps") { count = $0.integer(0) }
            return count
        }
        let writer = try TraceWriter(path: path)
        let before = try TraceReader(path: path)
        try writer.deleteDerived(log: 1)
        let after = try TraceReader(path: path)
        #expect(try steps(after) == 0)
        #expect(try steps(before) ?? 0 > 0)
        try writer.close()
        #expect(try steps(before) ?? 0 > 0)
    }

    @Test("Two readers of a pair see the same state, whatever is written meanwhile")
    func pair() throws {
        try store(smallRun(), at: path)
        func steps(_ reader: TraceReader?) throws -> Int64? {
            var count: Int64?
            try reader?.query("SELECT count(*) FROM raw_steps") { count = $0.integer(0) }
            return count
        }
        let writer = try TraceWriter(path: path)
        let (first, second) = try TraceReader.pair(path: path)
        try writer.deleteDerived(log: 1)
        try writer.close()
        #expect(try steps(first) ?? 0 > 0)
        #expect(try steps(first) == steps(second))
        #expect(throws: StoreError.self) { try second?.query("COMMIT") { _ in } }
    }

    @Test("A database that was stopped before it had a table is empty, and can be filled")
    func unborn() throws {
        try DatabaseQueue(path: path).write {
            try $0.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
        }
        #expect(throws: StoreError.empty(path: path)) { try TraceReader(path: path) }
        try store(smallRun(), at: path)
        #expect(try Verifier.verify(path: path).problems.isEmpty)
    }

    @Test("What is derived again equals what was; what is removed leaves nothing")
    func deriveAgainAndRemove() throws {
        try store(smallRun(), at: path)
        let once = try Verifier.digest(path: path)
        let writer = try TraceWriter(path: path)
        let removed = try writer.deleteDerived(log: 1)
        #expect(removed.runs == 1 && removed.events == 5)
        #expect(writer.nextBlock == 1)
        try writer.put(smallRun())
        #expect(try Verifier.verify(path: path).problems == [])
        #expect(try Verifier.digest(path: path) == once)

        try writer.deleteDerived(log: 1)
        #expect(try rows(path, "SELECT count(*) FROM raw_steps") == ["0"])
        #expect(try rows(path, "SELECT count(*) FROM instances") == ["0"])
        #expect(try rows(path, "SELECT events FROM sources") == ["0"])
        try writer.remove(sources: [1])
        #expect(try writer.sources() == [])
        #expect(try writer.logs() == [])
        try writer.close()
        #expect(try Verifier.verify(path: path).isSound)
    }

    @Test("Sources come back as they were registered, with the progress last written")
    func sources() throws {
        var source = Script.source()
        source.resume = #"{"year":2026}"#
        source.position.byteOffset = 4_000
        source.position.firstTime = 5
        try store(smallRun(), at: path, record: source)
        source.position.byteOffset = 9_000
        source.position.counts.lines = 200
        source.position.counts.entry = 200
        let writer = try TraceWriter(path: path)
        try writer.write(
            StoredBatch(
                log: 1, source: 1, record: source,
                dailyTotals: [
                    DailyTotal(
                        line: 1, appVersion: "1.2", from: Script.start, until: nil, metric: "cumulativeForegroundTime",
                        value: 12.5, unit: "s")
                ]))
        #expect(try writer.sources() == [source])
        #expect(try writer.logs() == [LogRecord(id: 1, stream: "/logs/app", factCount: 0, hasState: false)])
        #expect((writer.nextLog, writer.nextSource, writer.isNew) == (2, 2, false))
        source.path = "/moved/app.log"
        source.stream = "/moved/app"
        try writer.update(sources: [source])
        #expect(try writer.sources() == [source])
        try writer.close()
        #expect(
            try rows(path, "SELECT day, metric, value FROM daily_totals") == [
                "2026-03-01|cumulativeForegroundTime|12.5"
            ])
        #expect(try rows(path, "SELECT events, stream FROM sources") == ["5|/moved/app"])
    }

    @Test("A failed batch changes nothing, and the writer goes on")
    func failedBatch() throws {
        let writer = try TraceWriter(path: path, mode: .asItArrives)
        try writer.put(smallRun(), record: Script.source())
        let before = try Verifier.digest(path: path)
        // The ids of the steps are taken, and so is the kind of the next batch not stored.
        var script = Script()
        script.step("viewDidLoad", nil, "loaded", at: 3)
        #expect(throws: StoreError.self) { try writer.put(script.take()) }
        #expect(try Verifier.digest(path: path) == before)
        #expect(try rows(path, "SELECT count(*) FROM step_kinds WHERE callback = 'viewDidLoad'") == ["0"])
        var next = Script(nextStep: 1 << 16 + 1)
        next.step("viewDidLoad", nil, "loaded", at: 3)
        try writer.deleteDerived(log: 1)
        var rows = smallRun()
        rows.blocks = [1]
        try writer.put(rows)
        try writer.close()
    }

    @Test("Nothing of a transaction that fails is stored")
    func atomic() throws {
        struct Stop: Error {}
        try store(smallRun(), at: path)
        let before = try Verifier.digest(path: path)
        let writer = try TraceWriter(path: path)
        #expect(throws: Stop.self) {
            try writer.atomically {
                try writer.deleteDerived(log: 1)
                try writer.set("grace", to: "7")
                throw Stop()
            }
        }
        #expect(try writer.setting("grace") == nil)
        try writer.put(ReplayBatch())
        try writer.close()
        #expect(try Verifier.digest(path: path) == before)
        #expect(try Verifier.verify(path: path).isSound)
    }
}
