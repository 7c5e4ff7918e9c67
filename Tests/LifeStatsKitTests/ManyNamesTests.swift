import Foundation
import Testing

@testable import LifeStatsKit

@Suite("Many names of processes")
struct ManyNamesTests {
    /// A process ends; behind it end so many others that no line can be of its run any more.
    private static let others =
        DeviceLines.line(0, "Tea", 100, "applicationDidBecomeActive")
        + DeviceLines.line(1, "Tea", 100, "applicationWillTerminate:")
        + DeviceLines.lives(200, "Other", from: 0, pid: 100)

    private static let bundled = DeviceLines.suspended(500, "com.example.tea", 412)

    @Test("a log that is read on finds the process of a bundle as one that is read at once does")
    func readingOn() throws {
        let whole = try Ingested(text: Self.others + Self.bundled)
        let grown = try Ingested(text: Self.others, thenAppending: Self.bundled)
        let app = "select app from runs where pid = 412"
        #expect(try whole.rows(app) == grown.rows(app))
        #expect(try DatabaseCheck.verify(whole.database).digest == DatabaseCheck.verify(grown.database).digest)
    }

    @Test("a run that only its bundle names gets the name of the process when that comes, however many others ended")
    func namedLater() throws {
        let ingested = try Ingested(
            text: Self.others + Self.bundled + DeviceLines.line(501, "Tea", 412, "applicationWillEnterForeground:"))
        #expect(try ingested.rows("select app from runs where pid = 412") == ["Tea"])
    }

    /// Lines that are no events (`hello`) are handed over when the process falls silent or an event of it follows, and in
    /// a replay where the last of them stands.
    @Test(
        "what a process is called does not depend on when lines of others that are no events are handed over",
        arguments: [
            // A stretch of life spells the last component of the bundle, before an event of its process does.
            "te-a 100 hello, te-a 100 hello, Tea 102 active, com.example.te-a 412, te-a 100 active",
            // It is spelled as a run that only a bundle has named so far.
            "com.example.tea 412, Tea 100 hello, Tea 100 hello, TEA 102 active, Tea 100 active",
            // It names the run of a bundle, and the bundle of another run differs in a dash only.
            "com.example.tea 412, Tea 412 hello, Tea 412 hello, com.example.te-a 500, Tea 412 active",
        ])
    func stretches(script: String) throws {
        var text = ""
        for (number, words) in script.split(separator: ", ").map({ $0.split(separator: " ") }).enumerated() {
            let pid = try #require(Int(words[1]))
            let isEvent = words.last == "active"
            let line =
                words.count == 2
                ? DeviceLines.suspended(number, String(words[0]), pid)
                : DeviceLines.line(number, String(words[0]), pid, isEvent ? "applicationDidBecomeActive" : "hello")
            text += line
        }
        let ingested = try Ingested(text: text)
        let before = try DatabaseCheck.verify(ingested.database)
        _ = try Replaying.run(ReplayRequest(database: ingested.database)) { _ in }
        let after = try DatabaseCheck.verify(ingested.database)
        #expect(before.problems == [] && before.digest == after.digest)
    }

    @Test("a run does not follow one of another process that only seemed to have its name")
    func follower() throws {
        let text =
            DeviceLines.suspended(0, "com.example.te-a", 100) + DeviceLines.line(1, "tea", 100, "hello")
            + DeviceLines.line(2, "te-a", 413, "applicationDidEnterBackground")
            + DeviceLines.suspended(3, "com.y.other", 413)
        let ingested = try Ingested(text: text)
        #expect(
            try ingested.rows("select app || ' ' || pid || ' ' || end_reason from runs order by pid")
                == ["tea 100 log_end", "te-a 413 log_end"])
    }

    @Test("the summary shows the processes with the most runs, however many others there are")
    func tally() {
        var tally = AppTally()
        for number in 0..<10_000 {
            tally.add("App\(number)")
            if number > 5_000, number.isMultiple(of: 10) { tally.add("Late") }
        }
        #expect(tally.names.first == "Late")
        #expect(tally.names.count <= AppTally.namesKept)
        #expect(tally.leastCount == AppTally.namesKept + 1)
    }

    @Test("few processes are counted exactly")
    func few() {
        var tally = AppTally()
        for name in ["Tea", "Tour", "Tea", "Alpha"] { tally.add(name) }
        #expect(tally.names == ["Tea", "Alpha", "Tour"])
        #expect(tally.leastCount == nil)
    }
}
