import Foundation
import Testing

@testable import LifecycleModel

/// What is known of the lifecycle since iOS 18: every id and every source of that list is used by a model or a dialect, or
/// docs/migration.md names it under "What is left out", with the reason.
@Suite("Scenes, SwiftUI, background tasks and ends: nothing is forgotten")
struct AddendumTests {
    private static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: project.appendingPathComponent(path), encoding: .utf8)
    }

    private static func texts(_ folder: String, without others: String = "") throws -> String {
        try FileManager.default.contentsOfDirectory(atPath: project.appendingPathComponent(folder).path).sorted()
            .filter { $0.hasSuffix(".yaml") && $0 != others }.map { try text("\(folder)/\($0)") }.joined()
    }

    /// The words of the first column of the tables of what is left out; `EV-7 to EV-14` are eight.
    private static func leftOut() throws -> Set<String> {
        let page = try text("docs/migration.md")
        let section = try #require(page.range(of: "## What is left out")).upperBound
        let rows = page[section...].split(separator: "\n").filter { $0.hasPrefix("|") }
        var text = rows.map { $0.split(separator: "|")[0] }.joined(separator: "\n")
        for range in text.matches(of: #/([A-Z-]+)(\d+) to [A-Z-]+(\d+)/#).reversed() {
            guard let first = Int(range.2), let last = Int(range.3) else { continue }
            let isPadded = range.2.hasPrefix("0")
            let ids = (first...last).map { "\(range.1)\(isPadded && $0 < 10 ? "0" : "")\($0)" }
            text.replaceSubrange(range.range, with: ids.joined(separator: " "))
        }
        return Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init))
    }

    private static func numbered(_ prefix: String, _ last: Int) -> [String] {
        (1...last).map { "\(prefix)\($0 < 10 ? "0" : "")\($0)" }
    }

    @Test("rules, transitions and limits")
    func ids() throws {
        let ids =
            Self.numbered("R-MIG-", 17) + Self.numbered("R-SUI-", 6) + Self.numbered("R-BG-", 13)
            + Self.numbered("SUI-P", 6) + Self.numbered("SUI-T", 7) + Self.numbered("BG-T", 11)
            + Self.numbered("TL-BG-", 7)
        let models = try BuiltIn.catalog.get().models
        let known = Set(
            models.flatMap { $0.rules.map(\.id) + $0.limits.map(\.id) + $0.transitions.map(\.id) })
        let leftOut = try Self.leftOut()
        #expect(ids.filter { !known.contains($0) && !leftOut.contains($0) } == [], "neither used nor left out")
        #expect(ids.filter { known.contains($0) && leftOut.contains($0) } == [], "used and left out")
    }

    /// The constant words of each line, as the dialects have them; those without are left out.
    private static let lines: [String: String?] = [
        "MIG-L1": "This process does not adopt UIScene lifecycle",
        "MIG-L1b": "This process does not adopt UIScene lifecycle",
        "MIG-L2": "lifecycle will soon be required", "MIG-L3": "RuntimeIssueForNoSceneLifecycleAdoption",
        "MIG-L3a": "UIScene life cycle is required for apps built with this SDK",
        "MIG-C1": "RuntimeIssueForNoSceneLifecycleAdoption", "MIG-C2": nil,
        "BG-L1": "was created over 30 seconds ago",
        "BG-L2": "Background task still not ended after expiration handlers were called",
        "BG-L3": "Can't end BackgroundTask: no background task exists with identifier",
        "BG-L4": "Created background task <_UIBackgroundTaskInfo", "BG-L5": "Ending task with identifier",
        "BG-L6": nil, "BG-L7": "Application launched for activities:",
        "BG-L8": "Simulating launch for task with identifier", "BG-L9": "BGTaskSchedulerErrorDomain Code=",
        "TR-L1": "exited with exit reason (namespace:", "TR-L2": "Process exited: <RBSProcessExitContext",
        "TR-L3": "Terminating with context", "TR-L4": "Received termination request", "TR-L5": nil,
        "TR-L6": "memorystatus: killing_", "EV-1": "Calculated state for", "EV-2": "Received state update for",
        "EV-3": "Suspending task.", "EV-4": "Setting process task state to", "EV-5": "Sending scene action",
        "EV-6": "deactivation reasons", "EV-7": nil, "EV-8": nil, "EV-9": nil, "EV-10": nil, "EV-11": nil,
        "EV-12": nil, "EV-13": nil, "EV-14": nil,
    ]

    @Test("lines of the system")
    func systemLines() throws {
        let dialects = try Self.texts("Sources/EventRecognition/dialects")
        let leftOut = try Self.leftOut()
        for (id, words) in Self.lines {
            if let words {
                #expect(dialects.contains(words), "\(id)")
            } else {
                #expect(leftOut.contains(id), "\(id)")
            }
        }
    }

    /// The sources, by their tags. A model cites `T-` and the tag.
    private static let sources = """
        AAO7743 ADYEN1165 AIR179 ALI AOA ASSIST7854 BGCQ BGCR BGC BGERR BGH BGP BGREG BGT BGX BHA2 CAP8527 CAP8536 CAPP112
        CAPP2484 CHERRY990 CHRMK CM COCOA644 CONNOPT COR1560 COR1655 COR1671 COR1681 CRAN673 CROWN CT340 DAZY DBA DC1128
        DC1979 DEVTO DIDFIN DN133697 DP183 EX39769 EX46664 EX46733 EX49925 EX50179 EX50191 F728585 F789004 F793189 F813300
        F820807 FAT FB16365 FB16455 FB8908 FBC1892 FF18572 FIAM3927 FL167267 FL170037 FL182904 FL184267 FL186971 FLAPI
        FLGUIDE FLSRC FPW53 GBE62 GLW404 HA1192 ICC2616 INTUNE137 JJ JSQ200 JSQ KIWIX982 LEAPP LIME1990 LRI LUNAR235
        LVN608 MACIOS10086 MACK MAUI38601 MAUI9525 MB1029 MBG MCAT MENC MET533 MFG MINT MQ634 MREP MSBG MSTATE MWS1 MXBG
        MXEXIT NS8920 OA OD OIL ONMY OPR OS1205 OSD OTP152 POCKET556 PUSHBG QIITA RN27 RN35191 RN54739 RN57700 RN58545
        RN58606 RNBF219 RNBF408 RNDOC5176 RNTPL251 SAK254 SCUI322 SCUI488 SDBA SDL12680 SHOW SIGKILL SLICC1005
        SO14409739 SPB SPI SPL SP ST1377 TAK71 TASKZ TAVI TF5 TIL TJ TN TR TS295 UN71 W222 W278 WP21254 XNUDOC
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    /// Apple's pages, several of which may be one document of the models, and those that have another name there.
    private static let documents = [
        "TN": "A-TN3187", "TR": "A-TRANS", "RN27": "A-RN27", "DBA": "A-APP", "SDBA": "A-SACT", "SP": "A-SUI",
        "SPI": "A-SUI", "SPB": "A-SUI", "OA": "A-ONAPP", "OD": "A-ONAPP", "BGT": "A-BGTASK", "BGX": "A-BGTASK",
        "BGP": "A-BGTASK", "BGC": "A-BGCONT", "BGCR": "A-BGCONT", "BGCQ": "A-BGCONT", "BGREG": "A-BGREG",
        "BGERR": "A-BGERR", "MSBG": "A-BGERR", "PUSHBG": "A-PUSHBG", "SIGKILL": "A-SIGKILL", "MXEXIT": "A-MK",
        "MXBG": "A-MK", "MFG": "A-MTERM", "MBG": "A-MTERM", "MCAT": "A-MTERM", "XNUDOC": "T-XNU",
    ]

    @Test("sources")
    func sources() throws {
        let listed = Set(try BuiltIn.catalog.get().settings.documents.map(\.id))
        let models = try Self.texts("Sources/LifecycleModel/models", without: "documents.yaml")
        let cited = Set(models.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init))
        let leftOut = try Self.leftOut()
        for tag in Self.sources {
            let document = Self.documents[tag] ?? "T-\(tag)"
            let isUsed = listed.contains(document) && cited.contains(document)
            #expect(isUsed || leftOut.contains(tag), "\(tag) is neither cited nor left out")
            #expect(!isUsed || !leftOut.contains(tag), "\(tag) is cited and left out")
        }
        #expect(listed.filter { !cited.contains($0) && $0.hasPrefix("T-") } == [], "listed and never cited")
    }

    @Test("codes, reasons and counters with which the system ends processes")
    func ends() throws {
        let codes = Set(try BuiltIn.catalog.get().settings.endCodes.map { $0.code.lowercased() })
        let counters = """
            NormalAppExit AbnormalExit AppWatchdogExit MemoryResourceLimitExit BadAccessExit IllegalInstructionExit
            CPUResourceLimitExit MemoryPressureExit SuspendedWithLockedFileExit BackgroundTaskAssertionTimeoutExit
            """.split(whereSeparator: \.isWhitespace).map { "cumulative\($0)Count" }
        let terminations = """
            normal abnormal watchdog memoryLimit badAccess illegalInstruction highCPU systemPressure taskTimeout
            """.split(whereSeparator: \.isWhitespace).map { "\($0)TerminationCount" }
        let reasons = """
            0x8badf00d 0xdead10cc 0x2182bad2 0x2182bad3 0x2182bad4 0xc00010ff 0xbaadca11 0xbad22222 0xbaddd15c 0xdeadfa11
            0xfbfbfbfb jettisoned highwater vnode-limit vm-pageshortage proc-thrashing fc-thrashing per-process-limit
            disk-space-shortage idle-exit zone-map-exhaustion vm-compressor-thrashing vm-compressor-space-shortage low-swap
            sustained-memory-pressure vm-pageout-starvation conclave-limit long-idle-exit
            """.split(whereSeparator: \.isWhitespace).map(String.init)
        let missing = (counters + terminations + reasons).filter { !codes.contains($0.lowercased()) }
        #expect(missing == [])
    }
}
