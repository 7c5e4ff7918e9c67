import FuzzDriver

@testable import LogReading
@testable import TraceRecords

/// Any bytes in one format, whole and in chunks: the entries must be the same.
///
/// The first byte chooses the format, the second the size of the chunks.
private enum Readers {
    static let layouts = try? LayoutCatalog.builtIn()
    static let names = (layouts?.layouts ?? []).filter { $0.json == nil }.map(\.name)

    static func run(_ bytes: [UInt8]) {
        guard bytes.count > 1 else { return }
        let text = Array(bytes.dropFirst(2))
        let name = names[Int(bytes[0]) % names.count]
        let whole = read(text, as: name, chunk: 1 << 16)
        precondition(whole.counts.isBalanced, "every line must be accounted for")
        let parts = read(text, as: name, chunk: 1 + Int(bytes[1]))
        precondition(whole == parts, "the size of the chunks must change nothing")
    }

    private struct Outcome: Equatable {
        var counts: LineCounts
        var entries: [String]
    }

    private static func read(_ text: [UInt8], as name: String, chunk: Int) -> Outcome {
        guard let layouts else { preconditionFailure("the built-in layouts cannot be read") }
        let options = ReadingOptions(format: name, chunkBytes: chunk, entryBytes: 4096)
        guard
            let reader = try? SourceReader(
                MemoryStream(text), path: "fuzz.log", catalog: layouts, options: options, resumeAt: nil)
        else { return Outcome(counts: LineCounts(), entries: []) }
        var entries: [Int64: String] = [:]
        while let batch = try? reader.next() {
            for entry in batch.entries {
                for range in [entry.process, entry.device, entry.message] {
                    precondition(
                        range.length >= 0 && range.indices.lowerBound >= 0
                            && range.indices.upperBound <= batch.bytes.count,
                        "\(name): \(entry) must lie in \(batch.bytes.count) bytes")
                }
                entries[entry.line] =
                    "\(entry.line) \(entry.lineCount) \(entry.time ?? -1) \(entry.pid ?? -1) "
                    + "\(batch.text(entry.process)) \(batch.text(entry.device)) \(batch.text(entry.message))"
            }
        }
        return Outcome(
            counts: reader.endPosition.counts, entries: entries.sorted { $0.key < $1.key }.map(\.value))
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
func test(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    Readers.run(Array(UnsafeRawBufferPointer(start: start, count: count)))
    return 0
}

@_cdecl("FuzzReaders_main")
func main(_ count: CInt, _ arguments: FuzzDriver.Arguments) -> CInt {
    FuzzDriver.run(count, arguments) { test($0, $1) }
}
