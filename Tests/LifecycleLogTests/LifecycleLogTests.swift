import Foundation
import LifecycleLog
import Testing
import TraceRecords

@testable import LogReading

/// The logger for apps, and how its log is read.
@Suite("LifecycleLog", .serialized)
struct LifecycleLogTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("lifecycle-log-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func objects(_ file: URL) throws -> [[String: Any]] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test("every line has its number, both times and the launch, in the order of the calls")
    func lines() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("own.jsonl")
        let log = LifecycleLog(file: file)
        log.log("applicationDidFinishLaunching", phase: .begin)
        log.log("applicationDidFinishLaunching", phase: .end)
        log.log("viewDidAppear", of: "Menu: 0x1f")
        log.log("quoted \"name\"\n")
        log.flush()
        let lines = try objects(file)
        #expect(lines.map { $0["number"] as? Int } == [1, 2, 3, 4])
        #expect(Set(lines.compactMap { $0["launch"] as? String }).count == 1)
        #expect(lines[1]["message"] as? String == "applicationDidFinishLaunching end")
        #expect(lines[2]["message"] as? String == "<Menu: 0x1f> viewDidAppear")
        #expect(lines[3]["callback"] as? String == "quoted \"name\"\n")
        let monotonic = lines.compactMap { $0["mono_ns"] as? Int64 }
        #expect(monotonic == monotonic.sorted() && monotonic.count == 4)
        #expect(lines[0]["pid"] as? Int32 == ProcessInfo.processInfo.processIdentifier)
    }

    #if os(Linux)
        @Test("app, scenes and view controllers are observed")
        @MainActor func notifications() throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appendingPathComponent("app.jsonl")
            let log = LifecycleLog.start(file: file)
            playShortLife()
            log.flush()
            let lines = try objects(file)
            #expect(
                lines.compactMap { $0["callback"] as? String } == [
                    "applicationDidFinishLaunching", "sceneDidBecomeActive", "viewDidAppear",
                    "applicationWillTerminate",
                ])
            #expect(lines[1]["instance"] as? String == "7F1C")
            #expect(lines[1]["via"] as? String == "notification")
            #expect((lines[2]["instance"] as? String)?.hasPrefix("Menu: 0x") == true)
        }
    #endif

    // MARK: - Reading

    /// 2026-05-12 00:00:00 UTC.
    private static let start: Int64 = 1_778_544_000_000_000_000

    /// A line as the logger writes it, seconds after the start.
    private static func line(_ number: Int, _ seconds: Double, _ monotonic: Double, launch: String = "A") -> String {
        """
        {"lifecycle_log":1,"launch":"\(launch)","number":\(number),"time_ns":\(start + Int64(seconds * 1e9)),\
        "mono_ns":\(Int64(monotonic * 1e9)),"boot":"B","process":"Tea","pid":412,"message":"applicationDidBecomeActive"}

        """
    }

    private func read(_ text: String) throws -> (times: [Int64?], assumptions: [String]) {
        let reader = try SourceReader(MemoryStream(Array(text.utf8)), catalog: .builtIn(), options: ReadingOptions())
        var times: [Int64?] = []
        while let batch = try reader.next() { times += batch.entries.map(\.time) }
        #expect(reader.formats == ["lifecycle-log"])
        return (times, reader.assumptions)
    }

    @Test("skipped numbers are a loss; a new launch begins anew")
    func losses() throws {
        let whole = try read(Self.line(1, 100, 5) + Self.line(2, 101, 6) + Self.line(1, 200, 105, launch: "C"))
        #expect(whole.assumptions == [])
        let holes = try read(Self.line(1, 100, 5) + Self.line(4, 103, 8) + Self.line(6, 105, 10))
        #expect(holes.assumptions == ["3 entries are missing: numbers are skipped"])
    }

    @Test("where the clock was set, times go on by the monotonic clock")
    func clockSteps() throws {
        let read = try read(Self.line(1, 1000, 5) + Self.line(2, 1001, 6) + Self.line(3, 402, 7) + Self.line(4, 403, 8))
        #expect(read.times == [1000, 1001, 1002, 1003].map { Self.start + $0 * 1_000_000_000 })
        #expect(read.assumptions == ["the clock was set in between: times continue by the monotonic clock"])
    }
}
