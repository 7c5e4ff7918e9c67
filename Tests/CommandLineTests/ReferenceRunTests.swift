import Foundation
import Testing

/// The seven-line reference run of the documented model (SC-A23): launch, home, re-open, in one process.
@Suite("Reference run")
struct ReferenceRunTests {
    static let callbacks = [
        "willFinishLaunchingWithOptions", "didFinishLaunchingWithOptions", "applicationDidBecomeActive",
        "applicationWillResignActive", "applicationDidEnterBackground", "applicationWillEnterForeground",
        "applicationDidBecomeActive",
    ]

    static let untimed = callbacks.map { "Tour[512:7a03] \($0)\n" }.joined()
    static let timed = callbacks.enumerated().map { index, callback in
        "2026-03-01 08:00:0\(index).250 Tour[512:7a03] \(callback)\n"
    }.joined()

    @Test("goes through the documented states without a finding", arguments: [true, false])
    func documentedPath(isTimed: Bool) throws {
        let program = try Program()
        try program.write(isTimed ? Self.timed : Self.untimed, to: "tour.log")
        let ingest = try program.run("ingest", "tour.log")
        #expect(ingest.status == 0, "\(ingest.errors)")
        let path = try program.run(
            "query", "select from_state, to_state, verdict from transitions order by seq", "--format", "csv")
        #expect(
            path.text.split(whereSeparator: \.isNewline).dropFirst().map(String.init) == [
                "not_running,inactive,documented", "inactive,active,documented", "active,inactive,documented",
                "inactive,background,documented", "background,inactive,documented", "inactive,active,documented",
            ])
        let findings = try program.run("query", "select count(*) from findings", "--format", "csv")
        #expect(findings.text.hasSuffix("0\n"))
        let diagram = try program.run("diagram", "-o", "tour.svg")
        #expect(diagram.status == 0, "\(diagram.errors)")
        #expect(FileManager.default.fileExists(atPath: program.folder.url.appendingPathComponent("tour.svg").path))
    }
}
