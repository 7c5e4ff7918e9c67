import Foundation
import Testing

/// Faults put into logs at known places are found there, under their own class, and nothing else is.
@Suite("Injected faults")
struct InjectedFaultTests {
    private struct Report: Decodable {
        struct Finding: Decodable {
            var file: String
            var line: Int
            var deviation: String
            var rule: String
            var message: String
        }
        var findings: [Finding]
    }

    /// Plays logs, ingests and checks them, and compares what is found, log by log.
    private func compare(_ logs: [FaultyLog]) throws {
        let program = try Program()
        for (number, log) in logs.enumerated() { try program.write(log.text, to: "logs/\(number).log") }
        let check = try program.run("check", "logs", "--format", "json", "--fail-on", "never")
        #expect(check.status == 0, "\(check.errors)")
        let found = Dictionary(
            grouping: try JSONDecoder().decode(Report.self, from: check.output).findings, by: \.file)
        for (number, log) in logs.enumerated() {
            let expected = log.faults.map { "\($0.line) \($0.fault.rawValue)" }.sorted()
            let reported = found["logs/\(number).log"] ?? []
            let seen = reported.map { "\($0.line) \($0.deviation)" }.sorted()
            guard seen != expected else { continue }
            let extra = reported.filter { !expected.contains("\($0.line) \($0.deviation)") }
            Issue.record(
                """
                log \(number): missed \(Set(expected).subtracting(seen).sorted()), found \(seen), extra \
                \(extra.map { "\($0.line) \($0.deviation) \($0.rule): \($0.message)" })
                \(log.text)
                """)
            return
        }
    }

    @Test("a log without faults has no findings", arguments: [false, true])
    func clean(hasScene: Bool) throws {
        try compare((0..<40).map { FaultyLog(seed: UInt64($0), faults: [], hasScene: hasScene) })
    }

    @Test("each class alone is found exactly", arguments: Fault.allCases, [false, true])
    func alone(_ fault: Fault, hasScene: Bool) throws {
        let logs = (0..<10).map { FaultyLog(seed: 500 + UInt64($0), faults: [fault], hasScene: hasScene) }
        #expect(logs.contains { $0.faults.contains { $0.fault == fault } })
        try compare(logs)
    }

    /// What a clock shows.
    enum Clock: CaseIterable { case nanoseconds, milliseconds, seconds, minutes }

    /// The same log as it is with another clock, and with bursts: some lines stand there up to four times.
    private func shown(_ log: FaultyLog, by clock: Clock, seed: Int) -> (text: String, places: [Int: Int]) {
        var (text, places, count) = ("", [Int: Int](), 0)
        for (number, line) in log.text.split(separator: "\n").enumerated() {
            let (date, rest) = (line.prefix(16), line.dropFirst(20).drop { $0.isNumber })
            let (second, milliseconds) = (line.dropFirst(16).prefix(3), line.dropFirst(19).prefix(4))
            let time =
                switch clock {
                case .nanoseconds: "\(second)\(milliseconds)\(100_000 + number)"
                case .milliseconds: "\(second)\(milliseconds)"
                case .seconds: "\(second)"
                case .minutes: ":00"
                }
            let times = [1, 1, 1, 2, 4][(number &* 7 &+ seed) % 5]
            places[number + 1] = count + 1
            count += times
            for _ in 0..<times { text += "\(date)\(time)\(rest)\n" }
        }
        return (text, places)
    }

    @Test(
        "whatever the clock shows, and with lines in bursts, faults of the order are found and nothing else",
        arguments: Clock.allCases, [false, true])
    func clocks(_ clock: Clock, hasScene: Bool) throws {
        // What a clock shows decides about the others: limits, steps back, and a line that comes twice in one tick.
        // Of a minute, a callback that changes nothing may be one more line of a burst, and an illegal one in the wrong place.
        let moments: [Fault] = clock == .minutes ? [] : [.illegalTransition, .unknownCallback]
        let faults: [Fault] = [.missingCallback, .truncation] + moments
        let program = try Program()
        var expected: [String: [String]] = [:]
        for seed in 0..<100 {
            let log = FaultyLog(seed: 3_000 + UInt64(seed), rounds: 6, faults: faults, hasScene: hasScene)
            let (text, places) = shown(log, by: clock, seed: seed)
            try program.write(text, to: "logs/\(seed).log")
            expected["logs/\(seed).log"] = log.faults.map { "\(places[$0.line] ?? 0) \($0.fault.rawValue)" }.sorted()
        }
        let check = try program.run("check", "logs", "--format", "json", "--fail-on", "never")
        let found = Dictionary(
            grouping: try JSONDecoder().decode(Report.self, from: check.output).findings
                .filter { $0.deviation != Fault.limitOverrun.rawValue }, by: \.file)
        for (file, faults) in expected {
            let seen = (found[file] ?? []).map { "\($0.line) \($0.deviation)" }.sorted()
            #expect(seen == faults, "\(file)")
        }
    }

    @Test(
        "faults of every class in 1,000 random logs are found exactly: no miss, nothing extra",
        arguments: [false, true])
    func thousand(hasScene: Bool) throws {
        let logs = (0..<1_000).map { FaultyLog(seed: 10_000 + UInt64($0), rounds: 6, hasScene: hasScene) }
        let counts = Dictionary(grouping: logs.flatMap(\.faults), by: \.fault).mapValues(\.count)
        for fault in Fault.allCases { #expect(counts[fault] ?? 0 >= 100, "\(fault)") }
        try compare(logs)
    }
}
