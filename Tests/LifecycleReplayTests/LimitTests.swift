import Testing
import TraceRecords

@testable import LifecycleReplay

/// Time limits, each exceeded once by a known length, and each just met.
struct LimitTests {
    private func limits(_ lines: [Line], _ options: ReplayOptions = ReplayOptions()) throws -> [String] {
        try play(lines, options: options).findings.filter { $0.rule.hasPrefix("TL") }.map {
            "\($0.rule) \($0.severity.rawValue) :\($0.line)"
        }
    }

    @Test("The launch")
    func launch() throws {
        let log: (Double) -> [Line] = {
            [.at(0, "didFinishLaunchingWithOptions"), .at($0, "applicationDidBecomeActive")]
        }
        #expect(try limits(log(5)) == [])
        #expect(try limits(log(5.000000001)) == ["TL-01 warning :2"])
        #expect(try limits(log(21)).contains("TL-01 error :2"))
        #expect(
            try limits(log(21), ReplayOptions(configuration: ["watchdog-active": "no"])).allSatisfy {
                !$0.hasPrefix("TL-01")
            })
    }

    @Test("A process that was launched into the background waits there for the user")
    func launchIntoBackground() throws {
        let opened: [Line] = [
            .at(25, "sceneWillConnect", "A"), .at(25.1, "sceneWillEnterForeground", "A"),
            .at(25.3, "sceneDidBecomeActive", "A"),
        ]
        let launch: [Line] = [.at(0, "didFinishLaunchingWithOptions")]
        #expect(try limits(launch + opened).contains("TL-01 error :4"))
        for wake in ["incomingPush", "locationEvent", "bluetoothRestored", "backgroundURLSession", "performFetch"] {
            let woken = try play(launch + [.at(0.1, wake)] + opened)
            #expect(woken.findings.allSatisfy { !$0.rule.hasPrefix("TL-") }, "\(wake)")
            #expect(woken.runsInOrder[0].launchCause != nil)
        }
        let task: [Line] = launch + [.at(0.1, "refreshTaskLaunched", "com.example.refresh")]
        #expect(try limits(task + opened) == [])
        let told: [Line] = [.evidence(-0.5, .launched), .evidence(-0.4, .background)] + launch
        #expect(try limits(told + [.evidence(24.9, .foreground)] + opened) == [])
    }

    @Test("What wakes a process shows that words of the foreground come after the background")
    func wordsAfterWaking() throws {
        for (words, origin) in [(Proof.inactive, "swiftui"), (.inactive, "flutter"), (.active, "react-native")] {
            let played = try play([
                .at(0, "didFinishLaunchingWithOptions"), .at(0.1, "didReceiveRemoteNotification"),
                .evidence(15_600, words, origin), .evidence(15_601, .active, origin),
            ])
            #expect(played.visits.first { $0.layer == "app" }?.state == "background", "\(origin)")
            #expect(played.findings.allSatisfy { $0.rule != "TL-09" && $0.rule != "TL-01" }, "\(origin)")
            #expect(played.runsInOrder[0].launchCause == "push")
            // A tapped notification comes during a launch to the screen.
            let tapped = try play([
                .at(0, "didFinishLaunchingWithOptions"), .at(0.1, "didReceiveRemoteNotification"),
                .evidence(0.2, words, origin), .evidence(0.5, .active, origin),
            ])
            #expect(tapped.visits.allSatisfy { $0.state != "background" }, "\(origin)")
            #expect(tapped.runsInOrder[0].launchCause == nil)
        }
    }

    @Test("The launch counts from the start of the process, unless it was prewarmed")
    func processStart() throws {
        let log: (Double) -> [Line] = { start in
            [
                .evidence(100 - start, .launched), .at(100, "didFinishLaunchingWithOptions"),
                .at(101, "applicationDidBecomeActive"),
            ]
        }
        #expect(try limits(log(5)) == ["TL-01 warning :3"])
        #expect(try limits(log(61)) == [])
    }

    @Test("The return, and the way into the background")
    func returning() throws {
        let log: (Double) -> [Line] = { length in
            RuleTests.launch + RuleTests.home + [
                .at(100, "applicationWillEnterForeground"), .at(100 + length, "applicationDidBecomeActive"),
            ]
        }
        #expect(try limits(log(10)) == [])
        #expect(try limits(log(11)) == ["TL-04 warning :7"])
        #expect(try limits(log(21)) == ["TL-04 error :7"])
        let message = try play(log(11)).findings.first { $0.rule == "TL-04" }?.message
        #expect(message == "the return to the foreground took 11 s, more than 10 s (also TL-09)")
    }

    @Test("Work in the background, as long as the process is never silent")
    func background() throws {
        let busy: (Int) -> [Line] = { seconds in
            RuleTests.launch + RuleTests.home + (1...seconds).map { Line.life(5.2 + Double($0)) }
        }
        #expect(try limits(busy(30)) == [])
        #expect(try limits(busy(31)) == ["TL-06 warning :5"])
        // It may have a background mode: only a task that is ended so late is an error.
        #expect(try limits(busy(181)) == ["TL-06 warning :5"])
        #expect(try limits(busy(181) + [.at(187, "endBackgroundTask")]) == ["TL-06 error :187"])
        // A task that is open has its own end, however silent the process was before that.
        let begun = [Line.at(5.3, "beginBackgroundTask")]
        let task = { try limits(RuleTests.launch + RuleTests.home + begun + busy($0).dropFirst(5) + $1) }
        #expect(try task(175, [.at(190, "endBackgroundTask")]) == ["TL-06 error :182"])
        #expect(try task(175, []) == ["TL-06 warning :5"])
        #expect(try task(25, [.at(300, "endBackgroundTask")]) == ["TL-06 error :32"])
        #expect(try task(25, []) == [])
        #expect(try task(175, [.evidence(200, .suspended)]) == ["TL-06 warning :5", "TL-07 error :6"])
        // The return calls the measurement off.
        #expect(try limits(busy(31) + [.at(37, "applicationWillEnterForeground")]) == [])
        #expect(try limits(RuleTests.launch + RuleTests.home + [.life(100), .life(101)]) == [])
        #expect(try limits(busy(31), ReplayOptions(configuration: ["background-modes": "yes"])) == [])
    }

    @Test("Terminate counts to the last line of the process")
    func terminate() throws {
        let log: (Double) -> [Line] = {
            RuleTests.launch + RuleTests.home + [.at(6, "applicationWillTerminate"), .life(6 + $0)]
        }
        #expect(try limits(log(5)) == [])
        #expect(try limits(log(6)) == ["TL-03 warning :6"])
        #expect(try limits(log(14)) == ["TL-03 error :6"])
    }

    @Test("A background task that is never ended")
    func task() throws {
        let begun = RuleTests.launch + RuleTests.home + [Line.at(5.5, "beginBackgroundTask")]
        let next: [Line] = [.at(100, "didFinishLaunchingWithOptions", pid: 2)]
        #expect(try limits(begun) == [])
        #expect(try Set(limits(begun + next)) == ["TL-07 error :6"])
        #expect(try limits(begun + [.at(7, "endBackgroundTask")] + next) == [])
    }

    @Test("What an open background task does after enter-background is not the time of the method")
    func workOfATask() throws {
        // 8.4 s without a silence of 5 s, between enter-background and the next event.
        let working: [Line] = [.life(9), .life(13)]
        let gone = RuleTests.launch + RuleTests.home
        let begun = RuleTests.launch + [RuleTests.home[0], .at(5.1, "beginBackgroundTask"), RuleTests.home[1]]
        #expect(try limits(begun + working + [.at(13.6, "endBackgroundTask")]) == [])
        #expect(try limits(begun + working + [.at(13.6, "applicationWillEnterForeground")]) == [])
        // Without a task, or after it has ended, the next event stands in for the return.
        #expect(try limits(gone + working + [.at(13.6, "applicationWillEnterForeground")]) == ["TL-02 warning :8"])
        let over =
            RuleTests.launch + [
                .at(4, "beginBackgroundTask"), .at(4.5, "endBackgroundTask"), RuleTests.home[0], RuleTests.home[1],
            ]
        #expect(try limits(over + working + [.at(13.6, "applicationWillEnterForeground")]) == ["TL-02 warning :10"])
    }

    @Test("A process that goes on after it would have been killed shows that the method had returned")
    func survivors() throws {
        // An app that plays audio: a line every 2 s, and back after a while.
        let playing: (Double) -> [Line] = { seconds in
            RuleTests.launch + RuleTests.home
                + stride(from: 2, to: seconds, by: 2).map { Line.life(5.2 + $0) }
                + [.at(5.2 + seconds, "applicationWillEnterForeground")]
        }
        #expect(try limits(playing(10)) == ["TL-02 warning :\(playing(10).count)"])
        #expect(try limits(playing(11)) == [])
        #expect(try limits(playing(29)) == [])
        // A line of the return says how long the method took, however long that was.
        var left = Line.at(17.2, "applicationDidEnterBackground")
        left.isReturn = true
        let slow = try limits(RuleTests.launch + RuleTests.home + [left])
        #expect(Set(slow) == ["TL-02 error :6", "TL-05 info :6"])
        // A launch into the background, and a screen that the user opens a minute later.
        let launched: [Line] = [.at(0, "didFinishLaunchingWithOptions"), .at(60, "viewDidLoad", "V")]
        #expect(try limits(launched) == [])
        left = Line.at(21, "didFinishLaunchingWithOptions")
        left.isReturn = true
        #expect(try limits([.at(0, "didFinishLaunchingWithOptions"), left]).contains("TL-01b error :2"))
    }

    @Test("Being inactive for long, and a slow appearance")
    func stays() throws {
        #expect(
            try limits(
                RuleTests.launch + [.at(3, "applicationWillResignActive"), .at(13.5, "applicationDidBecomeActive")])
                == ["TL-09 info :5"])
        #expect(
            try limits([.at(0, "viewDidLoad", "V"), .at(1, "viewWillAppear", "V"), .at(2.5, "viewDidAppear", "V")])
                == ["TL-11 info :3"])
    }

    @Test("Lengths of time read as everywhere else, and exactly where they would look like the limit")
    func lengths() throws {
        let said: (Double) throws -> String? = { length in
            try play(
                RuleTests.launch + [
                    .at(3, "applicationWillResignActive"), .at(3 + length, "applicationDidBecomeActive"),
                ]
            ).findings.first { $0.rule == "TL-09" }?.message
        }
        #expect(try said(12.345) == "the inactive visit lasted 12.3 s, longer than 10 s")
        #expect(try said(95) == "the inactive visit lasted 1 min 35 s, longer than 10 s")
        #expect(try said(10.004) == "the inactive visit lasted 10.004 s, longer than 10 s")
    }
}
