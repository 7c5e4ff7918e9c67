import Foundation
import NamedQueries
import Testing
import TraceRecords

@testable import TraceStore

@Suite("The kept answers")
struct SummaryTests {
    /// A generator of its own, so that every run of the test sees the same numbers.
    struct Dice: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    @Test("They equal what is made from the visits, also after steps were revised and runs forgotten", arguments: 1...6)
    func equal(seed: Int) throws {
        // Every other time so many runs go that the ledger is written anew.
        let forgotten: [Int64] = seed.isMultiple(of: 2) ? [2, 3, 17, 30] : Array(2...24) + [30]
        let folder = try TemporaryFolder()
        let path = folder.file("t.db")
        var dice = Dice(state: UInt64(seed))
        let writer = try TraceWriter(path: path)
        var kinds = KindNumbers()
        var script = Script()
        var revised: [Step] = []
        for run in 1...30 {
            script.run(
                Int64(run), app: ["Demo", "Other", "Third"][run % 3],
                version: [nil, "1.0", "1.1"].randomElement(using: &dice) ?? nil,
                device: run % 5 == 0 ? nil : "phone \(run % 4)")
            var opener = script.step("launch", "not_running", "inactive", at: 0, instance: Int64(run))
            var time = 0.0
            var states = ["inactive", "active"]
            for _ in 0..<Int.random(in: 0...40, using: &dice) {
                let stay = Double(Int.random(in: 0...50, using: &dice)) / 8
                time += stay
                let isKnown = Int.random(in: 0...9, using: &dice) > 0
                opener = script.step(
                    "to_\(states[1])", states[0], states[1], at: time, instance: Int64(run),
                    stay: isKnown ? stay : nil, opener: opener)
                states.swapAt(0, 1)
            }
            if let last = script.batch.steps.last, run % 7 == 3 {
                var step = last
                step.stay = 77
                revised.append(step)
            }
            script.instance(
                Int64(run), run: Int64(run),
                tail: InstanceRecord.Tail(
                    state: states[0], entered: nil, opener: opener, evidence: .observed, censoring: .right,
                    atLeast: 5, silentlyTo: run % 2 == 0 ? "not_running" : nil,
                    verdict: run % 2 == 0 ? .documented : nil))
            if run % 4 == 0 { try writer.write(script.take(), kinds: &kinds, sources: [Script.source()]) }
        }
        var last = script.take()
        last.revisedSteps = revised
        try writer.write(last, kinds: &kinds)
        var forget = ReplayBatch()
        forget.forgottenRuns = forgotten
        try writer.write(forget, kinds: &kinds)
        // Another run takes the ids of one that has gone.
        script = Script(nextStep: 10_000)
        kinds = KindNumbers()
        script.run(30, app: "Fourth", version: "1.1")
        let launch = script.step("launch", "not_running", "inactive", at: 0, instance: 30)
        script.step("to_active", "inactive", "active", at: 3, instance: 30, stay: 3, opener: launch)
        script.instance(30, run: 30)
        try writer.write(script.take(), kinds: &kinds)
        try writer.close()

        #expect(try rows(path, "SELECT count(*) > 1 FROM dwell_summary") == ["1"])
        #expect(
            try rows(path, "SELECT DISTINCT part, name FROM dwell_part_summary ORDER BY 1, 2")
                == rows(
                    path,
                    """
                    SELECT 'app', app FROM visits UNION SELECT 'app_version', app_version FROM visits
                    UNION SELECT 'device', device FROM visits ORDER BY 1, 2
                    """))
        if forgotten.count > 10 { #expect(try rows(path, "SELECT 1 FROM raw_dwells WHERE sign < 0") == []) }
        #expect(try Verifier.verify(path: path).counts["summary"] == nil)
        let names = [
            "dwell_times", "dwell_times_by_app", "dwell_times_by_version", "dwell_times_by_device", "dwell_survival",
            "transition_counts", "directly_follows",
        ]
        for name in names {
            let query = try #require(NamedQueries.query(named: name))
            let kept = try rows(path, query.sql)
            let made = try rows(path, query.sql, ["layer": .text("app")])
            #expect(kept.count > 1)
            #expect(kept.count == made.count)
            for (one, other) in zip(kept, made) {
                for (a, b) in zip(one.split(separator: "|"), other.split(separator: "|")) {
                    if let x = Double(a), let y = Double(b) {
                        #expect(abs(x - y) <= 1e-12 * max(1, abs(y)), "\(one) \(other)")
                    } else {
                        #expect(a == b)
                    }
                }
            }
        }
    }

    @Test("A fleet of more devices than are kept has its answer from the visits")
    func manyDevices() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("t.db")
        let count = PartSummary.histogramsKept + 1
        var script = Script()
        for run in 1...Int64(count) {
            script.run(run, device: "phone \(run)")
            let opener = script.step("launch", "not_running", "inactive", at: 0, instance: run)
            script.step(
                "to_active", "inactive", "active", at: Double(run), instance: run, stay: Double(run), opener: opener)
            script.instance(run, run: run)
        }
        try store(script.take(), at: path)
        #expect(try rows(path, "SELECT DISTINCT part FROM dwell_part_summary ORDER BY part") == ["app", "app_version"])
        let query = try #require(NamedQueries.query(named: "dwell_times_by_device"))
        let rows = try rows(path, query.sql)
        #expect(rows.count == count)
        #expect(rows.contains("phone 77|app|inactive|1|1|0|77.0|77.0|77.0|77.0|77.0|77.0"))
    }

    @Test("While an ingest is under way the answer is made from the visits")
    func underWay() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("t.db")
        try store(smallRun(), at: path)
        let query = try #require(NamedQueries.query(named: "dwell_times"))
        #expect(try rows(path, query.sql).count == 3)
        let writer = try TraceWriter(path: path)
        var kinds = KindNumbers()
        var nothing = ReplayBatch()
        nothing.forgottenRuns = [1]
        try writer.write(nothing, kinds: &kinds)
        #expect(try rows(path, "SELECT * FROM dwell_summary") == [])
        #expect(try rows(path, "SELECT * FROM survival_summary") == [])
        #expect(try rows(path, query.sql) == [])
        try writer.close()
    }

    @Test(
        "Every dwell has a bucket of its own magnitude",
        arguments: [(0, 0), (127, 127), (128, 128), (255, 255), (256, 256), (257, 256), (258, 257), (Int64.max, 7295)]
            as [(Int64, Int)])
    func buckets(_ dwell: Int64, _ bucket: Int) {
        #expect(DwellHistogram.bucket(dwell) == bucket)
        #expect(bucket < DwellHistogram.size)
    }
}
