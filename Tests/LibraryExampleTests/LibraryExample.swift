// The example of docs/library.md: it sees of LifeStatsKit what any other package sees.
import LifeStatsKit

/// A row of the query `dwell_times`: the properties are named like the columns that are wanted.
struct Dwell: Decodable {
    var layer: String
    var state: String
    var complete: Int
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var p50_s: Double?
}

struct Ending: Decodable {
    var app: String
    var runs: Int
}

func example(logs: String, database path: String) throws -> (dwells: [Dwell], endings: [Ending], picture: [UInt8]) {
    let database = LifecycleDatabase(path)
    let report = try database.ingest([logs])
    print(report.summary)

    let dwells = try database.rows(Dwell.self, of: "dwell_times", parameters: ["layer": "app"])
    for dwell in dwells { print(dwell.state, dwell.complete, dwell.p50_s ?? 0) }

    let endings = try database.rows(
        Ending.self,
        of: "SELECT app, count(*) AS runs FROM runs WHERE end_reason <> 'log_end' GROUP BY app ORDER BY app")

    for deviation in try database.check() where deviation.severity == "error" {
        print("\(deviation.source):\(deviation.line): \(deviation.rule) \(deviation.message)")
    }
    return (dwells, endings, try database.diagram(layer: "app"))
}
