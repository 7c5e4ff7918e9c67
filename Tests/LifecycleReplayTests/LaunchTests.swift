import Testing
import TraceRecords

@testable import LifecycleReplay

/// Launches, by hand: what begins a run, and where it leads.
struct LaunchTests {
    let second: Int64 = 1_000_000_000

    @Test("A report tells of the launch that the callbacks tell of, a moment before or after them")
    func launchTold() throws {
        for time in [9.5, 10, 10.2, 10.9] {
            var lines: [Line] = [
                .at(10, "willFinishLaunchingWithOptions"), .at(10.3, "didFinishLaunchingWithOptions"),
                .at(10.8, "applicationDidBecomeActive"),
            ]
            let place = lines.firstIndex { ($0.time ?? 0) > nanoseconds(time) } ?? lines.count
            lines.insert(.evidence(time, .launched, "crash-report"), at: place)
            let played = try play(lines + [.evidence(30, .exitedBySignal, "crash-report")])
            #expect(played.runs.count == 1, "\(time)")
            #expect(played.runsInOrder[0].endReason == .crash)
        }
    }

    @Test("A launch told in words begins a run, unless the run has shown it already")
    func launchesInWords() throws {
        func runs(_ lines: [Line]) throws -> Int { try play(lines).runsInOrder.count }
        func words(_ time: Double, _ proof: Proof, pid: Int32? = nil) -> Line {
            .evidence(time, proof, "app-state", app: "App", pid: pid)
        }
        let life = [words(0, .launched), words(0.3, .active), words(30, .background)]
        #expect(try runs(life + [words(90, .launched), words(90.3, .active)]) == 2)
        #expect(try runs(life + [words(34, .terminating), words(40, .launched)]) == 2)
        // The app's own callback of the same launch, or a second word of the same process.
        #expect(try runs([.at(0, "didFinishLaunchingWithOptions"), .evidence(2, .launched, "app-state")]) == 1)
        #expect(try runs([words(0, .launched, pid: 7), words(0.3, .active, pid: 7), words(3, .launched, pid: 7)]) == 1)
    }

    @Test("An app that logs its launch only is where the system says")
    func launchAndSystem() throws {
        let played = try play([
            .evidence(-1, .foreground, "runningboard"), .at(0, "didFinishLaunchingWithOptions"),
            .evidence(20, .background, "runningboard"), .evidence(25, .suspended, "runningboard"),
            .evidence(85, .foreground, "runningboard"),
            .evidence(105, .background, "runningboard"),
        ])
        #expect(
            played.path() == ["not_running", "inactive", "background", "suspended", "active", "background"])
        #expect(played.findings.allSatisfy { $0.severity == .info }, "\(played.findings.map(\.message))")
    }

    @Test("A launch begins where no process runs, whatever the system says of it before its first callback")
    func launchAfterSystem() throws {
        for words in [
            [Proof.foreground], [.running, .foreground], [.background], [.background, .foreground], [.active],
        ] {
            let said = words.map { Line.evidence(0, $0, "frontboard") }
            let played = try play(
                said + [
                    .at(0.35, "didFinishLaunchingWithOptions"), .at(0.55, "applicationDidBecomeActive"),
                    .at(60, "applicationWillResignActive"),
                ])
            #expect(played.path().suffix(3) == ["inactive", "active", "inactive"])
            let launch = try #require(played.orderedSteps.first { $0.line == said.count + 1 })
            #expect(
                played.kind(of: launch).stateBefore == "not_running" && played.kind(of: launch).evidence == .observed)
            #expect(played.findings.isEmpty, "\(words) \(played.findings.map(\.message))")
        }
        let wholly = try play([
            .evidence(0, .launching, app: "App", pid: nil), .evidence(0.1, .foreground, app: "App", pid: nil),
            .evidence(0.2, .launched, "frontboard"), .at(0.4, "didFinishLaunchingWithOptions"),
            .at(0.9, "applicationDidBecomeActive"),
        ])
        #expect(wholly.runs.count == 1 && wholly.findings.isEmpty)
        #expect(wholly.visits.first { $0.state == "inactive" }?.entered == nanoseconds(0.4))
        // Scenes take the app to the background first.
        let scenes = try play([
            .evidence(0, .foreground, "frontboard"), .at(0.4, "didFinishLaunchingWithOptions"),
            .at(0.5, "sceneWillConnect"), .at(0.6, "sceneWillEnterForeground"), .at(0.9, "sceneDidBecomeActive"),
        ])
        #expect(scenes.path() == ["not_running", "background", "inactive", "active"])
        #expect(scenes.findings.isEmpty)
    }

    @Test("A process that was launched and never got anywhere is a launch failure")
    func launchFailure() throws {
        let played = try play([
            .at(0, "didFinishLaunchingWithOptions"), .at(30, "didFinishLaunchingWithOptions", pid: 2),
            .at(31, "applicationDidBecomeActive", pid: 2),
        ])
        #expect(played.runsInOrder[0].endReason == .launchFailure)
    }

    @Test("A launch callback of a process id that had launched begins another run, with or without a process id")
    func relaunch() throws {
        for pid: Int32? in [7, nil] {
            let played = try play([
                .at(nil, "didFinishLaunchingWithOptions", pid: pid), .at(nil, "applicationDidBecomeActive", pid: pid),
                .at(nil, "willFinishLaunchingWithOptions", pid: pid),
                .at(nil, "didFinishLaunchingWithOptions", pid: pid), .at(nil, "applicationDidBecomeActive", pid: pid),
            ])
            #expect(played.runs.count == 2)
            #expect(played.runsInOrder[0].endReason == .abnormalInForeground)
            #expect(Set(played.runs.values.map(\.key)).count == 2)
        }
    }

    @Test(
        "Several parts of an app may print that it has launched: one process id is one process until its launch is over"
    )
    func launchPrintedTwice() throws {
        let lines: [Line] = [
            .at(0, "didFinishLaunchingWithOptions", pid: 7), .at(0.8, "didFinishLaunchingWithOptions", pid: 7),
            .at(1, "applicationDidBecomeActive", pid: 7), .at(2, "didFinishLaunchingWithOptions", pid: 7),
        ]
        let played = try play(lines)
        #expect(played.runsInOrder.map(\.started) == [0, 2 * second])
        #expect(played.findings.map(\.rule).contains("R-APP-03"))
        let unnamed = try play(
            lines.map { line in
                var line = line
                line.pid = nil
                return line
            })
        #expect(unnamed.runs.count == 3)
    }

    @Test("A process id is launched again although a memory warning comes right before")
    func relaunchAfterMemoryWarning() throws {
        let played = try play([
            .at(0, "didFinishLaunchingWithOptions"), .at(1800, "applicationDidReceiveMemoryWarning"),
            .at(1800, "willFinishLaunchingWithOptions"), .at(1801, "didFinishLaunchingWithOptions"),
            .at(1802, "applicationDidBecomeActive"),
        ])
        #expect(played.runsInOrder.map(\.started) == [0, 1800 * second])
    }

    @Test(
        "What follows a launch tells where it led",
        arguments: [
            (["applicationDidBecomeActive"], 1.0, "inactive"),
            (["applicationDidBecomeActive"], 30.0, "inactive"),
            (["applicationDidEnterBackground"], 0.2, "background"),
            (["performFetch", "applicationWillEnterForeground"], 1.0, "background"),
            (["applicationWillEnterForeground"], 25.0, "background"),
            (["applicationWillEnterForeground"], 1.0, "inactive"),
        ])
    func launches(following: [String], after: Double, state: String) throws {
        var lines: [Line] = [.at(0, "willFinishLaunchingWithOptions"), .at(0.1, "didFinishLaunchingWithOptions")]
        for (place, callback) in following.enumerated() { lines.append(.at(0.1 + after + Double(place), callback)) }
        for snapshots: Set<Int> in [[], [0], [1], [0, 1, 2]] {
            let played = try play(lines, snapshots: snapshots)
            #expect(played.path()[0...1] == ["not_running", state])
        }
    }

    @Test("A launch with signs of life for more than 20 s and nothing else was one into the background")
    func backgroundLaunchByTime() throws {
        let played = try play([.at(0, "didFinishLaunchingWithOptions"), .life(1), .life(21)])
        let tail = try #require(played.visits.last)
        #expect(tail.state == "background" && tail.entered == 0 && tail.censored == "right")
        #expect(played.instances.values.first?.tail?.evidence == .inferred)
        // Silent from 1 s to 21 s, five seconds of grace.
        #expect(played.suspensions.map(\.from) == [6 * second])
        #expect(played.suspensions.map(\.until) == [21 * second])
        #expect(played.suspensions.map(\.leadsTo) == ["background"])
        let opened = try play([
            .at(0, "didFinishLaunchingWithOptions"), .at(60, "applicationWillEnterForeground"),
            .at(61, "applicationDidBecomeActive"),
        ])
        #expect(opened.suspensions.map(\.until) == [60 * second] && opened.suspensions.map(\.leadsTo) == ["inactive"])
    }

    @Test("Behind a launch told in words the log does not begin after the launch")
    func launchOfWords() throws {
        let played = try play([
            .evidence(0, .launched, "app-state"), .at(1, "applicationDidBecomeActive"),
            .at(9, "applicationWillResignActive"),
        ])
        #expect(played.findings.isEmpty, "\(played.findings.map(\.message))")
    }

    @Test("UIKit posts the notification of a launch when a scene has connected: it is no other launch")
    func notificationAfterScene() throws {
        for wait in [0.05, 2] {
            let played = try play([
                .at(0, "didFinishLaunchingWithOptions"), .at(0.02, "sceneWillConnect"),
                .posted(wait, "applicationDidFinishLaunching"),
                .at(wait + 0.1, "sceneWillEnterForeground"), .at(wait + 0.2, "sceneDidBecomeActive"),
            ])
            #expect(played.runs.count == 1)
            #expect(played.findings.isEmpty, "\(played.findings.map(\.message))")
        }
    }
}
