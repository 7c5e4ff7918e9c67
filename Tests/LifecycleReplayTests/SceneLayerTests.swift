import Testing
import TraceRecords

@testable import LifecycleReplay

/// Several scenes in one process, by hand, and the state of the app that follows from them.
struct SceneLayerTests {
    let second: Int64 = 1_000_000_000

    /// Two scenes: A opens, B opens, A leaves, B leaves, A returns, A is swiped away, the process terminates.
    static let log: [Line] = [
        .at(0, "didFinishLaunchingWithOptions"),
        .at(0.1, "sceneWillConnect", "A"),
        .at(0.2, "sceneWillEnterForeground", "A"),
        .at(0.5, "sceneDidBecomeActive", "A"),
        .at(0.5000001, "applicationDidBecomeActive"),
        .at(10, "sceneWillConnect", "B"),
        .at(10.25, "sceneWillEnterForeground", "B"),
        .at(10.5, "sceneDidBecomeActive", "B"),
        .at(20, "sceneWillResignActive", "A"),
        .at(20.5, "sceneDidEnterBackground", "A"),
        .at(30, "sceneWillResignActive", "B"),
        .at(31, "sceneDidEnterBackground", "B"),
        .at(100, "sceneWillEnterForeground", "A"),
        .at(100.25, "sceneDidBecomeActive", "A"),
        .at(110, "sceneWillResignActive", "A"),
        .at(110.5, "sceneDidEnterBackground", "A"),
        .at(111, "sceneDidDisconnect", "A"),
        .at(111.5, "didDiscardSceneSessions", "A"),
        .at(112, "applicationWillTerminate"),
    ]

    private func stay(
        _ layer: String, _ instance: String, _ state: String, _ from: Double, _ until: Double
    ) -> Played.Visit {
        Played.Visit(
            layer: layer, instance: instance, state: state, entered: nanoseconds(from), left: nanoseconds(until),
            censored: "", dwell: nanoseconds(until) - nanoseconds(from), atLeast: nil)
    }

    @Test("A scene that connects a moment before its app has launched is of the same launch")
    func sceneFirst() throws {
        let lines: [Line] = [
            .at(0, "sceneWillConnect"), .at(0.02, "didFinishLaunchingWithOptions"),
            .at(0.5, "sceneWillEnterForeground"), .at(0.6, "sceneDidBecomeActive"),
        ]
        let played = try play(lines)
        #expect(played.runsInOrder.count == 1)
        #expect(played.findings.allSatisfy { $0.severity == .info }, "\(played.findings)")
        let late = try play([.at(0, "sceneWillConnect"), .at(5, "didFinishLaunchingWithOptions")])
        #expect(late.runsInOrder.count == 2)
    }

    @Test("Every stay of every scene and of the app is exact")
    func stays() throws {
        let played = try play(Self.log)
        let expected: Set<Played.Visit> = [
            stay("scene", "A", "unattached", 0.1, 0.2), stay("scene", "A", "fg_inactive", 0.2, 0.5),
            stay("scene", "A", "fg_active", 0.5, 20), stay("scene", "A", "fg_inactive", 20, 20.5),
            stay("scene", "A", "background", 20.5, 100), stay("scene", "A", "fg_inactive", 100, 100.25),
            stay("scene", "A", "fg_active", 100.25, 110), stay("scene", "A", "fg_inactive", 110, 110.5),
            stay("scene", "A", "background", 110.5, 111), stay("scene", "A", "unattached", 111, 111.5),
            stay("scene", "B", "unattached", 10, 10.25), stay("scene", "B", "fg_inactive", 10.25, 10.5),
            stay("scene", "B", "fg_active", 10.5, 30), stay("scene", "B", "fg_inactive", 30, 31),
            // The most active scene decides: active while any is, inactive while one is and none is active.
            stay("app", "app", "background", 0, 0.2), stay("app", "app", "inactive", 0.2, 0.5),
            stay("app", "app", "active", 0.5, 30), stay("app", "app", "inactive", 30, 31),
            stay("app", "app", "background", 31, 100), stay("app", "app", "inactive", 100, 100.25),
            stay("app", "app", "active", 100.25, 110), stay("app", "app", "inactive", 110, 110.5),
            stay("app", "app", "background", 110.5, 112),
        ]
        #expect(Set(played.completeVisits) == expected)
        #expect(played.completeVisits.count == expected.count)
        let open = played.visits.filter { !$0.censored.isEmpty }
        #expect(open.map(\.instance) == ["B"] && open.map(\.state) == ["background"])
        let run = try #require(played.runsInOrder.first)
        #expect(run.profile == "ios13+" && run.endReason == .terminated)
        #expect(played.suspensions.map(\.from) == [36 * second] && played.suspensions.map(\.until) == [100 * second])
    }

    @Test("Derived rows are marked as such, and the app's own lines change nothing")
    func derivation() throws {
        let played = try play(Self.log)
        let derived = played.orderedSteps.filter { played.kind(of: $0).role == .derived }
        #expect(derived.count == 8)
        #expect(derived.allSatisfy { played.kind(of: $0).layer == "app" && played.kind(of: $0).callback == nil })
        let notification = try #require(
            played.orderedSteps.first { played.kind(of: $0).callback == "applicationDidBecomeActive" })
        let kind = played.kind(of: notification)
        #expect(kind.stateBefore == "active" && kind.stateAfter == "active" && kind.verdict == nil)
        #expect(played.orderedSteps.filter { played.kind(of: $0).role == .event }.count == Self.log.count)
    }

    @Test("A scene that connects and never shows leaves the app in the background")
    func backgroundLaunch() throws {
        let played = try play([.at(0, "didFinishLaunchingWithOptions"), .at(1, "sceneWillConnect", "A")])
        #expect(played.path() == ["not_running", "background"])
        #expect(played.findings.isEmpty)
    }

    @Test("Until a scene shows where it is, notifications, words and phases tell the state of the app")
    func silentScenes() throws {
        let launch: [Line] = [.at(0, "didFinishLaunchingWithOptions"), .at(0.2, "sceneWillConnect", "A")]
        let used: [Line] = [
            .at(0.3, "applicationWillEnterForeground"), .at(0.5, "applicationDidBecomeActive"),
            .at(10, "applicationWillResignActive"), .at(10.5, "applicationDidEnterBackground"),
            .at(60, "applicationWillEnterForeground"), .at(60.5, "applicationDidBecomeActive"),
            // A second window opens.
            .at(70, "sceneWillConnect", "B"), .at(80, "applicationWillResignActive"),
            .at(80.5, "applicationDidEnterBackground"), .at(81, "applicationWillTerminate"),
        ]
        let played = try play(launch + used)
        #expect(
            played.path() == [
                "not_running", "background", "inactive", "active", "inactive", "background", "inactive", "active",
                "inactive", "background", "not_running",
            ])
        #expect(played.completeVisits.filter { $0.state == "active" }.map(\.dwell) == [9_500_000_000, 19_500_000_000])
        #expect(played.findings.map(\.rule) == ["R-APP-22"])
        // The observer may come later than the first notifications.
        let late = try play(launch + used.dropFirst())
        #expect(late.path().prefix(3) == ["not_running", "background", "active"])
        #expect(late.findings.map(\.rule) == ["R-APP-22"])
        // From the first scene that shows where it is, notifications say nothing more.
        let both = try play(
            launch + used.prefix(1) + [
                .at(0.31, "sceneWillEnterForeground", "A"), .at(0.4, "sceneDidBecomeActive", "A"),
            ]
                + [.at(0.5, "applicationDidBecomeActive"), .at(9, "applicationDidEnterBackground")])
        #expect(both.path() == ["not_running", "background", "inactive", "active"])
        for word in ["swiftui", "flutter"] {
            let words: [Line] = [
                .evidence(0.3, .inactive, word), .evidence(0.5, .active, word), .evidence(10, .inactive, word),
                .evidence(10.5, .background, word),
            ]
            let told = try play(launch + words)
            #expect(
                told.path() == ["not_running", "background", "inactive", "active", "inactive", "background"], "\(word)")
            #expect(told.findings.isEmpty, "\(word)")
        }
    }

    @Test("A phase begins with the line that names the one before it, and in a later run with its first line")
    func firstPhases() throws {
        func life(from time: Double, pid: Int32, isChange: Bool) -> [Line] {
            [(0, Proof.active), (60, .inactive), (60.5, .background)].map { offset, proof in
                var line = Line.evidence(time + offset, proof, "swiftui", pid: pid)
                line.isNotification = isChange
                return line
            }
        }
        func active(_ lines: [Line]) throws -> [Int64?] {
            try play(lines).completeVisits.filter { $0.layer == "scene" && $0.state == "fg_active" }.map(\.dwell)
        }
        let minute = nanoseconds(60)
        #expect(try active(life(from: 0, pid: 7, isChange: true)) == [minute])
        #expect(try active(life(from: 0, pid: 7, isChange: false)) == [])
        let (first, second) = (life(from: 0, pid: 7, isChange: false), life(from: 900, pid: 8, isChange: false))
        #expect(try active(first + second) == [minute])
        // Process ids ascend: the one with the lower id may have been there before the log.
        #expect(try active(life(from: 0, pid: 8, isChange: false) + life(from: 900, pid: 7, isChange: false)) == [])
        // Callbacks may have shown before the log what a phase says in it.
        let both = [life(from: 0, pid: 7, isChange: true)[0], .at(60, "sceneWillResignActive")]
        #expect(try active(both + [.at(61, "sceneDidEnterBackground")]) == [])
    }

    @Test("A log without session names has one scene")
    func unnamed() throws {
        let played = try play([
            .at(nil, "didFinishLaunchingWithOptions"), .at(nil, "configurationForConnectingSceneSession"),
            .at(nil, "sceneWillConnect"), .at(nil, "sceneWillEnterForeground"), .at(nil, "sceneDidBecomeActive"),
        ])
        #expect(played.path("scene", "scene0") == ["unattached", "fg_inactive", "fg_active"])
        #expect(played.path() == ["not_running", "background", "inactive", "active"])
        #expect(played.findings.isEmpty)
    }

    @Test("A session without a name that is discarded is another one than the scene that connects next")
    func discardedUnnamed() throws {
        let open: [Line] = [
            .at(1, "sceneWillConnect"), .at(1.1, "sceneWillEnterForeground"), .at(1.5, "sceneDidBecomeActive"),
        ]
        // The user closed it while the app was not running: UIKit tells at the next launch.
        let late = try play([.at(0, "didFinishLaunchingWithOptions"), .at(0.1, "didDiscardSceneSessions")] + open)
        #expect(late.findings.isEmpty)
        #expect(late.path("scene", "scene0") == ["unattached", "discarded"])
        #expect(late.path("scene", "scene0#2") == ["unattached", "fg_inactive", "fg_active"])
        #expect(late.path() == ["not_running", "background", "inactive", "active"])
        let closed = try play(
            [.at(0, "didFinishLaunchingWithOptions")] + open + [
                .at(9, "sceneWillResignActive"), .at(9.5, "sceneDidEnterBackground"), .at(10, "sceneDidDisconnect"),
                .at(10.1, "didDiscardSceneSessions"), .at(20, "sceneWillConnect"),
                .at(20.1, "sceneWillEnterForeground"), .at(20.5, "sceneDidBecomeActive"),
            ])
        #expect(closed.findings.isEmpty)
        #expect(closed.path("scene", "scene0#2") == ["unattached", "fg_inactive", "fg_active"])
        // What comes after the end of a session with a name is of that session.
        let named = try play([
            .at(0, "didFinishLaunchingWithOptions"), .at(0.1, "didDiscardSceneSessions", "A"),
            .at(1, "sceneWillConnect", "A"),
        ])
        #expect(named.findings.map(\.rule) == ["R-SCN-10"])
    }

    @Test("Two windows without names are two scenes, whether or not their lines come at the same time")
    func namelessWindows() throws {
        let open: (Double) -> [Line] = { time in
            [
                .at(time, "sceneWillConnect"), .at(time + 0.1, "sceneWillEnterForeground"),
                .at(time + 0.5, "sceneDidBecomeActive"),
            ]
        }
        for gap in [0.01, 0.2] {
            let leave: [Line] = [
                .at(60, "sceneWillResignActive"), .at(60 + gap, "sceneWillResignActive"),
                .at(61, "sceneDidEnterBackground"), .at(61 + gap, "sceneDidEnterBackground"),
            ]
            let played = try play([.at(0, "didFinishLaunchingWithOptions")] + open(1) + open(20) + leave)
            #expect(played.findings.isEmpty, "\(gap)")
            for scene in ["scene0", "scene0#2"] {
                #expect(
                    played.path("scene", scene)
                        == ["unattached", "fg_inactive", "fg_active", "fg_inactive", "background"], "\(scene) \(gap)")
            }
            #expect(played.path() == ["not_running", "background", "inactive", "active", "inactive", "background"])
            #expect(played.completeVisits.contains(stay("app", "app", "active", 1.5, 60 + gap)))
        }
        // Of what deviates nobody can say of which window it is.
        let odd = try play(
            [.at(0, "didFinishLaunchingWithOptions")] + open(1) + open(20) + [.at(60, "sceneDidBecomeActive")])
        #expect(odd.findings.map(\.severity) == [.info])
    }

    @Test("A window without a name that connects while one with a name is open is another one")
    func namelessBesideNamed() throws {
        let car = "CarPlaySceneDelegate"
        let played = try play([
            .at(0, "didFinishLaunchingWithOptions"), .at(0.1, "sceneWillConnect", car),
            .at(0.2, "sceneWillEnterForeground", car), .at(0.3, "sceneDidBecomeActive", car),
            .at(60, "sceneWillConnect"), .at(60.1, "sceneWillEnterForeground"), .at(60.2, "sceneDidBecomeActive"),
            .at(90, "sceneWillResignActive"), .at(91, "sceneDidEnterBackground"),
            .at(120, "sceneWillResignActive", car), .at(121, "sceneDidEnterBackground", car),
        ])
        #expect(played.findings.isEmpty)
        #expect(played.path() == ["not_running", "background", "inactive", "active", "inactive", "background"])
        #expect(played.completeVisits.contains(stay("app", "app", "active", 0.3, 120)))
        // It gets the name that later lines have.
        let named = try play([
            .at(0, "didFinishLaunchingWithOptions"), .at(0.1, "sceneWillConnect"),
            .at(0.2, "sceneWillEnterForeground", "A"), .at(0.3, "sceneDidBecomeActive", "A"),
            .at(60, "sceneWillConnect"), .at(60.1, "sceneWillEnterForeground", "B"),
            .at(60.2, "sceneDidBecomeActive", "B"),
        ])
        #expect(named.findings.isEmpty)
        #expect(named.path("scene", "B") == ["unattached", "fg_inactive", "fg_active"])
    }

    @Test("The first eight digits of a session name the same window as all of them")
    func shortSessions() throws {
        let played = try play([
            .at(0, "didFinishLaunchingWithOptions"),
            .at(0.1, "sceneWillConnect", "8F3C2A10-1B2C-4D5E-8F90-A1B2C3D4E5F6"),
            .at(0.2, "sceneWillEnterForeground", "8f3c2a10"),
            .at(0.3, "sceneDidBecomeActive", "8F3C2A10-1B2C-4D5E-8F90-A1B2C3D4E5F6"),
        ])
        #expect(played.findings.isEmpty)
        #expect(
            played.path("scene", "8F3C2A10-1B2C-4D5E-8F90-A1B2C3D4E5F6") == ["unattached", "fg_inactive", "fg_active"])
    }

    @Test("Sessions that have only their first eight digits in common are two")
    func likeSessions() throws {
        let (one, other) = ("00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002")
        let played = try play(
            [.at(0, "didFinishLaunchingWithOptions")]
                + [(1.0, one), (9, other)].flatMap { time, scene -> [Line] in
                    [
                        .at(time, "sceneWillConnect", scene), .at(time + 0.1, "sceneWillEnterForeground", scene),
                        .at(time + 0.2, "sceneDidBecomeActive", scene),
                    ]
                })
        #expect(played.findings.isEmpty)
        for scene in [one, other] {
            #expect(played.path("scene", scene) == ["unattached", "fg_inactive", "fg_active"])
        }
    }

    /// Lines without the name of a scene, each twice: as the method prints it, and as the notification after it.
    private func twice(_ lines: [(Double, String)], after gap: Double) -> [Line] {
        lines.flatMap { time, callback in
            var notification = Line.at(time + gap, callback)
            notification.textHash = 7
            return [.at(time, callback), notification]
        }
    }

    @Test("The notification of a callback is of the window that the callback is of", arguments: [0.002, 0.3])
    func twinsOfNamelessWindows(gap: Double) throws {
        let open = { (time: Double) in
            [
                (time, "sceneWillConnect"), (time + 0.4, "sceneWillEnterForeground"),
                (time + 0.8, "sceneDidBecomeActive"),
            ]
        }
        let away = [(40, "sceneWillResignActive"), (40.5, "sceneDidEnterBackground")]
        let back = [(60, "sceneWillEnterForeground"), (60.5, "sceneDidBecomeActive")]
        let played = try play(
            [.at(0, "didFinishLaunchingWithOptions")] + twice(open(1) + open(20) + away + back, after: gap))
        #expect(played.findings.allSatisfy { $0.severity == .info })
        #expect(played.path("scene", "scene0") == ["unattached", "fg_inactive", "fg_active"])
        #expect(
            played.path("scene", "scene0#2")
                == ["unattached", "fg_inactive", "fg_active", "fg_inactive", "background", "fg_inactive", "fg_active"])
    }

    @Test("Windows that are restored together, without names or named only where they connect, are two")
    func restoredWindows() throws {
        for (first, second) in [("", ""), ("1F-22", "2F-33")] {
            let played = try play([
                .at(0, "didFinishLaunchingWithOptions"), .at(0.1, "sceneWillConnect", first),
                .at(0.3, "sceneWillConnect", second), .at(0.45, "sceneWillEnterForeground"),
                .at(0.6, "sceneWillEnterForeground"), .at(0.8, "sceneDidBecomeActive"),
                .at(0.95, "sceneDidBecomeActive"), .at(40, "sceneWillResignActive"),
                .at(40.2, "sceneWillResignActive"), .at(40.5, "sceneDidEnterBackground"),
                .at(40.8, "sceneDidEnterBackground"),
            ])
            #expect(played.findings.isEmpty, "\(first)")
            for scene in first.isEmpty ? ["scene0", "scene0#2"] : [first, second] {
                #expect(
                    played.path("scene", scene)
                        == ["unattached", "fg_inactive", "fg_active", "fg_inactive", "background"], "\(scene)")
            }
            #expect(played.path().last == "background")
        }
        // What deviates may be of either; a line with a name is not.
        let two: [Line] =
            RuleTests.sceneLaunch + [
                .at(20, "sceneWillConnect", "B"), .at(20.1, "sceneWillEnterForeground", "B"),
                .at(20.5, "sceneDidBecomeActive", "B"), .at(25, "sceneWillResignActive", "B"),
                .at(26, "sceneDidBecomeActive", "B"),
            ]
        #expect(try play(two + [.at(30, "sceneDidBecomeActive")]).findings.map(\.severity) == [.info])
        #expect(try play(two + [.at(30, "sceneDidBecomeActive", "B")]).findings.map(\.severity) == [.error])
    }

    @Test("A scene bears the label that a later line gives it, numbered among those of that label only")
    func lateLabels() throws {
        let played = try play([
            .at(0, "didFinishLaunchingWithOptions"), .at(0.1, "configurationForConnectingSceneSession"),
            .at(0.2, "sceneWillConnect", "0x1"), .at(0.3, "sceneWillEnterForeground", "0x1"),
            .at(20, "configurationForConnectingSceneSession"), .at(20.1, "sceneWillConnect", "0x2"),
        ])
        #expect(Set(played.instances.values.map(\.label)) == ["app", "0x1", "0x2"])
    }

    @Test("A callback that the platform does not have is a deviation, and makes no app one with scenes")
    func unknownCallback() throws {
        let played = try play([
            .at(0, "didFinishLaunchingWithOptions"), .at(1, "applicationDidBecomeActive"),
            .at(2, "otherSceneCallback"), .at(3, "applicationWillResignActive"), .at(4, "applicationDidBecomeActive"),
        ])
        #expect(played.path() == ["not_running", "inactive", "active", "inactive", "active"])
        #expect(played.findings.map(\.rule) == ["unknown-callback"])
        #expect(played.findings.map(\.line) == [3])
    }

    @Test("A callback that the platform does not have makes no scene, with or without a name")
    func unknownCallbackMakesNoScene() throws {
        for label in ["", "main"] {
            let played = try play([
                .at(0, "otherSceneCallback", label), .at(1, "didFinishLaunchingWithOptions"),
                .at(2, "applicationDidBecomeActive"), .at(3, "otherSceneCallback", label),
                .at(3.05, "otherSceneCallback", label), .at(4, "applicationWillResignActive"),
            ])
            #expect(played.instances.values.map(\.label) == ["app"])
            #expect(played.path() == ["not_running", "inactive", "active", "inactive"])
            // The second line of one execution is no second deviation.
            #expect(played.findings.filter { $0.rule == "unknown-callback" }.map(\.line) == [1, 4])
            #expect(played.findings.filter { $0.rule == "unknown-callback" }.allSatisfy { $0.layer == "scene" })
        }
        // A scene that is known has it.
        let played = try play([
            .at(0, "didFinishLaunchingWithOptions"), .at(1, "sceneWillConnect", "main"),
            .at(2, "otherSceneCallback"), .at(3, "otherSceneCallback", "main"),
            .at(4, "otherSceneCallback", "other"),
        ])
        #expect(Set(played.instances.values.map(\.label)) == ["app", "main"])
        let labels = played.findings.filter { $0.rule == "unknown-callback" }.sorted { $0.line < $1.line }
            .map { $0.instance.flatMap { played.instances[$0]?.label } }
        #expect(labels == ["main", "main", "app"])
    }

    @Test("A launch that ends before a scene is active, and without a sign of the background, has failed")
    func launchFailure() throws {
        let launch: [Line] = [.at(0, "didFinishLaunchingWithOptions"), .at(0.1, "sceneWillConnect", "A")]
        let foreground = Line.at(0.2, "sceneWillEnterForeground", "A")
        let next: [Line] = [.at(60, "didFinishLaunchingWithOptions", pid: 2)]
        let cases: [(lines: [Line], reason: EndReason, rule: String)] = [
            ([], .launchFailure, "R-APP-18"),
            ([foreground], .launchFailure, "R-APP-18"),
            ([.life(3)], .launchFailure, "R-APP-18"),
            ([foreground, .life(30)], .launchFailure, "R-APP-18"),
            // What lives on for more than 20 s, or is told to do something, was launched into the background.
            ([.life(21)], .killedInBackground, "R-APP-16"),
            ([.at(1, "performFetch")], .killedInBackground, "R-APP-16"),
            ([.at(1, "incomingPush")], .killedInBackground, "R-APP-16"),
            ([.at(1, "locationEvent")], .killedInBackground, "R-APP-16"),
            ([.at(1, "bluetoothRestored")], .killedInBackground, "R-APP-16"),
            ([.at(1, "sceneDidEnterBackground", "A")], .killedInBackground, "R-APP-16"),
            ([foreground, .at(0.3, "sceneDidBecomeActive", "A")], .abnormalInForeground, "R-APP-17"),
        ]
        for (lines, reason, rule) in cases {
            let played = try play(launch + lines + next)
            #expect(played.runsInOrder[0].endReason == reason, "\(lines)")
            let ends = played.findings.map(\.rule).filter { ["R-APP-16", "R-APP-17", "R-APP-18"].contains($0) }
            #expect(ends == [rule], "\(lines)")
        }
    }

    @Test("In the middle of a life the first scene tells where the app was")
    func leftCensored() throws {
        let played = try play([.at(5, "sceneWillResignActive", "A"), .at(6, "sceneDidEnterBackground", "A")])
        #expect(played.path() == ["active", "inactive", "background"])
        // The resign-active may be a repetition: only the background stays that follow it have begun for certain.
        #expect(
            played.visits.filter { $0.censored == "left" }.map(\.state).sorted() == [
                "active", "fg_active", "fg_inactive", "inactive",
            ])
        #expect(played.completeVisits.isEmpty)
    }

    @Test("Lines of a window without a label are its own after another one has gone")
    func afterAnotherHasGone() throws {
        let played = try play([
            .at(0, "didFinishLaunchingWithOptions"), .at(0.1, "sceneWillConnect"), .at(0.2, "sceneWillEnterForeground"),
            .at(0.3, "sceneDidBecomeActive"), .at(30.1, "sceneWillConnect"), .at(30.2, "sceneWillEnterForeground"),
            .at(30.3, "sceneDidBecomeActive"), .at(60.3, "sceneWillResignActive"), .at(61.3, "sceneDidEnterBackground"),
            .at(62.3, "sceneDidDisconnect"), .at(120.3, "sceneWillResignActive"), .at(121.3, "sceneDidEnterBackground"),
            .at(180.3, "sceneWillEnterForeground"), .at(180.5, "sceneDidBecomeActive"),
        ])
        #expect(
            played.path() == [
                "not_running", "background", "inactive", "active", "inactive", "background", "inactive", "active",
            ])
        #expect(played.findings.allSatisfy { $0.rule == "R-SCN-12" }, "\(played.findings.map(\.message))")
    }

    @Test("A log of scenes that begins in the middle is cut at its first line, whenever the app speaks next")
    func cutBeginning() throws {
        let lines: [Line] = [
            .at(0, "sceneWillResignActive", "A"), .at(1, "sceneDidEnterBackground", "A"),
            .at(2, "applicationWillTerminate"),
        ]
        let found = try play(lines).findings
        #expect(found.map(\.rule) == ["R-APP-01"])
        #expect(found.map(\.line) == [1])
        #expect(found.map(\.deviation) == [.truncation])
        // An app need not log its launch.
        let connected = try play([
            .at(0, "sceneWillConnect", "A"), .at(1, "sceneWillEnterForeground", "A"),
            .at(2, "sceneDidBecomeActive", "A"),
        ])
        #expect(connected.findings.isEmpty)
    }

    @Test(
        "A line that shows the end of a process ends the stays of its scenes and controllers; that it will terminate does not"
    )
    func shownEnd() throws {
        let lines: [Line] = [
            .at(0, "didFinishLaunchingWithOptions"), .at(0.1, "sceneWillConnect", "A"),
            .at(0.2, "sceneWillEnterForeground", "A"), .at(0.5, "sceneDidBecomeActive", "A"),
            .at(1, "viewDidLoad", "Home"), .at(1.25, "viewWillAppear", "Home"), .at(2, "viewDidAppear", "Home"),
        ]
        let crash = Line.evidence(9, .exitedBySignal, "crash-report")
        let played = try play(lines + [crash])
        let ends = [
            stay("app", "app", "active", 0.5, 9), stay("scene", "A", "fg_active", 0.5, 9),
            stay("view", "Home", "appeared", 2, 9),
        ]
        #expect(Set(ends).isSubset(of: played.completeVisits), "\(played.visits)")
        #expect(played.visits.allSatisfy { !$0.censored.hasSuffix("right") && $0.censored != "both" })
        // The system keeps the session; where a controller goes is not documented.
        #expect(played.transitions("scene").last?.to == "unattached")
        #expect(played.transitions("view").last?.to == nil)
        let told = try play(lines + [.evidence(9, .terminating, "words")])
        #expect(told.visits.filter { $0.censored == "right" }.map(\.state).sorted() == ["appeared", "fg_active"])
        // Nobody knows where the scene is of which a line comes later: it is judged by nothing before.
        let late = try play(lines + [crash, .at(9.5, "sceneWillResignActive", "A")])
        #expect(Set(ends).isSubset(of: late.completeVisits))
        #expect(late.visits.filter { $0.layer == "scene" }.suffix(2).map(\.censored) == ["left", "both"])
        #expect(late.findings.allSatisfy { $0.layer != "scene" }, "\(late.findings)")
    }
}
