import NamedQueries
import Testing

@testable import LifeStatsKit

@Suite("Metadata for Datasette")
struct DatasetteTests {
    @Test("An empty field means no restriction, except inside quotes and comments")
    func parameters() {
        let sql = """
            -- How long: stays
            -- Parameters:
            --   $app  text     = none  an app
            --   $run  integer  = none  a run
            --
            SELECT '$app', "$app" /* $app */ FROM visits -- $app
            WHERE ($app IS NULL OR app = $app) AND ($run IS NULL OR run_id = $run) AND x = $other
            """
        let yaml = DatasetteExport.yaml(
            "logs/my.db", views: [], queries: [NamedQuery(name: "dwell_times", sql: sql)])
        let expected = #"""
              "my":
                queries:
                  "dwell_times":
                    title: "How long"
                    description: "How long: stays"
                    params: ["app", "run"]
                    hide_sql: true
                    sql: "SELECT '$app', \"$app\" /* $app */ FROM visits -- $app\nWHERE (nullif(:app, '') IS NULL OR app = \#
            nullif(:app, '')) AND (cast(nullif(:run, '') AS INTEGER) IS NULL OR run_id = \#
            cast(nullif(:run, '') AS INTEGER)) AND x = $other"
                tables: {}

            """#
        #expect(yaml.contains(expected))
    }
}
