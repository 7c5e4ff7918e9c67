import Testing
import TraceRecords

@testable import LifecycleReplay

/// Rules of the models held against logs: each broken once, at a known line.
struct RuleTests {
    /// A healthy life as far as the state that a test needs.
    static let launch: [Line] = [
        .at(0, "willFinishLaunchingWithOptions"), .at(0.2, "didFinishLaunchingWithOptions"),
        .at(0.5, "applicationDidBecomeActive"),
    ]
    static let home: [Line] = [.at(5, "applicationWillResignActive"), .at(5.2, "applicationDidEnterBackground")]
    static let sceneLaunch: [Line] = [
        .at(0, "didFinishLaunchingWithOptions"), .at(0.1, "sceneWillConnect", "A"),
        .at(0.2, "sceneWillEnterForeground", "A"), .at(0.5, "sceneDidBecomeActive", "A"),
    ]

    /// A log, and the rule and line of every finding that it must give.
    struct Case: Sendable {
        var name: String
        var lines: [Line]
        var findings: Set<String>
        var options = ReplayOptions()
    }

    static let cases: [Case] = [
        Case(name: "truncated", lines: [.at(0, "applicationDidBecomeActive")], findings: ["R-APP-01:1"]),
        Case(
            name: "will finish after did finish, with one time",
            lines: [
                .at(0, "didFinishLaunchingWithOptions"), .at(0, "willFinishLaunchingWithOptions"),
                .at(1, "applicationDidBecomeActive"),
            ], findings: ["R-APP-02:2"]),
        Case(
            name: "no did finish",
            lines: [.at(0, "willFinishLaunchingWithOptions"), .at(1, "applicationDidBecomeActive")],
            findings: ["R-APP-03:2"]),
        Case(
            name: "enter foreground while launching",
            lines: [
                .at(0, "didFinishLaunchingWithOptions"), .at(1, "applicationWillEnterForeground"),
                .at(1.5, "applicationDidBecomeActive"),
            ], findings: ["R-APP-04:2"]),
        Case(
            name: "active twice", lines: launch + [.at(3, "applicationDidBecomeActive")],
            findings: ["R-APP-06:4"]),
        Case(
            name: "resign twice",
            lines: launch + [.at(3, "applicationWillResignActive"), .at(4, "applicationWillResignActive")],
            findings: ["R-APP-08:5"]),
        Case(
            name: "active to background", lines: launch + [.at(3, "applicationDidEnterBackground")],
            findings: ["R-APP-15:4"]),
        Case(
            name: "return interrupted",
            lines: launch + home + [
                .at(60, "applicationWillEnterForeground"), .at(60.5, "applicationDidEnterBackground"),
            ], findings: ["R-APP-10:7"]),
        Case(
            name: "active after background", lines: launch + home + [.at(60, "applicationDidBecomeActive")],
            findings: ["R-APP-12:6"]),
        Case(
            name: "after terminate",
            lines: launch + home + [.at(6, "applicationWillTerminate"), .at(7, "applicationDidEnterBackground")],
            findings: ["R-APP-13:7"]),
        Case(
            name: "terminate while suspended", lines: launch + home + [.at(100, "applicationWillTerminate")],
            findings: ["R-APP-14:6"]),
        Case(
            name: "killed in background",
            lines: launch + home + [.at(100, "didFinishLaunchingWithOptions", pid: 2)], findings: ["R-APP-16:5"]),
        Case(
            name: "gone while active", lines: launch + [.at(100, "didFinishLaunchingWithOptions", pid: 2)],
            findings: ["R-APP-17:3"]),
        Case(
            name: "launch failure",
            lines: [.at(0, "didFinishLaunchingWithOptions"), .at(100, "didFinishLaunchingWithOptions", pid: 2)],
            findings: ["R-APP-18:1"]),
        Case(
            name: "exits on suspend", lines: launch + home + [.at(6, "applicationWillTerminate")],
            findings: ["R-APP-20:6"], options: ReplayOptions(configuration: ["exits-on-suspend": "no"])),
        Case(
            name: "notifications beside scenes", lines: sceneLaunch + [.at(0.5, "applicationDidBecomeActive")],
            findings: ["R-APP-22:5"]),
        Case(
            name: "scene without connect",
            lines: [.at(0, "didFinishLaunchingWithOptions"), .at(0.2, "sceneWillEnterForeground", "A")],
            findings: ["R-SCN-01:2"]),
        Case(
            name: "connect to active",
            lines: [
                .at(0, "didFinishLaunchingWithOptions"), .at(0.1, "sceneWillConnect", "A"),
                .at(0.2, "sceneDidBecomeActive", "A"),
            ], findings: ["R-SCN-03:3"]),
        Case(
            name: "scene active to background", lines: sceneLaunch + [.at(3, "sceneDidEnterBackground", "A")],
            findings: ["R-SCN-07:5"]),
        Case(
            name: "discarded session comes back",
            lines: sceneLaunch + [
                .at(3, "sceneWillResignActive", "A"), .at(3.2, "sceneDidDisconnect", "A"),
                .at(3.4, "didDiscardSceneSessions", "A"), .at(100, "didFinishLaunchingWithOptions", pid: 2),
                .at(100.1, "sceneWillConnect", "A", pid: 2),
            ], findings: ["R-SCN-10:9", "R-APP-16:6"]),
        Case(
            name: "disconnected at once",
            lines: sceneLaunch + [
                .at(3, "sceneWillResignActive", "A"), .at(3.2, "sceneDidEnterBackground", "A"),
                .at(3.4, "sceneDidDisconnect", "A"), .at(50, "sceneWillConnect", "A"),
            ], findings: ["R-SCN-12:7"]),
        Case(
            name: "old system", lines: sceneLaunch, findings: ["R-SCN-15:2"],
            options: ReplayOptions(systemVersion: 12)),
        Case(
            name: "second load within one controller",
            lines: [
                .at(0, "viewDidLoad", "V"), .at(1, "viewWillAppear", "V"), .at(2, "viewWillAppear", "V"),
            ], findings: ["R-VC-02:3"]),
        Case(
            name: "dealloc while shown",
            lines: [
                .at(0, "viewDidLoad", "V"), .at(1, "viewWillAppear", "V"), .at(1.5, "viewDidAppear", "V"),
                .at(3, "dealloc", "V"),
            ], findings: ["R-VC-12:4"]),
        Case(
            name: "controller goes while the app leaves",
            lines: [
                .at(0, "didFinishLaunchingWithOptions"), .at(0.1, "viewDidLoad", "V"), .at(0.2, "viewWillAppear", "V"),
                .at(0.3, "viewDidAppear", "V"), .at(0.5, "applicationDidBecomeActive"),
                .at(5, "applicationWillResignActive"), .at(5.1, "viewWillDisappear", "V"),
            ], findings: ["R-VC-06:7"]),
        Case(
            name: "active before the root has appeared",
            lines: [
                .at(0, "didFinishLaunchingWithOptions"), .at(0.1, "viewDidLoad", "V"),
                .at(0.2, "applicationDidBecomeActive"), .at(0.3, "viewWillAppear", "V"), .at(0.4, "viewDidAppear", "V"),
            ], findings: ["R-VC-07:3"]),
        Case(
            name: "pop in the wrong order",
            lines: [
                .at(0, "viewDidAppear", "A"), .at(1, "viewDidLoad", "B"), .at(1.1, "viewWillDisappear", "A"),
                .at(1.2, "viewWillAppear", "B"), .at(1.6, "viewDidAppear", "B"), .at(1.7, "viewDidDisappear", "A"),
                .at(5, "viewWillAppear", "A"), .at(5.1, "viewWillDisappear", "B"), .at(5.5, "viewDidAppear", "A"),
                .at(5.6, "viewDidDisappear", "B"),
            ], findings: ["R-VC-10:7"]),
    ]

    @Test("Every broken rule is found at its line, and nothing else", arguments: cases.indices)
    func broken(index: Int) throws {
        let one = Self.cases[index]
        let played = try play(one.lines, options: one.options, preface: wordyLife)
        let found = Set(
            played.findings.filter { $0.line > 0 && !$0.rule.hasPrefix("TL") }.map { "\($0.rule):\($0.line)" })
        #expect(found == one.findings, "\(one.name)")
    }

    @Test("One step that breaks several rules is one finding, which names the others")
    func oneFindingOneStep() throws {
        let played = try play(Self.launch + [.at(3, "applicationDidEnterBackground")], preface: wordyLife)
        #expect(played.findings.map(\.rule) == ["R-APP-15"])
        #expect(played.findings[0].message.hasSuffix("(also R-APP-09)"))
        #expect(played.findings[0].repair == "with applicationWillResignActive before this line")
    }

    @Test("An abnormal end names the reason that a line tells")
    func reasonOfEnd() throws {
        func message(_ proof: Proof, _ origin: String) throws -> String? {
            try play(Self.launch + [.evidence(9, proof, origin)]).findings.first { $0.rule == "R-APP-17" }?.message
        }
        #expect(try message(.exitedBySignal, "crash-report")?.hasSuffix("without a callback: a crash") == true)
        #expect(try message(.exitedByJetsam, "jetsam")?.contains("jetsam") == true)
        #expect(try message(.exitedByWatchdog, "watchdog")?.contains("the watchdog ended it") == true)
        let unknown = try play(Self.launch + [.at(100, "didFinishLaunchingWithOptions", pid: 2)])
        #expect(unknown.findings[0].message.hasSuffix("crash, watchdog, memory, reboot or a debugger"))
    }

    @Test("A swipe back that is let go is no exchange, and does not disturb the next one")
    func calledOffSwipe() throws {
        // A pushes B; B begins to be popped and stays (SC-V07); then B is popped.
        let played = try play([
            .at(0, "viewDidAppear", "A"), .at(1, "viewDidLoad", "B"), .at(1.1, "viewWillDisappear", "A"),
            .at(1.2, "viewWillAppear", "B"), .at(1.6, "viewDidAppear", "B"), .at(1.7, "viewDidDisappear", "A"),
            .at(3, "viewWillDisappear", "B"), .at(3.1, "viewWillAppear", "A"), .at(3.6, "viewWillDisappear", "A"),
            .at(3.7, "viewDidDisappear", "A"), .at(3.8, "viewWillAppear", "B"), .at(4, "viewDidAppear", "B"),
            .at(5, "viewWillDisappear", "B"), .at(5.1, "viewWillAppear", "A"), .at(5.5, "viewDidAppear", "A"),
            .at(5.6, "viewDidDisappear", "B"),
        ])
        #expect(played.findings.map(\.rule) == [])
    }

    /// Callbacks of controllers, 10 ms apart: `WA B` is will-appear of B.
    private static func controllers(_ text: String) -> [Line] {
        let names = [
            "L": "viewDidLoad", "WA": "viewWillAppear", "DL": "viewDidLayoutSubviews", "DA": "viewDidAppear",
            "WD": "viewWillDisappear", "DD": "viewDidDisappear", "X": "dealloc",
        ]
        return text.split(separator: ",").enumerated().map { place, word in
            let parts = word.split(separator: " ").map(String.init)
            return .at(Double(place) / 100, names[parts[0], default: parts[0]], parts[1])
        }
    }

    @Test(
        "Tabs and pages change places in an order of their own, which is neither a push nor a pop",
        arguments: [
            // A tab that is new, back to the first one, and forth again, also without a layout pass in between.
            "WA B,WD A,DL B,DD A,DA B,WA A,WD B,DD B,DA A,WA B,WD A,DD A,DA B",
            "WA B,WD A,DD A,DL B,DA B,WA A,WD B,DD B,DA A",
            // A page that is swiped to, and back.
            "WA B,WD A,DL B,DA B,DD A,WA A,WD B,DA A,DD B",
            // A swipe to a page that is let go, and then done.
            "WA B,WD A,DL B,WA A,DA A,WD B,DD B,WA B,WD A,DA B,DD A",
            "WA B,WD A,DL B,WD B,WA A,DD B,DA A,WA B,WD A,DD A,DA B",
        ])
    func tabs(order: String) throws {
        let lines = Self.controllers("L Z,X Z,L A,WA A,DL A,DA A,L B,\(order)")
        let played = try play(lines + [.at(100, "didFinishLaunchingWithOptions", pid: 2)])
        let rules = played.findings.map(\.rule).filter { ["R-VC-09", "R-VC-10", "R-VC-13"].contains($0) }
        #expect(rules == [], "\(order)")
    }

    @Test("What a tab pushes is popped like anything that was pushed")
    func pushedByTab() throws {
        let tabs = "L A,WA A,DL A,DA A,L B,WA B,WD A,DL B,DD A,DA B"
        let push = "L C,WD B,WA C,DL C,DD B,DA C"
        let played = try play(Self.controllers("\(tabs),\(push),WA B,WD C,DD C,DA B,X C"))
        #expect(played.findings.map(\.rule).filter { $0.hasPrefix("R-VC-1") } == ["R-VC-10"])
    }

    @Test("A controller may go while one window is left and another one is active; not when the app leaves")
    func otherWindow() throws {
        let lines: [Line] = [
            .at(0, "didFinishLaunchingWithOptions"), .at(0.1, "sceneWillConnect", "S1"),
            .at(0.2, "sceneWillEnterForeground", "S1"), .at(0.3, "viewDidLoad", "V"), .at(0.4, "viewWillAppear", "V"),
            .at(0.5, "sceneDidBecomeActive", "S1"), .at(0.6, "viewDidAppear", "V"), .at(5, "sceneWillConnect", "S2"),
            .at(5.1, "sceneWillEnterForeground", "S2"), .at(5.2, "sceneDidBecomeActive", "S2"),
            .at(9, "sceneWillResignActive", "S1"), .at(9.1, "viewWillDisappear", "V"),
            .at(9.5, "viewDidDisappear", "V"),
        ]
        #expect(try play(lines).findings.filter { $0.rule == "R-VC-06" }.isEmpty)
        let left =
            lines.dropLast(2) + [
                .at(9.05, "sceneWillResignActive", "S2"), .at(9.1, "viewWillDisappear", "V"),
                .at(9.5, "viewDidDisappear", "V"),
            ]
        #expect(try play(Array(left)).findings.filter { $0.rule == "R-VC-06" }.map(\.line) == [13, 14])
    }

    @Test("Healthy logs give no finding")
    func healthy() throws {
        let healthy: [[Line]] = [
            Self.launch + Self.home + [
                .at(60, "applicationWillEnterForeground"), .at(60.3, "applicationDidBecomeActive"),
            ],
            Self.launch + [.at(3, "applicationWillResignActive"), .at(5, "applicationDidBecomeActive")],
            Self.launch + Self.home + [.at(6, "applicationWillTerminate")],
            Self.launch + Self.home + [.at(30, "applicationDidEnterBackground"), .at(30.5, "performFetch")],
            [
                .at(0, "didFinishLaunchingWithOptions"), .at(0.2, "applicationDidEnterBackground"),
                .at(1, "performFetch"),
            ],
            Self.sceneLaunch + [.at(3, "sceneWillResignActive", "A"), .at(3.3, "sceneDidEnterBackground", "A")],
            ViewLayerTests.log,
        ]
        for lines in healthy {
            let played = try play(lines)
            #expect(played.findings.isEmpty, "\(played.findings.map { "\($0.rule):\($0.line) \($0.message)" })")
        }
    }
}
