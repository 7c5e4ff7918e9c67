import Foundation
import Testing

@testable import LogReading

/// What was read of a source is remembered: to open a member of an archive may be to read everything before it.
@Suite("Fingerprints")
struct FingerprintTests {
    @Test("a packed log is read once, however many logs it might go on from")
    func readOnce() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("app.log", Array(PackedInputTests.text.utf8))
        let plain = try #require(InputFinder.find([file]).sources.first)
        let whole = try SourceFingerprint.of(plain)
        let half = try SourceFingerprint.beginnings(of: plain, lengths: [5000])[0]
        let bytes = Array(PackedInputTests.text.utf8.prefix(SourceFingerprint.headLength))
        guard PackedInputTests.run(["gzip", file], in: folder.path) else { return }
        let source = try #require(InputFinder.find([folder.path]).sources.first)
        let looks = FingerprintCache()
        #expect(try looks.head(of: source) == bytes)
        #expect(try looks.relation(of: half, to: source) == .grown)
        // What is known needs no file any more.
        try FileManager.default.removeItem(atPath: file + ".gz")
        #expect(try looks.relation(of: whole, to: source) == .same)
        #expect(try looks.relation(of: half, to: source) == .grown)
        var (longer, other) = (whole, half)
        longer.length += 1
        other.head += 1
        #expect(try looks.relation(of: longer, to: source) == .replaced)
        #expect(try looks.relation(of: other, to: source) == .replaced)
        #expect(try looks.head(of: source) == bytes)
    }

    @Test("of many logs those are found that begin as a file does, short ones and long ones")
    func beginnings() throws {
        let folder = try ScratchFolder()
        let text = Array(PackedInputTests.text.utf8)
        let contents = [text, Array(text[..<300]), Array(text[1...]), Array(text[..<5000]), [], Array(text[300...])]
        var fingerprints: [(place: Int, fingerprint: SourceFingerprint)] = []
        for (place, content) in contents.enumerated() {
            let file = try folder.write("\(place).log", content)
            let source = try #require(InputFinder.find([file]).sources.first)
            fingerprints.append((place, try SourceFingerprint.of(source)))
        }
        let index = FingerprintIndex(fingerprints)
        #expect(index.places(ofBeginning: Array(text[..<SourceFingerprint.headLength])) == [0, 1, 3])
        #expect(index.places(ofBeginning: Array(text[..<300])) == [1])
        #expect(index.places(ofBeginning: Array(text[..<299])) == [])
    }

    @Test("a packed copy holds all of a log, a log that differs in the middle does not, one that has gone on does")
    func wholeContent() throws {
        let folder = try ScratchFolder()
        let text = Array(PackedInputTests.text.utf8)
        var other = text
        other[5000] += 1
        let files = ["a.log": text, "b.log": other, "c.log": text + text, "d.log": text]
        for (name, bytes) in files { try folder.write(name, bytes) }
        guard PackedInputTests.run(["gzip", "d.log"], in: folder.path) else { return }
        let sources = InputFinder.find([folder.path]).sources
        let looks = FingerprintCache()
        #expect(sources.count == 4)
        #expect(Set(try [0, 3].map { try looks.fingerprint(of: sources[$0]) }).count == 1)
        #expect(try sources.map { try looks.holds($0, allOf: sources[0]) } == [true, false, true, true])
        // What was compared once is known.
        for file in ["b.log", "c.log"] { try FileManager.default.removeItem(atPath: folder.path + "/" + file) }
        #expect(try sources[..<3].map { try looks.holds($0, allOf: sources[0]) } == [true, false, true])
    }

    @Test(
        "the pieces that bytes come in change nothing, every byte does, and several lengths are one reading",
        arguments: 0..<20)
    func pieces(seed: UInt64) throws {
        var chance = SeededChance(state: seed)
        var bytes = (0..<Int.random(in: 0...9000, using: &chance)).map { _ in UInt8.random(in: 0...3, using: &chance) }
        func print(_ bytes: [UInt8], by size: Int) -> SourceFingerprint {
            var content = RunningFingerprint()
            var rest = bytes[...]
            while !rest.isEmpty {
                Array(rest.prefix(size)).withUnsafeBytes { content.add($0) }
                rest = rest.dropFirst(size)
            }
            return content.fingerprint
        }
        let whole = print(bytes, by: 1 << 20)
        for size in [1, 7, 63, 64, 65, 1000, 4096] { #expect(print(bytes, by: size) == whole) }
        let folder = try ScratchFolder()
        let source = try #require(
            InputFinder.find([try folder.write("a.log", bytes)], options: ReadingOptions(format: "nslog")).sources.first
        )
        let lengths = (0..<5).map { _ in Int64.random(in: 0...Int64(bytes.count), using: &chance) } + [.max]
        #expect(
            try SourceFingerprint.beginnings(of: source, lengths: lengths)
                == lengths.map { print(Array(bytes.prefix(Int(clamping: $0))), by: 1 << 20) })
        bytes.append(0)
        #expect(print(bytes, by: 1 << 20).whole != whole.whole)
        guard bytes.count > 1 else { return }
        bytes.removeLast()
        bytes[Int.random(in: 0..<bytes.count, using: &chance)] ^= 1
        #expect(print(bytes, by: 1 << 20).whole != whole.whole)
    }
}
