import Foundation
import Testing

@testable import LogReading

@Suite("Damage and cuts at every byte of every sample")
struct DamagedSampleTests {
    static let names = FormatSampleTests.cases.map(\.0)

    private func bytes(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(FormatSampleTests.folder)/\(name)")))
    }

    /// The entries that a reading owes, in order, each with its first line at least: a damaged line may be taken for a
    /// further line of the entry before it.
    private func check(
        _ found: ReadResult, owes expected: [ReadEntry], of name: String, at place: Int, withTimes: Bool = true
    ) {
        var rest = found.entries[...]
        for entry in expected {
            let line = entry.message.prefix { $0 != "\n" }
            let match = rest.firstIndex {
                $0.line == entry.line && $0.message.hasPrefix(line) && (!withTimes || $0.time == entry.time)
            }
            guard let match else {
                Issue.record("\(name): line \(entry.line) is lost with byte \(place)")
                return
            }
            rest = rest[(match + 1)...]
        }
    }

    @Test("a sample that is cut at any byte keeps every entry before the cut", arguments: names)
    func cut(name: String) throws {
        let bytes = try bytes(of: name)
        let whole = try read(bytes).result.entries
        var line: Int64 = 1
        for length in 0..<bytes.count {
            let found = try read(Array(bytes[..<length])).result
            let lines = length == 0 ? 0 : line - (bytes[length - 1] == 0x0A ? 1 : 0)
            #expect(found.counts.isBalanced && found.counts.lines == lines, "\(name) cut at \(length)")
            #expect(found.counts.rejected == Int64(found.rejects.count))
            // The brace that closes a record may stand on the line that the next one begins with.
            let end = name.hasPrefix("06-") && line < 52 ? line - 1 : line
            let owed = whole.filter { entry in
                // A message is whole when its metadata is: the line `Type: stdio` may stand two lines below.
                entry.line + Int64(entry.lines) <= end
                    && (!name.hasPrefix("02-") || entry.time != nil || entry.line + 2 < end)
                    // One time behind a text may be part of a sentence.
                    && (!name.hasPrefix("29-") || end > 2)
            }
            check(found, owes: owed, of: name, at: length)
            if bytes[length] == 0x0A { line += 1 }
        }
    }

    @Test("damaged bytes cost no entry of another line, and nothing of the accounting", arguments: names)
    func damage(name: String) throws {
        let bytes = try bytes(of: name)
        let sound = try read(bytes).result
        let whole = sound.entries
        // Where lines leave out their day or year, that of one line is told by the lines before it.
        // In the log of LifecycleLog a damaged time cannot be told from a clock that was set, which later lines bridge.
        let withTimes =
            !sound.assumptions.contains { $0.contains("counted from") || $0.contains("before them") }
            && !name.hasPrefix("25-")
        var chance = SeededChance(state: UInt64(name.utf8.reduce(0) { $0 &+ Int($1) }))
        var line: Int64 = 1
        // Where a message ends with its metadata, lines that lose theirs are taken for the beginning of the next one.
        let takesMore = name.hasPrefix("02-")
        for (place, byte) in bytes.enumerated() {
            guard byte == 0x0A || chance.next() % 3 == 0 else { continue }
            if byte == 0x0A {
                line += 1
                continue
            }
            var damaged = bytes
            let other = UInt8.random(in: 0...255, using: &chance)
            damaged[place] = other == 0x0A ? 0 : other
            let found = try read(damaged).result
            #expect(found.counts.isBalanced && found.counts.lines == Int64(bytes.count { $0 == 0x0A }))
            #expect(found.counts.rejected == Int64(found.rejects.count))
            // The brace that closes a record may stand on the line that the next one begins with.
            let shared = name.hasPrefix("06-") ? 1 : 0
            let others = whole.filter { !($0.line..<$0.line + Int64($0.lines) + Int64(shared)).contains(line) }
            check(
                found, owes: takesMore ? others.filter { $0.line < line && $0.time != nil } : others, of: name,
                at: place,
                withTimes: withTimes)
        }
    }
}
