import Foundation
import Testing

@testable import LifecycleModel

/// Everything that the specification lists is data, by id, and all of it can be tuned.
@Suite("What the specification lists")
struct DocumentedDataTests {
    private func words(_ text: String) -> [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }

    @Test("transitions, A.1.2, A.2.1, A.2.3 and A.3.2, are the rows of the tables that a model shows")
    func transitions() throws {
        let documented = [
            "app": """
            APP-T01 APP-T02a APP-T02b APP-T02c APP-T03 APP-T04 APP-T05 APP-T06 APP-T07 APP-T08 APP-T09 APP-T10 APP-T11
            APP-T12 APP-T13 APP-T14 APP-T15 APP-T16 APP-T17 APP-T18
            """,
            "process": "PRC-T01 PRC-T02 PRC-T03 PRC-T04 PRC-T05",
            "scene": """
            SCN-T01 SCN-T02 SCN-T03 SCN-T04 SCN-T05 SCN-T06 SCN-T07 SCN-T08 SCN-T09 SCN-T10 SCN-T11 SCN-T12 SCN-T13
            SCN-T14
            """,
            "view": """
            VC-T01 VC-T02 VC-T03 VC-T04 VC-T05 VC-T06 VC-T07 VC-T08 VC-T09 VC-T10 VC-T11 VC-T12
            """,
            "swiftui-view": "SUI-T01 SUI-T02 SUI-T03 SUI-T04 SUI-T05 SUI-T06 SUI-T07",
            "background-task": """
            BG-T01 BG-T01b BG-T02 BG-T02b BG-T02c BG-T02d BG-T03 BG-T03b BG-T04 BG-T05 BG-T05b BG-T06 BG-T06b BG-T06c BG-T07 BG-T08 BG-T09 BG-T10
            BG-T10a BG-T10b
            """,
        ]
        for (id, expected) in documented {
            let table = try #require(ModelTables.tables(of: try BuiltIn.model(id)).first { $0.name == "transitions" })
            #expect(table.rows.map { $0[0] } == words(expected))
        }
    }

    @Test("a version of the system has its states, severities and scenarios, and no others")
    func systems() throws {
        let tasks = try BuiltIn.model("background-task")
        #expect(tasks.inSystem(12).states.map(\.id) == words("absent running expiring finished cancelled killed"))
        #expect(tasks.inSystem(12).scenarios.map(\.id) == ["SC-B03"])
        #expect(tasks.inSystem(13).scenarios == tasks.scenarios)
        let app = try BuiltIn.model("app")
        let severities = [18, 26, 27, 28].map { app.inSystem($0).rule("R-MIG-01")?.severity }
        #expect(severities == [.warning, .warning, .error, .error])
    }

    @Test("every rule and limit says what it requires, and cites a document that a reader can open")
    func sourcesOfRules() throws {
        let catalog = try BuiltIn.catalog.get()
        let cited = catalog.models.flatMap { model in
            model.rules.map { ($0.id, $0.says, $0.citation) } + model.limits.map { ($0.id, $0.says, $0.citation) }
        }
        #expect(cited.count > 80)
        for (id, says, citation) in cited {
            #expect(!says.isEmpty, "\(id)")
            let addresses = catalog.settings.documents(of: citation).map(\.address).filter { !$0.isEmpty }
            #expect(!addresses.isEmpty, "\(id) cites \(citation)")
        }
    }

    @Test("names of scene states as the documents give them, and names of all in four languages")
    func languages() throws {
        let scene = try BuiltIn.model("scene")
        #expect(scene.states.prefix(5).map { $0.title["zh-Hans"] } == ["未连接", "未激活", "激活", "后台", "挂起"])
        #expect(
            scene.states.prefix(5).map { $0.title["es"] } == [
                "Desconectado", "Inactivo", "Activo", "En segundo plano", "Suspendido",
            ])
        for id in ["app", "scene", "view", "swiftui-view", "background-task"] {
            let states = try BuiltIn.model(id).states.filter(\.isDrawn)
            // "Activo" and the like differ from English, so a name that equals the English one is missing.
            for language in ["zh-Hans", "zh-Hant", "es"] {
                #expect(states.filter { $0.title[language] == $0.title["en"] }.map(\.id) == [], "\(id), \(language)")
            }
        }
        for model in try BuiltIn.catalog.get().models {
            for language in ["en", "zh-Hans", "zh-Hant", "es"] {
                let states = try #require(
                    ModelTables.tables(of: model, language: language).first { $0.name == "states" })
                #expect(states.rows.map { $0[1] } == model.states.map { $0.title[language] })
            }
        }
    }

    @Test("codes of ends, D.5")
    func endCodes() throws {
        let documented = words(
            """
            0x8badf00d 0xdead10cc 0xc00010ff 0xbaadca11 0xbad22222 0xbaddd15c 0x2182bad3 0x2182bad4 0xd00d2bad
            per-process-limit vm-pageshortage vnode-limit fc-thrashing highwater jettisoned
            process-launch scene-create scene-update process-exit
            """)
        let codes = try BuiltIn.catalog.get().settings.endCodes
        #expect(Set(documented).isSubset(of: codes.map(\.code)))
        // The counts of MetricKit: six of the foreground, and four more of the background.
        #expect(codes.filter { $0.code.hasSuffix("ExitCount") }.count == 10)
        #expect(codes.allSatisfy { !$0.citation.isEmpty && !$0.transitions.isEmpty })
    }

    @Test("spellings, appendix 1")
    func spellings() throws {
        let documented = [
            "willFinishLaunchingWithOptions": ["willFinishLaunchingWithOptions"],
            "didFinishLaunchingWithOptions": [
                "didFinishLaunchingWithOptions", "didFinishLaunching:",
                "aplicación de funciones (_: terminó de iniciar con opciones:)",
            ],
            "applicationDidFinishLaunching": ["applicationDidFinishLaunching"],
            "applicationDidBecomeActive": ["applicationDidBecomeActive"],
            "applicationWillResignActive": ["applicationWillResignActive"],
            "applicationDidEnterBackground": ["applicationDidEnterBackground", "applicationDidEnterBackgound"],
            "applicationWillEnterForeground": ["applicationWillEnterForeground"],
            "applicationWillTerminate": ["applicationWillTerminate"],
            "configurationForConnectingSceneSession": [
                "configurationForConnectingSceneSession", "configurationForConnecting",
                "configuraciónParaConectar:opciones:",
            ],
            "didDiscardSceneSessions": ["didDiscardSceneSessions"],
            "sceneWillConnect": [
                "willConnectToSession", "willConnectTo:options:", "escena (_: se conectará a: opciones:)",
            ],
            "sceneDidBecomeActive": ["sceneDidBecomeActive", "la escena se volvió activa"],
            "sceneWillResignActive": ["sceneWillResignActive"],
            "sceneWillEnterForeground": ["sceneWillEnterForeground"],
            "sceneDidEnterBackground": ["sceneDidEnterBackground", "escenaDidEnterBackground"],
            "sceneDidDisconnect": ["sceneDidDisconnect", "escenaDidDisconnect"],
            "viewDidLoad": ["viewDidLoad"], "viewWillAppear": ["viewWillAppear"], "viewDidAppear": ["viewDidAppear"],
            "viewWillDisappear": ["viewWillDisappear"], "viewDidDisappear": ["viewDidDisappear"],
            "viewWillLayoutSubviews": ["viewWillLayoutSubviews"], "viewDidLayoutSubviews": ["viewDidLayoutSubviews"],
            "presentViewCompleted": ["presentViewCompleted"],
            "dismissViewControllerCompleted": ["dismissViewControllerCompleted"], "dealloc": ["dealloc", "deinit"],
        ]
        let callbacks = try BuiltIn.catalog.get().models.flatMap(\.callbacks)
        for (id, spellings) in documented {
            let known = try #require(callbacks.first { $0.id == id }).spellings.map { $0.lowercased() }
            for spelling in spellings { #expect(known.contains(spelling.lowercased()), "\(id): \(spelling)") }
        }
        let app = try BuiltIn.model("app")
        #expect(app.state("background")?.synonyms.contains("Backgroud") == true)
        #expect(app.state("not_running")?.synonyms.contains("end") == true)
    }

    @Test("every document that a citation names is described")
    func documents() throws {
        let catalog = try BuiltIn.catalog.get()
        let settings = catalog.settings
        var citations = settings.profiles.map(\.citation) + settings.decisions.map(\.citation)
        citations += settings.options.map(\.citation) + settings.endCodes.map(\.citation)
        for model in catalog.models {
            citations += model.states.map(\.citation) + model.transitions.map(\.citation)
            citations += model.rules.map(\.citation) + model.limits.map(\.citation)
            citations += model.scenarios.map(\.citation)
        }
        var named: Set<String> = []
        for match in citations.flatMap({ $0.matches(of: /\b(S[0-9]|[AT]-[A-Z][A-Z0-9]+)\b/) }) {
            named.insert(String(match.1))
        }
        #expect(named.count > 30)
        #expect(named.subtracting(settings.documents.map(\.id)).sorted() == [])
        for document in settings.documents { #expect(!document.title.isEmpty, "\(document.id)") }
        // What Apple says comes first, then what is in English; what a reader cannot open comes after what he can.
        let citation = "S1:14, T-PROG, S2:3, T-KILL, S1:20-22, A-LIFE"
        #expect(settings.documents(of: citation).map(\.id) == ["A-LIFE", "T-KILL", "T-PROG", "S2", "S1"])
        #expect(settings.ordered(citation) == "A-LIFE, T-KILL, T-PROG, S2:3, S1:14, S1:20-22")
    }

    @Test("every disagreement names data that exists, and a test that exists")
    func choices() throws {
        let catalog = try BuiltIn.catalog.get()
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "DisagreementTests.swift")
        let tests = try String(contentsOf: file, encoding: .utf8)
        // The title of a test ends with the numbers that it covers: (9, 12 to 16, 26).
        var held: [String: Set<Int>] = [:]
        for match in tests.matches(of: /@Test\("[^\n]*\(([0-9, to]+)\)"\)\s+func (\w+)\(/) {
            for part in match.1.split(separator: ",") {
                let bounds = part.split(separator: " ").compactMap { Int($0) }
                guard let first = bounds.first, let last = bounds.last else { continue }
                held[String(match.2), default: []].formUnion(first...last)
            }
        }
        for choice in catalog.settings.choices {
            if choice.testedBy.hasPrefix("DisagreementTests.") {
                let test = String(choice.testedBy.dropFirst(18))
                #expect(held[test]?.contains(Int(choice.id) ?? 0) == true, "\(test) does not cover \(choice.id)")
            } else {
                #expect(choice.id == "24", "\(choice.id) is not tested")
            }
            #expect(!choice.implementedBy.isEmpty)
            for id in choice.implementedBy {
                let isKnown =
                    catalog.models.contains { model in
                        model.transitions.contains { $0.id == id } || model.callback(id) != nil || model.rule(id) != nil
                            || model.limit(id) != nil || model.scenario(id) != nil
                            || model.classes.contains { $0.id == id }
                    } || catalog.settings.profiles.contains { $0.id == id } || catalog.settings.endCode(id) != nil
                #expect(isKnown, "\(choice.id) names \(id), which does not exist")
            }
        }
    }

    @Test("every severity and every threshold can be changed and switched off by an overlay")
    func tuning() throws {
        let builtIn = try BuiltIn.catalog.get()
        for model in builtIn.models {
            for rule in model.rules {
                for severity in RuleSeverity.allCases {
                    var catalog = builtIn
                    try catalog.add(yaml: "overlay: o\nrules: {\(rule.id): \(severity.rawValue)}", file: "o.yaml")
                    #expect(catalog.model(model.id)?.rule(rule.id)?.severity == severity)
                }
                var catalog = builtIn
                try catalog.add(yaml: "overlay: o\nrules: {\(rule.id): off}", file: "o.yaml")
                #expect(catalog.model(model.id)?.rules.count == model.rules.count - 1)
            }
            for limit in model.limits {
                for (place, threshold) in limit.thresholds.enumerated() {
                    // Between its neighbours, because a milder threshold must not be above a more severe one.
                    let below = place > 0 ? limit.thresholds[place - 1].seconds : 0
                    let above = place + 1 < limit.thresholds.count ? limit.thresholds[place + 1].seconds : below + 9
                    let new = (below + above) / 2
                    var catalog = builtIn
                    let text = "overlay: o\nlimits: {\(limit.id): {\(threshold.severity.rawValue): \(new)}}"
                    try catalog.add(yaml: text, file: "o.yaml")
                    var expected = limit.thresholds
                    expected[place].seconds = new
                    #expect(catalog.model(model.id)?.limit(limit.id)?.thresholds == expected)
                }
                var catalog = builtIn
                try catalog.add(yaml: "overlay: o\nlimits: {\(limit.id): off}", file: "o.yaml")
                #expect(catalog.model(model.id)?.limit(limit.id) == nil)
            }
        }
    }

    @Test(
        "exported state charts use no more than the W3C schema has",
        arguments: ["app", "process", "scene", "view", "swiftui-view", "background-task"])
    func schema(id: String) throws {
        // From scxml-core-strict: children, allowed attributes and required attributes of each element.
        let allowed: [String: (children: Set<String>, attributes: Set<String>, required: Set<String>)] = [
            "scxml": (
                ["state", "parallel", "final", "datamodel", "script"],
                ["initial", "name", "version", "datamodel", "binding"], ["version"]
            ),
            "state": (
                [
                    "onentry", "onexit", "transition", "initial", "state", "parallel", "final", "history", "datamodel",
                    "invoke",
                ], ["id", "initial"], ["id"]
            ),
            "final": (["onentry", "onexit", "donedata"], ["id"], ["id"]),
            "transition": ([], ["event", "cond", "target", "type"], ["event", "target"]),
        ]
        let name = /[A-Za-z_][A-Za-z0-9_.\-]*/
        let event = /[A-Za-z0-9_.\-]+( [A-Za-z0-9_.\-]+)*/
        var ids: [String] = []
        var references: [String] = []
        func check(_ element: ChartElement) throws {
            let rule = try #require(allowed[element.name], "<\(element.name)> is no element of ours")
            let attributes = Set(element.attributes.keys.filter { !$0.hasPrefix("xmlns") })
            #expect(attributes.isSubset(of: rule.attributes), "<\(element.name)> carries \(attributes)")
            #expect(rule.required.isSubset(of: attributes))
            if let id = element.attributes["id"] {
                ids.append(id)
                #expect(id.wholeMatch(of: name) != nil, "'\(id)' is no XML name")
            }
            references += [element.attributes["target"], element.attributes["initial"]].compactMap(\.self)
            if let text = element.attributes["event"] { #expect(text.wholeMatch(of: event) != nil, "'\(text)'") }
            for child in element.children {
                #expect(rule.children.contains(child.name), "<\(child.name)> in <\(element.name)>")
                try check(child)
            }
        }
        try check(ChartElement.read(ModelWriter.text(of: try BuiltIn.model(id), as: .scxml)))
        #expect(Set(ids).count == ids.count, "an id is given twice")
        #expect(Set(references).isSubset(of: ids), "a reference leads nowhere")
    }
}
