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
        ("15-crash-report.ips", ["crash-report", "bare"], 8, 3, 0),
        ("16-opentelemetry.log", ["opentelemetry"], 8, 8, 0),
        ("17-sentry.log", ["sentry"], 6, 6, 0),
        ("18-metrickit.json", ["metrickit"], 1, 0, 0),
        ("19-android.log", ["android-threadtime"], 7, 7, 0),
        ("20-pipe-table.log", ["pipe-table"], 7, 7, 0),
        ("21-plain-time.log", ["plain-time"], 7, 7, 0),
        ("22-json-lines.log", ["json-lines"], 7, 7, 0),
        ("23-swiftybeaver.log", ["swiftybeaver"], 6, 6, 0),
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

    @Test("every sample is in the table")
    func complete() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { !$0.hasPrefix(".") }
        #expect(Set(names) == Set(Self.cases.map(\.0)))
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
