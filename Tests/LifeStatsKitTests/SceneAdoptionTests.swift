import Foundation
import Testing

@testable import LifeStatsKit

/// What UIKit says to apps without scenes, as people and tools print it. The wordings are those of TN3187, of release notes
/// and of public reports; the logs around them are made up.
@Suite("Missing scene adoption")
struct SceneAdoptionTests {
    private static let refusal =
        "failure in void _UIApplicationEvaluateRuntimeIssueForNoSceneLifecycleAdoption(void)_block_invoke "
        + "(UIApplication_RuntimeIssues.m:106) : Application failed to launch: UIScene life cycle is required for apps "
        + "built with this SDK. See \"Transitioning to the UIKit scene-based life cycle\" in the UIKit documentation for "
        + "more information on migration."
    private static let firstBeta =
        "failure in _UIApplicationEvaluateRuntimeIssueForNoSceneLifecycleAdoption (UIApplication_RuntimeIssues.m:98) : "
        + "Application failed to launch: UIScene life cycle is required for apps built with this SDK. See Technote TN3187 "
        + "for more information on migration."
    private static let short =
        "Application failed to launch: UIScene life cycle is required for apps built with this SDK."
    private static let launch = "2026-10-01 09:00:00.000 Larder[812:4107] application:didFinishLaunchingWithOptions:\n"

    static let refusals: [(name: String, log: String, line: Int)] = [
        ("nslog", launch + "2026-10-01 09:00:00.100 Larder[812:4107] \(refusal)\n", 2),
        ("nslog, first beta", launch + "2026-10-01 09:00:00.100 Larder[812:4107] \(firstBeta)\n", 2),
        ("nslog, sentence only", launch + "2026-10-01 09:00:00.100 Larder[812:4107] \(short)\n", 2),
        ("nslog with Xcode's mark", launch + "2026-10-01 09:00:00.100 Larder[812:4107] [] \(refusal)\n", 2),
        (
            "Xcode console",
            launch
                + "2026-10-01 09:00:00.100000+0200 Larder[812:4107] [] \(firstBeta)\n", 2
        ),
        (
            "log show",
            "Timestamp                       Thread     Type        Activity             PID    TTL  \n"
                + "2026-10-01 09:00:00.000000+0200 0x100b     Default     0x0                  812    0    Larder: (UIKitCore) Larder starts\n"
                + "2026-10-01 09:00:00.100000+0200 0x100b     Error       0x0                  812    0    Larder: (UIKitCore) \(refusal)\n",
            3
        ),
        (
            "log show --style compact",
            "Timestamp               Ty Process[PID:TID]\n"
                + "2026-10-01 09:00:00.100 E  Larder[812:100b] (UIKitCore) \(refusal)\n", 2
        ),
        (
            "idevicesyslog", "Oct  1 09:00:00 iPhone Larder(UIKitCore)[812] <Error>: \(refusal)\n", 1
        ),
        (
            "crash report",
            "Process:             Larder [812]\nIdentifier:          org.example.Larder\n"
                + "Date/Time:           2026-10-01 09:00:00.5000 +0200\nOS Version:          iPhone OS 27.0 (24A335)\n\n"
                + "Exception Type:  EXC_BREAKPOINT (SIGTRAP)\nTermination Reason: SIGNAL 5 Trace/BPT trap: 5\n\n"
                + "Thread 0 Crashed:\n"
                + "0   UIKitCore  0x00000001a0 ___UIApplicationEvaluateRuntimeIssueForNoSceneLifecycleAdoption_block_invoke + 76\n",
            10
        ),
        (
            "crash report without underscores",
            "Process:             Larder [812]\nIdentifier:          org.example.Larder\n"
                + "Date/Time:           2026-10-01 09:00:00.5000 +0200\n\nThread 0 Crashed:\n"
                + "0   UIKitCore  0x00000001a0 UIApplicationEvaluateRuntimeIssueForNoSceneLifecycleAdoption_block_invoke\n",
            6
        ),
        (
            "Console, four columns",
            "default\t09:00:00.000000+0200\tLarder\tLarder starts\n"
                + "error\t09:00:00.100000+0200\tLarder\t\(refusal)\n", 2
        ),
        (
            "Console, five columns", "error\t09:00:00.100000+0200\tLarder\tUIKitCore\t\(firstBeta)\n", 1
        ),
        ("ips", ips(symbol: "\"symbol\":\"___"), 9),
        ("ips, reformatted", ips(symbol: "\n{\n  \"symbol\" : \"_"), 11),
        ("ips without symbols", unsymbolicated("{\"UIKitCore\":[\"\(escaped)\"]}"), 8),
        (
            "ips without symbols, reformatted",
            unsymbolicated("{\n    \"UIKitCore\" : [\n      \"\(escaped)\"\n    ]\n  }"), 10
        ),
        (
            "crash report without symbols",
            "Process:             Larder [812]\nIdentifier:          org.example.Larder\n"
                + "Date/Time:           2026-10-01 09:00:00.5000 +0200\n\n"
                + "Application Specific Information:\n\(short)\n\nThread 0 Crashed:\n0   UIKitCore  0x00000001a0 0x1a0 + 76\n",
            6
        ),
    ]

    /// A folder with the log of a process and the report of its end.
    private static func together(_ log: String, _ report: String) throws -> Ingested {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try log.write(to: folder.appendingPathComponent("larder.log"), atomically: true, encoding: .utf8)
        try report.write(to: folder.appendingPathComponent("Larder.ips"), atomically: true, encoding: .utf8)
        return try Ingested(folder.path)
    }

    @Test("is one finding where the log and the report are of one process")
    func logAndReport() throws {
        let launch = "2026-10-01 09:00:00.100000+0200 Larder[812:4107] application(_:didFinishLaunchingWithOptions:)\n"
        let log = launch + "2026-10-01 09:00:00.400000+0200 Larder[812:4107] \(Self.refusal)\n"
        let report = Self.ips(symbol: "\"symbol\":\"___").replacing(
            "bug_type", with: "app_version\":\"3.1\",\"bug_type")
        let finding = "SELECT rule, line FROM findings WHERE rule LIKE 'R-MIG-%' ORDER BY line"
        let runs = "SELECT pid, end_reason, os_version FROM runs"
        let both = try Self.together(log, report)
        #expect(try both.rows(finding) == ["R-MIG-02,2"])
        #expect(try both.rows(runs) == ["812,launch_failure,iPhone OS 27.0 (24A335)"])
        // Another process of the same id.
        let apart = try Self.together(log.replacing("09:00:00", with: "09:01:00"), report)
        #expect(try apart.rows(finding) == ["R-MIG-02,2", "R-MIG-02,9"])
        // The report may be in the file of the log.
        let text = """
            Process:             Larder [812]
            Date/Time:           2026-10-01 09:00:00.5512 +0200
            Launch Time:         2026-10-01 09:00:00.0210 +0200

            Thread 0 Crashed:
            0   UIKitCore  0x1a0 ___UIApplicationEvaluateRuntimeIssueForNoSceneLifecycleAdoption_block_invoke + 76

            """
        let one = try Ingested(text: log + "\n" + text)
        #expect(try one.rows(finding) == ["R-MIG-02,2"])
        #expect(try one.rows("SELECT pid, end_reason FROM runs") == ["812,launch_failure"])
        // What only the report says is not lost.
        let silent = try Self.together(launch, report)
        #expect(try silent.rows(finding) == ["R-MIG-02,9"])
    }

    private static let escaped = "\(short) See \\\"Transitioning to scenes\\\" in the documentation."

    /// The report of a crash on a device that could not name the functions: UIKit's words are in its information only.
    private static func unsymbolicated(_ information: String) -> String {
        """
        {"app_name":"Larder","timestamp":"2026-10-01 09:00:01.00 +0200","bug_type":"309","os_version":"iPhone OS 27.0 (24A335)"}
        {
          "procRole" : "Foreground",
          "captureTime" : "2026-10-01 09:00:00.5512 +0200",
          "pid" : 812,
          "procLaunch" : "2026-10-01 09:00:00.0210 +0200",
          "procName" : "Larder",
          "asi" : \(information),
          "threads" : [{"triggered":true,"id":4107,"frames":[{"imageOffset":1201,"imageIndex":1}]}]
        }

        """
    }

    /// The report of a crash as the system writes it, up to the symbol in the first frame.
    private static func ips(symbol: String) -> String {
        """
        {"app_name":"Larder","timestamp":"2026-10-01 09:00:01.00 +0200","bug_type":"309","os_version":"iPhone OS 27.0 (24A335)"}
        {
          "procRole" : "Foreground",
          "captureTime" : "2026-10-01 09:00:00.5512 +0200",
          "pid" : 812,
          "procLaunch" : "2026-10-01 09:00:00.0210 +0200",
          "procName" : "Larder",
          "termination" : {"flags":0,"code":5,"namespace":"SIGNAL","indicator":"Trace\\/BPT trap: 5","byProc":"exc handler"},
          "threads" : [{"triggered":true,"id":4107,"frames":[{"imageOffset":1201,\(symbol)\
        UIApplicationEvaluateRuntimeIssueForNoSceneLifecycleAdoption_block_invoke","imageIndex":1}]}]
        }

        """
    }

    @Test("is an error at its line, and the run ends as a failed launch", arguments: refusals.indices)
    func refused(number: Int) throws {
        let one = Self.refusals[number]
        let ingested = try Ingested(text: one.log)
        let found = try ingested.rows(
            "SELECT rule, line, severity FROM findings WHERE rule LIKE 'R-MIG-%' OR rule BETWEEN 'R-APP-16' AND 'R-APP-18'"
        )
        #expect(found == ["R-MIG-02,\(one.line),error"], "\(one.name)")
        #expect(
            try ingested.rows("SELECT DISTINCT end_reason, end_evidence FROM runs WHERE app = 'Larder'")
                == ["launch_failure,observed"], "\(one.name)")
        // Why UIKit refused says more than the signal of a crash report; it is told from its beginning on.
        let details = try ingested.rows("SELECT replace(end_detail, '\"', '') FROM runs WHERE app = 'Larder'").joined()
        #expect(
            details.contains(/^(Application failed to launch: UIScene life cycle is required|_*UIApplicationEvaluate)/),
            "\(one.name): \(details)")
        #expect(!details.contains(/See( |\\)*$/), "\(one.name): \(details)")
    }

    @Test(
        "that is only announced is an error in the log of an iOS that enforces it",
        arguments: [
            "OS Version: iPhone OS 27.0 (24A335)", "OS: iOS 27.0", "System Version: iOS 27.1", "iOS Version: 27.0",
        ])
    func announcedByHead(head: String) throws {
        let warning = "2026-10-01 09:00:00.100 Larder[812:4107] \(Self.warnings[0])\n"
        let ingested = try Ingested(text: "\(head)\n" + Self.launch + warning)
        #expect(
            try ingested.rows("SELECT rule, line, severity FROM findings WHERE rule LIKE 'R-MIG-%'") == [
                "R-MIG-01,3,error"
            ])
        let version = head.contains("24A") ? "27.0 (24A335)" : String(head.suffix(4))
        #expect(try ingested.rows("SELECT os_version FROM runs") == [version])
        // Further down it may be about another device; other words are of something else.
        let late = try Ingested(text: Self.launch + "\(head)\n" + warning)
        #expect(try late.rows("SELECT coalesce(os_version, 'none') FROM runs") == ["none"])
        for other in [
            "\(head) is out, please update", "Server OS Version: iOS 27.0", "OS: Linux 6.1", "OS Version: unknown",
            "Minimum OS: iOS 15.0",
        ] {
            let ingested = try Ingested(text: "\(other)\n" + Self.launch + warning)
            #expect(try ingested.rows("SELECT coalesce(os_version, 'none') FROM runs") == ["none"], "\(other)")
        }
    }

    private static let warnings = [
        "CLIENT OF UIKIT REQUIRES UPDATE: This process does not adopt UIScene lifecycle. "
            + "This will become an assert in a future version.",
        "This process does not adopt UIScene lifecycle. This will become an assert in a future version.",
        "`UIScene` lifecycle will soon be required. Failure to adopt will result in an assert in the future.",
        "UIScene lifecycle will soon be required. Failure to adopt will result in an assert in the future.",
        "[] `UIScene` lifecycle will soon be required. Failure to adopt will result in an assert in the future.",
        "This process does not adopt UIScene lifecycle.\nThis will become an assert in a future version.",
    ]

    @Test("that is only announced is one warning, however often it is printed", arguments: warnings)
    func warned(text: String) throws {
        let line = "2026-01-05 09:00:00.100 Larder[812:4107] \(text)\n"
        let ingested = try Ingested(text: Self.launch + line + line.replacing("00.100", with: "01.900"))
        #expect(
            try ingested.rows("SELECT rule, line, severity FROM findings WHERE rule LIKE 'R-MIG-%'")
                == ["R-MIG-01,2,warning"])
        #expect(try ingested.rows("SELECT end_reason FROM runs") == ["log_end"])
    }

    private static let scene = """
        2026-10-01 09:00:00.000 Larder[812:4107] application:didFinishLaunchingWithOptions:
        2026-10-01 09:00:00.080 Larder[812:4107] scene:willConnectToSession:options: session: 1F-22
        2026-10-01 09:00:00.150 Larder[812:4107] sceneWillEnterForeground: session: 1F-22
        2026-10-01 09:00:00.300 Larder[812:4107] sceneDidBecomeActive: session: 1F-22

        """
    private static func line(_ time: String, _ text: String) -> String {
        "2026-10-01 09:\(time) Larder[812:4107] \(text)\n"
    }

    static let migrated: [(name: String, log: String)] = [
        ("scenes", scene),
        (
            "scenes with the notifications of the app",
            scene + line("00:00.310", "UIApplicationDidBecomeActiveNotification")
                + line("01:00.000", "sceneWillResignActive: session: 1F-22")
                + line("01:00.010", "UIApplicationWillResignActiveNotification")
        ),
        ("a forwarder", scene + line("00:00.310", "applicationDidBecomeActive:")),
        (
            "two scenes",
            scene + line("00:10.000", "scene:willConnectToSession:options: session: 2A-07")
                + line("00:10.100", "sceneWillEnterForeground: session: 2A-07")
                + line("00:10.200", "sceneDidBecomeActive: session: 2A-07")
        ),
        (
            "a controller after its scene",
            scene
                + line("00:00.400", "PantryViewController viewDidLoad")
        ),
        ("a URL", scene + line("00:20.000", "scene(_:openURLContexts:) larder://jam")),
        (
            "a launch that ends after it resigned",
            scene + line("00:30.000", "sceneWillResignActive: session: 1F-22")
                + line("00:30.500", "sceneDidEnterBackground: session: 1F-22")
                + line("00:31.000", "applicationWillTerminate:")
        ),
        (
            "SwiftUI",
            line("00:00.000", "ShelfView onAppear") + line("00:00.100", "scenePhase: active")
                + line("00:09.000", "scenePhase: inactive") + line("00:09.500", "scenePhase: background")
        ),
    ]

    @Test("is not found in apps that use scenes", arguments: migrated.indices)
    func adopted(number: Int) throws {
        let ingested = try Ingested(text: Self.migrated[number].log)
        #expect(
            try ingested.rows("SELECT rule, line FROM findings WHERE rule LIKE 'R-MIG-%' OR severity <> 'info'") == [],
            "\(Self.migrated[number].name)")
    }

    private static let others = [
        "sceneWillConnect: session: A", "Finished migration to UIScene lifecycle",
        "We adopt the UIScene lifecycle in this version", "UIScene life cycle: active",
        "failed to launch: the recipe file is missing", "UIScene lifecycle is required reading",
        "UIScene lifecycle: connected", "Application launched, life cycle complete",
        "We saw 'UIScene life cycle adoption is required' in the console yesterday",
        "Support: the user reports \"\(short)\" since the update",
        "[Triage] \"\(short)\" is fixed in this build", "last crash was \(short)",
        "lastCrash: \(short)", "> \(short)", "- \(short)", "`\(short)`", "(\(short))", "**\(short)**",
        "TODO: This process does not adopt UIScene lifecycle.",
        "[Telemetry] uploaded ___UIApplicationEvaluateRuntimeIssueForNoSceneLifecycleAdoption_block_invoke + 76",
        "note UIScene lifecycle will soon be required, see ticket 12",
        "they print: 'This process does not adopt UIScene lifecycle.' twice",
    ]

    @Test("is not read into other lines", arguments: others)
    func near(text: String) throws {
        let ingested = try Ingested(text: Self.launch + "2026-01-05 09:00:00.100 Larder[812:4107] \(text)\n")
        #expect(try ingested.rows("SELECT rule FROM findings WHERE rule LIKE 'R-MIG-%'") == [])
        #expect(try ingested.rows("SELECT end_reason, end_detail FROM runs") == ["log_end,"])
    }

    @Test("is not said of a process that its callbacks show in use")
    func told() throws {
        let ingested = try Ingested(
            text: Self.scene + Self.line("00:10.000", Self.refusal)
                + Self.line("00:20.000", "sceneWillResignActive: session: 1F-22"))
        #expect(try ingested.rows("SELECT rule FROM findings WHERE rule LIKE 'R-MIG-%'") == [])
        #expect(try ingested.rows("SELECT end_reason, end_detail FROM runs") == ["log_end,"])
    }
}
