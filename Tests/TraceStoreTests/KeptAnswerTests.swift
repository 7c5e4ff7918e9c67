import Foundation
import NamedQueries
import Testing
import TraceRecords

@testable import TraceStore

private struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var x = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        x = (x ^ (x >> 27)) &* 0x94D0_49BB_1331_11EB
        return x ^ (x >> 31)
    }
}

/// What is kept for unrestricted questions equals what the queries make of the visits.
@Suite("Kept answers")
struct KeptAnswerTests {
    @Test(
        "Both give the same, also after steps were revised and logs derived again", arguments: 1...4,
        [TraceWriter.WriteMode.whole, .asItArrives])
    func equal(seed: Int, mode: TraceWriter.WriteMode) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("t.db")
        var dice = Dice(state: UInt64(seed))
        let writer = try TraceWriter(path: path, mode: mode)
        for log in 1...3 as ClosedRange<Int32> {
            var script = Script(nextStep: Int64(log) << 24 + 1)
            let record = Script.source(log, log: log, stream: "/logs/\(log)", lines: 70_000)
            try writer.write(StoredBatch(log: log, source: log, record: record))
            var revised: [Step] = []
            for number in 1...12 {
                let run = Int64(log) << 24 + Int64(number)
                script.run(
                    run, app: ["Demo", "Other", "Third"][number % 3], source: log,
                    version: [nil, "1.0", "1.1"].randomElement(using: &dice) ?? nil)
                var opener = script.step("launch", "not_running", "inactive", at: 0, instance: run)
                var time = 0.0
                var states = ["inactive", "active"]
                for _ in 0..<Int.random(in: 0...40, using: &dice) {
                    let dwell = Double(Int.random(in: 0...50, using: &dice)) / 8
                    time += dwell
                    let isKnown = Int.random(in: 0...9, using: &dice) > 0
                    opener = script.step(
                        "to_\(states[1])", states[0], states[1], at: time, instance: run,
                        dwell: isKnown ? dwell : nil, opener: opener)
                    states.swapAt(0, 1)
                }
                if var last = script.batch.steps.last, number % 7 == 3 {
                    last.dwell = nil
                    revised.append(last)
                }
                script.instance(
                    run, run: run,
                    tail: InstanceRecord.Tail(
                        state: states[0], entered: nil, opener: opener, evidence: .observed, censoring: .right,
                        atLeast: 5, silentlyTo: number % 2 == 0 ? "not_running" : nil,
                        verdict: number % 2 == 0 ? .documented : nil))
                if number % 4 == 0 { try writer.write(StoredBatch(log: log, source: log, rows: script.take())) }
            }
            var last = ReplayBatch()
            last.revisedSteps = revised
            try writer.write(StoredBatch(log: log, source: log, rows: last))
            // Once before the pages are in the database, once after.
            if log == 2 { try writer.deleteDerived(log: 2) }
        }
        try writer.close()

        #expect(try rows(path, "SELECT count(*) > 1 FROM dwell_summary") == ["1"])
        #expect(try Verifier.verify(path: path).problems == [])
        for name in ["dwell_times", "transition_counts", "directly_follows"] {
            let query = try #require(NamedQueries.query(named: name))
            let kept = try rows(path, query.sql)
            let made = try rows(path, query.sql, ["layer": .text("app")])
            #expect(kept.count > 1)
            #expect(kept.count == made.count)
            for (one, other) in zip(kept, made) { #expect(GoldenQueryTests.isEqual(one, other), "\(one) \(other)") }
        }
    }

    @Test("A visit with an unknown dwell is not complete: the total divided by the complete visits is the mean")
    func unknownDwell() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("t.db")
        var script = Script()
        script.run(1)
        let launch = script.step("launch", "not_running", "inactive", at: 100)
        let active = script.step("become", "inactive", "active", at: 98, opener: launch)
        script.step("resign", "active", "inactive", at: 108, dwell: 10, opener: active)
        script.step("become", "inactive", "active", at: 112, dwell: 4, opener: 3)
        script.instance(1, run: 1)
        try store(script.take(), at: path)
        let query = try #require(NamedQueries.query(named: "dwell_times"))
        for parameters in [[:], ["layer": .text("app")], ["by": .text("app")]] as [[String: SQLValue]] {
            let answer = try rows(path, query.sql, parameters).filter { $0.hasPrefix("app|inactive") }
            #expect(answer.count == 1 && answer[0].hasPrefix("app|inactive|2|1|0|4.0|4.0|4.0|4.0|"), "\(answer)")
        }
        #expect(
            try rows(path, "SELECT complete, dwell_ns FROM visits WHERE state = 'inactive' ORDER BY seq") == [
                "0|-", "1|4000000000",
            ])
    }

    @Test("A kept percentile leaves out none of the longest stays, not even where all are equal", arguments: [1, 3, 7])
    func longest(lengths: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("t.db")
        var script = Script()
        script.run(1)
        var (opener, time) = (script.step("launch", "not_running", "inactive", at: 0), 0.0)
        for number in 0..<300 {
            let states = number % 2 == 0 ? ["inactive", "active"] : ["active", "inactive"]
            let dwell = 0.1 + Double(number % lengths)
            time += dwell
            opener = script.step("to_\(states[1])", states[0], states[1], at: time, dwell: dwell, opener: opener)
        }
        script.instance(1, run: 1)
        try store(script.take(), at: path)
        let query = try #require(NamedQueries.query(named: "longest_stays"))
        for most in [1, 20] as [Int64] {
            let kept = try rows(path, query.sql, ["most": .integer(most)])
            // With a time, nothing that is kept is of use.
            let made = try rows(path, query.sql, ["most": .integer(most), "since": .text("0001")])
            #expect(kept.count == Int(most))
            #expect(kept == made)
        }
    }

    @Test("While an ingest is under way the answer is made from the visits")
    func underWay() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("t.db")
        try store(smallRun(), at: path)
        let query = try #require(NamedQueries.query(named: "dwell_times"))
        #expect(try rows(path, query.sql).count == 3)
        let writer = try TraceWriter(path: path)
        try writer.deleteDerived(log: 1)
        #expect(try rows(path, "SELECT * FROM dwell_summary") == [])
        #expect(try rows(path, "SELECT * FROM transition_summary") == [])
        #expect(try rows(path, query.sql) == [])
        try writer.close()
    }

    @Test("The book of a database has figures and distributions of any kinds")
    func book() throws {
        let folder = try TemporaryFolder()
        let day = try DayFixture()
        let reader = try TraceReader(path: day.path)
        let book = try DwellBook(reader)
        let ids = book.kinds.filter { $0.value.layer == "app" && $0.value.before == "active" && $0.value.isComplete }
            .map(\.key)
        let figures = try book.figures(of: [ids, []], shares: [0, 0.5, 0.9])
        #expect(figures[0] == DwellFigures(count: 4, total: 65e9, quantiles: [5e9, 15e9, 27e9]))
        #expect(figures[1] == DwellFigures(count: 0, total: nil, quantiles: [nil, nil, nil]))
        #expect(book.distribution(of: ids).map(\.count) == [1, 1, 1, 1])
        let open = book.kinds.filter { $0.value.before == "background" && $0.value.censoring == "right" }
        #expect(open.values.map(\.steps) == [1])
        #expect(
            book.distribution(of: open.map(\.key)).map { abs($0.duration - 4_000_000_000) < 40_000_000 } == [true])
        withExtendedLifetime((folder, day)) {}
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
