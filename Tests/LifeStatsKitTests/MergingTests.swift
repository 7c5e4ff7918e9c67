import Foundation
import Testing

@testable import LifeStatsKit

@Suite("Shards become one database")
struct MergingTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("merging-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// A log of a phone on which the app is launched, used, and sent to background.
    @discardableResult
    private func log(_ name: String, phone: Int, pid: Int = 50, callbacks: Int = 6) throws -> String {
        let all = [
            "applicationDidFinishLaunching:", "applicationDidBecomeActive:", "applicationWillResignActive:",
            "applicationDidEnterBackground:", "applicationWillEnterForeground:", "applicationDidBecomeActive:",
            "applicationDidBecomeActive:",
        ]
        let lines = all.prefix(callbacks).enumerated().map { place, callback in
            "Mar  1 08:\(10 + phone):\(10 + 7 * place) phone-\(phone) Tour[\(pid)] <Notice>: \(callback)\n"
        }
        try lines.joined().write(toFile: path(name), atomically: true, encoding: .utf8)
        return path(name)
    }

    /// What the system says of the app: it was suspended, ran again, and was killed.
    private func evidence(_ name: String, phone: Int, pid: Int = 50) throws -> String {
        let lines = [
            "Mar  1 08:\(10 + phone):33 phone-\(phone) runningboardd[33] <Notice>: "
                + "[app<com.example.tour(0F0E)>:\(pid)] Suspending task.",
            "Mar  1 08:\(10 + phone):37 phone-\(phone) runningboardd[33] <Notice>: "
                + "[app<com.example.tour(0F0E)>:\(pid)] Resuming task.",
            "Mar  1 08:\(10 + phone):59 phone-\(phone) kernel[0] <Notice>: memorystatus: killing process \(pid) [Tour]",
        ]
        try (lines.joined(separator: "\n") + "\n").write(toFile: path(name), atomically: true, encoding: .utf8)
        return path(name)
    }

    private func ingest(_ logs: [String], _ name: String, grace: SuspendGrace? = nil) throws -> String {
        var options = IngestOptions(paths: logs, database: path(name))
        options.year = 2026
        options.suspendGrace = grace
        _ = try IngestPipeline(options: options).run()
        return path(name)
    }

    @discardableResult
    private func merge(_ shards: [String], _ name: String) throws -> String {
        _ = try Merging.run(shards, into: path(name)) { _ in }
        return path(name)
    }

    private func digest(_ database: String) throws -> String {
        let found = try DatabaseCheck.verify(database)
        #expect(found.problems.isEmpty)
        return found.digest
    }

    @Test("In any order, with repeated logs and a device that is split, they have the digest of one ingest")
    func exact() throws {
        let logs = try [
            log("a.log", phone: 1), log("b.log", phone: 2), evidence("c.log", phone: 1), log("d.log", phone: 3),
        ]
        let whole = try digest(ingest(logs, "whole.db"))
        let shards = try [
            ingest([logs[0], logs[1]], "1.db"), ingest([logs[2], logs[3]], "2.db"), ingest([logs[0], logs[3]], "3.db"),
        ]
        #expect(try digest(merge(shards, "m1.db")) == whole)
        #expect(try digest(merge(shards.reversed(), "m2.db")) == whole)
        #expect(try digest(merge([shards[2], shards[0], shards[2], shards[1]], "m3.db")) == whole)
        // What was merged can be merged again.
        #expect(try digest(merge([path("m1.db"), shards[1]], "m4.db")) == whole)
        let killed = try Ingested.rows("SELECT end_reason FROM runs WHERE device = 'phone-1'", in: path("m1.db"))
        #expect(
            killed == (try Ingested.rows("SELECT end_reason FROM runs WHERE device = 'phone-1'", in: path("whole.db"))))
    }

    @Test("A merged database is read on")
    func readOn() throws {
        let first = try log("a.log", phone: 1, callbacks: 4)
        let shards = try [ingest([first], "1.db"), ingest([log("b.log", phone: 2)], "2.db")]
        let merged = try merge(shards, "m.db")
        try log("a.log", phone: 1)
        _ = try ingest([first], "m.db")
        #expect(try digest(merged) == digest(ingest([first, path("b.log")], "whole.db")))
    }

    @Test("A log that is split over shards is refused by its name, and nothing is left")
    func split() throws {
        let one = try ingest([log("a.log", phone: 1, callbacks: 4)], "1.db")
        let other = try ingest([log("a.log", phone: 1)], "2.db")
        let error = #expect(throws: LifeStatsError.self) { try merge([one, other], "m.db") }
        #expect(error?.what.contains("a.log") == true || error?.what.contains("/a ") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("m.db") } == [])
    }

    @Test("Shards that were made with other settings are refused, and a database that exists is not replaced")
    func refused() throws {
        let one = try ingest([log("a.log", phone: 1)], "1.db")
        let other = try ingest([log("b.log", phone: 2)], "2.db", grace: .off)
        let error = #expect(throws: LifeStatsError.self) { try merge([one, other], "m.db") }
        #expect(error?.what.contains("--suspend-grace: 5 and off") == true)
        let before = try Data(contentsOf: URL(fileURLWithPath: one))
        #expect(throws: LifeStatsError.self) { try merge([one], "1.db") }
        #expect(try Data(contentsOf: URL(fileURLWithPath: one)) == before)
    }
}
