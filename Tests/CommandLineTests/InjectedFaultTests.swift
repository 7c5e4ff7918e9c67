import Foundation
import LifecycleSimulator
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
