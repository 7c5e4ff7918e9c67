import Testing

@testable import LifecycleModel

/// Compares the models with the ids of the specification's tables, kept here as lists.
@Suite("The models against the specification's tables")
struct SpecificationTests {
    private func words(_ text: String) -> [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }

    private func numbered(_ prefix: String, _ numbers: ClosedRange<Int>) -> [String] {
        numbers.map { "\(prefix)\($0 < 10 ? "0" : "")\($0)" }
    }

    @Test("states, A.1.1 to A.3.1")
    func states() throws {
        let drawn = [
            "app": "not_running inactive active background suspended",
            "process": "not_running running suspended",
            "scene": "unattached fg_inactive fg_active background suspended discarded",
            "view": "unloaded loaded appearing appeared disappearing disappeared deallocated",
            "swiftui-view": "absent appeared disappeared gone",
            "background-task": "absent registered pending running expiring finished cancelled killed",
        ]
        for (id, states) in drawn {
            #expect(try BuiltIn.model(id).states.filter(\.isDrawn).map(\.id) == words(states))
        }
        let hidden = try BuiltIn.model("app").states.filter { !$0.isDrawn }.map(\.id)
        #expect(hidden == words("prewarmed terminating unknown background_or_suspended"))
    }

    @Test("moves of controllers, A.3.2: one for each arrow of a path")
    func moves() throws {
        // The column "from → to" of the table. A path has a move for each arrow; "or" separates several beginnings.
        let table = [
            "VC-T02": "unloaded → loaded", "VC-T03": "loaded or disappeared → appearing",
            "VC-T04": "appearing → appearing", "VC-T05": "appearing → appeared", "VC-T06": "appeared → appeared",
            "VC-T07": "appeared → disappearing", "VC-T08": "disappearing → disappeared",
            "VC-T09": "disappearing → appearing → appeared", "VC-T10": "appearing → disappearing",
            "VC-T11": "disappeared or loaded or unloaded → deallocated",
        ]
        let moves = try BuiltIn.model("view").documentedMoves
        for (id, path) in table {
            let stops = path.split(separator: "→").map { words(String($0)).filter { $0 != "or" } }
            var expected: Set<String> = []
            for (from, to) in zip(stops, stops.dropFirst()) {
                for from in from { for to in to { expected.insert("\(from) \(to)") } }
            }
            let own = moves.filter { $0.transition.id == id }.map { "\($0.from) \($0.to)" }
            #expect(Set(own) == expected && own.count == expected.count, "\(id)")
        }
        let popCalledOff = moves.filter { $0.transition.id == "VC-T09" }
        #expect(
            Set(popCalledOff.map { "\($0.from) \($0.callbacks.joined(separator: " ")) \($0.to)" }) == [
                "disappearing viewWillAppear viewIsAppearing appearing", "appearing viewDidAppear appeared",
            ])
    }

    @Test("Each pair of states is one edge, with the callbacks and sources of all transitions between them")
    func edges() throws {
        for model in ["app", "scene", "view", "process"] {
            let edges = try BuiltIn.model(model).documentedEdges
            #expect(Set(edges.map { "\($0.from) \($0.to)" }).count == edges.count, "\(model)")
        }
        // VC-T05 and the second half of VC-T09.
        let view = try BuiltIn.model("view").documentedEdges
        #expect(!view.contains { $0.from == "disappearing" && $0.to == "appeared" })
        let appears = try #require(view.first { $0.from == "appearing" && $0.to == "appeared" })
        #expect(appears.transitions.map(\.id) == ["VC-T05", "VC-T09"] && appears.callbacks == ["viewDidAppear"])
    }

    @Test("silent moves, A.1.2 and A.2.1: those that no callback marks, and those that a callback may mark")
    func silentMoves() throws {
        func moves(_ model: String, _ id: String) throws -> [String] {
            try BuiltIn.model(model).documentedMoves.filter { $0.transition.id == id }.map {
                "\($0.from) \($0.to) \($0.callbacks.joined(separator: " "))\($0.isSilent ? " ~" : "")"
            }
        }
        #expect(try moves("app", "APP-T07") == ["background suspended  ~"])
        #expect(try moves("process", "PRC-T04") == ["running not_running applicationWillTerminate ~"])
        #expect(try moves("app", "APP-T10") == ["background not_running applicationWillTerminate"])
    }

    @Test("the end of an app with scenes, A.2.1: the process judges terminate, whatever state the scenes give the app")
    func terminateWithScenes() throws {
        let derived = try #require(try BuiltIn.model("scene").derives)
        #expect(derived.judgedBy == ["applicationWillTerminate": "process"])
        // PRC-T04 | running → not_running | [applicationWillTerminate] | marked or silent
        let judge = try BuiltIn.model("process").edges.filter { $0.callback == "applicationWillTerminate" }
        #expect(judge.map { "\($0.transitions) \($0.from) \($0.to)" } == [#"["PRC-T04"] running not_running"#])
        // The app machine alone documents it only in two states, of which the scenes may give neither.
        let own = try BuiltIn.model("app").edges.filter { $0.callback == "applicationWillTerminate" }
        #expect(Set(own.map(\.from)) == ["background", "inactive"])
    }

    @Test("names of the app's states in four languages, A.1.1")
    func titles() throws {
        let names = [
            "not_running": ["Not running", "未运行", "未運行", "No en ejecución"],
            "inactive": ["Inactive", "未激活", "未激活", "Inactivo"],
            "active": ["Active", "激活", "激活", "Activo"],
            "background": ["Background", "后台", "後臺", "En segundo plano"],
            "suspended": ["Suspended", "挂起", "掛起", "Suspendido"],
        ]
        let app = try BuiltIn.model("app")
        for (id, expected) in names {
            let title = try #require(app.state(id)).title
            #expect(["en", "zh-Hans", "zh-Hant", "es"].map { title[$0] } == expected)
        }
        // The second author's Chinese words and the misspelling of one document are synonyms.
        #expect(app.state("inactive")?.synonyms == ["非活跃状态"])
        #expect(app.state("background")?.synonyms.contains("Backgroud") == true)
        let view = try BuiltIn.model("view")
        #expect(view.state("appearing")?.title["zh-Hans"] == "将要显示")
        #expect(view.state("disappeared")?.title["zh-Hans"] == "已经消失")
        // The documents have no Spanish names of these states: they are ours.
        #expect(view.state("appearing")?.title["es"] == "Apareciendo")
    }

    @Test("callbacks, 0.2")
    func callbacks() throws {
        let ids = [
            "app": """
            willFinishLaunchingWithOptions didFinishLaunchingWithOptions applicationDidFinishLaunching
            applicationDidBecomeActive applicationWillResignActive applicationDidEnterBackground
            applicationWillEnterForeground applicationWillTerminate beginBackgroundTask backgroundTaskExpired
            endBackgroundTask didReceiveMemoryWarning protectedDataWillBecomeUnavailable
            protectedDataDidBecomeAvailable performFetch didReceiveRemoteNotification backgroundURLSession incomingPush
            locationEvent bluetoothRestored openURL sceneOpenURLContexts continueUserActivity sceneContinueUserActivity performActionForShortcutItem
            windowScenePerformAction
            """,
            "process": "",
            "scene": """
            configurationForConnectingSceneSession didDiscardSceneSessions sceneWillConnect
            sceneWillEnterForeground sceneDidBecomeActive sceneWillResignActive sceneDidEnterBackground
            sceneDidDisconnect
            """,
            "view": """
            init loadView viewDidLoad viewWillAppear viewIsAppearing viewWillLayoutSubviews viewDidLayoutSubviews
            viewDidAppear viewWillDisappear viewDidDisappear presentViewCompleted dismissViewControllerCompleted
            dealloc
            """,
        ]
        for (id, expected) in ids {
            #expect(try BuiltIn.model(id).callbacks.filter { !$0.isUnknown }.map(\.id) == words(expected))
        }
    }

    @Test("scenarios, C.1 to C.3")
    func scenarios() throws {
        let app = words(
            """
            SC-A01 SC-A02 SC-A03 SC-A04 SC-A05 SC-A06 SC-A07 SC-A08 SC-A09 SC-A10 SC-A11 SC-A12 SC-A12b SC-A13 SC-A14
            SC-A15 SC-A16 SC-A17a SC-A17b SC-A18 SC-A19 SC-A20 SC-A21 SC-A22 SC-A23 SC-A24
            """)
        let scene = words(
            """
            SC-S01 SC-S02 SC-S03 SC-S04 SC-S04b SC-S04c SC-S05 SC-S06 SC-S07 SC-S08 SC-S09 SC-S10 SC-S11 SC-S12 SC-S13
            """)
        let view = words("SC-V01 SC-V02 SC-V02s SC-V03 SC-V04 SC-V05 SC-V06 SC-V07 SC-V08")
        #expect(try BuiltIn.model("app").scenarios.map(\.id) == app)
        #expect(try BuiltIn.model("scene").scenarios.map(\.id) == scene)
        #expect(try BuiltIn.model("view").scenarios.map(\.id) == view)
        #expect(
            try BuiltIn.model("app").scenarios.filter { !$0.breaks.isEmpty }.map(\.id) == [
                "SC-A18", "SC-A19", "SC-A20",
            ])
        #expect(try BuiltIn.model("scene").scenarios.filter { !$0.breaks.isEmpty }.map(\.id) == ["SC-S13"])
    }

    @Test("classes with their members, C.4")
    func classes() throws {
        let classes = try BuiltIn.catalog.get().models.flatMap(\.classes)
        let members = Dictionary(uniqueKeysWithValues: classes.map { ($0.id, $0.members) })
        #expect(
            members == [
                "EQ-1": words("SC-A02 SC-A03 SC-A08 SC-A11 SC-A12b SC-S02 SC-S06"),
                "EQ-2": words("SC-A09 SC-A10 SC-A12 SC-A13 SC-S05 SC-S07"),
                "EQ-3": words("SC-A04 SC-A05 SC-S03"),
                "EQ-4": words("SC-A06 SC-A17a SC-A21"),
                // "User kill of a suspended app" is SC-A06 without its terminate.
                "EQ-5": words("SC-A18 SC-A19 SC-A06"),
            ])
    }

    @Test("limits with their thresholds, D.1")
    func limits() throws {
        let limits = try BuiltIn.catalog.get().models.flatMap(\.limits)
        let thresholds = limits.map { limit in
            ([limit.id] + limit.thresholds.map { "\($0.severity.rawValue) \(Int($0.seconds))" }).joined(separator: " ")
        }
        #expect(
            thresholds == [
                "TL-01 warning 5 error 20", "TL-01b error 20", "TL-02 warning 5 error 10", "TL-03 warning 5 error 13",
                "TL-04 warning 10 error 20", "TL-05 info 10", "TL-06 warning 30 error 180", "TL-07 error 0",
                "TL-08 info 5", "TL-09 info 10", "TL-10 error 0", "TL-11 info 1",
                "R-BG-01 error 0", "TL-BG-02 error 30", "TL-BG-08 error 5",
            ])
    }

    @Test("rules with their severities, D.2 to D.4")
    func rules() throws {
        func severities(_ model: String) throws -> [String: [String]] {
            Dictionary(grouping: try BuiltIn.model(model).rules, by: \.severity.rawValue).mapValues { $0.map(\.id) }
        }
        let ofApp = try BuiltIn.model("app").rules.map(\.id)
        #expect(ofApp.filter { $0.hasPrefix("R-APP-") } == numbered("R-APP-", 1...23))
        #expect(
            ofApp.filter { !$0.hasPrefix("R-APP-") }
                == words(
                    "R-MIG-01 R-MIG-02 R-MIG-10 R-MIG-12 R-MIG-14 R-BG-02 R-BG-05 R-BG-05a R-BG-05b R-BG-05c R-BG-10a R-SUI-03"
                ))
        #expect(try BuiltIn.model("scene").rules.map(\.id) == numbered("R-SCN-", 1...15) + ["R-SUI-02"])
        #expect(try BuiltIn.model("swiftui-view").rules.map(\.id) == ["R-SUI-01", "R-SUI-04"])
        #expect(
            try BuiltIn.model("background-task").rules.map(\.id)
                == ["R-BG-03", "R-BG-04", "R-BG-07", "R-BG-08", "R-BG-10"])
        #expect(try BuiltIn.model("view").rules.map(\.id) == numbered("R-VC-", 1...14))
        #expect(
            try severities("app")["info"]
                == words("R-APP-01 R-APP-14 R-APP-16 R-APP-20 R-APP-21 R-APP-22 R-APP-23 R-BG-05a"))
        #expect(
            try severities("app")["warning"]
                == words(
                    """
                    R-APP-10 R-APP-17 R-APP-18 R-MIG-01 R-MIG-10 R-MIG-12 R-MIG-14 R-BG-02 R-BG-05 R-BG-05b R-BG-05c
                    R-SUI-03
                    """))
        #expect(try severities("scene")["info"] == words("R-SCN-12 R-SCN-13 R-SCN-14"))
        #expect(try severities("scene")["warning"] == words("R-SCN-04 R-SCN-09 R-SCN-11 R-SUI-02"))
        #expect(try severities("view")["error"] == words("R-VC-01 R-VC-12"))
        #expect(try severities("view")["warning"] == words("R-VC-02 R-VC-04 R-VC-06 R-VC-11"))
    }

    @Test("the table of next callbacks, D.7")
    func nextCallbacks() throws {
        #expect(try BuiltIn.model("app").nextCallbacks.count == 8)
        #expect(try BuiltIn.model("scene").nextCallbacks.count == 8)
        #expect(try BuiltIn.model("view").nextCallbacks.count == 7)
        let row = try #require(
            try BuiltIn.model("app").nextCallbacks.first { $0.after == "applicationWillEnterForeground" })
        #expect(row.legal == ["applicationDidBecomeActive"] && row.doubtful == ["applicationDidEnterBackground"])
    }

    @Test("codes of ends, D.5, by hexadecimal, decimal and word")
    func endCodes() throws {
        let settings = try BuiltIn.catalog.get().settings
        #expect(settings.endCode("0x8BADF00D")?.meaning == "watchdog")
        #expect(settings.endCode("8badf00d")?.decimal == 2_343_432_205)
        #expect(settings.endCode("3735883980")?.code == "0xdead10cc")
        #expect(settings.endCode("vm-pageshortage")?.endReason == "jetsam")
        #expect(settings.endCode("0x1") == nil)
        // A code and its decimal form are the same number.
        for code in settings.endCodes where code.code.hasPrefix("0x") {
            #expect(UInt64(code.code.dropFirst(2), radix: 16) == code.decimal, "\(code.code)")
        }
    }

    @Test("configuration keys, D.6; decisions, F; disagreements, B.3; marks of silent transitions, A.1.3")
    func settings() throws {
        let settings = try BuiltIn.catalog.get().settings
        let keys = words(
            """
            platform-profile os-version exits-on-suspend supports-multiple-scenes background-modes watchdog-active
            edge-time
            """)
        #expect(keys.allSatisfy { settings.option($0) != nil })
        #expect(settings.decisions.map(\.id) == (1...35).map(String.init))
        #expect(settings.choices.map(\.id) == (1...37).map(String.init))
        #expect(settings.silentEvidence.map(\.id).contains("APP-T11"))
    }

    @Test("everything has a citation")
    func citations() throws {
        for model in try BuiltIn.catalog.get().models {
            #expect(model.states.allSatisfy { !$0.citation.isEmpty })
            #expect(model.transitions.allSatisfy { !$0.citation.isEmpty })
            #expect(model.rules.allSatisfy { !$0.citation.isEmpty })
            #expect(model.scenarios.allSatisfy { !$0.citation.isEmpty })
        }
    }

    @Test("spellings of appendix 1")
    func spellings() throws {
        let vocabulary = Vocabulary(models: try BuiltIn.catalog.get().models)
        let spellings = Dictionary(
            grouping: vocabulary.entries.flatMap { entry in entry.callback.spellings.map { ($0, entry.callback.id) } },
            by: { $0.0.lowercased() }
        ).mapValues { $0.map(\.1) }
        let expected = [
            "applicationDidEnterBackgound": "applicationDidEnterBackground",
            "willConnectToSession": "sceneWillConnect", "escenaDidEnterBackground": "sceneDidEnterBackground",
            "escenaDidDisconnect": "sceneDidDisconnect", "deinit": "dealloc",
            "UIScene.didActivateNotification": "sceneDidBecomeActive",
            "configuraciónParaConectar:opciones:": "configurationForConnectingSceneSession",
        ]
        for (spelling, callback) in expected { #expect(spellings[spelling.lowercased()] == [callback]) }
    }
}
