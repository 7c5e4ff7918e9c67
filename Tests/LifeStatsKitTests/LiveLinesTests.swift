import Reports
import Testing

@testable import LifeStatsKit

/// What is printed while logs are followed.
@Suite("Lines of a live view")
struct LiveLinesTests {
    /// A run that skips a callback in its third line.
    private static func run(_ pid: Int, isTimed: Bool) -> [String] {
        [
            "application:didFinishLaunchingWithOptions:", "applicationDidBecomeActive:",
            "applicationDidEnterBackground:", "applicationWillEnterForeground:", "applicationDidBecomeActive:",
            "applicationWillResignActive:",
        ].enumerated().map { second, callback in
            (isTimed ? "2026-05-12 08:\(pid):0\(second).000 " : "") + "Tea[\(pid):1] -[AppDelegate \(callback)]"
        }
    }

    @Test("each transition and each finding is printed once, whatever a rotation does", arguments: [true, false])
    func rotated(isTimed: Bool) throws {
        let files = [Self.run(10, isTimed: isTimed), Self.run(20, isTimed: isTimed)]
        for way in ["renamed", "copied and cut", "emptied"] {
            let logs = try Logs(["logs/app.log": files[0]])
            var live = LiveLines(
                style: TextStyle(isOn: false), models: try ModelLoading.catalog(with: []).models)
            func shown() throws -> [String] {
                try logs.ingest("logs")
                return try DatabaseReading.run(logs.database) { try live.next($0, isOver: false) }
            }
            func counts(_ lines: [String]) -> [Int] {
                ["→ Background", "R-APP-15"].map { text in lines.count { $0.contains(text) } }
            }
            #expect(counts(try shown()) == [1, 1])
            #expect(try shown() == [])
            if way == "renamed" { try logs.move("logs/app.log", to: "logs/app.log.1") }
            if way == "copied and cut" { try logs.write(files[0], to: "logs/app.log.1") }
            try logs.write([], to: "logs/app.log")
            #expect(try shown() == [], "\(way)")
            try logs.write(files[1], to: "logs/app.log")
            let new = try shown()
            #expect(counts(new) == [1, 1], "\(way): \(new)")
            #expect(new.first { $0.contains("→ Background") }?.contains("logs/app.log:3") == true, "\(way): \(new)")
            #expect(try shown() == [], "\(way)")
        }
    }
}
