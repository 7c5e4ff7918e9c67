import Foundation
import GRDB
import Testing
import TraceRecords

@testable import TraceStore

/// What becomes of databases that another version of the program wrote.
@Suite("Other versions of the schema")
struct MigrationTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("t.db")
    }

    private func execute(_ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    private var content: Data { get throws { try Data(contentsOf: URL(fileURLWithPath: path)) } }

    @Test("A database of a later version is refused by readers and writers, and left as it is")
    func newer() throws {
        try store(smallRun(), at: path)
        let digest = try Verifier.verify(path: path).digest
        try execute("PRAGMA user_version = \(Schema.version + 1)")
        let before = try content
        let refusal = StoreError.tooNew(path: path, version: Schema.version + 1)
        #expect(throws: refusal) { try TraceReader(path: path) }
        #expect(throws: refusal) { try TraceWriter(path: path) }
        #expect(throws: refusal) { try Verifier.verify(path: path) }
        #expect(refusal.description.contains("a later version of lifestats wrote this database"))
        #expect(refusal.description.contains("Update lifestats"))
        #expect(try content == before)
        // It is the version alone that was in the way.
        try execute("PRAGMA user_version = \(Schema.version)")
        #expect(try Verifier.verify(path: path).digest == digest)
    }

    @Test("A database with tables and without a version is damaged, for readers and writers, and left as it is")
    func withoutVersion() throws {
        try store(smallRun(), at: path)
        try execute("PRAGMA user_version = 0")
        let before = try content
        let refusal = StoreError.withoutVersion(path)
        #expect(throws: refusal) { try TraceReader(path: path) }
        #expect(throws: refusal) { try TraceWriter(path: path) }
        #expect(refusal.description.contains("damaged (the version of its schema"))
        #expect(try content == before)
    }

    @Test(
        "What was changed since it was written is not gone on with",
        arguments: [
            ("UPDATE raw_sources SET fingerprint = 'f2'", "fingerprint or resume of /logs/app.log"),
            ("PRAGMA foreign_keys = OFF; UPDATE raw_steps SET kind = 99 WHERE step_id = 3", "step 3 is of a kind"),
        ])
    func changed(sql: String, words: String) throws {
        try store(smallRun(), at: path)
        let sound = try TraceWriter(path: path)
        #expect(try sound.sources() == [Script.source()])
        try sound.facts(ofRuns: [1]) { _ in }
        try sound.close()
        try execute(sql)
        let writer = try TraceWriter(path: path)
        let error = #expect(throws: StoreError.self) {
            _ = try writer.sources()
            try writer.facts(ofRuns: [1]) { _ in }
        }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        try writer.close()
    }

    @Test("A database whose tables are others is refused by writers, and left as it is")
    func others() throws {
        try store(smallRun(), at: path)
        try execute("ALTER TABLE raw_runs DROP COLUMN first_name")
        let before = try content
        let refusal = StoreError.otherTable(path: path, name: "raw_runs")
        #expect(throws: refusal) { try TraceWriter(path: path) }
        #expect(refusal.description.contains("another build wrote the database"))
        #expect(try content == before)
    }

    @Test(
        "What is missing is found, or not as it was made",
        arguments: [
            ("DROP TABLE raw_other_names", "raw_other_names is missing"),
            ("DROP TABLE grdb_migrations", "grdb_migrations is missing"),
            ("DROP INDEX raw_runs_by_source", "raw_runs_by_source is missing"), ("DROP VIEW runs", "runs is missing"),
            ("DROP VIEW runs; CREATE VIEW runs AS SELECT 1 AS run_id", "runs is not as this lifestats makes it"),
        ])
    func missing(change: String, problem: String) throws {
        try store(smallRun(), at: path)
        try execute("CREATE VIEW mine AS SELECT * FROM runs")
        #expect(try Verifier.verify(path: path).isSound)
        try execute(change)
        #expect(try Verifier.verify(path: path).problems.map(\.message) == [problem])
    }

    @Test("Where a table is missing without which nothing can be checked, the person is told which")
    func missingTable() throws {
        try store(smallRun(), at: path)
        try execute("PRAGMA foreign_keys = OFF; DROP TABLE raw_runs")
        let refusal = StoreError.otherTable(path: path, name: "raw_runs")
        #expect(throws: refusal) { try Verifier.verify(path: path) }
        #expect(throws: refusal) { try TraceWriter(path: path) }
        #expect(refusal.description.contains("raw_runs is not there as this lifestats makes it"))
    }

    @Test("A database that was begun, but has no tables yet, becomes a whole one")
    func begun() throws {
        try execute("PRAGMA application_id = \(Schema.applicationID)")
        try store(smallRun(), at: path)
        let result = try Verifier.verify(path: path)
        #expect(result.problems == [])
        let other = folder.file("other.db")
        try store(smallRun(), at: other)
        #expect(result.digest == (try Verifier.digest(path: other)))
    }

    @Test("Every version has a migration, and opening a database again changes neither version nor content")
    func present() throws {
        #expect(Schema.migrator.migrations.count == Int(Schema.version))
        try store(smallRun(), at: path)
        let digest = try Verifier.digest(path: path)
        try TraceWriter(path: path).close()
        let version = try DatabaseQueue(path: path).read { try Int32.fetchOne($0, sql: "PRAGMA user_version") }
        #expect(version == Schema.version)
        #expect(try Verifier.digest(path: path) == digest)
    }
}
