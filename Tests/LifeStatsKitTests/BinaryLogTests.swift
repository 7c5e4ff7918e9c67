import Foundation
import Testing

@testable import LifeStatsKit

/// The same messages as Apple's binary log and as the text that `log show` prints of it: both must give the same facts.
@Suite struct BinaryLogTests {
    private struct Line {
        var seconds: Int
        var process: String
        var pid: Int32
        var subsystem: String
        var category: String
        var message: String
        /// Whether UIKit wrote it: its format string is that of a library.
        var isOfUIKit = false
    }

    private static let systemLines = lines.count { $0.process != app.process || $0.isOfUIKit }

    private static let app = (process: "Postbox", pid: Int32(412), bundle: "app<com.example.Postbox(1F0E0D0C)>:412")

    /// 20 times to the foreground and back, in four lines of the app and eleven of FrontBoard, SpringBoard, runningboardd and UIKit
    /// each.
    private static let lines: [Line] = (0..<20).flatMap { cycle in
        let own = { (at: Int, message: String) in
            Line(
                seconds: cycle * 600 + at, process: app.process, pid: app.pid, subsystem: "com.example.postbox",
                category: "lifecycle", message: message)
        }
        let runningboard = { (at: Int, message: String) in
            Line(
                seconds: cycle * 600 + at, process: "runningboardd", pid: 33, subsystem: "com.apple.runningboard",
                category: "process", message: message)
        }
        let springboard = { (at: Int, subsystem: String, message: String) in
            Line(
                seconds: cycle * 600 + at, process: "SpringBoard", pid: 60, subsystem: "com.apple.\(subsystem)",
                category: "Process", message: message)
        }
        let uikit = { (at: Int, message: String) in
            Line(
                seconds: cycle * 600 + at, process: app.process, pid: app.pid, subsystem: "com.apple.UIKit",
                category: "Application",
                message: "Deactivation reason \(message); animating application lifecycle event: 0",
                isOfUIKit: true)
        }
        let beginning =
            cycle == 0
            ? own(1, "-[AppDelegate application:didFinishLaunchingWithOptions:]")
            : own(1, "-[AppDelegate applicationWillEnterForeground:]")
        let state = "Calculated state for app<com.example.Postbox(1F0E0D0C)>:"
        return [
            runningboard(0, "[\(app.bundle)] Resuming task."), beginning,
            uikit(2, "removed: 5; deactivation reasons: 32 -> 0"),
            own(2, "-[AppDelegate applicationDidBecomeActive:]"),
            runningboard(3, "\(state) running-active (role: UserInteractiveFocal) (endowments: <RBEndowmentSet>)"),
            springboard(4, "FrontBoard", "[\(app.bundle)] Setting process visibility to: Foreground"),
            springboard(5, "SpringBoard", "Front display did change: <SBApplication: 0x1; com.example.Postbox>"),
            runningboard(6, "[\(app.bundle)] Set jetsam priority to 100 [0] flag[1]"),
            own(60, "-[AppDelegate applicationWillResignActive:]"),
            uikit(60, "added: 5; deactivation reasons: 0 -> 32"),
            own(61, "-[AppDelegate applicationDidEnterBackground:]"),
            springboard(62, "FrontBoard", "[\(app.bundle)] Setting process visibility to: Background"),
            springboard(63, "FrontBoard", "[\(app.bundle)] Setting process task state to: Suspended"),
            runningboard(66, "\(state) running-suspended (role: None)"),
            runningboard(67, "[\(app.bundle)] Set jetsam priority to 0 [0] flag[1]"),
        ]
    }

    /// 2026-03-09 00:00:00 UTC.
    private static let start: Int64 = 1_773_014_400

    private static let asText =
        lines.map { line in
            let clock = String(format: "%02d:%02d:%02d", line.seconds / 3600, line.seconds / 60 % 60, line.seconds % 60)
            let library = line.isOfUIKit ? "(UIKitCore) " : ""
            return "2026-03-09 \(clock).000000000+0000 0x1 Default 0x0 \(line.pid) 0 \(line.process): \(library)"
                + "[\(line.subsystem):\(line.category)] \(line.message)\n"
        }.joined()

    /// The files of a log archive: the app's messages in one tracev3 file, those of the system in another.
    private static func archive() -> [String: [UInt8]] {
        var archive = ArchiveEncoder(boot: 1)
        archive.addTimeSync("0000000000000001", start: start * 1_000_000_000, steps: [])
        func process(_ name: String, path: String) -> ArchiveEncoder.Process {
            let own = lines.filter { $0.process == name }
            return .init(
                pid: own[0].pid, path: path,
                messages: own.map { line in
                    // Whole messages, and messages made of a format and an argument.
                    let parts = line.message.split(separator: ":", maxSplits: 1)
                    var message = ArchiveEncoder.Message(
                        ticks: UInt64(line.seconds) * 24_000_000, format: "%s:%{public}@",
                        values: [.text(String(parts[0])), .object(parts.count > 1 ? String(parts[1]) : "")])
                    if parts.count < 2 { (message.format, message.values) = (line.message, []) }
                    message.subsystem = line.subsystem
                    message.category = line.category
                    if line.isOfUIKit { message.place = .sharedCache }
                    return message
                })
        }
        archive.addTrace(
            "Persist/0000000000000001.tracev3", [process("Postbox", path: "/var/containers/Postbox.app/Postbox")])
        archive.addTrace(
            "Special/0000000000000001.tracev3",
            [
                process("runningboardd", path: "/usr/libexec/runningboardd"),
                process("SpringBoard", path: "/System/Library/CoreServices/SpringBoard.app/SpringBoard"),
            ])
        archive.addStrings()
        return archive.files
    }

    /// Writes the log archive to disk.
    private static func written(
        _ name: String, in folder: URL = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    ) throws -> URL {
        let root = folder.appending(path: name)
        for (path, bytes) in archive() {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
        }
        return root
    }

    private static let questions = [
        "select app, pid, started, ended, end_reason from runs order by 1, 2, 3",
        """
        select app, pid, layer, instance, kind, callback, proves, time, state_before, state_after, verdict from events
        order by time_ns, seq, callback, proves
        """,
        "select app, layer, instance, state, entered, left, evidence, censored from visits order by 1, 2, 3, entered_ns",
        "select rule, severity, time, message from findings order by 1, 3",
    ]

    @Test(arguments: ["folder", "sysdiagnose.tar.gz", "archive.zip"])
    func `A binary log gives the facts of its text, as a folder and inside archives`(_ kind: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let root = try Self.written("sysdiagnose_2026/system_logs.logarchive", in: folder)
        var log = root.path
        if kind != "folder" {
            log = folder.appending(path: kind).path
            let pack = Process()
            pack.executableURL = URL(filePath: "/usr/bin/env")
            pack.currentDirectoryURL = folder
            pack.arguments =
                kind.hasSuffix(".zip")
                ? ["python3", "-c", "import shutil; shutil.make_archive('archive', 'zip', '.', 'sysdiagnose_2026')"]
                : ["tar", "czf", kind, "sysdiagnose_2026"]
            try pack.run()
            pack.waitUntilExit()
            #expect(pack.terminationStatus == 0)
        }
        let binary = try Ingested(log)
        let text = try Ingested(text: Self.asText)
        #expect(try binary.rows("select count(*) from sources") == ["1"])
        for question in Self.questions { #expect(try binary.rows(question) == text.rows(question), "\(question)") }
        #expect(try binary.rows("select count(*) from visits where layer = 'app' and state = 'active'") == ["20"])
        #expect(try binary.rows("select entry_lines from sources") == ["300"])
        #expect(Self.systemLines == 220)
        let found = try DatabaseCheck.verify(binary.database)
        let expected = try DatabaseCheck.verify(text.database)
        #expect(found.problems.isEmpty && found.digest == expected.digest)
    }

    @Test func `The format is listed, and its entries are printed with what is rejected`() throws {
        #expect(try FormatsGuide.listing().contains("tracev3 "))
        let folder = try Self.written("a.logarchive")
        let file = folder.appending(path: "Special/0000000000000001.tracev3")
        try Data(contentsOf: file).dropLast(40).write(to: file)
        var options = IngestOptions(paths: [folder.path, folder.path + "/none"], database: "")
        options.format = "tracev3"
        var (output, notices): ([UInt8], [String]) = ([], [])
        let isComplete = try EntryListing.write(
            options, output: { output += $0 }, notice: { notices.append($0) })
        #expect(!isComplete && notices.count == 2)
        #expect(notices[0].contains("/none: ") && notices[1].contains("a.logarchive: 1 line rejected"))
        let lines = output.split(separator: 0x0A)
        // Only chunks at the end of the file are cut.
        #expect((250..<300).contains(lines.count))
        let second = try #require(JSONSerialization.jsonObject(with: Data(lines[2])) as? [String: Any])
        #expect(
            second["message"] as? String == "Deactivation reason removed: 5; deactivation reasons: 32 -> 0; "
                + "animating application lifecycle event: 0")
        #expect(second["library"] as? String == "UIKitCore" && second["thread"] as? String == "0x1")
        #expect(second["category"] as? String == "Application" && second["format"] as? String == "tracev3")
    }
}
