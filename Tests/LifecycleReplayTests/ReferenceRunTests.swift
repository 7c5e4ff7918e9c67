import Testing
import TraceRecords

@testable import LifecycleReplay

/// The seven lines of SC-A23: launch, home, re-open, in one process.
struct ReferenceRunTests {
    static let callbacks = [
        "willFinishLaunchingWithOptions", "didFinishLaunchingWithOptions", "applicationDidBecomeActive",
        "applicationWillResignActive", "applicationDidEnterBackground", "applicationWillEnterForeground",
        "applicationDidBecomeActive",
    ]
    static let path = ["not_running", "inactive", "active", "inactive", "background", "inactive", "active"]

    @Test("Without times the order alone tells the states")
    func untimed() throws {
        let played = try play(Self.callbacks.map { .at(nil, $0, app: "lifeCycle", pid: 40428) })
        #expect(played.path() == Self.path)
        #expect(played.findings.isEmpty)
        #expect(played.runs.count == 1)
        #expect(played.transitions().allSatisfy { $0.verdict == .documented })
        #expect(played.completeVisits.count == 5)
        #expect(played.completeVisits.allSatisfy { $0.dwell == nil })
    }

    @Test("With times every dwell is exact to the nanosecond")
    func timed() throws {
        let times = [0, 0.25, 0.75, 10.000000001, 10.5, 70.5, 70.750000003]
        let played = try play(zip(times, Self.callbacks).map { .at($0, $1, pid: 40428) })
        #expect(played.path() == Self.path)
        #expect(played.findings.isEmpty)
        #expect(
            played.completeVisits.map(\.dwell) == [
                750_000_000, 9_250_000_001, 499_999_999, 60_000_000_000, 250_000_003,
            ])
        #expect(played.completeVisits.map(\.state) == ["inactive", "active", "inactive", "background", "inactive"])
        let tail = try #require(played.visits.last)
        #expect(tail.state == "active" && tail.censored == "right" && tail.entered == 70_750_000_003)
        #expect(tail.atLeast == 0)
        // Home at 10.5 s, silent until 70.5 s: suspended from 15.5 s on, five seconds of grace after the last line.
        #expect(played.suspensions.map(\.from) == [15_500_000_000])
        #expect(played.suspensions.map(\.until) == [70_500_000_000])
        let run = try #require(played.runsInOrder.first)
        #expect(run.started == 0 && run.ended == nil && run.endReason == .logEnd && run.lastSeen == 70_750_000_003)
    }
}
