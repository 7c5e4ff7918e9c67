import Foundation
import Testing

@testable import LifeStatsKit

@Suite("Samples that are cut off")
struct CutSampleTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../samples/formats").standardizedFileURL

    static let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []

    private func completed(_ text: String) throws -> Set<String> {
        Set(
            try Ingested(text: text).rows(
                "select layer, instance, state, entered_ns, left_ns, dwell_ns from visits where complete"))
    }

    @Test("a cut inside a line adds no completed visit, and gives none another length", arguments: names)
    func cut(name: String) throws {
        let text = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
        let whole = try completed(text)
        var start = text.startIndex
        var line = name.utf8.count
        while let end = text[start...].firstIndex(of: "\n") {
            defer {
                start = text.index(after: end)
                line += 1
            }
            // A whole ingest takes its time: every fifth line of each sample.
            guard line % 5 == 0 else { continue }
            let middle = text.index(start, offsetBy: text.distance(from: start, to: end) * 2 / 3)
            let added = try completed(String(text[..<middle])).subtracting(whole).filter { visit in
                // What lost its time ends the visit before it, too: only how long that was is not known any more.
                !visit.hasSuffix(",,") || !whole.contains { $0.hasPrefix(visit.dropLast()) }
            }
            #expect(added.isEmpty, "\(name) cut behind '\(text[start..<middle])'")
        }
    }
}
