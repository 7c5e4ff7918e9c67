import Foundation
import Testing

@testable import LifeStatsKit

/// Which task a line is about that does not say it all.
@Suite("Lines about background tasks")
struct BackgroundTaskLineTests {
    private static func log(_ lines: [(String, String)]) -> String {
        lines.map { "2026-10-05 03:\($0) Orchard[500:77a1] \($1)\n" }.joined()
    }

    private static let launch = ("00:00.000", "application(_:didFinishLaunchingWithOptions:)")
    private static let refresh = ("00:01.000", "Handling BGAppRefreshTask org.example.orchard.refresh")
    private static let began = (
        "00:02.000",
        "Created background task <_UIBackgroundTaskInfo: 0x280f1c2c0>: taskID = 3, taskName = SaveDraft, creationTime = 52 (elapsed = 0)."
    )

    private static func visits(_ lines: [(String, String)]) throws -> [String] {
        try Ingested(text: log(lines)).rows(
            "SELECT instance, state, dwell_s, left_by FROM visits WHERE layer = 'background-task' AND state <> 'absent' ORDER BY seq"
        )
    }

    @Test(
        "a completion without an identifier is that of the only scheduled task that runs",
        arguments: [
            "setTaskCompleted(success: true)", "task.setTaskCompleted(success: false)",
            "[Refresh] setTaskCompletedWithSuccess:YES", "BGAppRefreshTask completed",
            "BGTask finished (success: true)", "org.example.orchard.refresh: setTaskCompleted(success: true)",
        ])
    func completion(text: String) throws {
        // A task of UIKit is none of the scheduler.
        let lines = [Self.launch, Self.refresh, Self.began, ("00:11.000", text)]
        #expect(
            try Self.visits(lines).filter { $0.contains("refresh") } == [
                "org.example.orchard.refresh,running,10.0,taskCompleted", "org.example.orchard.refresh,finished,,",
            ])
    }

    @Test(
        "why the system launched the app is read from the options beside the callback too",
        arguments: [
            ("application(_:didFinishLaunchingWithOptions:) [UIApplicationLaunchOptionsLocationKey: 1]", "location"),
            (
                "didFinishLaunchingWithOptions: {\\n UIApplicationLaunchOptionsBluetoothCentralsKey = (tap); }",
                "bluetooth"
            ),
            ("application(_:didFinishLaunchingWithOptions:) nil", "none"),
        ])
    func cause(text: String, cause: String) throws {
        // Twice, because a line that is known is not looked at again.
        let log = Self.log([("00:00.000", text), ("09:00.000", text)])
        #expect(
            try Ingested(text: log).rows("SELECT coalesce(launch_cause, 'none') FROM runs") == [cause, cause])
    }

    @Test(
        "a continued processing task is none of processing", arguments: ["Handling %@", "%@ started:", "%@ launched"])
    func continued(words: String) throws {
        let text = words.replacing("%@", with: "continued processing task") + " org.example.orchard.export"
        let ingested = try Ingested(text: Self.log([Self.launch, ("00:01.000", text)]))
        #expect(
            try ingested.rows("SELECT callback FROM events WHERE layer = 'background-task'") == [
                "continuedTaskLaunched"
            ])
    }

    @Test("a process counts as suspended only when its scheduled task is over, or has run for as long as any may")
    func suspension() throws {
        func suspensions(_ lines: [(String, String)]) throws -> [String] {
            let lines = [Self.launch, Self.refresh] + lines + [("10:00.000", "applicationWillEnterForeground")]
            return try Ingested(text: Self.log(lines)).rows(
                "SELECT substr(began, 12, 12), substr(ended, 12, 12) FROM suspensions")
        }
        #expect(
            try suspensions([("00:25.000", "setTaskCompleted(success: true)")]) == ["03:00:30.000,03:10:00.000"])
        // The handler is called at 03:00:01; in the background a process works for 30 s, before scenes for 180 s.
        #expect(try suspensions([]) == ["03:03:01.000,03:10:00.000"])
        // Launched again, the task runs anew.
        let again = ("05:00.000", Self.refresh.1)
        #expect(
            try suspensions([again, ("05:10.000", "setTaskCompleted(success: true)")]) == [
                "03:03:01.000,03:05:00.000", "03:05:15.000,03:10:00.000",
            ])
    }

    @Test("of two that run it is nobody's, and before any that runs it is nothing")
    func ambiguousCompletion() throws {
        let index = ("00:02.000", "Handling BGProcessingTask org.example.orchard.index")
        let bare = ("00:11.000", "setTaskCompleted(success: true)")
        #expect(
            try Self.visits([Self.launch, Self.refresh, index, bare]) == [
                "org.example.orchard.refresh,running,,", "org.example.orchard.index,running,,",
            ])
        #expect(try Self.visits([Self.launch, bare]) == [])
    }

    @Test(
        "a task of UIKit ends with any of the lines that UIKit writes",
        arguments: [
            "Ending background task with UIBackgroundTaskIdentifier: 3",
            "[BackgroundTask] Ending background task with UIBackgroundTaskIdentifier: 3",
            "Will invalidate assertion: <BKSProcessAssertion: 0x281> for task identifier: 3",
        ])
    func ending(text: String) throws {
        #expect(
            try Self.visits([Self.launch, Self.began, ("00:07.000", text)]) == [
                "3,running,5.0,uikitTaskEnded", "3,finished,,",
            ])
        // UIKit has tasks of its own, of which this line does not give the name.
        #expect(try Self.visits([Self.launch, ("00:07.000", text)]) == [])
    }
}
