import Testing
import TraceRecords

@testable import TraceStore

@Suite("Ids that are the same in every shard")
struct StableIDTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A database with a log of one run after others, which take row ids away.
    private func ids(_ name: String, log: Int32, block: Int64) throws -> (ids: StableIDs, run: Int64) {
        let writer = try TraceWriter(path: folder.file(name))
        let first: Int64 = block << 16 + 1
        var script = Script(nextStep: first)
        script.run(first, source: log)
        script.step("didFinishLaunching", "not_running", "inactive", at: 0, instance: first)
        script.instance(first, run: first)
        try writer.write(
            StoredBatch(log: log, source: log, record: Script.source(log, log: log), rows: script.take()))
        try writer.close()
        return (try StableIDs(TraceReader(path: folder.file(name))), first)
    }

    @Test("They do not depend on the row ids that a log has got")
    func independentOfRows() throws {
        let one = try ids("one.db", log: 1, block: 1)
        let other = try ids("other.db", log: 7, block: 12)
        for meaning in [StableIDs.Meaning.run, .instance, .step] {
            #expect(one.ids.id(one.run, meaning) == other.ids.id(other.run, meaning))
            #expect(one.ids.id(one.run, meaning) != one.ids.id(one.run + 1, meaning))
        }
        #expect(one.ids.id(one.run, .run) != one.ids.id(one.run, .instance))
        #expect(one.ids.id(-one.run, .step) == -other.ids.id(other.run, .instance))
        #expect(one.ids.id(one.run + 3, .order) == 4)
        #expect(other.ids.id(other.run + 3, .order) == 4)
    }

    @Test("Kinds that differ in the unit of their times alone are different")
    func kindsOfUnits() throws {
        let writer = try TraceWriter(path: folder.file("units.db"))
        // One log has milliseconds, the other has nanoseconds.
        for (log, time) in [(Int32(1), 0.001), (2, 0.000_000_001)] {
            let first = Int64(log) << 16 + 1
            var script = Script(nextStep: first)
            script.run(first, source: log)
            script.step("didFinishLaunching", "not_running", "inactive", at: time, instance: first)
            script.instance(first, run: first)
            try writer.write(
                StoredBatch(log: log, source: log, record: Script.source(log, log: log), rows: script.take()))
        }
        try writer.close()
        let reader = try TraceReader(path: folder.file("units.db"))
        let ids = try StableIDs(reader)
        var kinds: [Int64] = []
        try reader.query("SELECT kind_id FROM step_kinds") { kinds.append(ids.id($0.integer(0) ?? 0, .kind)) }
        #expect(kinds.count == 2)
        #expect(Set(kinds).count == 2)
    }

    @Test("Every column with ids is known")
    func everyColumn() {
        for view in SchemaDocumentation.views {
            for column in view.columns where column.name.hasSuffix("_id") || column.name == "seq" {
                #expect(StableIDs.meaning(ofColumn: column.name, in: view.name) != nil, "\(view.name).\(column.name)")
            }
        }
    }
}
