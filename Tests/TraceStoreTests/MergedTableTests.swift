import Testing

@testable import TraceStore

@Suite("The tables of shards")
struct MergedTableTests {
    @Test("Every table is merged, and every number of it that refers to others")
    func complete() throws {
        let folder = try TemporaryFolder()
        try store(smallRun(), at: folder.file("t.db"))
        let reader = try TraceReader(path: folder.file("t.db"))
        var tables: [String] = []
        try reader.query("SELECT name FROM sqlite_schema WHERE type = 'table'") { tables.append($0.text(0) ?? "") }
        #expect(Set(tables) == Set(MergedTable.all.map(\.name) + MergedTable.others))
        let references: Set = [
            "run", "instance", "step", "step_id", "run_id", "instance_id", "finding_id", "suspension_id", "visit",
            "own_run",
            "attached_run", "witness", "first_step", "last_step", "source", "source_id", "log", "log_id", "block_id",
            "facts_id", "kind", "previous", "next", "state", "to_opener", "scenario", "silence",
        ]
        for table in MergedTable.all {
            var columns: Set<String> = []
            try reader.query("SELECT name FROM pragma_table_info('\(table.name)')") { columns.insert($0.text(0) ?? "") }
            #expect(Set(table.rules.keys) == columns.intersection(references), "\(table.name)")
        }
    }
}
