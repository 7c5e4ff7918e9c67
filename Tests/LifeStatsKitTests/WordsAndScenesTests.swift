import Testing

@testable import LifeStatsKit

@Suite("Words for states, and names that app and scene share")
struct WordsAndScenesTests {
    private func lines(_ lines: [(Double, String)]) -> String {
        lines.map { "2026-05-01 08:00:0\($0.0)00 App[9:1] \($0.1)\n" }.joined()
    }

    @Test("a bare name is the scene's where the line names a scene, and the app's elsewhere")
    func ofScene() throws {
        let names = ["[Scene 1F2E] didBecomeActive", "didBecomeActive scene=1F2E", "didBecomeActive session=42"]
        let found = try names.map { name in
            try Ingested(text: lines([(1.0, name)])).rows("SELECT layer, instance FROM events")
        }
        #expect(found == [["scene,1F2E"], ["scene,1F2E"], ["app,app"]])
    }

    @Test(
        "a bare name is the scene's where the category, the label or the record of its entry says so",
        arguments: [
            "2026-05-01 08:00:00.100000+0000 0x1f2a     Default     0x0                  9      0    App: [org.tea:@] didBecomeActive",
            "2026-05-01 08:00:00.100 Df App[9:1] [org.tea:@] didBecomeActive",
            "2026-05-01T08:00:00+0000 info @: [App] didBecomeActive",
            #"{"ts":"2026-05-01T08:00:00Z","category":"@","msg":"didBecomeActive"}"#,
            #"{"timestamp":"2026-05-01 08:00:00.1+0000","eventMessage":"didBecomeActive","subsystem":"org.tea","category":"@"}"#,
            "didBecomeActive\nType: Notice | Timestamp: 2026-05-01 08:00:00.1+00:00 | Process: App | Library: App | Subsystem: org.tea | Category: @ | TID: 0x1",
        ])
    func ofCategory(line: String) throws {
        for (category, layer) in [("AppDelegate", "app"), ("SceneDelegate", "scene"), ("AppDelegate", "app")] {
            let text = line.replacing("@", with: category) + "\n"
            #expect(try Ingested(text: text).rows("SELECT layer FROM events") == [layer], "\(text)")
        }
        let both = ["SceneDelegate", "AppDelegate", "SceneDelegate"].map { line.replacing("@", with: $0) + "\n" }
        let found = try Ingested(text: both.joined()).rows("SELECT DISTINCT layer FROM events ORDER BY 1")
        #expect(found == ["app", "scene"])
    }

    @Test("the word active after one for the foreground begins a visit that is observed")
    func activeAfterForeground() throws {
        let text = lines([
            (1.0, "App entered background"), (2.0, "appCameToForeground()"), (2.5, "App is active"),
            (4.0, "App is inactive"), (5.0, "App entered background"),
        ])
        let visits = try Ingested(text: text).rows(
            "SELECT state, dwell_s, evidence, complete FROM visits WHERE state = 'active'")
        #expect(visits == ["active,1.5,observed,1"])
    }

    @Test(
        "the phases of numbered windows are those of several scenes",
        arguments: [["[Window 1]", "[Window 2]"], ["window A:", "window B:"], ["scene 1:", "scene 2:"]])
    func windows(names: [String]) throws {
        let text = lines([
            (1.0, "application(_:didFinishLaunchingWithOptions:)"), (1.5, "\(names[0]) scenePhase: active"),
            (2.0, "\(names[1]) scenePhase: active"), (4.0, "\(names[0]) scenePhase: inactive"),
            (4.5, "\(names[0]) scenePhase: background"), (6.0, "\(names[1]) scenePhase: inactive"),
        ])
        let visits = try Ingested(text: text).rows(
            "SELECT layer, dwell_s FROM visits WHERE state IN ('active', 'fg_active') ORDER BY 2")
        #expect(visits == ["scene,2.5", "scene,4.0", "app,4.5"])
    }

    @Test("a return that may hide an active visit is inferred, where no line shows whether the app logs these")
    func activationIsNotLogged() throws {
        func visits(_ callbacks: [(Double, String)], _ state: String) throws -> [String] {
            try Ingested(text: lines(callbacks)).rows(
                "SELECT evidence, complete FROM visits WHERE state = '\(state)' ORDER BY seq, left_ns IS NULL")
        }
        let ofApp = [
            (0.0, "didFinishLaunchingWithOptions"), (1.0, "applicationDidEnterBackground"),
            (3.0, "applicationWillEnterForeground"), (5.0, "applicationDidEnterBackground"),
            (7.0, "applicationWillEnterForeground"),
        ]
        #expect(try visits(ofApp, "inactive") == ["inferred,0", "inferred,0"])
        #expect(try visits(ofApp, "background").last == "observed,1")
        let ofScene = ofApp.map { ($0.0, $0.1.replacing("application", with: "scene") + " scene=A") }
        #expect(try visits(ofScene, "fg_inactive").allSatisfy { $0 == "inferred,0" })
        // An app that logs when it is active was not while it returned.
        let active = [(0.0, "applicationDidBecomeActive"), (0.5, "applicationWillResignActive")] + ofApp.dropFirst()
        #expect(try visits(active, "inactive") == ["observed,0", "observed,1", "observed,1", "observed,0"])
        let resigning = [(0.5, "applicationWillResignActive")] + ofApp.dropFirst()
        #expect(try visits(resigning, "inactive") == ["observed,0", "observed,1", "observed,0"])
    }

    @Test("the word foreground ends a stay in the background, as the word background begins it")
    func foreground() throws {
        for words in ["AppState: ", "appState=", "App going to ", ""] {
            let lines = [("00:00", "foreground"), ("20:00", "background"), ("21:00", "foreground")].map {
                "2026-05-12 08:\($0).000 Tidy[700:9001] \(words)\($1)\n"
            }
            #expect(
                try Ingested(text: lines.joined()).rows("SELECT dwell_s FROM visits WHERE state = 'background'")
                    == ["60.0"], "\(words)")
        }
    }

    @Test("a line of a part of the system that names no process makes no run of it")
    func ofOthers() throws {
        let ingested = try Ingested(
            text: """
                2026-05-12 10:00:00.000 Df Bakery[501:1] applicationDidBecomeActive:
                2026-05-12 10:00:09.373 Df runningboardd[90:1] [com.apple.runningboard:process] [app<com.example.bakery(A1)>:501] Terminating with context: <RBSTerminateContext| domain:10 code:0x8BADF00D explanation:scene-update watchdog transgression: app<com.example.bakery(A1)>:501 exhausted real (wall clock) time allowance of 10.00 seconds
                ProcessVisibility: Foreground
                ProcessState: Running
                ) reportType:CrashLog maxTerminationResistance:Interactive>

                """)
        #expect(try ingested.rows("SELECT app || ' ' || end_reason FROM runs") == ["Bakery watchdog"])
    }

    @Test("launchd's line about the end of an app counts in every style of log show")
    func launchd() throws {
        let message = "[user/501/UIKitApplication:com.example.bakery[0a1b] [501]:] exited due to SIGSEGV, ran for 8s"
        for line in [
            "2026-05-12 10:00:09.373 Df launchd[1:a1] \(message)",
            "2026-05-12 10:00:09.373000+0000 0x2c1      Default     0x0                  1      0    launchd: \(message)",
            "2026-05-12 10:00:09.373000+0000  localhost launchd[1]: \(message)",
        ] {
            let ingested = try Ingested(
                text: "2026-05-12 10:00:00.000 Df Bakery[501:1] applicationDidBecomeActive:\n\(line)\n")
            #expect(try ingested.rows("SELECT app || ' ' || end_reason FROM runs") == ["Bakery crash"], "\(line)")
        }
    }

    @Test("an end for which the system writes no crash report is no crash, whoever reports it after")
    func updated() throws {
        let ingested = try Ingested(
            text: """
                2026-05-12 10:00:31.000 Df Bakery[501:1] applicationDidEnterBackground:
                2026-05-12 10:10:00.000 Df runningboardd[34:1] [app<com.example.bakery(A1)>:501] Terminating with context: <RBSTerminateContext| domain:10 code:0x12345678 explanation:installcoordinationd app:[com.example.bakery] uuid:X isPlaceholder:N reportType:None maxTerminationResistance:Absolute>
                2026-05-12 10:10:00.000 Df runningboardd[34:1] [app<com.example.bakery(A1)>:501] termination reported by launchd (10, 305419896, 9)

                """)
        #expect(try ingested.rows("SELECT end_reason FROM runs") == ["terminated"])
        #expect(try ingested.rows("SELECT count(*) FROM findings WHERE severity = 'error'") == ["0"])
    }

    @Test("what the phases of the only scene say of the app is observed, after a launch from the first one on")
    func phasesAfterLaunch() throws {
        let phases = lines([
            (1.3, "phase: active"), (3.0, "phase: inactive"), (3.5, "phase: background"), (7.5, "phase: inactive"),
        ])
        let complete = "SELECT state, dwell_s FROM visits WHERE layer = 'app' AND complete = 1 ORDER BY dwell_s"
        #expect(
            try Ingested(text: lines([(1.0, "App launched")]) + phases).rows(complete) == [
                "inactive,0.5", "active,1.7", "background,4.0",
            ])
        #expect(try Ingested(text: phases).rows(complete) == ["inactive,0.5", "background,4.0"])
        // Where scenes have names, there may be others, of which the log does not say anything.
        let named = phases.replacing("\n", with: " session=A1\n")
        #expect(try Ingested(text: named).rows(complete).isEmpty)
    }
}
