import Foundation
import Testing

@testable import UnifiedLog

/// Writes archives to disk, for other readers: `Tests/scripts/binary_log.py` compares what they and lifestats find.
@Suite struct OtherReadersTests {
    typealias Message = ArchiveEncoder.Message

    private static let folder = ProcessInfo.processInfo.environment["LIFESTATS_ARCHIVES"]

    private static let places: [ArchiveEncoder.Place] = [
        .executable, .absolute, .uuid, .sharedCache, .largeSharedCache, .dynamic,
    ]

    /// Messages of every place, level and kind of argument, some of them oversize.
    private func messages(_ count: Int, from ticks: UInt64, process: Int) -> [Message] {
        (0..<count).map { number in
            let integer = ArchiveEncoder.Value.integer(UInt64(number), size: number % 2 == 0 ? 4 : 8)
            let shapes: [(String, [ArchiveEncoder.Value])] = [
                ("-[AppDelegate applicationDidBecomeActive:]", []), ("step %d of %s", [integer, .text("all")]),
                ("Scene lifecycle state did change: %{public}@", [.object("Foreground")]),
                ("hidden %{private}s and %{public}s", [.secret("name \(number)"), .text("größer")]),
                ("0x%llx, %5u|%-6d|%+d", [.integer(UInt64(number) * 77, size: 8), integer, integer, integer]),
                ("took %.3f s", [.integer((Double(number) / 7).bitPattern, size: 8)]),
                ("%{public}@\n\tof two lines", [.object("a text")]), ("%{private}@", [.concealed]),
                ("%{public,uuid_t}.16P", [.precision(16), .data((0..<16).map { UInt8($0) &+ UInt8(number % 200) })]),
                (
                    "error %{darwin.errno}d, %{BOOL}d, 100%%",
                    [.integer(UInt64(number % 40), size: 4), .integer(1, size: 4)]
                ),
            ]
            let shape = shapes[number % shapes.count]
            var message = Message(
                ticks: ticks + UInt64(number) * 1_000_003, format: shape.0, values: shape.1,
                place: Self.places[number / shapes.count % Self.places.count])
            if message.place == .dynamic { (message.format, message.values) = ("%s", [.text("as it is: \(number)")]) }
            message.level = [0, 1, 2, 0x10, 0x11][number % 5]
            message.thread = UInt64(0x100 * process + number % 3)
            message.activity = number % 4 == 0 ? UInt64(number + 1) : 0
            message.subsystem = ["com.apple.UIKit", "com.apple.FrontBoard", ""][number % 3]
            message.category = number % 2 == 0 ? "lifecycle" : ""
            message.isOversize = message.place != .dynamic && number % 11 == 1
            return message
        }
    }

    /// What FrontBoard, SpringBoard, runningboardd and UIKit write, over and over.
    private func systemMessages(_ count: Int, from ticks: UInt64) -> [Message] {
        let token = "app<com.example.Postbox(1F0E0D0C-8B7A-4C5D-9E6F-0A1B2C3D4E5F)>"
        let shapes: [(String, [ArchiveEncoder.Value], String)] = [
            (
                "[%{public}@] Setting process visibility to: %{public}@",
                [.object(token + ":412"), .object("Foreground")],
                "com.apple.FrontBoard"
            ),
            (
                "Calculated state for %{public}@: %{public}@ (role: %{public}@) (endowments: %{public}@)",
                [
                    .object(token), .object("running-active"), .object("UserInteractiveFocal"),
                    .object("<RBEndowmentSet com.apple.frontboard.visibility>"),
                ], "com.apple.runningboard"
            ),
            (
                "Deactivation reason added: %d; deactivation reasons: %d -> %d; animating application lifecycle event: %d",
                [11, 0, 2048, 0].map { .integer($0, size: 4) }, "com.apple.UIKit"
            ),
            (
                "[%{public}@] Set jetsam priority to %d [%d] flag[%d]",
                [.object(token + ":412"), .integer(100, size: 4), .integer(0, size: 4), .integer(1, size: 4)],
                "com.apple.runningboard"
            ),
            (
                "Received state update for %d (%{public}@, %{public}@-%{public}s",
                [.integer(412, size: 4), .object(token), .object("running-active"), .text("Visible")],
                "com.apple.BackBoardServices"
            ),
        ]
        return (0..<count).map { number in
            let shape = shapes[number % shapes.count]
            var message = Message(
                ticks: ticks + UInt64(number) * 1_000_003, format: shape.0, values: shape.1, place: .sharedCache)
            message.thread = UInt64(0x100 + number % 5)
            (message.subsystem, message.category) = (shape.2, "Process")
            return message
        }
    }

    private func archive(
        boot: UInt64, count: Int, parts: Int = 1, version: UInt16, _ compression: ArchiveEncoder.Compression
    ) -> ArchiveEncoder {
        var archive = ArchiveEncoder(boot: boot)
        archive.sharedCacheVersion = version
        archive.compression = compression
        let start = 1_773_014_400_000_000_000 + Int64(boot) * 86_400_000_000_000
        // The clock is set twice: forward by a second, back by an hour.
        archive.addTimeSync(
            "000000000000000\(boot)", start: start,
            steps: [
                (24_000_000, start + 2_000_000_000), (240_000_000, start + 11_000_000_000 - 3_600_000_000_000),
            ])
        for part in 0..<parts {
            let process = { (pid: Int32, path: String) in
                let start = UInt64(pid) * 1_000 + UInt64(part * count) * 1_000_003
                return ArchiveEncoder.Process(
                    pid: pid, path: path,
                    messages: parts == 1
                        ? messages(count, from: start, process: Int(pid)) : systemMessages(count, from: start))
            }
            let name = String(format: "%016x.tracev3", Int(boot) * 256 + part)
            archive.addTrace(
                "Persist/\(name)", [process(412, "/var/containers/Postbox.app/Postbox")],
                others: archive.otherChunks(ticks: 412_000 + UInt64(part * count) * 1_000_003))
            archive.addTrace(
                "Special/\(name)",
                [process(33, "/usr/libexec/runningboardd"), process(60, "/System/SpringBoard.app/SpringBoard")])
        }
        archive.addStrings()
        return archive
    }

    @Test(.enabled(if: folder != nil, "LIFESTATS_ARCHIVES names the folder to write to"))
    func `Archives for other readers`() throws {
        let folder = URL(filePath: try #require(Self.folder))
        let all: [(String, [ArchiveEncoder])] = [
            ("plain", [archive(boot: 1, count: 240, version: 2, .none)]),
            ("literals", [archive(boot: 1, count: 240, version: 1, .literals)]),
            ("compressed", [archive(boot: 1, count: 240, version: 2, .matches)]),
            ("boots", [1, 2, 3].map { archive(boot: $0, count: 120, version: 2, .matches) }),
            ("large", [archive(boot: 1, count: 1_000, parts: 40, version: 2, .matches)]),
        ]
        for (name, archives) in all {
            for (path, bytes) in archives.flatMap(\.files) {
                let isPart = path.hasPrefix("timesync/") || path.hasSuffix(".tracev3")
                let file = folder.appending(path: "\(name)/diagnostics/\(isPart ? "" : "../uuidtext/")\(path)")
                    .standardized
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(bytes).write(to: file)
            }
        }
    }
}
