import Foundation
import Testing
import TraceRecords

@testable import LogReading

@Suite("The samples of all formats")
struct FormatSampleTests {
    /// The folder `samples/formats` of the project.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../samples/formats").standardizedFileURL.path

    /// Name, formats by frequency, entries, entries with a time, other lines.
    static let cases: [(String, [String], Int, Int, Int64)] = [
        ("01-nslog.log", ["nslog", "nslog-untimed", "bare"], 16, 14, 0),
        ("02-xcode-metadata.log", ["xcode-metadata", "bare"], 10, 8, 1),
        ("03-log-show.log", ["log-show"], 8, 8, 4),
        ("04-log-syslog.log", ["log-syslog"], 7, 7, 1),
        ("05-log-compact.log", ["log-compact"], 8, 8, 2),
        ("06-log-json.log", ["log-json"], 7, 7, 3),
        ("07-console-app.log", ["console-app"], 6, 6, 0),
        ("08-syslog.log", ["syslog"], 9, 9, 3),
        ("09-pymobiledevice3.log", ["pymobiledevice3", "pymobiledevice3-json"], 9, 9, 0),
        ("10-go-ios.log", ["go-ios-text", "go-ios"], 7, 7, 0),
        ("11-appium.log", ["syslog"], 7, 7, 0),
        ("12-logging-libraries.log", ["swift-log", "cocoalumberjack", "nslog", "xcglogger"], 7, 7, 0),
        ("13-frameworks.log", ["flutter-run", "transistor", "react-native", "nslog", "bare"], 9, 8, 1),
        ("14-crash-report.log", ["crash-report"], 9, 2, 3),
        ("15-crash-report.ips", ["crash-report", "bare"], 11, 2, 1),
        ("16-opentelemetry.log", ["opentelemetry"], 8, 8, 0),
        ("17-sentry.log", ["sentry"], 6, 6, 0),
        ("18-metrickit.json", ["metrickit"], 16, 0, 7),
        ("19-android.log", ["android-threadtime"], 7, 7, 0),
        ("20-pipe-table.log", ["pipe-table"], 7, 7, 0),
        ("21-plain-time.log", ["plain-time"], 7, 7, 0),
        ("22-json-lines.log", ["json-lines"], 7, 7, 0),
        ("23-swiftybeaver.log", ["swiftybeaver"], 6, 6, 0),
        ("24-jetsam-report.ips", ["jetsam-header", "jetsam-report"], 2, 2, 15),
        ("25-lifecycle-log.jsonl", ["lifecycle-log"], 7, 7, 0),
        ("26-bugsnag.jsonl", ["bugsnag"], 3, 3, 0),
        ("27-log-head.log", ["log-head", "nslog"], 4, 3, 0),
        ("28-xctest.log", ["xctest", "nslog"], 5, 2, 0),
        ("29-time-anywhere.log", ["time-anywhere", "bare"], 6, 5, 0),
    ]

    @Test("each sample is read in its format, with every line accounted for", arguments: cases.indices)
    func sample(index: Int) throws {
        let (name, formats, entries, timed, other) = Self.cases[index]
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/\(name)")))
        let result = try read(bytes).result
        #expect(Set(result.formats) == Set(formats), "\(name): \(result.formats)")
        #expect(result.entries.count == entries && result.entries.count { $0.time != nil } == timed, "\(name)")
        #expect(result.counts.other == other && result.rejects.isEmpty && result.counts.isBalanced, "\(name)")
        #expect(result.counts.lines == Int64(bytes.count { $0 == 10 }))
        for chunk in [1, 100] {
            #expect(try read(bytes, options: ReadingOptions(chunkBytes: chunk)).result == result, "\(name) by \(chunk)")
        }
    }

    /// Samples each of whose lines may be copied by itself, not those of JSON over several lines.
    static let linewise = cases.map(\.0).filter { name in
        !["06-", "14-", "15-", "16-", "18-", "24-"].contains { name.hasPrefix($0) }
    }

    @Test(
        "what is not seen at the beginning of a line takes no time from it, in any format",
        arguments: [
            "\r", "\u{0C}", "\u{0B}", "\u{A0}", "\u{A0} \u{A0} \u{A0} \u{A0} ", "\u{200E}", "\u{1B}[2K\r",
        ], linewise)
    func unseen(prefix: String, name: String) throws {
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/\(name)")), as: UTF8.self)
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        let plain = try read(text).entries
        let copied = try read(lines.map { $0.isEmpty ? $0 : prefix + $0 }.joined(separator: "\n")).entries
        #expect(copied.map(\.line) == plain.map(\.line), "\(name)")
        #expect(copied.map(\.time) == plain.map(\.time), "\(name)")
        #expect(copied.map(\.process) == plain.map(\.process) && copied.map(\.pid) == plain.map(\.pid), "\(name)")
    }

    @Test("every sample is in the table")
    func complete() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { !$0.hasPrefix(".") }
        #expect(Set(names) == Set(Self.cases.map(\.0)))
    }

    /// The table of docs/formats.md, as the layouts and samples make it.
    private func table() throws -> String {
        let layouts = try builtInCatalog.get().layouts.sorted { $0.name < $1.name }
        let rows = layouts.map { layout in
            let sample = Self.cases.first { $0.1.contains(layout.name) }?.0 ?? "none"
            return "| `\(layout.name)` | \(layout.title) | [\(sample)](../samples/formats/\(sample)) |"
        }
        let (name, title) = LayoutCatalog.binary
        let binary = "| `\(name)` | \(title) | [below](#apples-binary-unified-log) |"
        return (["| format | reads | sample |", "|---|---|---|"] + rows + [binary]).joined(separator: "\n")
    }

    /// `LIFESTATS_RECORD=1` records the table again.
    @Test("every format has a sample of its own and a line in the documentation")
    func documented() throws {
        let file = URL(fileURLWithPath: Self.folder).appendingPathComponent("../../docs/formats.md").standardizedFileURL
        let document = try String(contentsOf: file, encoding: .utf8)
        let (begin, end) = ("<!-- formats -->\n", "\n<!-- /formats -->")
        let parts = document.components(separatedBy: begin)
        let rest = try #require(parts.last?.components(separatedBy: end))
        try #require(parts.count == 2 && rest.count == 2)
        let table = try table()
        #expect(!table.contains("none"))
        if ProcessInfo.processInfo.environment["LIFESTATS_RECORD"] != nil {
            try (parts[0] + begin + table + end + rest[1]).write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(rest[0] == table)
        }
    }

    @Test("a message whose metadata is cut off has no time, and is no less a message")
    func cutMetadata() throws {
        let metadata = "Type: Notice | Timestamp: 2025-05-01 07:30:00.118417+02:00 | Process: Tea | Library: Tea\n"
        let result = try read("applicationDidBecomeActive\n\(metadata)applicationWillResignActive\nmore\nType: Not")
        let messages = ["applicationDidBecomeActive", "applicationWillResignActive", "more", "Type: Not"]
        #expect(result.entries.map(\.message) == messages && result.rejects.isEmpty)
        #expect(result.entries.map { $0.time != nil } == [true, false, false, false])
        #expect(result.counts.isBalanced && result.counts.lines == 5)
        let bare = try read("one\n\(metadata)2025-05-01 07:31:00.1 Tea[1:2] two\napplicationWillResignActive\n")
        #expect(bare.entries.map(\.message) == ["one", "two", "applicationWillResignActive"])
    }

    @Test("a damaged or cut line costs no entry before it and none after it", arguments: 0..<150)
    func neighbours(seed: UInt64) throws {
        var chance = SeededChance(state: seed)
        // The message of a record whose metadata follows begins behind the record before it, wherever that ends.
        let cases = Self.cases.filter { !$0.1.contains("xcode-metadata") }
        let name = cases[Int(seed) % cases.count].0
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/\(name)")))
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        let hit = Int.random(in: 0..<lines.count - 1, using: &chance)
        guard !lines[hit].isEmpty else { return }
        if Bool.random(using: &chance) {
            for _ in 0..<4 {
                let byte = UInt8.random(in: 0...255, using: &chance)
                lines[hit][Int.random(in: 0..<lines[hit].count, using: &chance)] = byte == 0x0A ? 0 : byte
            }
        } else {
            lines[hit].removeLast(Int.random(in: 1...lines[hit].count, using: &chance))
        }
        let found = try read(Array(lines.joined(separator: [0x0A]))).result
        #expect(found.counts.isBalanced)
        let kept = Dictionary(grouping: found.entries, by: \.line).mapValues { $0.map(\.message) }
        let whole = try read(bytes).result.entries
        for (entry, next) in zip(whole, whole.dropFirst().map(\.line) + [.max]) {
            // Blank lines between the lines of an entry count for none.
            if (entry.line...max(entry.line, next - 1)).contains(Int64(hit + 1)) { continue }
            // Further lines may be taken for its own, but none of its own is lost.
            let messages = kept[entry.line] ?? []
            #expect(messages.contains { $0.hasPrefix(entry.message) }, "\(name), damage in line \(hit + 1)")
        }
    }

    @Test("cut, damaged and repeated samples never crash and stay accounted for", arguments: 0..<120)
    func damage(seed: UInt64) throws {
        var chance = SeededChance(state: seed)
        let name = Self.cases[Int.random(in: 0..<Self.cases.count, using: &chance)].0
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/\(name)")))
        for _ in 0..<Int.random(in: 1...12, using: &chance) {
            guard !bytes.isEmpty else { break }
            let place = Int.random(in: 0..<bytes.count, using: &chance)
            switch Int.random(in: 0..<4, using: &chance) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &chance)
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + 9))
            case 2: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 40)], at: place)
            default: bytes.removeSubrange(place...)
            }
        }
        let whole = try read(bytes).result
        #expect(whole.counts.isBalanced && whole.counts.rejected == Int64(whole.rejects.count))
        let chunk = Int.random(in: 1...300, using: &chance)
        let options = ReadingOptions(chunkBytes: chunk)
        #expect(try read(bytes, options: options).result == whole, "\(name) seed \(seed) chunk \(chunk)")
    }
}
