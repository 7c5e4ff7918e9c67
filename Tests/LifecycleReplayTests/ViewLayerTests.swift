import Testing
import TraceRecords

@testable import LifecycleReplay

/// View controllers, by hand: a push, a pop, and names that are used again.
struct ViewLayerTests {
    static let log: [Line] = [
        .at(0, "didFinishLaunchingWithOptions"),
        .at(0.1, "viewDidLoad", "VC1"), .at(0.2, "viewWillAppear", "VC1"), .at(0.21, "viewWillLayoutSubviews", "VC1"),
        .at(0.22, "viewDidLayoutSubviews", "VC1"), .at(0.3, "viewDidAppear", "VC1"),
        .at(0.4, "applicationDidBecomeActive"),
        .at(5, "viewDidLoad", "VC2"), .at(5.1, "viewWillDisappear", "VC1"), .at(5.2, "viewWillAppear", "VC2"),
        .at(5.25, "viewWillLayoutSubviews", "VC2"), .at(5.3, "viewDidLayoutSubviews", "VC2"),
        .at(5.5, "viewDidAppear", "VC2"), .at(5.500000001, "viewDidDisappear", "VC1"),
        .at(9, "viewWillDisappear", "VC2"), .at(9.1, "viewWillAppear", "VC1"), .at(9.5, "viewDidAppear", "VC1"),
        .at(9.6, "viewDidDisappear", "vc2"), .at(9.7, "dealloc", "vc2"),
        .at(20, "viewDidLoad", "VC2"), .at(21, "viewDidLoad", "VC2"),
    ]

    private func stay(_ instance: String, _ state: String, _ from: Double, _ until: Double) -> Played.Visit {
        Played.Visit(
            layer: "view", instance: instance, state: state, entered: nanoseconds(from), left: nanoseconds(until),
            censored: "", dwell: nanoseconds(until) - nanoseconds(from), atLeast: nil)
    }

    @Test("Every stay is exact, labels ignore case, and a name used again is another controller")
    func stays() throws {
        let played = try play(Self.log)
        let view = played.completeVisits.filter { $0.layer == "view" }
        let expected: Set<Played.Visit> = [
            stay("VC1", "loaded", 0.1, 0.2), stay("VC1", "appearing", 0.2, 0.3), stay("VC1", "appeared", 0.3, 5.1),
            stay("VC1", "disappearing", 5.1, 5.500000001), stay("VC1", "disappeared", 5.500000001, 9.1),
            stay("VC1", "appearing", 9.1, 9.5),
            stay("VC2", "loaded", 5, 5.2), stay("VC2", "appearing", 5.2, 5.5), stay("VC2", "appeared", 5.5, 9),
            stay("VC2", "disappearing", 9, 9.6), stay("VC2", "disappeared", 9.6, 9.7),
        ]
        #expect(Set(view) == expected)
        #expect(view.count == expected.count)
        #expect(Set(played.instances.values.map(\.label)) == ["app", "VC1", "VC2", "VC2#2", "VC2#3"])
        #expect(played.findings.isEmpty)
        let tails = played.instances.values.compactMap { record in record.tail.map { (record.label, $0.state) } }
        #expect(
            Dictionary(uniqueKeysWithValues: tails) == [
                "app": "active", "VC1": "appeared", "VC2#2": "loaded", "VC2#3": "loaded",
            ])
    }

    @Test("In a log that begins in the middle, a controller after the dealloc of its name is one, loaded late or not")
    func bornInLog() throws {
        let played = try play([
            .at(0, "applicationDidBecomeActive"), .at(1, "dealloc", "VC1"), .at(2, "viewWillAppear", "VC1"),
            .at(5, "viewDidLoad", "VC1"),
        ])
        #expect(Set(played.instances.values.map(\.label)) == ["app", "VC1", "VC1#2"])
    }

    @Test("An interactive pop that is called off is documented")
    func cancelledPop() throws {
        let played = try play([
            .at(0, "viewDidAppear", "VC2"), .at(1, "viewWillDisappear", "VC2"), .at(2, "viewWillAppear", "VC2"),
            .at(3, "viewDidAppear", "VC2"),
        ])
        #expect(played.path("view", "VC2") == ["appearing", "appeared", "disappearing", "appearing", "appeared"])
        #expect(played.transitions("view").allSatisfy { $0.verdict == .documented })
    }

    @Test("A controller that was there before the log ends where another of its name is loaded")
    func loadedAgain() throws {
        let lines: [Line] = [
            .at(0, "viewDidLoad", "V"), .at(1, "viewWillAppear", "V"), .at(2, "viewDidAppear", "V"),
            .at(9, "viewDidLoad", "V"), .at(10, "viewWillAppear", "V"),
        ]
        #expect(try play(lines).completeVisits.map(\.state) == ["loaded", "appearing", "loaded"])
        let cut = try play(Array(lines[1...]))
        #expect(cut.completeVisits.map(\.state) == ["loaded"])
        #expect(Set(cut.instances.values.map(\.label)) == ["V", "V#2"])
        // Where the view is made first, both lines are of one controller.
        let made = try play([.at(0, "loadView", "V"), .at(1, "viewDidLoad", "V"), .at(2, "viewWillAppear", "V")])
        #expect(made.instances.count == 1)
    }

    @Test("Of controllers that bear one name, a callback is of the one in whose state it is documented")
    func namesakes() throws {
        let (load, willAppear, didAppear) = ("viewDidLoad", "viewWillAppear", "viewDidAppear")
        let (willLeave, didLeave) = ("viewWillDisappear", "viewDidDisappear")
        let first = [load, willAppear, didAppear]
        func stays(_ callbacks: [String]) throws -> [String: [String]] {
            let lines = callbacks.enumerated().map { Line.at(Double($0 + 1), $1, "V") }
            let played = try play([.at(0, "didFinishLaunchingWithOptions")] + lines)
            // The lines lie seconds apart, and pages say that they come before others say that they go.
            #expect(played.findings.allSatisfy { ["TL-11", "R-VC-09"].contains($0.rule) })
            #expect(played.transitions("view").allSatisfy { $0.verdict == .documented })
            return Dictionary(uniqueKeysWithValues: ["V", "V#2", "V#3"].map { ($0, played.path("view", $0)) })
        }
        let whole = ["unloaded", "loaded", "appearing", "appeared"]
        // One pushes another, which is popped.
        let pushed = try stays(
            first + [load, willLeave, willAppear, didLeave, didAppear, willLeave, willAppear, didLeave, didAppear]
                + ["dealloc", willLeave])
        #expect(pushed["V"] == whole + ["disappearing", "disappeared", "appearing", "appeared", "disappearing"])
        #expect(pushed["V#2"] == whole + ["disappearing", "disappeared", "deallocated"])
        // One on another on another, and all the way back: the lowest is not forgotten.
        let push = [load, willLeave, willAppear, didAppear, didLeave]
        let pop = [willLeave, willAppear, didAppear, didLeave, "dealloc"]
        let back = try stays(first + push + push + pop + pop)
        #expect(back["V"] == whole + ["disappearing", "disappeared", "appearing", "appeared"])
        #expect(back["V#2"]?.last == "deallocated" && back["V#3"]?.last == "deallocated")
        // Pages: the next one says that it comes before the present one says that it goes.
        let turn = [load, willAppear, willLeave, didLeave, didAppear]
        let pages = try stays(first + turn + turn)
        #expect(pages["V"] == whole + ["disappearing", "disappeared"])
        #expect(pages["V#2"] == whole + ["disappearing", "disappeared"])
        #expect(pages["V#3"] == whole)
    }

    @Test("A late dealloc of a controller that has made room for another of its name ends neither that one nor a third")
    func lateDealloc() throws {
        let callbacks = ["viewDidLoad", "viewWillAppear", "viewDidAppear", "viewWillDisappear", "viewDidDisappear"]
        func life(_ time: Double, _ name: String = "V") -> [Line] {
            callbacks.enumerated().map { .at(time + Double($0) / 4, $1, name) }
        }
        let launch: [Line] = [.at(0, "didFinishLaunchingWithOptions"), .at(0.1, "applicationDidBecomeActive")]
        let (first, second) = (life(1), life(10))
        let late = Line.at(10.6, "dealloc", "V")
        let played = try play(launch + first + second[..<3] + [late] + second[3...] + [.at(12, "dealloc", "V")])
        #expect(Set(played.instances.values.map(\.label)) == ["app", "V", "V#2"])
        #expect(played.path("view", "V#2").last == "deallocated" && played.findings.isEmpty, "\(played.findings)")
        // Or as the second one is gone already.
        let last = try play(launch + first + second + [.at(12, "dealloc", "V"), .at(15, "dealloc", "V")])
        #expect(Set(last.instances.values.map(\.label)) == ["app", "V", "V#2"] && last.findings.isEmpty)
        // One that appears and of which no other has gone does not end so.
        let early = try play(launch + life(1, "W") + second[..<3] + [late])
        #expect(early.findings.map(\.rule) == ["R-VC-12"], "\(early.findings)")
    }

    @Test("A controller that is gone when an exchange ends is blamed for nothing, nor is another in its stead")
    func goneBeforeTheExchangeEnds() throws {
        let lines: [(Double, String)] = [
            (1, "viewDidLoad"), (1.1, "viewWillAppear"), (1.6, "viewDidAppear"), (2.01, "viewWillDisappear"),
            (2.02, "viewDidLoad"), (2.1, "viewWillAppear"), (2.4, "viewDidDisappear"), (2.41, "dealloc"),
            (2.6, "viewDidAppear"),
        ]
        let played = try play(lines.map { .at($0, $1, "V") })
        #expect(played.findings.allSatisfy { $0.instance.map { played.instances[$0] != nil } ?? true })
        #expect(!played.findings.contains { $0.rule == "R-VC-09" })
    }

    @Test("A second dealloc line of one execution is no further controller")
    func doubleDealloc() throws {
        let played = try play([
            .at(0, "viewDidLoad", "VC"), .at(1, "dealloc", "VC"), .at(1.01, "dealloc", "VC"),
        ])
        #expect(played.instances.count == 1)
        #expect(played.orderedSteps.map(\.line) == [1, 2])
        // Nor is it when another controller ends in the same tick of a coarse clock.
        let two = try play(
            [.at(0, "viewDidLoad", "A"), .at(0, "viewDidLoad", "B")]
                + ["A", "B", "A", "B"].map { .at(9, "dealloc", $0) })
        #expect(Set(two.instances.values.map(\.label)) == ["A", "B"])
        #expect(two.orderedSteps.map(\.line) == [1, 2, 3, 4])
    }
}
