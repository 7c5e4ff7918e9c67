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
    ]

    @Test("is an error at its line, and the run ends as a failed launch", arguments: refusals.indices)
    func refused(number: Int) throws {
        let one = Self.refusals[number]
        let ingested = try Ingested(text: one.log)
        let found = try ingested.rows("SELECT rule, line, severity FROM findings WHERE rule LIKE 'R-MIG-%'")
        #expect(found == ["R-MIG-02,\(one.line),error"], "\(one.name)")
        #expect(
            try ingested.rows("SELECT DISTINCT end_reason, end_evidence FROM runs WHERE app = 'Larder'")
                == ["launch_failure,observed"], "\(one.name)")
        // The detail is the first line that says why the process ended: in a crash report that may be its signal.
        let details = try ingested.rows("SELECT end_detail FROM runs WHERE app = 'Larder'").joined()
        #expect(details.contains(one.log.contains("SIGNAL 5") ? "SIGNAL 5" : "Scene"), "\(one.name)")
    }

    private static let warnings = [
        "CLIENT OF UIKIT REQUIRES UPDATE: This process does not adopt UIScene lifecycle. "
            + "This will become an assert in a future version.",
        "This process does not adopt UIScene lifecycle. This will become an assert in a future version.",
        "`UIScene` lifecycle will soon be required. Failure to adopt will result in an assert in the future.",
        "UIScene lifecycle will soon be required. Failure to adopt will result in an assert in the future.",
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

    private static let others = [
        "sceneWillConnect: session: A", "Finished migration to UIScene lifecycle",
        "We adopt the UIScene lifecycle in this version", "UIScene life cycle: active",
        "failed to launch: the recipe file is missing", "UIScene lifecycle is required reading",
        "UIScene lifecycle: connected", "Application launched, life cycle complete",
    ]

    @Test("is not read into other lines", arguments: others)
    func near(text: String) throws {
        let ingested = try Ingested(text: Self.launch + "2026-01-05 09:00:00.100 Larder[812:4107] \(text)\n")
        #expect(try ingested.rows("SELECT rule FROM findings WHERE rule LIKE 'R-MIG-%'") == [])
    }
}
