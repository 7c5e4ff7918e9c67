import Foundation
import GRDB
import Testing
import TraceRecords

@testable import TraceStore

/// Databases that another version of the program wrote, or another program changed.
@Suite("Other schemas")
struct OtherSchemaTests {
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

    @Test("A database of an earlier version is refused by readers and writers, with advice, and left as it is")
    func older() throws {
        try store(smallRun(), at: path)
        try execute("PRAGMA user_version = 1")
        let before = try content
        let refusal = StoreError.tooOld(path: path)
        #expect(throws: refusal) { try TraceReader(path: path) }
        #expect(throws: refusal) { try TraceWriter(path: path) }
        #expect(throws: refusal) { try Verifier.verify(path: path) }
        #expect(
            refusal.description.contains("made by an older lifestats; ingest the logs again into a new database"))
        #expect(try content == before)
    }

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
        "A database with foreign, changed or missing parts is refused by writers, is left as it is, and verify names them",
        arguments: [
            ("ALTER TABLE raw_runs DROP COLUMN bundle", "raw_runs is not as lifestats creates it", true),
            ("DROP INDEX raw_findings_by_run", "raw_findings_by_run is missing", true),
            ("DROP VIEW runs", "runs is missing", true),
            ("DROP VIEW runs; CREATE VIEW runs AS SELECT 1 AS run_id", "runs is not as lifestats creates it", true),
            (
                "CREATE TRIGGER t AFTER INSERT ON raw_runs BEGIN DELETE FROM raw_steps; END",
                "the trigger t is not part of a lifestats database", true
            ),
            (
                "PRAGMA writable_schema = 1; INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES "
                    + "('trigger', 'sqlite_t', 'raw_runs', 0, "
                    + "'CREATE TRIGGER sqlite_t AFTER INSERT ON raw_runs BEGIN DELETE FROM raw_steps; END')",
                "the trigger sqlite_t is not part of a lifestats database", true
            ),
            ("CREATE VIEW mine AS SELECT * FROM runs", "the view mine is not part of a lifestats database", false),
            ("CREATE TABLE mine (x)", "the table mine is not part of a lifestats database", false),
            (
                "CREATE INDEX mine ON raw_steps (time)", "the index mine is not part of a lifestats database", false
            ),
        ])
    func schema(change: String, difference: String, disturbsReading: Bool) throws {
        try store(smallRun(), at: path)
        try execute("PRAGMA foreign_keys = OFF; \(change)")
        let before = try content
        let refusal = StoreError.foreignSchema(path: path, difference: difference)
        #expect(throws: refusal) { try TraceWriter(path: path) }
        if disturbsReading {
            #expect(throws: refusal) { try TraceReader(path: path) }
        } else {
            _ = try TraceReader(path: path)
        }
        if change.contains("DROP VIEW runs;") {
            // Some assertions cannot even be asked.
            #expect((try? Verifier.verify(path: path).isSound) != true)
        } else {
            #expect(try Verifier.verify(path: path).problems.map(\.message) == [difference])
        }
        #expect(try content == before)
    }

    @Test("A view of ours without its last condition is a changed one")
    func shortenedView() throws {
        try store(smallRun(), at: path)
        let queue = try DatabaseQueue(path: path)
        let view = try #require(
            try queue.read { try String.fetchOne($0, sql: "SELECT sql FROM sqlite_schema WHERE name = 'instances'") })
        try queue.close()
        try execute("DROP VIEW instances; \(view.prefix(upTo: try #require(view.range(of: "\nWHERE")).lowerBound))")
        #expect(throws: StoreError.foreignSchema(path: path, difference: "instances is not as lifestats creates it")) {
            try TraceReader(path: path)
        }
    }

    @Test("A view of ours that was replaced by one without an end hangs nobody")
    func endlessView() throws {
        try store(smallRun(), at: path)
        try execute(
            """
            DROP VIEW suspensions;
            CREATE VIEW suspensions AS
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS visit_id FROM n;
            """)
        let refusal = StoreError.foreignSchema(
            path: path, difference: "suspensions is not as lifestats creates it")
        #expect(throws: refusal) { try TraceReader(path: path) }
        #expect(throws: refusal) { try Verifier.digest(path: path) }
    }

    @Test("When a table is missing without which nothing can be checked, the user learns which")
    func missingTable() throws {
        try store(smallRun(), at: path)
        try execute("PRAGMA foreign_keys = OFF; DROP TABLE raw_runs")
        let refusal = StoreError.foreignSchema(path: path, difference: "raw_runs is missing")
        #expect(throws: refusal) { try Verifier.verify(path: path) }
        #expect(refusal.description.contains("raw_runs is missing"))
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

    @Test("Opening a database again changes neither version nor content")
    func present() throws {
        try store(smallRun(), at: path)
        let digest = try Verifier.digest(path: path)
        try TraceWriter(path: path).close()
        let version = try DatabaseQueue(path: path).read { try Int32.fetchOne($0, sql: "PRAGMA user_version") }
        #expect(version == Schema.version)
        #expect(try Verifier.digest(path: path) == digest)
    }
}
