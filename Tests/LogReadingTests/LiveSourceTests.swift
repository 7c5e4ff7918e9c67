import Testing
import TraceRecords

@testable import LogReading

/// A pipe whose writer pauses between the pieces, long enough to be asked twice.
private final class PausingStream: ByteStream {
    private var pieces: [[UInt8]]
    private var reads = 0
    let isLive = true
    var patience: Int32 = 0

    init(_ pieces: [String]) { self.pieces = pieces.map { Array($0.utf8) } }

    var hasEnded: Bool { pieces.isEmpty }

    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        defer { reads += 1 }
        guard reads.isMultiple(of: 3), !pieces.isEmpty else { return 0 }
        let piece = pieces.removeFirst()
        room.copyBytes(from: piece)
        return piece.count
    }
}

@Suite("Pipes that pause")
struct LiveSourceTests {
    private func follow(_ pieces: [String]) throws -> (entries: [ReadEntry], counts: LineCounts) {
        let reader = try SourceReader(
            PausingStream(pieces), catalog: try builtInCatalog.get(), options: ReadingOptions(patience: 0))
        var entries: [ReadEntry] = []
        repeat {
            while let batch = try reader.next() {
                entries += batch.entries.map {
                    ReadEntry(line: $0.line, lines: $0.lineCount, pid: $0.pid, message: batch.text($0.message))
                }
            }
        } while !reader.hasEnded
        return (entries, reader.endPosition.counts)
    }

    @Test("a part of a line waits for the rest")
    func parts() throws {
        let (entries, counts) = try follow([
            "Tea[1:2] one\n", "Tea[1:2] two\nTea[1:", "2] three\n", "Tea[1:2] fo", "ur",
        ])
        #expect(entries.map(\.message) == ["one", "two", "three", "four"])
        #expect(entries.map(\.line) == [1, 2, 3, 4])
        #expect(counts.isBalanced && counts.lines == 4)
    }

    @Test("lines that continue an entry after a pause come as what is new of it")
    func continuation() throws {
        let (entries, counts) = try follow([
            "Tea[1:2] one\n", "  more\n", "  and more\nTea[1:2] two\n", "  last\n",
        ])
        #expect(entries.map(\.message) == ["one", "  more", "  and more", "two", "  last"])
        #expect(entries.map(\.line) == [1, 2, 3, 4, 5])
        #expect(counts.entry == 2 && counts.continuation == 3 && counts.lines == 5)
    }

    @Test("every line is given once, wherever the writer pauses", arguments: 0..<60)
    func once(seed: UInt64) throws {
        var chance = SeededChance(state: seed)
        let text =
            "Tea[1:2] one\nTea[1:2] two\n\n{\"time\":\"2024-03-09T07:30:00Z\",\n\"msg\":\"json\"}\n"
            + "Tea[1:2] three\r\nbare\nTea[1:2] four\n"
        var pieces: [String] = []
        var rest = Array(text.unicodeScalars)[...]
        while !rest.isEmpty {
            let count = min(Int.random(in: 1...20, using: &chance), rest.count)
            var piece = String.UnicodeScalarView()
            piece.append(contentsOf: rest.prefix(count))
            pieces.append(String(piece))
            rest = rest.dropFirst(count)
        }
        let found = try follow(pieces)
        let whole = try read(text)
        #expect(found.entries.map(\.message) == whole.entries.map(\.message), "\(pieces)")
        #expect(found.entries.map(\.line) == whole.entries.map(\.line))
        #expect(found.counts == whole.counts)
    }
}
