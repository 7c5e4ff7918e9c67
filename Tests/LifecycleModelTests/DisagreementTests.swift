import Testing

@testable import LifecycleModel

/// Enforces each choice between documents that disagree. `models/choices.yaml` names these tests.
@Suite("Where the documents disagree")
struct DisagreementTests {
    private func targets(_ model: String, _ state: String, _ callback: String) throws -> [String] {
        try BuiltIn.model(model).edges.filter { $0.from == state && $0.callback == callback }.map(\.to)
    }

    private func steps(_ scenario: String) throws -> [StepPattern] {
        let scenarios = try BuiltIn.catalog.get().models.flatMap(\.scenarios)
        return try #require(scenarios.first { $0.id == scenario }).steps
    }

    private func optional(_ callback: String, in scenario: String) throws -> Bool {
        try steps(scenario).contains { step in
            if case .optional(let inner) = step { inner.flatMap(\.callbacks).contains(callback) } else { false }
        }
    }

    @Test("enter-foreground moves to inactive, while the platform reports background (1)")
    func stateDuringAndAfter() throws {
        let callback = try #require(try BuiltIn.model("app").callback("applicationWillEnterForeground"))
        #expect(callback.during == ["background"] && callback.proves == "inactive")
        #expect(try targets("app", "background", "applicationWillEnterForeground") == ["inactive"])
    }

    @Test("a launch leads to inactive; with scenes the app is in the background at first (2)")
    func launchState() throws {
        #expect(try targets("app", "not_running", "willFinishLaunchingWithOptions") == ["inactive", "background"])
        let derived = try #require(try BuiltIn.model("scene").derives)
        #expect(derived.model == "app" && derived.state(from: []) == "background")
        #expect(derived.state(from: ["unattached"]) == "background")
        #expect(derived.state(from: ["background", "fg_active", "fg_inactive"]) == "active")
        #expect(derived.state(from: ["background", "fg_inactive"]) == "inactive")
    }

    @Test("no transition leads from active to the background directly (3)")
    func noDirectWayToBackground() throws {
        #expect(try targets("app", "active", "applicationDidEnterBackground") == [])
        let rule = try #require(try BuiltIn.model("app").rule("R-APP-15"))
        #expect(rule.severity == .error && !rule.checks[0].states.contains("active"))
    }

    @Test("exit on suspend may pass through the background or not, and terminate does not need it (4, 21, 34)")
    func exitOnSuspend() throws {
        #expect(try targets("app", "background", "applicationWillTerminate") == ["not_running"])
        #expect(try targets("app", "inactive", "applicationWillTerminate") == ["not_running"])
        var catalog = try BuiltIn.catalog.get()
        func holds(_ rule: String, _ profile: String) -> Bool {
            catalog.rules(of: "app", profile: profile).contains { $0.id == rule }
        }
        #expect(!holds("R-APP-19", "ios12-") && !holds("R-APP-20", "ios12-"))
        catalog.options["exits-on-suspend"] = "yes"
        #expect(holds("R-APP-19", "ios12-") && !holds("R-APP-19", "ios13+") && !holds("R-APP-20", "ios12-"))
        catalog.options["exits-on-suspend"] = "no"
        #expect(!holds("R-APP-19", "ios12-") && holds("R-APP-20", "ios12-"))
        #expect(catalog.settings.profiles.contains { $0.id == "legacy-ios3" })
    }

    @Test("thresholds lie between what is documented and what was measured (5, 6, 17, 31)")
    func thresholds() throws {
        let app = try BuiltIn.model("app")
        func seconds(_ id: String) -> [Double] { app.limit(id)?.thresholds.map(\.seconds) ?? [] }
        #expect(seconds("TL-02") == [5, 10])
        #expect(seconds("TL-03") == [5, 13])
        #expect(seconds("TL-09") == [10])
        #expect(seconds("TL-01") == [5, 20] && seconds("TL-04") == [10, 20])
    }

    @Test("background time that runs out ends in suspended or silently; a suspended app gets no callback (7, 8)")
    func backgroundEnds() throws {
        let app = try BuiltIn.model("app")
        let silent = app.silentMoves.map { "\($0.from) \($0.to)" }
        #expect(silent.contains("background suspended") && silent.contains("background not_running"))
        #expect(silent.contains("suspended not_running"))
        #expect(try targets("app", "suspended", "applicationWillTerminate") == [])
        #expect(app.transitions.first { $0.id == "APP-T12" }?.isAbnormal == true)
    }

    @Test("steps that some documents omit may be missing (9, 12 to 16, 26, 32)")
    func optionalSteps() throws {
        #expect(try optional("applicationWillTerminate", in: "SC-A06"))
        #expect(try optional("presentViewCompleted", in: "SC-V03"))
        #expect(try optional("viewWillLayoutSubviews", in: "SC-V04"))
        #expect(try optional("viewIsAppearing", in: "SC-V01"))
        #expect(try optional("willFinishLaunchingWithOptions", in: "SC-A01"))
        #expect(try optional("configurationForConnectingSceneSession", in: "SC-S01"))
        #expect(try optional("applicationWillTerminate", in: "SC-S04"))
        #expect(try BuiltIn.model("process").transitions.first { $0.id == "PRC-T04" }?.isSilent == true)
    }

    @Test("become-active before did-appear is an info, and an error with seed-strict (10)")
    func profileSeverities() throws {
        var catalog = try BuiltIn.catalog.get()
        func severity(_ rule: String) -> RuleSeverity? {
            catalog.models.flatMap { catalog.rules(of: $0.id, profile: "ios12-") }.first { $0.id == rule }?.severity
        }
        #expect(severity("R-VC-07") == .info && severity("R-APP-17") == .warning)
        catalog.profiles = ["seed-strict", "dev-build"]
        #expect(severity("R-VC-07") == .error && severity("R-APP-17") == .info)
        #expect(catalog.rules(of: "view", profile: "ios13+").first { $0.id == "R-VC-07" } == nil)
    }

    @Test("the last two callbacks of a push come in any order (11, 37)")
    func unorderedPair() throws {
        for id in ["SC-V03", "SC-V04"] {
            let pair = try steps(id).compactMap { step -> [String]? in
                if case .unordered(let inner) = step { inner.flatMap(\.callbacks).sorted() } else { nil }
            }
            #expect(pair == [["viewDidAppear", "viewDidDisappear"]])
        }
        let order = try #require(try BuiltIn.model("view").rule("R-VC-09")).checks.flatMap(\.order)
        #expect(!order.contains(["arriving viewDidAppear", "leaving viewDidDisappear"]))
        #expect(order.contains(["leaving viewWillDisappear", "arriving viewWillAppear"]))
        #expect(try BuiltIn.model("view").rule("R-VC-09")?.severity == .info)
    }

    @Test("a lock cannot be distinguished from a press of the home button (18)")
    func lockIsLeave() throws {
        #expect(try steps("SC-A03") == steps("SC-A02"))
        let leave = try #require(try BuiltIn.model("app").classes.first { $0.id == "EQ-1" })
        #expect(leave.hints.first { $0.members == ["SC-A03"] }?.callbacks == ["protectedDataWillBecomeUnavailable"])
    }

    @Test("the notification centre makes the app inactive and active again (19)")
    func shade() throws {
        #expect(
            try steps("SC-A12").flatMap(\.callbacks) == ["applicationWillResignActive", "applicationDidBecomeActive"])
    }

    @Test("a background task may begin before or after enter-background (20)")
    func taskAnyTime() throws {
        guard case .unordered(let pair) = try steps("SC-A22")[0] else {
            Issue.record("the first step of SC-A22 is no unordered pair")
            return
        }
        #expect(pair.flatMap(\.callbacks) == ["applicationDidEnterBackground", "beginBackgroundTask"])
        #expect(try BuiltIn.model("app").callback("beginBackgroundTask")?.isSupplementary == true)
    }

    @Test("the older launch callback counts like the newer one (22)")
    func olderLaunchCallback() throws {
        #expect(try targets("app", "not_running", "applicationDidFinishLaunching") == ["inactive", "background"])
        #expect(try BuiltIn.model("app").callback("applicationDidFinishLaunching")?.beginsRun == true)
        #expect(try BuiltIn.model("app").rule("R-APP-21")?.severity == .info)
    }

    @Test("a discard is final, a disconnect is not (23, 25)")
    func discardIsFinal() throws {
        let scene = try BuiltIn.model("scene")
        #expect(scene.edges.filter { $0.from == "discarded" } == [])
        #expect(try targets("scene", "unattached", "sceneWillEnterForeground") == ["fg_inactive"])
        #expect(scene.callback("didDiscardSceneSessions")?.endsInstance == true)
        #expect(scene.rule("R-SCN-10")?.checks.first?.scope == .session)
        #expect(try steps("SC-S12").flatMap(\.callbacks).prefix(2).last == "didDiscardSceneSessions")
    }

    @Test("a kill with scenes may omit any step, and leads back to unattached (27, 29, 35)")
    func sceneKills() throws {
        #expect(try targets("scene", "fg_inactive", "sceneDidDisconnect") == ["unattached"])
        #expect(try targets("scene", "background", "sceneDidDisconnect") == ["unattached"])
        #expect(try optional("sceneDidEnterBackground", in: "SC-S04"))
        #expect(try BuiltIn.model("scene").rule("R-SCN-04")?.severity == .warning)
        #expect(try BuiltIn.model("scene").rule("R-SCN-14")?.checks.first?.template == .silentEnd)
        #expect(try targets("scene", "fg_inactive", "sceneDidEnterBackground") == ["background"])
    }

    @Test("enter-background may come again in the background (28)")
    func wakeInBackground() throws {
        #expect(try targets("app", "background", "applicationDidEnterBackground") == ["background"])
        #expect(try targets("app", "suspended", "applicationDidEnterBackground") == ["background"])
        let next = try #require(try BuiltIn.model("app").rule("R-APP-12")).checks[0].then
        #expect(next.contains("applicationDidEnterBackground"))
    }

    @Test("a cancelled pop ends in appeared (30)")
    func calledOffPop() throws {
        #expect(try targets("view", "disappearing", "viewDidAppear") == ["appeared"])
        #expect(try targets("view", "disappearing", "viewWillAppear") == ["appearing"])
    }

    @Test("app callbacks of an app with scenes are notifications (33)")
    func appCallbacksWithScenes() throws {
        let catalog = try BuiltIn.catalog.get()
        func ids(_ profile: String) -> [String] { catalog.rules(of: "app", profile: profile).map(\.id) }
        #expect(ids("ios13+").contains("R-APP-22") && !ids("ios12-").contains("R-APP-22"))
        #expect(!ids("ios13+").contains("R-APP-05") && ids("ios12-").contains("R-APP-05"))
        #expect(ids("ios13+").contains("R-APP-13"), "launch and end stay the app delegate's")
    }

    @Test("the scene words of crash reports are the watchdog's, not callbacks (36)")
    func watchdogWords() throws {
        let catalog = try BuiltIn.catalog.get()
        for word in ["scene-create", "scene-update"] {
            #expect(catalog.settings.endCode(word)?.endReason == "watchdog")
            #expect(!catalog.models.flatMap(\.callbacks).flatMap(\.spellings).contains(word))
        }
    }

    @Test("every choice names data that exists")
    func choicesAreSound() throws {
        let catalog = try BuiltIn.catalog.get()
        var known = Set(catalog.settings.options.map(\.id) + catalog.settings.profiles.map(\.id))
        known.formUnion(catalog.settings.endCodes.map(\.code))
        for model in catalog.models {
            known.formUnion(model.transitions.map(\.id) + model.rules.map(\.id) + model.limits.map(\.id))
            known.formUnion(model.scenarios.map(\.id) + model.classes.map(\.id) + model.callbacks.map(\.id))
        }
        for choice in catalog.settings.choices {
            #expect(choice.implementedBy.filter { !known.contains($0) } == [], "choice \(choice.id)")
        }
        for decision in catalog.settings.decisions where decision.option != "none" {
            #expect(known.contains(decision.option), "decision \(decision.id)")
        }
        for code in catalog.settings.endCodes {
            #expect(code.transitions.filter { !known.contains($0) } == [], "\(code.code)")
        }
        #expect(catalog.settings.silentEvidence.map(\.id).filter { !known.contains($0) } == [])
    }
}

extension ModelSettings {
    /// The meaning of a code as a report may print it: in any case, without the leading `0x`, or as a decimal number.
    func endCode(_ text: String) -> EndCode? {
        let wanted = text.lowercased()
        return endCodes.first {
            $0.code.lowercased() == wanted || $0.code.lowercased() == "0x" + wanted
                || $0.decimal.map(String.init) == wanted
        }
    }
}
