import Testing
import TraceRecords

@testable import LifecycleReplay

/// What must not be reported, or not be decided by what is only estimated.
struct FalseFindingTests {
    private let second: Int64 = 1_000_000_000

    @Test("An estimated suspension decides about no limit and no rule")
    func estimates() throws {
        let lines =
            RuleTests.launch + RuleTests.home + [
                .at(1205.2, "endBackgroundTask"), .at(1300, "applicationWillEnterForeground"),
                .at(1300.5, "applicationDidBecomeActive"),
            ]
        let estimated = try play(lines)
        let plain = try play(lines, options: ReplayOptions(suspendGrace: nil))
        #expect(estimated.findings == plain.findings)
        #expect(plain.findings.filter { $0.rule == "TL-06" }.map(\.line) == [6])
        #expect(plain.findings.first { $0.rule == "TL-06" }?.taken == 1200 * second)
        #expect(!estimated.suspensions.isEmpty && plain.suspensions.isEmpty)
    }

    @Test("The findings of any log are the same under every grace time")
    func anyGrace() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            let lines = InvarianceTests.chaos(seed, lines: 120)
            let findings = try [nil, 1, 5, 40].map { (grace: Int64?) in
                try play(lines, options: ReplayOptions(suspendGrace: grace.map { $0 * second })).findings
            }
            #expect(findings.allSatisfy { $0 == findings[0] }, "seed \(seed)")
        }
    }

    @Test("What an app never logs is not missing; one remark says so")
    func neverLogged() throws {
        var lines: [Line] = [.at(0, "didFinishLaunchingWithOptions"), .at(1, "applicationDidBecomeActive")]
        for cycle in 0..<5 {
            lines += [
                .at(Double(100 + cycle * 100), "applicationDidEnterBackground"),
                .at(Double(150 + cycle * 100), "applicationDidBecomeActive"),
            ]
        }
        let played = try play(lines)
        let found = played.findings.filter { !$0.rule.hasPrefix("TL") }
        #expect(found.allSatisfy { $0.severity == .info && $0.rule == "not-logged" }, "\(found.map(\.message))")
        #expect(found.map(\.line).sorted() == [3, 4])
        #expect(found.contains { $0.message.hasPrefix("App never logs applicationWillResignActive") })
        // The jumps stay what they are.
        #expect(played.transitions().contains { $0.from == "active" && $0.to == "background" })
        // Logged once, wherever, it is missing everywhere else.
        let late = try play(lines + [.at(700, "applicationWillResignActive")])
        #expect(late.findings.filter { $0.deviation == .missingCallback && $0.severity == .error }.count == 5)
        #expect(late.findings.filter { $0.rule == "not-logged" }.count == 1)
        // Of the launch callbacks, of which an app has one, the usual one is named.
        let launch = try play([.at(0, "willFinishLaunchingWithOptions"), .at(1, "applicationDidBecomeActive")])
        let named = launch.findings.filter { $0.rule == "not-logged" }.map { $0.message.prefix { $0 != "," } }
        #expect(named == ["App never logs didFinishLaunchingWithOptions"])
    }

    @Test("An app that never logs that it becomes active is not inactive for long")
    func activationNotLogged() throws {
        let lines: [Line] = [
            .at(0, "applicationWillEnterForeground"), .at(300, "applicationDidEnterBackground"),
            .at(600, "applicationWillEnterForeground"), .at(1200, "applicationDidEnterBackground"),
        ]
        #expect(try play(lines).findings.allSatisfy { $0.rule != "TL-09" })
        let scene: [Line] = [
            .at(0, "sceneWillConnect"), .at(1, "sceneWillEnterForeground"), .at(300, "sceneDidEnterBackground"),
        ]
        #expect(try play(scene).findings.allSatisfy { $0.rule != "TL-09" })
        let later = try play(
            lines + [.at(1210, "applicationWillEnterForeground"), .at(1211, "applicationDidBecomeActive")])
        #expect(later.findings.filter { $0.rule == "TL-09" }.map(\.line) == [2, 4])
    }

    @Test("Controllers whose loading is not logged are not wrong")
    func loadingNotLogged() throws {
        let played = try play([
            .at(0, "didFinishLaunchingWithOptions"), .at(0.5, "applicationDidBecomeActive"),
            .at(1, "viewWillAppear", "A"), .at(1.5, "viewDidAppear", "A"), .at(3, "viewWillDisappear", "A"),
            .at(3.5, "viewDidDisappear", "A"), .at(5, "viewWillAppear", "B"), .at(5.5, "viewDidAppear", "B"),
        ])
        #expect(played.findings.allSatisfy { $0.severity == .info }, "\(played.findings.map(\.message))")
    }

    @Test("Lines that name no controller may be of several: what they do not fit in is a remark")
    func nameless() throws {
        func found(_ name: String) throws -> [Severity] {
            try play([
                .at(1, "viewWillAppear", name), .at(1.5, "viewDidAppear", name), .at(5, "viewWillAppear", name),
                .at(5.1, "viewWillDisappear", name), .at(5.5, "viewDidAppear", name),
                .at(5.6, "viewDidDisappear", name),
            ]).findings.map(\.severity)
        }
        #expect(try found("").allSatisfy { $0 == .info })
        #expect(try found("Kettle").contains(.error))
    }

    @Test("States that a framework reports may jump; the system's may not")
    func jumps() throws {
        func warnings(_ origin: String) throws -> Int {
            try play([
                .evidence(1, .active, origin), .evidence(5, .background, origin), .evidence(9, .active, origin),
            ]).findings.filter { $0.severity != .info }.count
        }
        for words in ["react-native", "unity", "app-state", "user", "tea"] { #expect(try warnings(words) == 0) }
        #expect(try warnings("springboard") > 0)
    }

    @Test("Lines of different processes without a process id make no limit")
    func differentProcesses() throws {
        let played = try play(
            [
                .at(0, "didFinishLaunchingWithOptions", pid: nil), .at(1, "applicationDidBecomeActive", pid: nil),
                .at(2, "applicationWillResignActive", pid: nil), .at(2.5, "applicationDidEnterBackground", pid: nil),
                .at(3, "applicationWillTerminate", pid: nil),
                Line(time: 55_549_000_000_000, pid: nil, isLife: true),
                .at(55_550, "applicationDidBecomeActive", pid: nil),
            ])
        #expect(played.findings.filter { $0.rule.hasPrefix("TL") || $0.rule == "R-APP-13" } == [])
        #expect(played.runs.count == 2)
        #expect(played.runsInOrder[0].endReason == .terminated && played.runsInOrder[0].lastSeen == 3 * second)
    }

    /// React Native's AppState never prints inactive on the way back.
    @Test("A change over inactive is documented where a framework tells it")
    func skippedInactive() throws {
        let played = try play([
            .evidence(0, .active, "react-native"), .evidence(10, .inactive, "react-native"),
            .evidence(11, .background, "react-native"), .evidence(40, .active, "react-native"),
        ])
        #expect(played.path().suffix(4) == ["active", "inactive", "background", "active"])
        #expect(played.orderedSteps.allSatisfy { played.kind(of: $0).verdict != .undocumented })
        #expect(played.findings.isEmpty)
    }

    @Test("A word \"foreground\" is active or inactive, and neither observed nor measured")
    func foreground() throws {
        let played = try play([
            .evidence(0, .background, "sentry"), .evidence(10, .foreground, "sentry"),
            .evidence(600, .background, "sentry"),
        ])
        #expect(played.path() == ["?", "background", "active", "background"].suffix(3).map(\.self))
        // The background ended when the word came; the stay after it is neither observed nor measured.
        let evidence = played.orderedSteps.dropFirst().map { played.kind(of: $0).closedEvidence }
        #expect(evidence == [.observed, .inferred])
        let step = try #require(played.orderedSteps.last)
        #expect(played.kind(of: step).stateBefore == "active" && played.kind(of: step).closedEvidence == .inferred)
        #expect(played.findings.filter { $0.rule.hasPrefix("TL") } == [])
        #expect(!played.visits.contains { $0.state == "inactive" })
        // Nobody can say that a state between is missing, not even of the words of the system.
        let visibility = try play([
            .evidence(0, .foreground, "springboard"), .evidence(10, .background, "springboard"),
            .evidence(20, .foreground, "springboard"), .evidence(30, .suspended, "springboard"),
        ])
        #expect(visibility.findings.filter { $0.severity != .info } == [], "\(visibility.findings.map(\.message))")
        // A callback that only fits the other state shows that it was that one.
        let shown = try play([
            .evidence(10, .foreground, "springboard"), .at(11, "applicationDidBecomeActive"),
            .at(20, "applicationWillResignActive"),
        ])
        #expect(shown.path() == ["inactive", "active", "inactive"])
        #expect(shown.findings.filter { $0.severity != .info } == [])
    }

    @Test("What the system says of a return from suspension does not make an app active ahead of its callbacks")
    func returnAfterSystem() throws {
        let away: [Line] = [
            .at(0, "didFinishLaunchingWithOptions"), .at(0.5, "applicationDidBecomeActive"),
            .at(60, "applicationWillResignActive"), .at(60.6, "applicationDidEnterBackground"),
            .evidence(60.7, .background, "frontboard"), .evidence(65, .suspended),
        ]
        let back: [Line] = [.at(600.05, "applicationWillEnterForeground"), .at(600.4, "applicationDidBecomeActive")]
        for words in [[Proof.foreground], [.running, .foreground], [.foreground, .running]] {
            let system = words.map { Line.evidence(600, $0, "frontboard") }
            let played = try play(away + system + back)
            let path = ["not_running", "inactive", "active", "inactive", "background", "suspended", "background"]
            #expect(played.path() == path + ["inactive", "active"])
            #expect(played.findings.isEmpty, "\(words) \(played.findings.map(\.message))")
            #expect(played.completeVisits.last?.dwell == nanoseconds(0.35))
            // An app that does not log that it becomes active: the callback shows that the word was early.
            let inactive = try play(away.filter { $0.callback?.hasSuffix("Active") != true } + system + back.dropLast())
            #expect(!inactive.findings.contains { $0.rule == "R-APP-11" }, "\(inactive.findings.map(\.message))")
            #expect(inactive.path().last == "inactive")
        }
        // Where no callback shows it, the word counts.
        let silent = try play([.evidence(0, .background), .evidence(5, .suspended), .evidence(60, .foreground)])
        #expect(silent.path() == ["background", "suspended", "active"])
    }

    @Test("A process with scenes that lived on, or was in the background, did not fail to launch")
    func livedOn() throws {
        let launch: [Line] = [
            .at(0, "didFinishLaunchingWithOptions"), .at(0.1, "sceneWillConnect", "A"),
            .at(0.2, "sceneWillEnterForeground", "A"),
        ]
        let next: [Line] = [.at(4000, "didFinishLaunchingWithOptions", pid: 2)]
        for lines in [
            [Line.life(1800)], [.at(2, "applicationDidEnterBackground")], [.at(2, "sceneDidEnterBackground", "A")],
        ] {
            let played = try play(launch + lines + next)
            #expect(played.runsInOrder[0].endReason != .launchFailure, "\(lines)")
            #expect(!played.findings.contains { $0.rule == "R-APP-18" }, "\(lines)")
        }
    }

    @Test("Terminate of a process with scenes is right wherever its scenes are")
    func terminateOfScenes() throws {
        for length in 1...RuleTests.sceneLaunch.count {
            let played = try play(
                Array(RuleTests.sceneLaunch.prefix(length)) + [.at(9, "applicationWillTerminate")], preface: wordyLife)
            let found = played.findings.filter { $0.line > 0 && $0.severity != .info && $0.layer == "app" }
            #expect(found == [], "after \(length) lines: \(found.map(\.message))")
        }
        // The last callback it is all the same.
        let after = try play(
            RuleTests.sceneLaunch + [.at(9, "applicationWillTerminate"), .at(10, "applicationDidBecomeActive")])
        #expect(after.findings.contains { $0.rule == "R-APP-13" })
    }

    @Test("A launch is known from its first callback only if that cannot lie before the log")
    func cutLaunch() throws {
        let lines: [Line] = [
            .at(0, "willFinishLaunchingWithOptions"), .at(0.2, "didFinishLaunchingWithOptions"),
            .at(0.5, "applicationDidBecomeActive"), .at(9, "applicationWillResignActive"),
        ]
        #expect(try play(lines, beginsBefore: false).completeVisits.map(\.state) == ["inactive", "active"])
        let cut = try play(Array(lines[1...]), beginsBefore: false)
        #expect(cut.completeVisits.map(\.state) == ["active"])
        #expect(cut.visits[0].state == "inactive" && cut.visits[0].censored == "left")
        // The log began long before, or a line shows the start of the process.
        #expect(try play(Array(lines[1...])).completeVisits.map(\.state) == ["inactive", "active"])
        let started = [Line.evidence(0.1, .launched)] + lines[1...]
        #expect(try play(started, beginsBefore: false).completeVisits.map(\.state) == ["inactive", "active"])
    }

    @Test("A cut between two lines of the execution that begins a life moves that beginning by what lies between them")
    func cutExecution() throws {
        let lines: [Line] = [
            .at(0, "viewDidLoad", "V"), .at(0.05, "viewDidLoad", "V"), .at(1, "viewWillAppear", "V"),
            .at(2, "viewDidAppear", "V"),
        ]
        let (whole, cut) = (try play(lines).completeVisits, try play(Array(lines[1...])).completeVisits)
        #expect(whole.map(\.state) == ["loaded", "appearing"] && cut.map(\.state) == whole.map(\.state))
        #expect(cut.map(\.left) == whole.map(\.left) && cut[1].entered == whole[1].entered)
        #expect(whole[0].entered.map { $0 + 50_000_000 } == cut[0].entered)
    }

    @Test("A controller that is pushed over another one of its class is no error where lines name the class only")
    func sameClass() throws {
        let first: [Line] = [
            .at(0, "viewDidLoad", "Detail"), .at(0.1, "viewWillAppear", "Detail"), .at(0.5, "viewDidAppear", "Detail"),
        ]
        let pushed = try play(
            first + [
                .at(5, "viewDidLoad", "Detail"), .at(5.01, "viewWillDisappear", "Detail"),
                .at(5.02, "viewWillAppear", "Detail"), .at(5.5, "viewDidAppear", "Detail"),
                .at(5.6, "viewDidDisappear", "Detail"),
            ])
        #expect(pushed.findings.isEmpty)
        // One that had left the screen does not write any more.
        let popped = try play(
            first + [
                .at(4, "viewWillDisappear", "Detail"), .at(4.5, "viewDidDisappear", "Detail"),
                .at(5, "viewDidLoad", "Detail"), .at(5.5, "viewWillDisappear", "Detail"),
            ])
        #expect(popped.findings.map(\.severity).contains(.error))
    }

    @Test("An app that logs only when it leaves and enters the background has not left before it was active")
    func onlyBackground() throws {
        let lines: [Line] = [
            .at(0, "didFinishLaunchingWithOptions"), .at(30, "applicationDidEnterBackground"),
            .at(300, "applicationWillEnterForeground"), .at(308, "applicationDidEnterBackground"),
        ]
        #expect(try play(lines).findings.map(\.rule) == ["not-logged"])
        let active: [Line] = [.at(400, "applicationWillEnterForeground"), .at(400.5, "applicationDidBecomeActive")]
        #expect(try play(lines + active).findings.map(\.rule) == ["R-APP-10"])
    }

    @Test("An app that never logs its way into the background has not ended in use, as far as anyone knows")
    func endNotLogged() throws {
        let lines: [Line] = [
            .at(0, "didFinishLaunchingWithOptions"), .at(0.5, "applicationDidBecomeActive"),
            .at(60, "applicationWillResignActive"), .at(3600, "didFinishLaunchingWithOptions", pid: 2),
        ]
        #expect(try play(lines).findings.allSatisfy { $0.rule != "R-APP-17" })
        // In another run it does.
        let later: [Line] = [
            .at(3601, "applicationDidBecomeActive", pid: 2), .at(3610, "applicationWillResignActive", pid: 2),
            .at(3611, "applicationDidEnterBackground", pid: 2),
        ]
        #expect(try play(lines + later).findings.filter { $0.rule == "R-APP-17" }.map(\.line) == [3])
    }

    @Test("A visit in which a missing callback shows another state has no length")
    func stateBetween() throws {
        let played = try play([
            .at(0, "didFinishLaunchingWithOptions"), .at(0.5, "applicationDidBecomeActive"),
            .at(60, "applicationWillResignActive"), .at(120, "applicationWillEnterForeground"),
            .at(120.5, "applicationDidBecomeActive"), .at(180, "applicationWillResignActive"),
        ])
        #expect(played.completeVisits.map(\.dwell) == [500_000_000, 59_500_000_000, nil, 59_500_000_000])
    }

    @Test("Long after a launch, the way into the background begins in the foreground")
    func backgroundLongAfterLaunch() throws {
        let played = try play([
            .at(0, "didFinishLaunchingWithOptions"), .at(600, "applicationDidEnterBackground"),
            .at(1200, "applicationWillEnterForeground"), .at(1800, "applicationDidEnterBackground"),
        ])
        #expect(played.path() == ["not_running", "inactive", "background", "inactive", "background"])
        #expect(InvarianceTests.completeStays(played).map(\.state) == ["background"])
        #expect(played.findings.allSatisfy { $0.severity == .info })
    }

    @Test("A suspension that the system reports is no deviation of an app that never logs its way into the background")
    func partialLog() throws {
        let lines: [Line] = [
            .at(0, "applicationDidBecomeActive"), .evidence(30, .suspended), .evidence(150, .running),
            .at(150.5, "applicationDidBecomeActive"),
        ]
        #expect(try Set(play(lines).findings.map(\.rule)) == ["R-APP-01", "not-logged"])
        // Once it logs that callback, its absence shows.
        let later: [Line] = [.at(200, "applicationWillResignActive"), .at(200.5, "applicationDidEnterBackground")]
        #expect(try play(lines + later).findings.contains { $0.rule == "undocumented-transition" && $0.line == 2 })
        let scene: [Line] = [
            .at(0, "didFinishLaunchingWithOptions"), .at(0.1, "sceneWillConnect"),
            .at(0.2, "sceneWillEnterForeground"), .at(0.5, "sceneDidBecomeActive"), .evidence(30, .suspended),
        ]
        #expect(try play(scene).findings.map(\.rule) == ["not-logged"])
        // Of the callbacks that come between two of its own it logs none: a launch is not one of them.
        let resumed: [Line] = [
            .at(0, "didFinishLaunchingWithOptions"), .at(0.5, "applicationDidBecomeActive"),
            .evidence(60, .suspended), .evidence(600, .foreground), .at(600.5, "applicationDidBecomeActive"),
        ]
        #expect(try Set(play(resumed).findings.map(\.rule)) == ["not-logged"])
        #expect(try play(resumed + later.map(shifted)).findings.contains { $0.rule == "R-APP-05" && $0.line == 5 })
    }

    private func shifted(_ line: Line) -> Line {
        var line = line
        line.time = line.time.map { $0 + 600 * second }
        return line
    }

    @Test("A notification that is posted only after a slow method is a remark; the same line again is an error")
    func lateTwins() throws {
        func found(_ text: UInt16, after gap: Double) throws -> [Severity] {
            var twin = Line.at(60 + gap, "applicationWillEnterForeground")
            twin.textHash = text
            return try play(
                RuleTests.launch + RuleTests.home + [.at(60, "applicationWillEnterForeground"), twin]
                    + [.at(63, "applicationDidBecomeActive")]
            ).findings.map(\.severity)
        }
        #expect(try found(7, after: 0.3) == [.info])
        #expect(try found(0, after: 0.3) == [.error])
        #expect(try found(7, after: 2) == [.error])
        // The same of a callback that may come again in its state.
        func connected(_ text: UInt16) throws -> [Severity] {
            var twin = Line.at(0.4, "sceneWillConnect", "A")
            twin.textHash = text
            return try play(
                Array(RuleTests.sceneLaunch[..<2]) + [twin, .at(0.5, "sceneWillEnterForeground", "A")]
            ).findings.map(\.severity)
        }
        #expect(try connected(7) == [.info])
        #expect(try connected(0) == [.error])
    }

    @Test(
        "A notification that comes just before the scene's own line does not contradict it, whatever comes when after it"
    )
    func agreement() throws {
        let played = try play(
            RuleTests.sceneLaunch + [
                .at(9, "applicationWillResignActive"), .at(9.01, "sceneWillResignActive", "A"),
                .at(9.5, "sceneDidEnterBackground", "A"), .at(60, "sceneWillEnterForeground", "A"),
                .at(60.4, "applicationDidBecomeActive"), .at(60.41, "sceneDidBecomeActive", "A"),
                .at(90, "applicationWillResignActive"), .at(90.01, "sceneWillResignActive", "A"),
            ])
        #expect(played.findings.map(\.rule) == ["R-APP-22"])
        let odd = try play(RuleTests.sceneLaunch + [.at(9, "applicationDidEnterBackground"), .at(60, "performFetch")])
        #expect(odd.findings.map(\.rule).contains("R-SCN-13"))
    }

    @Test("A launch for a task in the background is none that failed, and what crashes cannot end its tasks")
    func tasks() throws {
        let next: [Line] = [
            .at(900, "didFinishLaunchingWithOptions", pid: 2), .at(901, "applicationDidBecomeActive", pid: 2),
        ]
        for scenes in [[], [Line.at(0.2, "sceneWillConnect", "A")]] {
            let launched = try play(
                [.at(0, "didFinishLaunchingWithOptions")] + scenes + [
                    .at(0.5, "refreshTaskLaunched", "com.example.refresh"),
                    .at(9, "taskCompleted", "com.example.refresh"),
                ] + next)
            #expect(launched.runsInOrder[0].endReason == .killedInBackground)
            #expect(launched.runsInOrder[0].launchCause == "refresh")
            #expect(launched.findings.map(\.rule).filter { $0.hasPrefix("R-APP-1") } == ["R-APP-16"])
        }
        let wakes = ["incomingPush": "voip", "locationEvent": "location", "bluetoothRestored": "bluetooth"]
        for (callback, cause) in wakes {
            let woken = try play([.at(0, "didFinishLaunchingWithOptions"), .at(0.3, callback), .life(5)] + next)
            #expect(woken.runsInOrder[0].endReason == .killedInBackground)
            #expect(woken.runsInOrder[0].launchCause == cause)
            #expect(woken.scenarios.map(\.scenario).contains("SC-A14"))
            // What becomes active was not launched for it.
            let used = try play(RuleTests.launch + [.at(1, callback), .life(5)] + next)
            #expect(used.runsInOrder[0].launchCause == nil)
        }
        let crashed = try play(
            RuleTests.launch + RuleTests.home + [.at(6, "beginBackgroundTask"), .evidence(7, .exitedBySignal)] + next)
        #expect(crashed.findings.map(\.rule) == ["R-APP-16"])
    }

    @Test("An app with scenes that logs only the app's notifications follows the documented lifecycle")
    func notificationsOnly() throws {
        let used: [Line] = [
            .posted(0.3, "applicationDidBecomeActive"), .posted(10, "applicationWillResignActive"),
            .posted(11, "applicationDidEnterBackground"), .posted(60, "applicationWillEnterForeground"),
            .posted(60.5, "applicationDidBecomeActive"),
        ]
        let launch: [Line] = [.posted(0, "applicationDidFinishLaunching")]
        let played = try play(launch + [.posted(0.1, "applicationWillEnterForeground")] + used)
        #expect(
            played.path() == ["not_running", "inactive", "active", "inactive", "background", "inactive", "active"])
        #expect(played.findings.isEmpty)
        // UIKit calls the method only after the background, and posts nothing of the kind after an interruption.
        let method = try play(launch + [.at(0.1, "applicationWillEnterForeground")] + used)
        #expect(method.findings.contains { $0.severity == .error })
        let odd = try play(
            launch + used.prefix(2) + [.posted(10.5, "applicationWillEnterForeground")] + used.dropFirst(2))
        #expect(odd.findings.contains { $0.severity == .error })
    }

    @Test(
        "Lines that name notifications are no methods: neither the older launch callback nor calls in an app with scenes"
    )
    func namedNotifications() throws {
        let scene: [Line] = [
            .at(0.1, "sceneWillConnect", "A"), .at(0.2, "sceneWillEnterForeground", "A"),
            .posted(0.21, "applicationWillEnterForeground"), .at(0.3, "sceneDidBecomeActive", "A"),
            .posted(0.31, "applicationDidBecomeActive"),
        ]
        let played = try play(
            [.at(0, "didFinishLaunchingWithOptions"), .posted(0.01, "applicationDidFinishLaunching")] + scene)
        #expect(played.findings.isEmpty)
        let methods = try play(
            [.at(0, "didFinishLaunchingWithOptions"), .at(0.01, "applicationDidFinishLaunching")] + scene
                + [.at(0.32, "applicationDidBecomeActive"), .at(9, "applicationWillResignActive")])
        #expect(methods.findings.map(\.rule).contains("R-APP-21"))
        #expect(methods.findings.map(\.rule).contains("R-APP-22"))
    }

    @Test(
        "An end by the user or by the stop button is no abnormal one, unless a line before it says why the process ended"
    )
    func wantedEnds() throws {
        let away = RuleTests.launch + RuleTests.home
        for before in [RuleTests.launch, away] {
            for code in [
                "0xdeadfa11 ended by the user in the app switcher: x",
                "0xfbfbfbfb ended by the host of the Simulator: x",
            ] {
                let played = try play(
                    before + [.evidence(90, .notRunning, "frontboard"), .evidence(90, .endDetail, code)])
                #expect(played.runsInOrder[0].endReason == .terminated)
                #expect(played.findings.isEmpty)
            }
            let stopped = try play(before + [.evidence(90, .exitedByKill, "debugger")])
            #expect(stopped.runsInOrder[0].endReason == .terminated)
            #expect(stopped.findings.isEmpty)
        }
        // SpringBoard's word for the same signal says nothing of who sent it.
        let killed = try play(RuleTests.launch + [.evidence(90, .exitedByKill, "springboard")])
        #expect(killed.findings.map(\.rule) == ["R-APP-17"])
        let memory = try play(
            RuleTests.launch + [.evidence(90, .exitedByJetsam, "debugger"), .evidence(90.1, .exitedByKill, "debugger")])
        #expect(memory.runsInOrder[0].endReason == .jetsam)
        #expect(memory.findings.map(\.rule) == ["R-APP-17"])
    }
}
