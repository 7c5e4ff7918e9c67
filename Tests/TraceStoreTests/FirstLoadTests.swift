import Foundation
import GRDB
import Testing
import TraceRecords

@testable import TraceStore

/// A database that is made at once, by pages, and one that is written by SQL.
@Suite("First load")
struct FirstLoadTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("t.db")
    }

    @Test("The journal of a process that was killed before there was a page does not undo a new database")
    func staleJournal() throws {
        // As the file format of SQLite has it: magic, no records, a nonce, a database of no pages, sectors and pages.
        var journal = Data([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])
        for number in [0, 7, 0, 512, 4096] as [UInt32] {
            withUnsafeBytes(of: number.bigEndian) { journal.append(contentsOf: $0) }
        }
        journal.append(Data(count: 512 - journal.count))
        try Data().write(to: URL(fileURLWithPath: path))
        try journal.write(to: URL(fileURLWithPath: path + "-journal"))
        try store(smallRun(), at: path)
        #expect(try Verifier.verify(path: path).problems.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: path + "-journal"))
    }

    /// What every table has, row by row.
    private func content(_ path: String) throws -> [String: [String]] {
        try DatabaseQueue(path: path).read { db in
            let tables = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
            var content: [String: [String]] = [:]
            for table in tables {
                content[table] = try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { "\($0)" }.sorted()
            }
            return content
        }
    }

    /// Long logs side by side, in blocks that come in another order than that of their numbers.
    private func fill(_ path: String, mode: TraceWriter.WriteMode) throws {
        let writer = try TraceWriter(path: path, mode: mode)
        try writer.atomically {
            for log in 1...3 as ClosedRange<Int32> {
                let record = Script.source(log, log: log, stream: "/logs/\(log)", lines: 70_000)
                try writer.write(StoredBatch(log: log, source: log, record: record))
            }
            for round in 0..<3 as Range<Int64> {
                for log in [3, 1, 2] as [Int32] {
                    try writer.write(
                        StoredBatch(
                            log: log, source: log, rows: Self.batch(log: log, block: 1 + Int64(log) + 3 * round)))
                }
            }
        }
        try writer.close()
    }

    private static func batch(log: Int32, block: Int64) -> ReplayBatch {
        var script = Script(nextStep: block << 16 + 1)
        let run = block << 16 + 1
        script.run(run, source: log, started: Script.start)
        var opener = script.step("launch", "not_running", "inactive", at: 0, instance: run)
        var states = ["inactive", "active"]
        let first = opener
        for number in 1...2_000 {
            opener = script.step(
                "to_\(states[1])", states[0], states[1], at: Double(number) * 1.5, instance: run, dwell: 1.5,
                opener: opener)
            states.swapAt(0, 1)
            if number % 3 == 0 {
                script.batch.scenarios.append(
                    ScenarioMatch(
                        run: run, scenario: "S\(number % 5)", equivalenceClass: nil, firstStep: opener - 2,
                        lastStep: opener))
            }
            if number % 7 == 0 {
                script.batch.suspensions.append(
                    Suspension(
                        id: block << 16 + Int64(number), run: run, instance: run, opener: opener - 1,
                        from: Script.at(Double(number - 1) * 1.5 + 1), until: Script.at(Double(number) * 1.5),
                        leadsTo: "active", evidence: .inferred, basis: "silence"))
            }
        }
        script.instance(
            run, run: run,
            tail: InstanceRecord.Tail(
                state: states[0], entered: nil, opener: opener, evidence: .observed, censoring: .right, atLeast: 5))
        var batch = script.take()
        var revised = batch.steps[5]
        revised.dwell = nil
        batch.revisedSteps = [revised]
        // Of two scenarios that begin with one step the later one counts.
        batch.scenarios.append(
            ScenarioMatch(run: run, scenario: "S9", equivalenceClass: "E", firstStep: first + 1, lastStep: first + 9))
        return batch
    }

    @Test("Pages and SQL give the same rows, and both are sound")
    func equal() throws {
        let other = folder.file("other.db")
        try fill(path, mode: .whole)
        try fill(other, mode: .asItArrives)
        #expect(try content(path) == content(other))
        #expect(try rows(path, "SELECT count(*) FROM raw_steps WHERE silence IS NOT NULL") == ["\(9 * 285)"])
        #expect(try rows(path, "SELECT count(*) FROM raw_steps WHERE scenario IS NOT NULL") == ["\(9 * 666)"])
        #expect(try Verifier.verify(path: path).problems == [])
        #expect(try Verifier.digest(path: path) == Verifier.digest(path: other))
        // What is loaded is compact.
        let sizes = try [path, other].map { try FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int ?? 0 }
        #expect(sizes[0] <= sizes[1])
    }

    @Test("A database that was loaded is written on")
    func writtenOn() throws {
        try fill(path, mode: .whole)
        let writer = try TraceWriter(path: path)
        #expect(writer.nextBlock == 11)
        try writer.atomically {
            try writer.deleteDerived(log: 2)
            for block in [40, 41, 42] as [Int64] {
                try writer.write(StoredBatch(log: 2, source: 2, rows: Self.batch(log: 2, block: block)))
            }
        }
        try writer.close()
        #expect(try Verifier.verify(path: path).problems == [])
        #expect(try rows(path, "SELECT count(*) FROM events") == ["18009"])
    }

    @Test("Until the end nothing is there under the name of the database")
    func invisible() throws {
        let writer = try TraceWriter(path: path)
        try writer.put(smallRun(), record: Script.source())
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(throws: StoreError.missing(path: path)) { try TraceReader(path: path) }
        writer.abort()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test("What a process that was killed has left is removed by the next one")
    func leftOver() throws {
        for name in ["t.db-loading", "t.db-loading-journal"] {
            try Data("rubbish".utf8).write(to: URL(filePath: folder.file(name)))
        }
        try store(smallRun(), at: path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["t.db"])
        #expect(try Verifier.verify(path: path).isSound)
    }

    @Test("A database through a link is loaded where the link leads")
    func link() throws {
        let other = folder.file("other.db")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
        try store(smallRun(), at: path)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == other)
        #expect(try rows(other, "SELECT count(*) FROM events") == ["5"])
    }

    @Test("A database with several names is not written")
    func hardLink() throws {
        try store(smallRun(), at: path)
        try FileManager.default.linkItem(atPath: path, toPath: folder.file("twin.db"))
        let error = #expect(throws: StoreError.self) { try TraceWriter(path: path) }
        #expect(error?.description.contains("hard links") == true)
    }

    @Test("An empty database is one as well")
    func empty() throws {
        try TraceWriter(path: path).close()
        #expect(try Verifier.verify(path: path).isSound)
        #expect(try TraceWriter(path: path).isNew)
    }
}
