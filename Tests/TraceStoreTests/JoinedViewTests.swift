import GRDB
import Testing

@testable import TraceStore

/// How SQLite goes through views that are joined. Without statistics its plan depends on the question alone, so that a
/// small database shows the plan of a large one.
@Suite("Joined views")
struct JoinedViewTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("t.db")
        try store(smallRun(), at: path)
    }

    /// What the plan of a question reads whole for each row of something else.
    private func scansInLoops(_ reader: TraceReader, _ sql: String) throws -> [String] {
        var scans: [String] = []
        var loops: Set<String> = []
        // Loops with the same parent (second column) lie in one another, the outermost first.
        try reader.query("EXPLAIN QUERY PLAN \(sql)") { row in
            guard let parent = row.text(1), let step = row.text(3) else { return }
            guard step.hasPrefix("SCAN ") || step.hasPrefix("SEARCH ") else { return }
            if !loops.insert(parent).inserted && step.hasPrefix("SCAN ") { scans.append(step) }
        }
        return scans
    }

    private func views(with column: String) -> [String] {
        SchemaDocumentation.views.filter { $0.columns.contains { $0.name == column } }.map(\.name)
    }

    @Test(
        "No two views are joined by reading one of them for each row of the other, whichever comes first",
        arguments: ["run_id", "instance_id"], ["JOIN", "LEFT JOIN"])
    func pairs(_ key: String, _ join: String) throws {
        let reader = try TraceReader(path: path)
        for first in views(with: key) {
            // SQLite makes no index of a table without a rowid: suspensions alone can't find each other.
            for second in views(with: key) where (first, second, join) != ("suspensions", "suspensions", "JOIN") {
                let sql = "SELECT * FROM \(first) AS a \(join) \(second) AS b ON b.\(key) = a.\(key)"
                #expect(try scansInLoops(reader, sql) == [], "\(sql)")
            }
        }
    }

    @Test("No three views are joined so either, whatever their order")
    func three() throws {
        let reader = try TraceReader(path: path)
        let views = views(with: "run_id")
        for first in views {
            for second in views where second != first {
                for third in views where third != first && third != second {
                    let sql = """
                        SELECT * FROM \(first) AS a JOIN \(second) AS b ON b.run_id = a.run_id
                        JOIN \(third) AS c ON c.run_id = a.run_id
                        """
                    #expect(try scansInLoops(reader, sql) == [], "\(sql)")
                }
            }
        }
    }

    @Test(
        "A visit is found by the event that began it, as events and suspensions that may have none ask for it",
        arguments: [
            "events AS a LEFT JOIN visits AS v ON v.visit_id = a.event_id",
            "suspensions AS a LEFT JOIN visits AS v ON v.visit_id = a.visit_id",
        ])
    func visitOfEvent(_ tables: String) throws {
        #expect(try scansInLoops(try TraceReader(path: path), "SELECT * FROM \(tables)") == [])
    }

    @Test("A database that someone gave statistics does not read the steps of each kind in turn")
    func statistics() throws {
        // Those of a log of 30,000 callbacks.
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction {
            try $0.execute(
                sql: """
                    ANALYZE;
                    DELETE FROM sqlite_stat1;
                    INSERT INTO sqlite_stat1 VALUES
                        ('raw_steps', NULL, '30000'), ('raw_kinds', NULL, '16'),
                        ('raw_instances', 'raw_instances_by_run', '900 1'),
                        ('raw_findings', 'raw_findings_by_run', '900 3')
                    """)
        }
        try queue.close()
        let reader = try TraceReader(path: path)
        let views = ["events", "visits", "transitions"]
        for (first, second) in views.flatMap({ first in views.map { (first, $0) } }) {
            let sql = """
                SELECT a.layer, b.layer, count(*) FROM \(first) AS a JOIN \(second) AS b ON b.run_id = a.run_id
                GROUP BY 1, 2
                """
            #expect(try scansInLoops(reader, sql) == [], "\(sql)")
        }
    }

    @Test("Both orders give the same answer")
    func answers() throws {
        let day = try DayFixture()
        let columns = "SELECT r.end_reason, v.state, count(*) FROM"
        let expected = try rows(
            day.path, "\(columns) visits AS v JOIN runs AS r ON r.run_id = v.run_id GROUP BY 1, 2 ORDER BY 1, 2")
        #expect(!expected.isEmpty)
        #expect(
            try rows(
                day.path, "\(columns) runs AS r JOIN visits AS v ON v.run_id = r.run_id GROUP BY 1, 2 ORDER BY 1, 2")
                == expected)
    }
}
