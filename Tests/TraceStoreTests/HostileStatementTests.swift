import Foundation
import Testing

@testable import TraceStore

@Suite("Hostile statements")
struct HostileStatementTests {
    @Test(
        "They are refused with a clear message, and every file stays as it is",
        arguments: [
            "DELETE FROM raw_steps",
            "INSERT INTO raw_runs (run_id) VALUES (9)",
            "UPDATE raw_runs SET app = 'x'",
            "WITH x AS (SELECT 1) DELETE FROM raw_runs",
            "REPLACE INTO raw_messages VALUES (1, 'x')",
            "DROP VIEW visits",
            "DROP TABLE raw_steps",
            "CREATE TABLE t (x)",
            "CREATE TEMP TABLE t (x)",
            "CREATE TEMP VIEW v AS SELECT 1",
            "CREATE INDEX i ON raw_steps (time)",
            "ALTER TABLE raw_runs ADD COLUMN x",
            "ATTACH 'other.db' AS o",
            "ATTACH '/etc/passwd' AS o",
            "DETACH main",
            "VACUUM",
            "VACUUM INTO 'copy.db'",
            "REINDEX",
            "ANALYZE",
            "BEGIN",
            "BEGIN EXCLUSIVE",
            "SAVEPOINT s",
            "COMMIT",
            "PRAGMA journal_mode = WAL",
            "PRAGMA writable_schema = 1",
            "PRAGMA query_only = 0",
            "PRAGMA user_version = 7",
            "PRAGMA application_id = 7",
            "PRAGMA temp_store_directory = '/tmp'",
            "PRAGMA wal_checkpoint(TRUNCATE)",
            "PRAGMA journal_mode",
            "SELECT load_extension('evil')",
            "SELECT writefile('x', 'y')",
            "SELECT readfile('/etc/passwd')",
            "SELECT fts3_tokenizer('x')",
            "SELECT 1; DELETE FROM raw_steps",
            "SELECT 1; SELECT 2",
            "EXPLAIN DELETE FROM raw_steps",
            "UPDATE sqlite_schema SET sql = ''",
            "/* SELECT */ DELETE FROM raw_steps",
            "-- SELECT\nDELETE FROM raw_steps",
            "SELECT zeroblob(2000000000)",
            "SELECT regexp('(a)\\1', 'aa')",
            // The C library would need gigabytes to write these repetitions out.
            "SELECT regexp('((((a{1,255}){1,255}){1,255}){1,255}){1,255}', 'a')",
            "SELECT regexp('(', 'a')",
            // It would call itself until its stack is used up.
            "SELECT regexp('\(String(repeating: "(", count: 15_000))a\(String(repeating: ")", count: 15_000))', 'a')",
            "SELECT hex(zeroblob(10000000))",
            "SELECT * FROM pragma_wal_checkpoint",
            "SELECT * FROM pragma_journal_mode",
            "SELECT * FROM pragma_journal_mode('wal')",
            "SELECT median('abc')",
            "SELECT percentile(1, 'much')",
            "WITH x AS (SELECT 1) INSERT INTO sqlite_master VALUES ('table', 'x', 'x', 0, '')",
            "EXPLAIN CREATE TABLE t (x)",
            "",
            ";",
        ])
    func refused(_ sql: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("t.db")
        try store(smallRun(), at: path)
        let before = try Data(contentsOf: URL(filePath: path))
        let reader = try TraceReader(path: path)
        let error = #expect(throws: StoreError.self) { try reader.query(sql) { _ in } }
        #expect("\(try #require(error))".count > 20)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["t.db"])
    }

    @Test("A word that begins no statement is called an error, not a prohibition")
    func misspelt() throws {
        let folder = try TemporaryFolder()
        try store(smallRun(), at: folder.file("t.db"))
        let reader = try TraceReader(path: folder.file("t.db"))
        let error = #expect(throws: StoreError.self) { try reader.query("selec 1") { _ in } }
        #expect("\(try #require(error))".hasPrefix("The query has an error: a query begins with SELECT"))
    }

    @Test(
        "Text after a statement is shown, with its place",
        arguments: [
            ("SELECT 1; )", "unexpected text after the statement: ) (line 1, column 11)"),
            (
                "SELECT 1; -- 1\n ; SELECT 2 -- 2",
                "unexpected text after the statement: SELECT 2 -- 2 (line 2, column 4)"
            ),
            (
                "SELECT 1;'\(String(repeating: "ä", count: 100))'",
                "unexpected text after the statement: '\(String(repeating: "ä", count: 39))… (line 1, column 10)"
            ),
            (
                "SELECT 1\u{0} FROM nothing",
                "a NUL character ends the statement; after it: FROM nothing (line 1, column 9)"
            ),
            (")", "a query begins with SELECT, WITH, VALUES, EXPLAIN, PRAGMA, not with )"),
        ])
    func behind(sql: String, words: String) throws {
        let folder = try TemporaryFolder()
        try store(smallRun(), at: folder.file("t.db"))
        let reader = try TraceReader(path: folder.file("t.db"))
        let error = #expect(throws: StoreError.self) { try reader.query(sql) { _ in } }
        #expect("\(try #require(error))" == "The query has an error: \(words).")
        #expect(try reader.query("SELECT 1; -- one\n/* two */ ; ") { _ in }.rows == 1)
    }

    @Test("What explains a statement that writes is not called two statements")
    func explained() throws {
        let folder = try TemporaryFolder()
        try store(smallRun(), at: folder.file("t.db"))
        let reader = try TraceReader(path: folder.file("t.db"))
        let error = #expect(throws: StoreError.self) { try reader.query("EXPLAIN VACUUM") { _ in } }
        #expect("\(try #require(error))".hasPrefix("Not allowed in a query: EXPLAIN of a statement that does more"))
    }

    @Test("A function in place of a table that does more than read is called by its name")
    func tableFunction() throws {
        let folder = try TemporaryFolder()
        try store(smallRun(), at: folder.file("t.db"))
        let reader = try TraceReader(path: folder.file("t.db"))
        let error = #expect(throws: StoreError.self) {
            try reader.query("SELECT * FROM pragma_journal_mode") { _ in }
        }
        #expect("\(try #require(error))".contains("function in place of a table"))
    }

    @Test(
        "What never ends is stopped in time",
        arguments: [
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
            SELECT count(*) FROM n AS a, n AS b, n AS c
            """,
        ])
    func endless(_ sql: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("t.db")
        try store(smallRun(), at: path)
        let reader = try TraceReader(path: path)
        reader.interrupter.allow(seconds: 0.05)
        #expect(throws: StoreError.timedOut(seconds: 0.05, query: sql)) { try reader.query(sql) { _ in } }
        reader.interrupter.allow(seconds: nil)
        #expect(try reader.query("SELECT 1") { _ in }.rows == 1)
    }

    @Test("A query is stopped from another thread, and cut after the most rows")
    func stopped() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("t.db")
        try store(smallRun(), at: path)
        let reader = try TraceReader(path: path)
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        let interrupter = reader.interrupter
        #expect(throws: StoreError.interrupted) {
            try reader.query(endless) { row in
                if row.integer(0) == 1_000 { Thread { interrupter.interrupt() }.start() }
            }
        }
        let outcome = try reader.query(endless, most: 10) { _ in }
        #expect(outcome == QueryOutcome(rows: 10, isCutShort: true))
    }

    /// Asks all the time whether the time of a reader's query is up, until it is cancelled.
    private func startClock(of reader: TraceReader) -> Thread {
        let interrupter = reader.interrupter
        let clock = Thread {
            while !Thread.current.isCancelled { interrupter.checkTime() }
        }
        clock.start()
        return clock
    }

    @Test("Few steps that take long are stopped in time, and the time in which the answer is written does not count")
    func slow() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("t.db")
        try store(smallRun(), at: path)
        let reader = try TraceReader(path: path)
        let clock = startClock(of: reader)
        defer { clock.cancel() }
        // A few hundred steps, which SQLite does not interrupt by itself.
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200)"
        let sql = "\(numbers) SELECT sum(length(hex(zeroblob(7000000 + i)))) FROM n"
        reader.interrupter.allow(seconds: 0.05)
        #expect(throws: StoreError.timedOut(seconds: 0.05, query: sql)) { try reader.query(sql) { _ in } }
        // Its time is up at once, but a reader that is slow is no fault of the query.
        let other = try TraceReader(path: path)
        #expect(throws: StoreError.timedOut(seconds: 0, query: "SELECT 1")) {
            try other.query("SELECT 1") { _ in
                other.interrupter.allow(seconds: 0)
                other.interrupter.whileWriting { #expect(other.interrupter.checkTime() == nil) }
                #expect(other.interrupter.checkTime() != nil)
                throw other.interrupter.reason
            }
        }
    }

    @Test("A query whose time is up while SQLite still reads its text says so")
    func stoppedEarly() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("t.db")
        try store(smallRun(), at: path)
        let reader = try TraceReader(path: path)
        let clock = startClock(of: reader)
        defer { clock.cancel() }
        let list = (1...100_000).map { "\($0)" }.joined(separator: ", ")
        for _ in 0..<10 {
            let sql =
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i NOT IN (\(list))"
            reader.interrupter.allow(seconds: 0.001)
            #expect(throws: StoreError.timedOut(seconds: 0.001, query: sql)) { try reader.query(sql) { _ in } }
        }
    }

    @Test("Parameters are bound by name; unknown ones are errors; missing ones are NULL")
    func parameters() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("t.db")
        try store(smallRun(), at: path)
        #expect(try rows(path, "SELECT $a, :b, @c", ["a": .integer(1), "b": .text("x\u{0}y")]) == ["1|x\u{0}y|-"])
        #expect(throws: StoreError.parameter(name: "z", reason: "the query does not have it; it has a")) {
            try rows(path, "SELECT $a", ["z": .null])
        }
        let error = #expect(throws: StoreError.self) { try rows(path, "SELECT\n  nothing FROM visits") }
        #expect("\(try #require(error))".contains("line 2, column 3"))
    }

    @Test(
        "The helper functions",
        arguments: [
            // R: quantile(c(1, 2, 4, 8), 0.9) = 6.8; median = 3.
            ("SELECT percentile(x, 90) FROM (SELECT 1 AS x UNION SELECT 2 UNION SELECT 4 UNION SELECT 8)", "6.8"),
            ("SELECT median(x) FROM (SELECT 1 AS x UNION SELECT 2 UNION SELECT 4 UNION SELECT 8)", "3.0"),
            ("SELECT median(NULL)", "-"),
            ("SELECT median(value) FROM json_each('[1, \"3\", null, 8]')", "3.0"),
            ("SELECT count(*) FROM json_tree('{\"a\": 1}')", "2"),
            ("SELECT count(*) > 20 FROM pragma_table_info('visits')", "1"),
            ("SELECT count(*) FROM pragma_table_list WHERE name = 'visits'", "1"),
            ("SELECT 'viewDidLoad' REGEXP '^view(Did|Will)'", "1"),
            ("SELECT 'init' REGEXP '^view'", "0"),
            ("SELECT NULL REGEXP 'x'", "-"),
            ("SELECT 'abab]' REGEXP '^(ab){2}[]x{]{1,}$'", "1"),
            ("SELECT 'aab' REGEXP '^a{3,255}(bc){2}'", "0"),
            // More text than a compiled pattern is used for.
            (
                "SELECT sum(hex(zeroblob(50000 + value)) || 'x' REGEXP '^0+x$') FROM (SELECT 1 AS value UNION SELECT 2 UNION SELECT 3)",
                "3"
            ),
            ("SELECT duration(4980000000000)", "1 h 23 min"),
        ])
    func functions(_ sql: String, _ answer: String) throws {
        let folder = try TemporaryFolder()
        try store(smallRun(), at: folder.file("t.db"))
        #expect(try rows(folder.file("t.db"), sql) == [answer])
    }
}
