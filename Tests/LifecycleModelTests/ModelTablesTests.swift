import Testing

@testable import LifecycleModel

@Suite("Tables and coverage of models")
struct ModelTablesTests {
    @Test("every part of a model has its row, every row all columns", arguments: ["app", "process", "scene", "view"])
    func rows(id: String) throws {
        let model = try BuiltIn.model(id)
        let tables = ModelTables.tables(of: model)
        func ids(_ name: String) -> [String] { tables.first { $0.name == name }?.rows.map { $0[0] } ?? [] }
        #expect(ids("states") == model.states.map(\.id))
        #expect(ids("transitions") == model.transitions.map(\.id))
        #expect(ids("rules") == model.rules.map(\.id))
        #expect(ids("limits") == model.limits.map(\.id))
        #expect(ids("scenarios") == model.scenarios.map(\.id))
        #expect(ids("classes") == model.classes.map(\.id))
        for table in tables { #expect(table.rows.allSatisfy { $0.count == table.columns.count }) }
    }

    @Test("a row equals that of the specification's table")
    func transitionRow() throws {
        let tables = ModelTables.tables(of: try BuiltIn.model("app"), language: "zh-Hans")
        let transitions = try #require(tables.first { $0.name == "transitions" })
        let row = try #require(transitions.rows.first { $0[0] == "APP-T08" })
        #expect(
            Array(row[1...4]) == [
                "suspended", "background", "~, [applicationDidEnterBackground -> background]", "silent or marked",
            ])
        let states = try #require(tables.first { $0.name == "states" })
        #expect(states.rows.first { $0[0] == "active" }?[1] == "激活")
    }

    @Test("settings have their tables")
    func settings() throws {
        let tables = ModelTables.tables(of: try BuiltIn.catalog.get().settings)
        #expect(
            tables.map(\.name) == [
                "profiles", "options", "decisions", "end codes", "silent evidence", "disagreements", "documents",
            ])
        for table in tables { #expect(table.rows.allSatisfy { $0.count == table.columns.count }) }
    }

    @Test("coverage counts seen parts, distinguishes moves by what led to them, and counts members with their class")
    func coverage() throws {
        let catalog = try BuiltIn.catalog.get()
        var seen = ModelCoverage.Seen()
        seen.states = ["inactive", "active"]
        seen.callbacks = ["didFinishLaunchingWithOptions", "applicationDidBecomeActive"]
        seen.moves = [
            .init(from: "not_running", callback: "didFinishLaunchingWithOptions", to: "inactive"),
            .init(from: "inactive", callback: "applicationDidBecomeActive", to: "active"),
            .init(from: "active", callback: nil, to: "not_running"),
        ]
        seen.visits = [
            .init(
                state: "inactive", enteredBy: "didFinishLaunchingWithOptions", leftBy: "applicationDidBecomeActive")
        ]
        seen.scenarios = ["SC-A01", "EQ-3"]
        let coverage = ModelCoverage(
            of: try BuiltIn.model("app"), seen: seen, classes: catalog.models.flatMap(\.classes))
        func share(_ category: ModelCoverage.Category) -> [String] {
            coverage.shares.first { $0.category == category }?.seen ?? []
        }
        #expect(share(.states) == ["inactive", "active"])
        #expect(share(.transitions) == ["APP-T01", "APP-T02a", "APP-T14"])
        #expect(share(.scenarios) == ["SC-A01", "SC-A04", "SC-A05"])
        #expect(share(.callbacks) == ["didFinishLaunchingWithOptions", "applicationDidBecomeActive"])
        #expect(share(.rules).contains("R-APP-05") && !share(.rules).contains("R-APP-13"))
        let states = try #require(coverage.shares.first { $0.category == .states })
        #expect(states.fraction == 0.4 && coverage.fraction > 0 && coverage.fraction < 1)
    }
}
