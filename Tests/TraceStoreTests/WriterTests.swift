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

    @Test("Files that are no database of ours are refused and left as they are")
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
            let writer = try TraceWriter(path: path) { _ in say.yield() }
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
        var kinds = KindNumbers()
        var nothing = ReplayBatch()
        nothing.forgottenRuns = [1]
        try writer.write(nothing, kinds: &kinds)
        let after = try TraceReader(path: path)
        #expect(try steps(after) == 0)
        #expect(try steps(before) ?? 0 > 0)
        try writer.close()
        #expect(try steps(before) ?? 0 > 0)
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

    @Test("What is written again takes the place of what was; what is forgotten leaves nothing")
    func replaceAndForget() throws {
        try store(smallRun(), at: path)
        let once = try Verifier.digest(path: path)
        let writer = try TraceWriter(path: path)
        var kinds = KindNumbers()
        var again = smallRun()
        again.forgottenRuns = [1]
        try writer.write(again, kinds: &kinds)
        #expect(try Verifier.verify(path: path).problems == [])
        #expect(try Verifier.digest(path: path) == once)

        var nothing = ReplayBatch()
        nothing.forgottenRuns = [1]
        try writer.write(nothing, kinds: &kinds)
        #expect(try rows(path, "SELECT count(*) FROM raw_steps") == ["0"])
        #expect(try rows(path, "SELECT count(*) FROM instances") == ["0"])
        #expect(try rows(path, "SELECT events FROM sources") == ["0"])
        try writer.forget(sources: [1])
        #expect(try writer.sources() == [])
        try writer.close()
    }

    @Test("Facts come back in the order of the log, folded lines included, derived rows left out")
    func facts() throws {
        var script = Script()
        script.run(1)
        script.step("didFinishLaunching", "not_running", "inactive", at: 0, line: 3)
        script.step("didFinishLaunching", "not_running", "inactive", at: 0.05, line: 4, role: .folded)
        script.step("derived", "inactive", "active", at: 1, line: 4, stay: 1, opener: 1, role: .derived)
        script.step("didBecomeActive", "active", "active", at: 2, line: 9)
        script.instance(1, run: 1)
        script.batch.life = [
            LifeRecord(
                run: 1, source: 1, from: Script.start, until: Script.start + 5, firstLine: 5, lastLine: 7)
        ]
        script.batch.messages = [(step: 4, text: "became active")]
        let writer = try TraceWriter(path: path)
        var kinds = KindNumbers()
        try writer.write(script.take(), kinds: &kinds, sources: [Script.source()])
        var seen: [String] = []
        try writer.facts(ofRuns: [1]) { fact in
            switch fact.content {
            case .event(let step, let instance, let kind, _, let message):
                seen.append("\(fact.line) \(step) \(instance.printedLabel) \(kind.role) \(message ?? "-")")
            case .life(let life): seen.append("\(fact.line) life from \(life.firstLine)")
            }
        }
        #expect(
            seen == [
                "3 1 app event -", "4 2 app folded -", "7 life from 5", "9 4 app event became active",
            ])
        #expect(try writer.runs(inStream: "/logs/app", last: 1).map(\.id) == [1])
        #expect(try writer.runs(inStream: "/logs/app", last: 0) == [])
        #expect(try writer.runs(inStream: "/logs/other", last: 9) == [])
        #expect(writer.freeIDs == TraceWriter.FreeIDs(step: 5, run: 2, instance: 2, source: 2))
        try writer.close()
    }

    @Test("Sources come back as they were registered, with the progress last written")
    func sources() throws {
        var source = Script.source()
        source.resume = #"{"year":2026}"#
        source.position.byteOffset = 4_000
        source.position.firstTime = 5
        try store(smallRun(), at: path, sources: [source])
        source.position.byteOffset = 9_000
        source.position.counts.lines = 200
        source.position.counts.entry = 200
        let writer = try TraceWriter(path: path)
        var kinds = KindNumbers()
        try writer.write(
            ReplayBatch(), kinds: &kinds, sources: [source],
            dailyTotals: [
                1: [
                    DailyTotal(
                        line: 1, appVersion: "1.2", from: Script.start, until: nil, metric: "cumulativeForegroundTime",
                        value: 12.5, unit: "s")
                ]
            ])
        #expect(try writer.sources() == [source])
        try writer.close()
        #expect(
            try rows(path, "SELECT day, metric, value FROM daily_totals") == [
                "2026-03-01|cumulativeForegroundTime|12.5"
            ])
        #expect(try rows(path, "SELECT events FROM sources") == ["5"])
    }

    @Test("A failed batch changes nothing, and the writer goes on")
    func failedBatch() throws {
        let writer = try TraceWriter(path: path)
        var kinds = KindNumbers()
        try writer.write(smallRun(), kinds: &kinds, sources: [Script.source()])
        let before = try Verifier.digest(path: path)
        // The steps' ids are taken.
        #expect(throws: StoreError.self) { try writer.write(smallRun(), kinds: &kinds) }
        #expect(try Verifier.digest(path: path) == before)
        var nothing = ReplayBatch()
        nothing.forgottenRuns = [1]
        try writer.write(nothing, kinds: &kinds)
        try writer.close()
    }
}
