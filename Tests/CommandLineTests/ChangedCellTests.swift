import Foundation
import Testing

/// Databases that SQLite finds well formed, but in which a cell says what this program never writes.
@Suite("changed cells")
struct ChangedCellTests {
    /// The database that the cells are changed in, made once.
    private static let sound: [UInt8]? = {
        guard let program = try? Program(),
            (try? program.run("ingest", "\(Program.project.path)/samples/day", "--db", "n.db"))?.status == 0
        else { return nil }
        return (try? Data(contentsOf: program.folder.url.appendingPathComponent("n.db"))).map { [UInt8]($0) }
    }()

    @Test(
        "No command crashes, hangs or takes all memory",
        arguments: [
            ("raw_instances", "instance_id", Int64.max), ("raw_instances", "instance_id", -1_000_000_000_000),
            ("raw_sources", "source_id", 1 << 33), ("raw_steps", "step_id", .max), ("raw_runs", "pid", 99_999_999_999),
            ("raw_kinds", "group_id", -1), ("raw_kinds", "kind_id", .min), ("raw_suspension_kinds", "after_ns", .max),
            ("raw_steps", "kind", .min), ("raw_steps", "dwell", .max), ("raw_steps", "time", .min),
            ("raw_steps", "time", .min + 80_000_000_000_000),
        ])
    func number(_ table: String, _ column: String, _ value: Int64) throws {
        let program = try Program()
        try program.write("2026-05-12 07:00:00.000 Demo[7:7] applicationDidBecomeActive:\n", to: "one.log")
        try program.write(Data(try #require(Self.sound)), to: "n.db")
        let made = try program.shell(
            """
            python3 - <<'END'
            import sqlite3
            database = sqlite3.connect("n.db")
            (most,) = database.execute("SELECT max(\(column)) FROM \(table)").fetchone()
            where = "WHERE \(column) = ?" if "\(column)".endswith("_id") else "WHERE \(column) IS NOT NULL OR ? IS NULL"
            database.execute("UPDATE \(table) SET \(column) = \(value) " + where, (most,))
            database.commit()
            END
            """)
        try #require(made.status == 0, "\(made.errors)")
        for command in [
            "verify", "report -o r.html", "timeline -o t.svg", "replay", "forget 1", "ingest one.log",
        ] {
            let outcome = try program.shell(
                "cp n.db changed.db && exec $LIFESTATS \(command) --db changed.db")
            #expect((0...2).contains(outcome.status), "\(command): \(outcome.errors.prefix(500))")
            if outcome.status == 2, command != "verify" {
                #expect(outcome.errors.contains("damaged"), "\(command): \(outcome.errors)")
            }
        }
    }
}
