import Foundation
import Testing

@testable import LogReading
@testable import TraceRecords

/// What fuzzing found stays found: every input of its corpus, in every format and in chunks of several sizes.
@Suite("Fuzz findings")
struct FuzzFindingTests {
    private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../fuzz/corpus").standardizedFileURL

    static let inputs: [String] = ["Readers", "JSON"].flatMap { target in
        ((try? FileManager.default.contentsOfDirectory(atPath: corpus.path + "/" + target)) ?? [])
            .filter { !$0.hasPrefix(".") }.sorted().map { "\(target)/\($0)" }
    }

    private func read(_ text: [UInt8], as name: String, chunk: Int) throws -> [String] {
        let catalog = try builtInCatalog.get()
        let options = ReadingOptions(format: name, chunkBytes: chunk, entryBytes: 4096)
        let reader = try SourceReader(MemoryStream(text), catalog: catalog, options: options)
        var entries: [Int64: String] = [:]
        while let batch = try reader.next() {
            for entry in batch.entries {
                for range in [entry.process, entry.device, entry.message] {
                    try #require(
                        range.length >= 0 && range.indices.lowerBound >= 0
                            && range.indices.upperBound <= batch.bytes.count,
                        "\(name): \(entry) must lie in \(batch.bytes.count) bytes")
                }
                entries[entry.line] = "\(entry.line) \(entry.lineCount) \(batch.text(entry.message))"
            }
        }
        #expect(reader.endPosition.counts.isBalanced, "\(name)")
        return entries.sorted { $0.key < $1.key }.map(\.value)
    }

    @Test("entries lie within their bytes, and the size of the chunks changes nothing", arguments: inputs)
    func readers(input: String) throws {
        let bytes = Array(try Data(contentsOf: Self.corpus.appendingPathComponent(input)))
        // The first two bytes chose format and size of the chunks.
        let text = Array(bytes.dropFirst(2))
        for name in try builtInCatalog.get().layouts.map(\.name) {
            let whole = try read(text, as: name, chunk: 1 << 16)
            for chunk in [1, 2, 3, 4, 5, 6, 7, 16, 65, 256] {
                let parts = try read(text, as: name, chunk: chunk)
                #expect(parts == whole, "\(name) in chunks of \(chunk)")
            }
        }
    }
}
