import Foundation
import LifecycleSimulator
import Testing

/// A simulated log is read back exactly: visits, dwell sums to the nanosecond, transitions, runs, end reasons.
@Suite("Simulated truth")
struct SimulatedTruthTests {
    private func rows(_ program: Program, _ sql: String) throws -> Set<String> {
        let outcome = try program.run("query", sql, "--format", "csv")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return Set(outcome.text.split(whereSeparator: \.isNewline).dropFirst().map(String.init))
    }

    @Test("every figure equals the truth", arguments: [(1, 1), (20, 1), (3, 4)] as [(Int, Int)])
    func figures(files: Int, sparse: Int) throws {
        let program = try Program()
        let folder = program.folder.url.appendingPathComponent("logs").path
        let truth = try Simulation(
            SimulationOptions(seed: 11, callbacks: 20_000, files: files, linesPerCallback: sparse)
        ).write(to: folder)
        let ingest = try program.run("ingest", "logs")
        #expect(ingest.status == 0, "\(ingest.errors)")

        let visits = try rows(
            program,
            "select layer, state, count(*), sum(complete), coalesce(sum(iif(complete, dwell_ns, 0)), 0) "
                + "from visits group by layer, state")
        #expect(
            visits
                == Set(
                    truth.visits.map { "\($0.layer),\($0.state),\($0.visits),\($0.completed),\($0.dwellNanoseconds)" }))

        let transitions = try rows(
            program,
            "select layer, from_state, to_state, coalesce(callback, '?'), evidence, count(*) from transitions "
                + "group by 1, 2, 3, 4, 5")
        #expect(
            transitions
                == Set(
                    truth.transitions.map {
                        "\($0.layer),\($0.from),\($0.to),\($0.callback ?? "?"),\($0.evidence),\($0.count)"
                    }))

        let ends = try rows(program, "select end_reason, count(*) from runs group by end_reason")
        #expect(ends == Set(truth.endReasons.map { "\($0.key),\($0.value)" }))

        let suspended = try rows(
            program, "select count(*), sum(suspended_ns) from suspensions where until_ns is not null")
        #expect(suspended == ["\(truth.suspensions.count),\(truth.suspensions.suspended)"])

        let findings = try rows(
            program, "select count(*) from findings where severity = 'error' and deviation <> 'limit-overrun'")
        #expect(findings == ["0"])
    }

    /// A script answers each query in plain loops over the lines; it fails when a query has no such answer.
    @Test("every named query gives what plain loops over the logs give")
    func catalogue() throws {
        let program = try Program()
        let folder = program.folder.url.appendingPathComponent("logs").path
        _ = try Simulation(SimulationOptions(seed: 5, callbacks: 20_000, files: 6, linesPerCallback: 2)).write(
            to: folder)
        #expect(try program.run("ingest", "logs").status == 0)
        let script = Process()
        let output = Pipe()
        script.executableURL = URL(filePath: "/usr/bin/env")
        script.arguments = [
            "python3", Program.project.appendingPathComponent("Tests/scripts/catalogue.py").path, folder,
            program.folder.url.appendingPathComponent("lifestats.db").path,
        ]
        script.standardOutput = output
        try script.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        script.waitUntilExit()
        #expect(script.terminationStatus == 0, "\(text)")
    }
}
