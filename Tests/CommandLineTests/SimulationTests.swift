import Foundation
import LifecycleSimulator
import Testing

/// What ingest makes of a simulated log is what the simulator knows about it, to the nanosecond.
@Suite("Simulated logs")
struct SimulationTests {
    private static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    private func rows(_ sql: String, in program: Program) throws -> [String] {
        try program.run("query", sql, "--format", "csv").text.split(whereSeparator: \.isNewline).dropFirst()
            .map(String.init)
    }

    /// Simulates and ingests.
    private func simulated(linesPerCallback: Int) throws -> (program: Program, truth: Truth) {
        let program = try Program()
        let simulation = try program.run(
            "simulate", "--seed", "21", "--callbacks", "20000", "--files", "8", "--sparse", "\(linesPerCallback)",
            "--truth", "truth.json", "-o", "logs")
        #expect(simulation.status == 0, "\(simulation.errors)")
        let ingest = try program.run("ingest", "logs")
        #expect(ingest.status == 0, "\(ingest.errors)")
        let truth = try JSONDecoder().decode(
            Truth.self, from: Data(contentsOf: program.folder.url.appendingPathComponent("truth.json")))
        return (program, truth)
    }

    @Test("give their truth", arguments: [1, 7])
    func truth(linesPerCallback: Int) throws {
        let (program, truth) = try simulated(linesPerCallback: linesPerCallback)
        #expect(
            try rows("select sum(lines), sum(events) from sources", in: program) == [
                "\(truth.lines),\(truth.callbacks)"
            ])
        #expect(
            try rows("select end_reason, count(*) from runs group by 1 order by 1", in: program)
                == truth.endReasons.sorted { $0.key < $1.key }.map { "\($0.key),\($0.value)" })
        #expect(
            try rows(
                """
                select state, count(*), sum(complete), sum(case when complete then dwell_ns end) from visits
                group by 1 order by 1
                """, in: program)
                == truth.visits.sorted { $0.state < $1.state }.map {
                    "\($0.state),\($0.visits),\($0.completed),\($0.dwellNanoseconds)"
                })
        #expect(
            try rows(
                """
                select from_state, to_state, ifnull(callback, '?'), evidence, count(*) from transitions
                group by 1, 2, 3, 4 order by 1, 2, 3, 4
                """, in: program)
                == truth.transitions.map { [$0.from, $0.to, $0.callback ?? "?", $0.evidence, "\($0.count)"] }
                .sorted { $0.lexicographicallyPrecedes($1) }.map { $0.joined(separator: ",") })
        #expect(
            try rows(
                "select count(*), sum(suspended_ns) from suspensions where until_ns is not null", in: program)
                == ["\(truth.suspensions.count),\(truth.suspensions.suspended)"])
    }

    @Test("are counted alike by a program in another language", .enabled(if: python != nil))
    func recomputed() throws {
        let (program, _) = try simulated(linesPerCallback: 3)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.python))
        process.arguments = [
            Program.project.appendingPathComponent("Tests/scripts/recompute.py").path, "logs", "--truth", "truth.json",
            "--database", "lifestats.db",
        ]
        process.currentDirectoryURL = program.folder.url
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
