import Testing
import TraceRecords

@testable import LifecycleReplay

/// What must not matter: how facts are cut into batches, where rows are taken, and what follows in the log.
struct InvarianceTests {
    /// A reproducible source of chance.
    struct Dice {
        var state: UInt64
        mutating func roll(_ sides: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % sides
        }
    }

    /// A log without much sense: any callback of any instance at any time, relaunches, silences, regressions.
    static func chaos(_ seed: UInt64, lines count: Int) -> [Line] {
        var dice = Dice(state: seed)
        let app = [
            "didFinishLaunchingWithOptions", "applicationDidBecomeActive", "applicationWillResignActive",
            "applicationDidEnterBackground", "applicationWillEnterForeground", "applicationDidBecomeActive",
            "applicationWillResignActive", "applicationDidEnterBackground", "applicationWillTerminate", "performFetch",
            "willFinishLaunchingWithOptions",
        ]
        let scene = [
            "sceneWillConnect", "sceneWillEnterForeground", "sceneDidBecomeActive", "sceneWillResignActive",
            "sceneDidEnterBackground", "sceneDidDisconnect",
        ]
        let view = [
            "viewDidLoad", "viewWillAppear", "viewDidAppear", "viewWillDisappear", "viewDidDisappear", "dealloc",
        ]
        let usesScenes = dice.roll(3) == 0
        var time = 1000.0
        var pid: Int32 = 10
        var lines: [Line] = []
        for _ in 0..<count {
            time += [0.0, 0.05, 0.5, 2, 12, 30][dice.roll(6)]
            if dice.roll(40) == 0 { time -= 3 }
            if dice.roll(12) == 0 { pid += 1 }
            let old: Int32 = dice.roll(15) == 0 ? 1 : 0
            switch dice.roll(10) {
            case 0: lines.append(.life(time, pid: pid - old))
            case 1: lines.append(.at(time, view[dice.roll(view.count)], "VC\(dice.roll(2))", pid: pid - old))
            case 2 where dice.roll(3) == 0:
                let proofs: [Proof] = [.suspended, .running, .exitedByJetsam, .notRunning, .launched]
                lines.append(.evidence(time, proofs[dice.roll(proofs.count)], pid: pid - old))
            case 3...6 where usesScenes:
                lines.append(.at(time, scene[dice.roll(scene.count)], "S\(dice.roll(2))", pid: pid - old))
            default: lines.append(.at(time, app[dice.roll(app.count)], pid: pid - old))
            }
            lines[lines.count - 1].textHash = UInt16(dice.roll(400) + 1)
        }
        return lines
    }

    @Test("Chunks and commit points change nothing")
    func chunking() throws {
        for seed in 1...24 as ClosedRange<UInt64> {
            let lines = Self.chaos(seed, lines: 120)
            var dice = Dice(state: seed &* 977)
            let whole = try play(lines)
            let cuts = Set((0..<20).map { _ in dice.roll(120) })
            let snapshots = Set((0..<12).map { _ in dice.roll(120) })
            let cut = try play(lines, cuts: cuts, snapshots: snapshots)
            #expect(cut.steps == whole.steps, "seed \(seed)")
            #expect(cut.kinds == whole.kinds, "seed \(seed)")
            #expect(cut.runs == whole.runs, "seed \(seed)")
            #expect(cut.instances == whole.instances, "seed \(seed)")
            #expect(cut.suspensions == whole.suspensions, "seed \(seed)")
            #expect(cut.findings == whole.findings, "seed \(seed)")
            #expect(cut.scenarios == whole.scenarios, "seed \(seed)")
        }
    }

    @Test("A line about an app without a process id belongs to the run that wrote last, however its life is cut")
    func lineWithoutProcess() throws {
        var told = Line.evidence(4, .suspended, app: "com.example.App", pid: nil)
        told.namesBundle = true
        let cut: [Line] = [.life(1, pid: 1), .life(2, pid: 2), .life(3, pid: 1), told]
        // What another process says of one does not make it write.
        let daemon = Line.evidence(3.5, .running, pid: 2)
        for lines in [cut, Array(cut[1...]), Array(cut.dropLast()) + [daemon, told]] {
            let played = try play(lines)
            let suspended = try #require(played.orderedSteps.first { played.kind(of: $0).stateAfter == "suspended" })
            let instance = try #require(played.instances[suspended.instance])
            #expect(played.runs[instance.run]?.pid == 1)
        }
    }

    @Test("Cutting a log at its end adds no completed stay and changes none before the cut")
    func cuttingTheEnd() throws {
        for seed in 1...8 as ClosedRange<UInt64> {
            let lines = Self.chaos(seed, lines: 60)
            let whole = Self.stays(try play(lines))
            for length in stride(from: 1, to: lines.count, by: 3) {
                let head = Self.stays(try play(Array(lines.prefix(length))))
                #expect(head.isSubset(of: whole), "seed \(seed), first \(length) lines")
            }
        }
    }

    @Test("Cutting a log at both ends adds no completed stay, whatever the log")
    func cuttingBothEnds() throws {
        for seed in 1...30 as ClosedRange<UInt64> {
            let logs = [Self.chaos(seed, lines: 60), Self.windows(seed, lines: 60)]
            for (kind, lines) in logs.enumerated() {
                let whole = Self.completeStays(try play(lines, beginsBefore: false))
                for first in stride(from: Int(seed % 2), to: lines.count - 1, by: 2) {
                    let last = lines.count - first % 3 * 5
                    guard first < last else { continue }
                    let cut = try play(Array(lines[first..<last]), beginsBefore: false)
                    for stay in Self.completeStays(cut, after: first) {
                        // A launch has the time of the first of its simultaneous lines that the log shows.
                        let isKnown = whole.contains { known in
                            known.instance == stay.instance && known.state == stay.state && known.end == stay.end
                                && Self.isOneExecution(lines[Int(known.begin) - 1], lines[Int(stay.begin) - 1])
                        }
                        #expect(isKnown, "seed \(seed), log \(kind), lines \(first + 1)...\(last): \(stay)")
                    }
                }
            }
        }
    }

    private static func isOneExecution(_ one: Line, _ other: Line) -> Bool {
        abs((one.time ?? 0) - (other.time ?? 0)) <= InstanceState.foldingWindow
    }

    /// A completed stay by the lines that it lies between.
    struct CompleteStay {
        var instance: String
        var state: String
        var begin: Int64
        var end: Int64
    }

    /// Complete stays, both ends of which were observed; labels without the ordinal, which counts from the log's begin.
    static func completeStays(_ played: Played, after lines: Int = 0) -> [CompleteStay] {
        played.orderedSteps.compactMap { step in
            let kind = played.kind(of: step)
            guard kind.endsVisit, kind.closedCensoring == .neither, kind.closedEvidence == .observed,
                let instance = played.instances[step.instance], let opener = step.opener.flatMap({ played.steps[$0] })
            else { return nil }
            return CompleteStay(
                instance: "\(instance.layer) \(instance.label.prefix { $0 != "#" })", state: kind.stateBefore ?? "",
                begin: opener.line + Int64(lines), end: step.line + Int64(lines))
        }
    }

    /// The log of a launch and three windows that come and go, each as documented.
    static func windows(_ seed: UInt64, lines count: Int) -> [Line] {
        var dice = Dice(state: seed)
        let cycle = [
            "sceneWillEnterForeground", "sceneDidBecomeActive", "sceneWillResignActive", "sceneDidEnterBackground",
        ]
        var places: [Int: Int] = [:]
        var time = 1000.0
        var lines: [Line] = [.at(time, "didFinishLaunchingWithOptions")]
        while lines.count < count {
            time += [0.2, 0.5, 2, 12][dice.roll(4)]
            let window = dice.roll(3)
            if let place = places[window] {
                lines.append(.at(time, cycle[place % 4], "S\(window)"))
                places[window] = place + 1
            } else {
                lines.append(.at(time, "sceneWillConnect", "S\(window)"))
                places[window] = 0
            }
        }
        return lines
    }

    /// Complete stays with the places of their ends.
    static func stays(_ played: Played) -> Set<String> {
        var stays: Set<String> = []
        for step in played.orderedSteps {
            let kind = played.kind(of: step)
            guard kind.endsVisit, kind.closedCensoring == .neither, let instance = played.instances[step.instance]
            else { continue }
            let opener = step.opener.flatMap { played.steps[$0] }
            stays.insert(
                "\(instance.label) \(kind.stateBefore ?? "") \(opener?.line ?? 0)-\(step.line) \(step.dwell ?? -1)")
        }
        return stays
    }

    @Test("Stays of an instance follow each other without gap or overlap")
    func tiling() throws {
        for seed in 100...120 as ClosedRange<UInt64> {
            let played = try play(Self.chaos(seed, lines: 150))
            var last: [Int64: Int64] = [:]
            for step in played.orderedSteps {
                let kind = played.kind(of: step)
                // The first event of a new scene or controller begins a stay without a move.
                if kind.stateBefore == kind.stateAfter {
                    if last[step.instance] == nil, kind.stateAfter != nil { last[step.instance] = step.id }
                    continue
                }
                if let opener = step.opener { #expect(last[step.instance] == opener, "seed \(seed)") }
                last[step.instance] = step.id
            }
            for instance in played.instances.values {
                guard let tail = instance.tail, let opener = tail.opener, let move = last[instance.id] else { continue }
                #expect(opener == move, "seed \(seed)")
            }
        }
    }
}
