import LifecycleModel
import Testing
import TraceRecords

@testable import LifecycleReplay

/// Clocks of whole milliseconds, seconds or minutes are normal: within one tick the order of the lines decides.
struct ResolutionTests {
    typealias Dice = InvarianceTests.Dice

    static let resolutions: [Int64] = [1, 1_000_000, 1_000_000_000, 60_000_000_000]

    /// A documented life of a process: callbacks with the state that each leads to, and the times between them.
    private static func life(_ seed: UInt64) -> [(callback: String, state: String, gap: Int64)] {
        var dice = Dice(state: seed)
        let gaps: [Int64] = [1, 1_000, 3_000_000, 90_000_000, 400_000_000, 2_000_000_000, 61_000_000_000]
        var life = [
            ("willFinishLaunchingWithOptions", "inactive", Int64(0)),
            ("didFinishLaunchingWithOptions", "inactive", 1_000_000),
            ("applicationDidBecomeActive", "active", 200_000_000),
        ]
        var state = "active"
        for _ in 0..<30 {
            let gap = gaps[dice.roll(gaps.count)]
            switch (state, life[life.count - 1].0) {
            case ("active", _): life.append(("applicationWillResignActive", "inactive", gap))
            case ("background", _): life.append(("applicationWillEnterForeground", "inactive", gap))
            case (_, "applicationWillEnterForeground"): life.append(("applicationDidBecomeActive", "active", gap))
            default:
                life.append(
                    dice.roll(2) == 0
                        ? ("applicationDidBecomeActive", "active", gap)
                        : ("applicationDidEnterBackground", "background", gap))
            }
            state = life[life.count - 1].1
        }
        return life
    }

    @Test("A legal life gives its exact visits at every resolution of the clock", arguments: resolutions)
    func exactVisits(resolution: Int64) throws {
        for seed in 1...40 as ClosedRange<UInt64> {
            var time: Int64 = 1_700_000_000_000_000_000
            var lines: [Line] = []
            var expected: [String] = []
            var (state, entered) = ("", Int64(0))
            for (callback, next, gap) in Self.life(seed) {
                time += gap
                let shown = time - time % resolution
                var line = Line(time: shown, callback: callback)
                line.textHash = UInt16(truncatingIfNeeded: callback.hashValue)
                lines.append(line)
                if next != state {
                    if !state.isEmpty { expected.append("\(state) \(entered) \(shown - entered)") }
                    (state, entered) = (next, shown)
                }
            }
            let played = try play(lines)
            let found = played.completeVisits.map { "\($0.state) \($0.entered ?? -1) \($0.dwell ?? -1)" }
            #expect(found == expected, "seed \(seed)")
            #expect(played.orderedSteps.count == lines.count, "seed \(seed)")
            let wrong = played.findings.filter { !$0.rule.hasPrefix("TL") }
            #expect(wrong.isEmpty, "seed \(seed): \(wrong.map(\.rule))")
            // Pasted once more behind itself, the log says nothing new.
            let twice = try play(lines + lines)
            #expect(twice.visits == played.visits, "seed \(seed)")
        }
    }

    @Test("Active, resign and active within one second are three events")
    func oneSecond() throws {
        var lines: [Line] = [
            .at(10, "didFinishLaunchingWithOptions"), .at(20, "applicationDidBecomeActive"),
            .at(20, "applicationWillResignActive"), .at(20, "applicationDidBecomeActive"),
            .at(620, "applicationWillResignActive"),
        ]
        for place in lines.indices { lines[place].textHash = UInt16(lines[place].callback?.count ?? 0) }
        let played = try play(lines)
        #expect(played.completeVisits.map(\.state) == ["inactive", "active", "inactive", "active"])
        #expect(played.completeVisits.last?.dwell == 600_000_000_000)
        #expect(played.findings.filter { !$0.rule.hasPrefix("TL") } == [])
    }

    @Test("Layouts of one instant are as many events, unless a block of lines is repeated")
    func layouts() throws {
        let lines: [Line] = [
            .at(1, "viewDidLoad", "V"), .at(2, "viewWillAppear", "V"), .at(2, "viewWillLayoutSubviews", "V"),
            .at(2, "viewWillLayoutSubviews", "V"), .at(2, "viewDidLayoutSubviews", "V"), .at(3, "viewDidAppear", "V"),
        ]
        #expect(try play(lines).steps.count == 6)
        #expect(try play(lines + lines).steps.count == 6)
        #expect(try play(lines + Array(lines[1...3])).steps.count == 6)
    }

    @Test("Where the clock steps back to an equal line, two lines in order are a copy; one alone is not")
    func blocks() throws {
        let lines: [Line] = [
            .at(0, "didFinishLaunchingWithOptions"), .at(1, "applicationDidBecomeActive"),
            .at(2, "applicationWillResignActive"), .at(3, "applicationDidEnterBackground"),
            .at(60, "applicationWillEnterForeground"),
        ]
        let block: [Line] = [.at(1, "applicationDidBecomeActive"), .at(2, "applicationWillResignActive")]
        let next = Line.at(61, "applicationDidBecomeActive")
        #expect(try play(lines + block + [next]).path() == play(lines + [next]).path())
        // One alone is new where another callback of the instance lies between.
        #expect(try play(lines + [block[0], next]).steps.count == 7)
        // The end of the log may cut a block behind its first line.
        #expect(try play(lines + [block[0]]).steps.count == 5)
        #expect(try play(lines + [block[0], .at(nil, "applicationWillResignActive")]).steps.count == 7)
        // Where only others spoke in between, it says the same thing twice.
        let other = Line.at(70, "applicationDidBecomeActive", app: "Other", pid: 2)
        #expect(try play(lines + [other, lines[4]]).steps.count == 6)
        let ended: [Line] = [
            .at(1, "viewDidLoad", "V"), .at(2, "dealloc", "V"), .at(3, "viewDidLoad", "W"), .at(4, "dealloc", "W"),
        ]
        #expect(try play(ended + [ended[1], .at(5, "viewDidLoad", "V")]).instances.count == 3)
        // The third line of the block differs: it is new.
        #expect(try play(lines + block + [.at(2.5, "applicationDidBecomeActive")]).steps.count == 6)
        // The clock goes back, but no such line was there.
        #expect(try play(lines + [.at(1.5, "applicationDidBecomeActive")]).steps.count == 6)
    }

    @Test("A repeated block is recognised whatever bursts and cycles it has, and from whichever line it begins")
    func burstsInBlocks() throws {
        var lines: [Line] = [.at(0, "didFinishLaunchingWithOptions"), .at(5, "applicationDidBecomeActive")]
        for _ in 1...3 {
            lines += [.at(10, "applicationWillResignActive"), .at(10, "applicationDidBecomeActive")]
        }
        lines += Array(repeating: .at(10, "viewWillLayoutSubviews", "V"), count: 3)
        lines += [.at(11, "applicationWillResignActive"), .at(12, "applicationDidEnterBackground")]
        let next = Line.at(60, "applicationWillEnterForeground")
        let expected = try play(lines + [next])
        for first in 1..<lines.count - 2 {
            for end in first + 2...lines.count where lines[end - 1].time != lines[first].time {
                let again = try play(Array(lines[..<end]) + Array(lines[first..<end]) + Array(lines[end...]) + [next])
                #expect(again.visits == expected.visits, "lines \(first) to \(end)")
                #expect(again.steps.count == expected.steps.count, "lines \(first) to \(end)")
            }
        }
    }

    @Test("A second object of a label that goes within the tick of the first one's end ends too")
    func twoObjects() throws {
        let played = try play([
            .at(5, "viewDidLoad", "V"), .at(5, "dealloc", "V"), .at(5, "viewDidLoad", "V"), .at(5, "dealloc", "V"),
        ])
        #expect(played.steps.count == 4 && played.instances.count == 2)
    }
}
