import Foundation
import Testing

@testable import LifeStatsKit

@Suite("Runs that go on late, in a log that is read on")
struct LateRunTests {
    private static func ends(_ second: Int, _ process: String, _ pid: Int) -> String {
        DeviceLines.line(second, process, pid, "applicationWillTerminate:")
    }

    private static let tea = DeviceLines.line(0, "Tea", 100, "applicationDidBecomeActive")
    private static let zed =
        DeviceLines.line(480, "Zed", 7, "applicationDidBecomeActive")
        + DeviceLines.line(481, "Zed", 7, "applicationWillResignActive")

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var first: String
        var then: String
    }

    static let cases = [
        Case(
            testDescription: "a run of long ago ended last",
            first: tea + DeviceLines.lives(200, "Other", from: 10, pid: 1000) + ends(450, "Tea", 100),
            then: DeviceLines.suspended(500, "com.example.tea", 412)),
        Case(
            testDescription: "a run of long ago ended shortly before the last one",
            first: tea + DeviceLines.lives(200, "Other", from: 10, pid: 1000) + ends(450, "Tea", 100) + zed,
            then: DeviceLines.suspended(500, "com.example.tea", 412)),
        Case(
            testDescription: "a run of long ago says once more that it ends",
            first: tea + DeviceLines.lives(200, "Other", from: 10, pid: 1000) + ends(450, "Tea", 100) + zed,
            then: ends(500, "Tea", 100)),
        Case(
            testDescription: "a run that began late ended before many others",
            first: (1...100).map { DeviceLines.line(1, "L\($0)", 2000 + $0, "applicationDidBecomeActive") }.joined()
                + (1...70).map { DeviceLines.line(2, "M\($0)", 3000 + $0, "applicationDidBecomeActive") }.joined()
                + DeviceLines.line(19, "Tea", 100, "applicationDidBecomeActive") + ends(19, "Tea", 100)
                + DeviceLines.lives(57, "Other", from: 40, pid: 1000)
                + (1...100).map { ends(450, "L\($0)", 2000 + $0) }.joined()
                + zed,
            then: DeviceLines.suspended(500, "com.example.tea", 412)),
        Case(
            testDescription: "a bundle was found to belong to a process of which no run is at hand",
            first: DeviceLines.suspended(0, "com.example.te-a", 90)
                + DeviceLines.line(1, "Tea", 100, "applicationDidBecomeActive")
                + ends(2, "Tea", 100)
                + DeviceLines.lives(100, "Other", from: 10, pid: 1000) + zed,
            then: DeviceLines.line(490, "tea", 777, "applicationDidBecomeActive")
                + DeviceLines.suspended(500, "com.example.te-a", 412)),
        Case(
            testDescription: "two processes have one id, and the system tells of the id",
            first: DeviceLines.line(0, "Zed", 101, "hello")
                + DeviceLines.line(3, "te-a", 101, "application:didFinishLaunchingWithOptions:")
                + DeviceLines.suspended(10, "com.y.other", 101),
            then: DeviceLines.suspended(20, "com.x.brew", 102)),
        Case(
            testDescription: "a process wrote something before another one of its id had an event",
            first: DeviceLines.suspended(0, "com.example.tea", 101) + DeviceLines.line(11, "Tea", 101, "hello")
                + DeviceLines.line(21, "tea", 101, "applicationWillTerminate:"),
            then: DeviceLines.line(31, "Brew", 100, "hello")),
        Case(
            testDescription: "a process wrote something before another one of its name had an event",
            first: DeviceLines.suspended(1, "org.zed", 100) + DeviceLines.line(7, "tea", 100, "hello")
                + DeviceLines.line(58, "tea", 102, "viewDidAppear: <Tea.Ctl: 0x5>"),
            then: DeviceLines.line(217, "Brew", 412, "applicationDidBecomeActive")),
        Case(
            testDescription: "two processes of an id wrote something, and one of the second's name had an event",
            first: DeviceLines.suspended(0, "com.example.tea", 413) + DeviceLines.line(9, "te-a", 413, "hello")
                + DeviceLines.line(10, "Zed", 413, "hello")
                + DeviceLines.line(20, "Zed", 412, "applicationDidEnterBackground"),
            then: DeviceLines.suspended(20, "com.x.brew", 101)),
        Case(
            testDescription: "two processes of an id did the same at the same time, just before the end",
            first: DeviceLines.line(9, "Brew", 413, "applicationDidEnterBackground")
                + DeviceLines.line(9, "Zed", 413, "applicationDidEnterBackground"),
            then: DeviceLines.line(14, "Brew", 100, "viewWillAppear: <Tea.Ctl: 0x5>")),
        Case(
            testDescription: "lines spell a process in two ways, one of them without its id",
            first: DeviceLines.record(
                0, "runningboardd", "Calculated state for app<org.x.tea(0F0E)>: none (role: None)")
                + DeviceLines.record(
                    17, "SpringBoard",
                    """
                    Application process state changed for org.x.tea: <SBApplicationProcessState: 0x1; pid: 7001; \
                    taskState: Running; visibility: Background>
                    """)
                + DeviceLines.record(18, "TEA", "AppState: active")
                + DeviceLines.record(40, "kernel", "memorystatus: killing_specific_process pid 7001 [tea] (jetsam 3)"),
            then: DeviceLines.line(60, "tea", 7001, "applicationDidBecomeActive")),
        Case(
            testDescription: "a run that a bundle named has called itself by its name, without its id",
            first: DeviceLines.record(0, "SpringBoard", "[com.example.tea] Sending scene action [Logical Activate]")
                + DeviceLines.record(5, "tea", "hello") + DeviceLines.record(6, "tea", "hello"),
            then: DeviceLines.line(900, "TEA", 413, "applicationDidBecomeActive")
                + DeviceLines.record(2000, "tea", "applicationDidBecomeActive")),
    ]

    @Test("the database is that of the log read at once, also after a replay", arguments: cases)
    func readingOn(_ example: Case) throws {
        let whole = try Ingested(text: example.first + example.then)
        let grown = try Ingested(text: example.first, thenAppending: example.then)
        let expected = try DatabaseCheck.verify(whole.database)
        #expect(expected.problems == [])
        #expect(try DatabaseCheck.verify(grown.database).digest == expected.digest)
        _ = try Replaying.run(ReplayRequest(database: whole.database)) { _ in }
        #expect(try DatabaseCheck.verify(whole.database).digest == expected.digest)
    }
}
