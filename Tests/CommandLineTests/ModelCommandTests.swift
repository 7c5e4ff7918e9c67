import Foundation
import Testing

/// The documented models as users see them: tables, languages, files for other tools.
@Suite("lifestats model")
struct ModelCommandTests {
    /// Ids of the specification's tables, by model and by the name of the table.
    private static let documented: [String: [String: String]] = [
        "app": [
            "transitions": """
            APP-T01 APP-T02a APP-T02b APP-T02c APP-T03 APP-T04 APP-T05 APP-T06 APP-T07 APP-T08 APP-T09 APP-T10 APP-T11
            APP-T12 APP-T13 APP-T14 APP-T15 APP-T16 APP-T17 APP-T18
            """,
            "rules": """
            R-APP-01 R-APP-02 R-APP-03 R-APP-04 R-APP-05 R-APP-06 R-APP-07 R-APP-08 R-APP-09 R-APP-10 R-APP-11 R-APP-12
            R-APP-13 R-APP-14 R-APP-15 R-APP-16 R-APP-17 R-APP-18 R-APP-19 R-APP-20 R-APP-21 R-APP-22 R-APP-23
            R-MIG-01 R-MIG-02
            R-MIG-10 R-MIG-12 R-MIG-14 R-BG-02 R-BG-05 R-BG-05a R-BG-05b R-BG-05c R-BG-10a R-SUI-03
            """,
            "limits": "TL-01 TL-01b TL-02 TL-03 TL-04 TL-05 TL-06 TL-07 TL-08 TL-09 TL-10",
            "scenarios": """
            SC-A01 SC-A02 SC-A03 SC-A04 SC-A05 SC-A06 SC-A07 SC-A08 SC-A09 SC-A10 SC-A11 SC-A12 SC-A12b SC-A13 SC-A14
            SC-A15 SC-A16 SC-A17a SC-A17b SC-A18 SC-A19 SC-A20 SC-A21 SC-A22 SC-A23 SC-A24
            """,
            "classes": "EQ-1 EQ-2 EQ-3 EQ-4 EQ-5",
        ],
        "process": ["transitions": "PRC-T01 PRC-T02 PRC-T03 PRC-T04 PRC-T05"],
        "scene": [
            "transitions": """
            SCN-T01 SCN-T02 SCN-T03 SCN-T04 SCN-T05 SCN-T06 SCN-T07 SCN-T08 SCN-T09 SCN-T10 SCN-T11 SCN-T12 SCN-T13
            SCN-T14
            """,
            "rules": """
            R-SCN-01 R-SCN-02 R-SCN-03 R-SCN-04 R-SCN-05 R-SCN-06 R-SCN-07 R-SCN-08 R-SCN-09 R-SCN-10 R-SCN-11 R-SCN-12
            R-SCN-13 R-SCN-14 R-SCN-15 R-SUI-02
            """,
            "scenarios": """
            SC-S01 SC-S02 SC-S03 SC-S04 SC-S04b SC-S04c SC-S05 SC-S06 SC-S07 SC-S08 SC-S09 SC-S10 SC-S11 SC-S12 SC-S13
            """,
        ],
        "view": [
            "transitions": """
            VC-T01 VC-T02 VC-T03 VC-T04 VC-T05 VC-T06 VC-T07 VC-T08 VC-T09 VC-T10 VC-T11 VC-T12
            """,
            "rules": """
            R-VC-01 R-VC-02 R-VC-03 R-VC-04 R-VC-05 R-VC-06 R-VC-07 R-VC-08 R-VC-09 R-VC-10 R-VC-11 R-VC-12 R-VC-13
            R-VC-14
            """,
            "limits": "TL-11", "scenarios": "SC-V01 SC-V02 SC-V02s SC-V03 SC-V04 SC-V05 SC-V06 SC-V07 SC-V08",
        ],
    ]

    private typealias Tables = [String: [[String: String]]]

    private func tables(_ model: String, _ arguments: String...) throws -> Tables {
        let shown = try Program().run(["model", "show", model, "--format", "json"] + arguments)
        #expect(shown.status == 0, "\(shown.errors)")
        return try #require(try JSONSerialization.jsonObject(with: shown.output) as? Tables)
    }

    @Test("show has a row for every id of the specification, in its order, each with a source")
    func ids() throws {
        let keys = [
            "transitions": "transition", "rules": "rule", "limits": "limit", "scenarios": "scenario",
            "classes": "class",
        ]
        for (model, expected) in Self.documented {
            let shown = try tables(model)
            for (name, key) in keys {
                let rows = shown[name] ?? []
                let ids = (expected[name] ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
                #expect(rows.map { $0[key] ?? "" } == ids, "\(name) of \(model)")
                #expect(rows.allSatisfy { $0["citation"]?.isEmpty == false })
            }
        }
        let settings = try tables("settings")
        #expect(settings["disagreements"]?.compactMap { $0["number"] } == (1...37).map(String.init))
        #expect(settings["decisions"]?.compactMap { $0["number"] } == (1...35).map(String.init))
        let decided = try #require(settings["decisions"])
        #expect(decided.allSatisfy { $0["because"]?.isEmpty == false && $0["citation"]?.isEmpty == false })
    }

    @Test("show explains what distinguishes similar scenarios, and has the limits of older systems")
    func details() throws {
        let app = try tables("app")
        func row(_ table: String, _ key: String, _ id: String) throws -> [String: String] {
            try #require(app[table]?.first { $0[key] == id })
        }
        #expect(try row("scenarios", "scenario", "SC-A09")["absent"] == "applicationWillEnterForeground")
        #expect(try row("limits", "limit", "TL-06")["thresholds"]?.contains("ios4-6: warning above 600 s") == true)
        #expect(
            try row("classes", "class", "EQ-3")["distinguished by"] == "SC-A05: protectedDataDidBecomeAvailable")
        #expect(
            try row("transitions", "transition", "APP-T02c")["kind"] == "marked, after applicationWillResignActive")
        let sheet = try tables("view")["scenarios"]?.first { $0["scenario"] == "SC-V06" }
        #expect(sheet?["others"] == "present")
    }

    @Test(
        "show names the states in four languages",
        arguments: [
            ("en", ["Not running", "Inactive", "Active", "Background", "Suspended"]),
            ("zh-Hans", ["未运行", "未激活", "激活", "后台", "挂起"]), ("zh-Hant", ["未運行", "未激活", "激活", "後臺", "掛起"]),
            ("es", ["No en ejecución", "Inactivo", "Activo", "En segundo plano", "Suspendido"]),
        ])
    func languages(language: String, names: [String]) throws {
        let states = try #require(try tables("app", "--lang", language)["states"])
        #expect(states.prefix(5).compactMap { $0["title"] } == names)
        let picture = try Program().run("model", "export", "app", "--format", "svg", "--lang", language)
        for name in names { #expect(picture.text.contains(">\(name)<"), "\(name)") }
    }

    @Test("an unknown language is an error that lists the known ones")
    func unknownLanguage() throws {
        let refused = try Program().run("model", "show", "app", "--lang", "fr")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("--lang fr") && refused.errors.contains("en, zh-Hans, zh-Hant, es"))
    }

    @Test("writes a model in every format, and reads it back equal", arguments: ["app", "process", "scene", "view"])
    func export(model: String) throws {
        let program = try Program()
        for (format, sign) in [
            ("yaml", "model: \(model)"), ("json", "{"), ("dot", "digraph"), ("svg", "<svg"),
            ("mermaid", "stateDiagram-v2"), ("scxml", "<scxml"),
        ] {
            let written = try program.run("model", "export", model, "--format", format, "-o", "out.\(format)")
            #expect(written.status == 0, "\(written.errors)")
            let file = program.folder.url.appendingPathComponent("out.\(format)")
            #expect(try String(contentsOf: file, encoding: .utf8).contains(sign), "\(format)")
        }
        let yaml = try program.run("model", "export", model).text
        #expect(try program.run("model", "export", "out.yaml").text == yaml)
        #expect(
            try program.run("model", "export", "out.yaml", "--format", "scxml").text
                == program.run("model", "export", model, "--format", "scxml").text)
    }

    @Test("titles cannot control a terminal in any text format", arguments: ["json", "dot", "mermaid", "scxml"])
    func exportOfHostileTitles(format: String) throws {
        let program = try Program()
        let yaml = try program.run("model", "export", "process").text
        let hostile = #"title: "a\e[2Jb\Lc""#
        try program.write(yaml.replacing(#/\btitle: \{.*/#, with: hostile), to: "own.yaml")
        let written = try program.run("model", "export", "own.yaml", "--format", format)
        #expect(written.status == 0, "\(written.errors)")
        #expect(!written.text.contains("\u{1B}"))
        // Only pictures are shown as they are; what is read back has to stay the same.
        #expect(format == "json" || !written.text.contains("\u{2028}"))
        #expect(format == "scxml" || written.text.contains("[2Jb"))
    }

    @Test("coverage counts each app and build, and fails below the threshold")
    func coverage() throws {
        let program = try Program()
        for (version, sample) in [("1.0", "sc-a01-launch.log"), ("2.0", "sc-a23-launch-home-reopen.log")] {
            let log = Program.project.appendingPathComponent("samples/scenarios/\(sample)").path
            #expect(try program.run("ingest", log, "--app-version", version).status == 0)
        }
        let table = try program.run("model", "coverage", "--format", "csv")
        #expect(table.status == 0)
        let rows = table.text.split(whereSeparator: \.isNewline).filter { $0.contains(",app,states,") }
        // Not running, inactive, active; also background where the app returns.
        #expect(rows.count == 2)
        #expect(rows.contains { $0.contains(",1.0,app,states,3,5,0.6") }, "\(rows)")
        #expect(rows.contains { $0.contains(",2.0,app,states,4,5,0.8") }, "\(rows)")
        #expect(try program.run("model", "coverage", "--fail-under", "90").status == 1)
        // A filter restricts the runs.
        let run = try program.run("query", "select run_id from runs where app_version = '2.0'", "--format", "ndjson")
            .text
            .filter(\.isNumber)
        let one = try program.run("model", "coverage", "--run", run, "--format", "csv").text
        #expect(one.contains(",2.0,app,states,4,5,0.8") && !one.contains(",1.0,"), "\(one)")
        #expect(try program.run("model", "coverage", "--app-version", "2.0", "--fail-under", "1").status == 0)
    }

    @Test("coverage counts what happens to an app through its scenes")
    func coverageThroughScenes() throws {
        let program = try Program()
        let lines = [
            "application:didFinishLaunchingWithOptions:", "scene:willConnectToSession:options:",
            "sceneWillEnterForeground:", "sceneDidBecomeActive:", "sceneWillResignActive:", "sceneDidEnterBackground:",
        ]
        try program.write(
            lines.enumerated().map { "2026-05-04 07:10:0\($0).000 Tea[100:1] -[Delegate \($1)]\n" }.joined(),
            to: "tea.log")
        #expect(try program.run("ingest", "tea.log").status == 0)
        let rows = try program.run("model", "coverage", "--format", "csv").text.split(whereSeparator: \.isNewline)
        let missing = { (kind: String) in
            rows.first { $0.contains(",app,\(kind),") }?.split(separator: ",").last?.split(separator: " ") ?? []
        }
        // Launched, brought to the foreground, active, inactive, in the background; a silent end stays what is missing.
        #expect(Set(missing("transitions")).isDisjoint(with: ["APP-T03", "APP-T06", "APP-T04", "APP-T05"]), "\(rows)")
        #expect(missing("transitions").contains("APP-T14"))
        #expect(!missing("callbacks").contains("applicationDidBecomeActive"), "\(rows)")
        #expect(missing("callbacks").contains("applicationWillTerminate"))
    }

    @Test("coverage reports which models of the database it leaves out, and how to add them")
    func coverageOfOwnModels() throws {
        let program = try Program()
        let player = Program.project.appendingPathComponent("samples/models/player").path
        #expect(try program.run("ingest", "\(player).log", "--model", "\(player).yaml").status == 0)
        let without = try program.run("model", "coverage", "--format", "csv")
        #expect(without.status == 0 && !without.text.contains(",player,"))
        #expect(without.errors.contains("model player is not covered"), "\(without.errors)")
        #expect(without.errors.contains("--model FILE"))
        let with = try program.run("model", "coverage", "--model", "\(player).yaml", "--format", "csv")
        #expect(with.text.contains(",player,states,"))
        #expect(!with.errors.contains("not covered"), "\(with.errors)")
    }
}
