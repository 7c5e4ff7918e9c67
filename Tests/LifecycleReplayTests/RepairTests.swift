import Testing
import TraceRecords

/// What a single slip of a log comes to: one finding, whose repair makes the log conform.
@Suite("Repairs")
struct RepairTests {
    /// A log of one instance that is as the documentation asks.
    private struct Sequence {
        var label: String
        var callbacks: [String]
        /// Those whose absence nobody can tell, because the log conforms without them or another slip explains it.
        var dispensable: Set<Int> = []

        /// The log with the launch before it, a callback a second.
        func lines(_ callbacks: [String]) -> [Line] {
            [.at(0, "didFinishLaunchingWithOptions")]
                + callbacks.enumerated().map { .at(Double($0 + 1), $1, $1.hasPrefix("application") ? "" : label) }
        }
    }

    private static let scene = Sequence(
        label: "main",
        callbacks: [
            "sceneWillConnect", "sceneWillEnterForeground", "sceneDidBecomeActive", "sceneWillResignActive",
            "sceneDidBecomeActive", "sceneWillResignActive", "sceneDidEnterBackground", "sceneWillEnterForeground",
            "sceneDidBecomeActive", "sceneWillResignActive", "sceneDidEnterBackground", "sceneDidDisconnect",
            "sceneWillConnect", "sceneWillEnterForeground", "sceneDidBecomeActive", "sceneWillResignActive",
            "sceneDidDisconnect", "didDiscardSceneSessions",
        ], dispensable: [3, 4, 10, 17])

    private static let view = Sequence(
        label: "Home",
        callbacks: [
            "viewDidLoad", "viewWillAppear", "viewWillLayoutSubviews", "viewDidLayoutSubviews", "viewDidAppear",
            "viewWillDisappear", "viewDidDisappear", "viewWillAppear", "viewWillLayoutSubviews",
            "viewDidLayoutSubviews", "viewDidAppear", "viewWillDisappear", "viewDidDisappear", "dealloc",
        ], dispensable: [0, 2, 3, 4, 6, 8, 9, 10, 13])

    /// What is wrong with a log, remarks and times apart.
    private func deviations(_ lines: [Line]) throws -> [Finding] {
        try play(lines, preface: wordyLife).findings.filter {
            $0.line > 0 && $0.severity != .info && !$0.rule.hasPrefix("TL")
        }
    }

    /// The callbacks after a repair; those of the log begin in line 2.
    private func repaired(_ callbacks: [String], _ finding: Finding) throws -> [String] {
        let repair = try #require(finding.repair, "\(finding)")
        var callbacks = callbacks
        let place = Int(finding.line) - 2
        if repair == "without this line" {
            callbacks.remove(at: place)
        } else {
            let names = repair.dropFirst("with ".count).replacing(" before this line", with: "")
            callbacks.insert(contentsOf: names.split(separator: ", ").map(String.init), at: place)
        }
        return callbacks
    }

    @Test("a callback that was left out is told once and named", arguments: [0, 1])
    func leftOut(layer: Int) throws {
        let sequence = [Self.scene, Self.view][layer]
        #expect(try deviations(sequence.lines(sequence.callbacks)) == [])
        for place in sequence.callbacks.indices where !sequence.dispensable.contains(place) {
            var callbacks = sequence.callbacks
            let missing = callbacks.remove(at: place)
            let found = try deviations(sequence.lines(callbacks))
            #expect(found.map(\.deviation) == [.missingCallback], "\(missing) at \(place): \(found)")
            guard let finding = found.first else { continue }
            #expect(finding.repair == "with \(missing) before this line", "at \(place)")
            #expect(try deviations(sequence.lines(repaired(callbacks, finding))) == [], "\(missing) at \(place)")
        }
    }

    @Test("a callback that came twice is told once", arguments: [0, 1])
    func repeated(layer: Int) throws {
        let sequence = [Self.scene, Self.view][layer]
        for place in sequence.callbacks.indices {
            // A second view-did-load begins another controller, and after dealloc there is none. That layout is logged
            // from begin to end shows at its first end.
            if ["viewDidLoad", "viewDidLayoutSubviews", "dealloc"].contains(sequence.callbacks[place]) { continue }
            if sequence.callbacks[place] == "viewWillLayoutSubviews", place == 2 { continue }
            var callbacks = sequence.callbacks
            callbacks.insert(callbacks[place], at: place)
            let found = try deviations(sequence.lines(callbacks))
            #expect(found.map(\.deviation) == [.duplicate], "\(callbacks[place]) at \(place): \(found)")
            guard let finding = found.first else { continue }
            #expect(finding.repair == "without this line")
            #expect(try deviations(sequence.lines(repaired(callbacks, finding))) == [], "at \(place)")
        }
    }

    @Test("the way back leads through the connection of a scene")
    func severalMissing() throws {
        let lines: [Line] = [
            .at(0, "didFinishLaunchingWithOptions"), .at(1, "sceneWillConnect", "main"),
            .at(2, "sceneWillEnterForeground", "main"), .at(3, "sceneDidBecomeActive", "main"),
            .at(4, "sceneWillResignActive", "main"), .at(5, "sceneDidDisconnect", "main"),
            .at(6, "sceneDidBecomeActive", "main"),
        ]
        let found = try deviations(lines)
        #expect(found.map(\.line) == [7])
        #expect(found.map(\.repair) == ["with sceneWillConnect, sceneWillEnterForeground before this line"])
    }

    @Test("a scene whose first two lines of one time stand the wrong way round misses nothing")
    func tie() throws {
        let lines: [Line] = [
            .at(0, "didFinishLaunchingWithOptions"), .at(1, "sceneWillEnterForeground", "main"),
            .at(1, "sceneWillConnect", "main"), .at(2, "sceneDidBecomeActive", "main"),
        ]
        #expect(try Set(deviations(lines).map(\.deviation)) == [.reorderedTie])
    }

    @Test("nothing but a launch callback belongs before a launch of the same time")
    func tieWithLaunch() throws {
        let wrong: [Line] = [.at(9, "didFinishLaunchingWithOptions"), .at(9, "applicationWillResignActive")]
        let found = try deviations(wrong).map(\.deviation)
        #expect(!found.isEmpty && !found.contains(.reorderedTie), "\(found)")
        let swapped: [Line] = [.at(9, "didFinishLaunchingWithOptions"), .at(9, "willFinishLaunchingWithOptions")]
        #expect(try Set(deviations(swapped).map(\.deviation)).isSubset(of: [.reorderedTie]))
    }
}
