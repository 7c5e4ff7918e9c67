@testable import LogReading
@testable import TraceRecords

/// Any bytes in one of some formats, whole and in chunks: the entries must be the same, and every line accounted for.
///
/// The first byte chooses the format, the second the size of the chunks.
public struct ReadingProbe: Sendable {
    /// Formats of lines of text, and formats of records of JSON.
    public static let text = ReadingProbe(json: false)
    public static let json = ReadingProbe(json: true)

    /// One catalog for each format: an input is read with one of them.
    private let catalogs: [LayoutCatalog]

    /// A probe of the formats of JSON records, or of all others.
    private init(json: Bool) {
        guard let layouts = try? LayoutCatalog.builtIn() else {
            preconditionFailure("the built-in layouts cannot be read")
        }
        catalogs = layouts.layouts.filter { ($0.json != nil) == json }.compactMap { layouts.only($0.name) }
    }

    public func run(_ bytes: [UInt8]) {
        guard bytes.count > 1 else { return }
        let text = Array(bytes.dropFirst(2))
        let catalog = catalogs[Int(bytes[0]) % catalogs.count]
        let whole = read(text, with: catalog, chunk: max(text.count, 16))
        precondition(whole.counts.isBalanced, "every line must be accounted for")
        // Single bytes at a time are for short inputs: each chunk reads the open entry again.
        let parts = read(text, with: catalog, chunk: max(1 + Int(bytes[1]), text.count / 64))
        precondition(whole == parts, "the size of the chunks must change nothing")
    }

    /// An entry without the place where its texts lie.
    private struct Line: Equatable {
        var line: Int64
        var count: Int32
        var time: Int64?
        var pid: Int32?
        var texts: [UInt8]
    }

    private struct Outcome: Equatable {
        var counts = LineCounts()
        /// By line: the last entry of a chunk is delivered again, complete, with the next one.
        var lines: [Line] = []
    }

    private func read(_ text: [UInt8], with catalog: LayoutCatalog, chunk: Int) -> Outcome {
        let options = ReadingOptions(chunkBytes: chunk, entryBytes: 4096)
        var outcome = Outcome()
        guard
            let reader = try? SourceReader(MemoryStream(text), catalog: catalog, options: options)
        else { return outcome }
        var batch = EntryBatch()
        while (try? reader.next(into: &batch)) == true {
            for entry in batch.entries {
                var line = Line(
                    line: entry.line, count: entry.lineCount, time: entry.time, pid: entry.pid, texts: [])
                for range in [entry.process, entry.device, entry.message] {
                    precondition(
                        range.length >= 0 && range.indices.lowerBound >= 0
                            && range.indices.upperBound <= batch.bytes.count,
                        "\(entry) must lie in \(batch.bytes.count) bytes")
                    line.texts += batch.bytes[range.indices]
                    line.texts.append(0)
                }
                while let last = outcome.lines.last, last.line >= line.line { outcome.lines.removeLast() }
                outcome.lines.append(line)
            }
        }
        outcome.counts = reader.endPosition.counts
        return outcome
    }
}
