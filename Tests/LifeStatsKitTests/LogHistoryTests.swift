import Foundation
import Testing

@testable import LifeStatsKit

/// What logs do between two ingests: the database is that of one ingest of the files as they are then.
@Suite("Histories of a log")
struct LogHistoryTests {
    private static func line(_ minute: Int, _ message: String) -> String {
        "2026-03-09 18:\(minute):00.000 Tea[512:1f0a] -[AppDelegate \(message)]"
    }

    private static let launch = [
        line(10, "application:didFinishLaunchingWithOptions:"), line(11, "applicationDidBecomeActive:"),
    ]
    private static let leave = [
        line(20, "applicationWillResignActive:"), line(21, "applicationDidEnterBackground:"),
    ]
    private static let comeBack = [
        line(30, "applicationWillEnterForeground:"), line(31, "applicationDidBecomeActive:"),
    ]

    @Test("files of a log that come one by one, in whatever order, are one run", arguments: [0, 10_000])
    func order(small: Int) throws {
        let names = ["app.log.2", "app.log.1", "app.log"]
        let files = [names[0]: Self.launch, names[1]: Self.leave, names[2]: Self.comeBack]
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [1, 0, 2]] {
            let logs = try Logs(files)
            logs.mostFactsOfSmallLog = small
            for index in order { try logs.ingest(names[index]) }
            #expect(try logs.counts() == "6 1 3", "\(order)")
            #expect(try logs.digest() == logs.cleanDigest("app.log.2", "app.log.1", "app.log"), "\(order)")
        }
    }

    @Test("a log that is renamed by a rotation is read once", arguments: [0, 10_000])
    func renamed(small: Int) throws {
        let logs = try Logs(["logs/app.log": Self.launch])
        logs.mostFactsOfSmallLog = small
        try logs.ingest("logs")
        // The last lines before the renaming have not been read.
        try logs.write(Self.launch + Self.leave, to: "logs/app.log.1")
        try logs.write(Self.comeBack, to: "logs/app.log")
        #expect(try logs.ingest("logs").events == 4)
        #expect(try logs.counts() == "6 1 2")
        #expect(try logs.digest() == logs.cleanDigest("logs"))
        #expect(try logs.rows("SELECT path FROM sources ORDER BY source_id")[0].hasSuffix("app.log.1"))
    }

    @Test("a log that is copied and cut is read once, also while it is empty")
    func copiedAndCut() throws {
        let logs = try Logs(["logs/app.log": Self.launch])
        try logs.ingest("logs")
        try logs.write(Self.launch, to: "logs/app.log.1")
        #expect(try logs.ingest("logs").events == 0)
        try logs.write([], to: "logs/app.log")
        #expect(try logs.ingest("logs").events == 0)
        try logs.write(Self.leave, to: "logs/app.log")
        try logs.ingest("logs")
        #expect(try logs.counts() == "4 1 2")
        #expect(try logs.digest() == logs.cleanDigest("logs"))
    }

    @Test("a rotation that is compressed is the same one")
    func compressed() throws {
        let logs = try Logs(["logs/app.log.1": Self.launch, "logs/app.log": Self.leave])
        try logs.ingest("logs")
        try logs.remove("logs/app.log.1")
        try logs.write(Self.launch, to: "logs/app.log.1.gz")
        #expect(try logs.ingest("logs").files == 0)
        #expect(try logs.counts() == "4 1 2")
    }

    @Test("of equal files the one that was read first counts, and the summary names the other one")
    func equal() throws {
        let logs = try Logs(["a/app.log": Self.launch, "b/app.log": Self.launch])
        try logs.ingest("b/app.log")
        let again = try logs.ingest("a/app.log", "b/app.log")
        #expect(again.events == 0)
        #expect(again.summary.contains("a/app.log has the content that was read as"), "\(again.summary)")
        #expect(try logs.counts() == "2 1 1")
        let both = try Logs(["a/app.log": Self.launch, "b/app.log": Self.launch])
        try both.ingest("a", "b")
        #expect(try both.counts() == "2 1 1")
    }

    @Test("a log that has moved to another folder and grown there is read on")
    func moved() throws {
        let logs = try Logs(["logs/app.log": Self.launch])
        try logs.ingest("logs")
        try logs.write(Self.launch + Self.leave, to: "logs/old/app.log.1")
        try logs.write(Self.comeBack, to: "logs/app.log")
        try logs.ingest("logs")
        #expect(try logs.counts() == "6 1 2")
    }

    @Test("a log that is cut back to its beginning is read again", arguments: [0, 10_000])
    func cutBack(small: Int) throws {
        let logs = try Logs(["app.log": Self.launch + Self.leave])
        logs.mostFactsOfSmallLog = small
        try logs.ingest("app.log")
        try logs.write(Self.launch, to: "app.log")
        let report = try logs.ingest("app.log")
        #expect(report.summary.contains("rewritten or cut back"), "\(report.summary)")
        #expect(try logs.counts() == "2 1 1")
        let size = Self.launch.reduce(0) { $0 + $1.utf8.count + 1 }
        #expect(try logs.rows("SELECT bytes FROM sources") == ["\(size)"])
        #expect(try logs.digest() == logs.cleanDigest("app.log"))
    }

    @Test("a file that holds the beginning of a log is not counted beside it")
    func beginningBeside() throws {
        let logs = try Logs(["logs/app.log": Self.launch + Self.leave])
        try logs.ingest("logs")
        try logs.write(Self.launch, to: "logs/app.log.1")
        let report = try logs.ingest("logs")
        #expect(report.summary.contains("app.log.1 is the beginning of"), "\(report.summary)")
        #expect(try logs.counts() == "4 1 1")
        #expect(try logs.digest() == logs.cleanDigest("logs"))
    }

    @Test("a line that was edited makes the log be read again")
    func edited() throws {
        let logs = try Logs(["app.log": Self.launch + Self.leave])
        try logs.ingest("app.log")
        try logs.write(Self.launch + Self.comeBack, to: "app.log")
        try logs.ingest("app.log")
        #expect(try logs.counts() == "4 1 1")
        #expect(try logs.digest() == logs.cleanDigest("app.log"))
    }

    @Test("a rewritten log stays as it is while another of its files is missing, with a notice")
    func missing() throws {
        let logs = try Logs(["logs/app.log.1": Self.launch, "logs/app.log": Self.leave + Self.comeBack])
        try logs.ingest("logs")
        let before = try logs.digest()
        try logs.write(Self.leave, to: "logs/app.log")
        let report = try logs.ingest("logs/app.log")
        #expect(report.summary.contains("app.log.1 is missing: left as it was"), "\(report.summary)")
        #expect(try logs.digest() == before)
        try logs.ingest("logs")
        #expect(try logs.digest() == logs.cleanDigest("logs"))
    }

    @Test("a log that is named in another way is the same one")
    func otherSpelling() throws {
        let logs = try Logs(["a/app.log.1": Self.launch, "a/app.log": Self.leave])
        try logs.ingest("a/app.log.1", "a/app.log")
        #expect(try logs.ingest("a/../a/./app.log").files == 0)
        #expect(try logs.rows("SELECT count(DISTINCT stream) FROM sources") == ["1"])
    }

    @Test(
        "forgetting a file leaves what an ingest of the others gives", arguments: ["app.log.2", "app.log.1", "app.log"])
    func forgotten(name: String) throws {
        let files = ["app.log.2": Self.launch, "app.log.1": Self.leave, "app.log": Self.comeBack]
        let logs = try Logs(Dictionary(uniqueKeysWithValues: files.map { ("logs/\($0)", $1) }))
        try logs.ingest("logs")
        _ = try Forgetting.forget(logs.path("logs/\(name)"), ReplayRequest(database: logs.database)) { _ in }
        #expect(try logs.rows("SELECT count(*) FROM events") == ["4"])
        try logs.move("logs/\(name)", to: name)
        let without = try logs.digest()
        #expect(try without == logs.cleanDigest("logs"))
        // It can be ingested again.
        try logs.move(name, to: "logs/\(name)")
        try logs.ingest("logs")
        #expect(try logs.counts() == "6 1 3")
        #expect(try logs.digest() == logs.cleanDigest("logs"))
    }

    @Test("a replay with another grace time gives what an ingest with it gives")
    func replayed() throws {
        let logs = try Logs(["app.log": Self.launch + Self.leave + Self.comeBack])
        try logs.ingest("app.log")
        let before = try logs.digest()
        // From 18:21 to 18:30 in the background without a line, less the grace time.
        let suspended = "SELECT suspended_ns / 1000000000 FROM suspensions"
        #expect(try logs.rows(suspended) == ["535"])
        var request = ReplayRequest(database: logs.database)
        request.suspendGrace = .nanoseconds(60_000_000_000)
        _ = try Replaying.run(request) { _ in }
        #expect(try logs.rows(suspended) == ["480"])
        request.suspendGrace = .nanoseconds(5_000_000_000)
        _ = try Replaying.run(request) { _ in }
        #expect(try logs.digest() == before)
    }

    @Test("what other logs of a device say of a process is attached to its run, in whatever order they come")
    func evidence() throws {
        let log = [
            "Mar  9 18:10:00 Phone Tea[512] <Notice>: applicationDidBecomeActive:",
            "Mar  9 18:20:00 Phone Tea[512] <Notice>: applicationDidEnterBackground:",
        ]
        let system = [
            "Mar  9 18:20:09 Phone runningboardd[33] <Notice>: [app<com.example.tea(0F0E)>:512] Suspending task."
        ]
        for order in [["app.log", "system.log"], ["system.log", "app.log"]] {
            let logs = try Logs(["app.log": log, "system.log": system])
            for name in order { try logs.ingest(name) }
            #expect(try logs.rows("SELECT app || ' ' || pid FROM runs") == ["Tea 512"], "\(order)")
            #expect(try logs.digest() == logs.cleanDigest("app.log", "system.log"), "\(order)")
        }
    }
}
