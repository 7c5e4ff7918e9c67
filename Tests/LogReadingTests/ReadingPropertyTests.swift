import Testing
import TraceRecords

@testable import LogReading

/// Chance that repeats: the same seed gives the same cases.
struct SeededChance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

@Suite("What holds for every log")
struct ReadingPropertyTests {
    static let pieces = [
        "2021-05-04 09:08:07.250 Tea[512:1f03] one\n", "2021-05-04 09:08:07.251+0200 Pot[513:1f03] -[A b:]\n",
        "23:59:59.123 DEBUG Kettle.boil:40 - clock\n", "00:10:00.5 INFO Kettle.boil:40 - clock\n",
        "06-18 02:03:21.254 INFO no year\n",
        "\n", "   \n", "-> poured()\n", "    indented\n", ")\n", "Tea[1:2] cut\n", "// Tea[1:2] quoted\n",
        "2021-13-04 09:08:07.250 Tea[512:1f03] bad\n", "a\u{0}b\n",
        "2021-05-04 23:59:60.9 Tea[512:1] \u{00E4}\u{5355}\n",
        "x\r\n", String(repeating: "long ", count: 90) + "\n",
        "2021-05-04 09:08:07.250 Tea[512:1f03] " + String(repeating: "y", count: 300) + "\n",
    ]

    static func log(seed: UInt64) -> [UInt8] {
        var chance = SeededChance(state: seed)
        var text = ""
        for _ in 0..<Int.random(in: 0...60, using: &chance) { text += pieces.randomElement(using: &chance) ?? "" }
        var bytes = Array(text.utf8)
        if Bool.random(using: &chance), !bytes.isEmpty { bytes.removeLast(min(3, bytes.count)) }
        return bytes
    }

    @Test("the size of the chunks changes nothing", arguments: 0..<60)
    func chunks(seed: UInt64) throws {
        let bytes = Self.log(seed: seed)
        let whole = try read(bytes, options: ReadingOptions(entryBytes: 200)).result
        #expect(whole.counts.isBalanced)
        #expect(whole.bytes == Int64(bytes.count))
        for chunk in [1, 2, 3, 7, 64, 100, 257, 1000] {
            let parts = try read(bytes, options: ReadingOptions(chunkBytes: chunk, entryBytes: 200)).result
            #expect(parts == whole, "chunks of \(chunk)")
        }
    }

    @Test("a log read in two goes gives what it gives in one", arguments: 0..<60)
    func resume(seed: UInt64) throws {
        let bytes = Self.log(seed: seed)
        var chance = SeededChance(state: seed &+ 77)
        let whole = try read(bytes).result
        let cut = Int.random(in: 0...bytes.count, using: &chance)
        let first = try read(Array(bytes[..<cut]))
        let second = try read(bytes, resumeAt: first.position).result
        let stable = first.position.counts.lines
        #expect(first.result.entries.filter { $0.line <= stable } + second.entries == whole.entries, "cut at \(cut)")
        #expect(first.result.rejects.filter { $0.line <= stable } + second.rejects == whole.rejects)
        #expect(second.counts == whole.counts)
        #expect(second.firstTime == whole.firstTime && second.lastTime == whole.lastTime)
    }

    @Test("damage never crashes, and no line before it or after the next line end is lost", arguments: 0..<200)
    func damage(seed: UInt64) throws {
        var chance = SeededChance(state: seed)
        let good = (0..<20).map { "2021-05-04 09:08:07.2\($0 + 10) Tea[512:1f03] line \($0)\n" }
        var lines = good.map { Array($0.utf8) }
        let hit = Int.random(in: 0..<lines.count, using: &chance)
        for _ in 0..<Int.random(in: 1...20, using: &chance) {
            let place = Int.random(in: 0..<lines[hit].count - 1, using: &chance)
            let byte = UInt8.random(in: 0...255, using: &chance)
            lines[hit][place] = byte == 10 ? 0 : byte
        }
        let result = try read(Array(lines.joined())).result
        #expect(result.counts.isBalanced && result.counts.lines == 20)
        for (index, text) in good.enumerated() where index != hit {
            let entry = result.entries.first { $0.line == Int64(index + 1) }
            #expect(entry?.message.hasPrefix("line \(index)") == true, "\(text)")
        }
    }
}
