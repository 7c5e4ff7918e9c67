import DataFiles
import Testing

@testable import LifecycleModel

@Suite("Tuning the models")
struct ModelCatalogTests {
    @Test("an overlay changes severities, thresholds, options and spellings, and nothing else")
    func overlay() throws {
        var catalog = try BuiltIn.catalog.get()
        try catalog.add(
            yaml: """
                overlay: release checks
                profiles: [seed-strict]
                options: {exits-on-suspend: yes}
                rules: {R-APP-10: error, R-APP-17: off}
                limits: {TL-01: {warning: 3}, TL-09: off}
                spellings: {applicationDidEnterBackground: [程序进入后台]}
                """, file: "team.yaml")
        let app = try #require(catalog.model("app"))
        #expect(app.rule("R-APP-10")?.severity == .error)
        #expect(app.rule("R-APP-17") == nil)
        #expect(app.limit("TL-01")?.thresholds.map(\.seconds) == [3, 20])
        #expect(app.limit("TL-09") == nil)
        #expect(catalog.options["exits-on-suspend"] == "yes" && catalog.profiles == ["seed-strict"])
        #expect(app.callback("applicationDidEnterBackground")?.spellings.last == "程序进入后台")

        var expected = try BuiltIn.model("app")
        expected.rules = app.rules
        expected.limits = app.limits
        expected.callbacks = app.callbacks
        // Nothing names a disabled rule.
        for row in expected.nextCallbacks.indices { expected.nextCallbacks[row].rules.removeAll { $0 == "R-APP-17" } }
        #expect(app == expected)
        #expect(catalog.model("view") == (try BuiltIn.model("view")))
    }

    @Test(
        "an overlay with an unknown name is rejected with its line",
        arguments: [
            ("rules: {}\nlimits: {TL-99: off}", "team.yaml:3: there is no time limit 'TL-99'"),
            ("rules:\n  R-APP-99: error", "team.yaml:3: there is no rule 'R-APP-99'"),
            ("rules:\n  R-APP-10: fatal", "team.yaml:3: 'R-APP-10' of rules is 'fatal'; it must be one of"),
            ("options: {exits-on-suspend: maybe}", "team.yaml:2: 'exits-on-suspend' cannot be 'maybe', only yes, no"),
            ("options: {edge-time: exit}", "team.yaml:2: 'edge-time' cannot be 'exit', only enter; the key is fixed"),
            (
                "options: {exit: yes}",
                "team.yaml:2: there is no configuration key 'exit'; use one of platform-profile, os-version"
            ),
            ("profiles: [ios99]", "team.yaml:2: there is no profile 'ios99'"),
            (
                "limits: {TL-01: {fatal: 1}}",
                "team.yaml:2: 'fatal' of TL-01 is unknown; use one of info, warning, error"
            ),
            ("colour: red", "team.yaml:2: the file has an unknown key 'colour'"),
        ])
    func badOverlay(text: String, message: String) throws {
        var catalog = try BuiltIn.catalog.get()
        let before = catalog
        let error = #expect(throws: DataFileError.self) {
            try catalog.add(yaml: "overlay: team\n" + text, file: "team.yaml")
        }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
        #expect(catalog == before)
    }

    @Test("old systems have their own limit for the background")
    func thresholdsBySystem() throws {
        let catalog = try BuiltIn.catalog.get()
        func error(_ system: Int?) -> Double? {
            catalog.limits(of: "app", profile: "ios12-", system: system).first { $0.id == "TL-06" }?
                .thresholds.first { $0.severity == .error }?.seconds
        }
        #expect(error(nil) == 180 && error(6) == 600 && error(9) == 180 && error(15) == 180)
        let scene = catalog.rules(of: "scene", profile: "ios13+", system: 12).map(\.id)
        #expect(scene.contains("R-SCN-15"))
        #expect(!catalog.rules(of: "scene", profile: "ios13+", system: nil).map(\.id).contains("R-SCN-15"))
    }

    @Test("background modes and a debugger disable limits")
    func liftedLimits() throws {
        var catalog = try BuiltIn.catalog.get()
        catalog.options["background-modes"] = "yes"
        catalog.options["watchdog-active"] = "no"
        #expect(
            catalog.limits(of: "app", profile: "ios12-").map(\.id) == ["TL-07", "TL-08", "TL-09"])
    }

    @Test("a user's model is added to the built-in ones")
    func userModel() throws {
        var catalog = try BuiltIn.catalog.get()
        try catalog.add(
            yaml: """
                model: door
                initial: shut
                states: {shut: {}, open: {}}
                callbacks: {opens: {spellings: [door opens]}, shuts: {spellings: [door shuts]}}
                transitions:
                  D1: {from: shut, to: open, callbacks: opens}
                  D2: {from: open, to: shut, callbacks: shuts}
                """, file: "door.yaml")
        #expect(
            catalog.models.map(\.id) == ["app", "process", "scene", "view", "swiftui-view", "background-task", "door"])
        let vocabulary = Vocabulary(models: catalog.models)
        let index = try #require(vocabulary.index(of: "shuts", model: "door"))
        #expect(vocabulary[index].callback.id == "shuts" && vocabulary[index].layer == "door")
        #expect(vocabulary.index(of: "shuts", model: "app") == nil)
        #expect(vocabulary.entries.enumerated().allSatisfy { $0.offset == Int($0.element.index) })
    }

    @Test("a further part is added to its model")
    func part() throws {
        var catalog = try BuiltIn.catalog.get()
        let text = """
            part of: app
            limits:
              TL-X: {measures: visit, says: Active for an hour, from: [{point: state_entry, states: active}], thresholds: {info: 3600}}
            """
        try catalog.add(yaml: text, file: "more.yaml")
        #expect(catalog.model("app")?.limit("TL-X")?.thresholds.map(\.seconds) == [3600])
        #expect(throws: DataFileError.self) {
            try catalog.add(yaml: "part of: nothing", file: "more.yaml")
        }
    }
}
