import Foundation
import NamedQueries
import Synchronization
import Testing
import TraceStore

@testable import LifeStatsKit

/// How much more SQLite does where there are more events, in instructions of its machine: unlike times, they are the same
/// in every run.
@Suite("The work that questions make")
final class QuestionWorkTests {
    private static let (few, many) = (5_000, 20_000)
    /// What reads all of something for each row of something else makes sixteen times as much.
    private static let mostGrowth = 5

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lifestats-\(UUID().uuidString)")

    init() throws {
        for callbacks in [Self.few, Self.many] {
            var logs = SimulationRun.Logs()
            (logs.callbacks, logs.files) = (callbacks, 4)
            let place = folder.appendingPathComponent("\(callbacks)").path
            _ = try SimulationRun.write(logs, folder: place, truth: nil)
            _ = try IngestPipeline(options: IngestOptions(paths: [place], database: database(callbacks))).run()
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func database(_ callbacks: Int) -> String { folder.appendingPathComponent("\(callbacks).db").path }

    private func work(_ ask: (String) throws -> Void) throws -> (few: Int, many: Int) {
        func count(_ callbacks: Int) throws -> Int {
            let sum = Mutex(0)
            let add: @Sendable (Int) -> Void = { steps in sum.withLock { $0 += steps } }
            try TraceReader.$worked.withValue(add) { try ask(database(callbacks)) }
            return sum.withLock { $0 }
        }
        return (try count(Self.few), try count(Self.many))
    }

    private func work(of question: QueryRequest.Question) throws -> (few: Int, many: Int) {
        try work { database in
            var request = QueryRequest(database: database, question: question)
            request.format = .ndjson
            _ = try QueryRunner.run(request) { _ in }
        }
    }

    @Test("Named queries make at most in proportion more; one that reads all events for each run would be seen")
    func queries() throws {
        for name in NamedQueries.all.map(\.name) {
            let work = try work(of: .named(name))
            #expect(work.few > 0 && work.many < Self.mostGrowth * work.few, "\(name): \(work)")
        }
        let slow = try work(
            of: .sql("SELECT run_id, (SELECT count(*) FROM events AS e WHERE +e.run_id = r.run_id) FROM runs AS r"))
        #expect(slow.many > 2 * Self.mostGrowth * slow.few, "\(slow)")
    }

    /// A scan of a view of events takes 20 to 30 instructions for each; the page of a small database asks a dozen such
    /// questions, and walks over pages take none.
    @Test("A report, a check and a picture read the events only a few times")
    func commands() throws {
        for (name, most) in [("report", 350), ("check", 10), ("check --measures", 15), ("diagram", 15)] {
            let work = try work { database in
                switch name {
                case "report": _ = try ReportBuilder.html(ReportRequest(database: database))
                case "diagram": _ = try DiagramRenderer.render(DiagramRequest(database: database))
                default:
                    var request = CheckRequest(database: database)
                    request.measures = name == "check --measures"
                    _ = try CheckRunner.run(request, notice: { _ in }, write: { _ in })
                }
            }
            let each = (work.many - work.few) / (Self.many - Self.few)
            #expect(each <= most, "\(name): \(each) more for each further event")
        }
    }
}
