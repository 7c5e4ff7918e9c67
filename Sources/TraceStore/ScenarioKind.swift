import GRDB

/// The part of a scenario that repeats: a row of `raw_scenario_kinds`.
struct ScenarioKind: Hashable {
    var scenario: String
    var equivalenceClass: String?

    /// The kinds that the database has, with their row ids.
    static func all(_ db: Database) throws -> [ScenarioKind: Int64] {
        var kinds: [ScenarioKind: Int64] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT kind_id, scenario, class FROM raw_scenario_kinds") {
            try kinds[ScenarioKind(scenario: row.value("scenario"), equivalenceClass: row.value("class"))] = row.value(
                "kind_id")
        }
        return kinds
    }
}
