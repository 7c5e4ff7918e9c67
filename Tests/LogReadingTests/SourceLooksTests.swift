import Foundation
import Testing

@testable import LogReading

/// What one look at a source tells is kept: to open a member of an archive may be to read all that stands before it.
@Suite("Looks at sources")
struct SourceLooksTests {
    @Test("a packed log is read once, however many logs it might go on from")
    func readOnce() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("app.log", Array(PackedInputTests.text.utf8))
        let plain = try #require(InputFinder.find([file]).sources.first)
        let whole = try SourceFingerprint.of(plain)
        let half = try SourceFingerprint.prefix(of: plain, length: 5000, options: ReadingOptions())
        let bytes = Array(PackedInputTests.text.utf8.prefix(SourceFingerprint.window))
        guard PackedInputTests.run(["gzip", file], in: folder.path) else { return }
        let source = try #require(InputFinder.find([folder.path]).sources.first)
        let looks = SourceLooks()
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
        #expect(index.places(ofBeginning: Array(text[..<SourceFingerprint.window])) == [0, 1, 3])
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
        let looks = SourceLooks()
        #expect(sources.count == 4)
        #expect(Set(try [0, 1, 3].map { try looks.fingerprint(of: sources[$0]) }).count == 1)
        #expect(try sources.map { try looks.holds($0, allOf: sources[0]) } == [true, false, true, true])
        // What was compared once is known, also by the looks after these.
        for file in ["b.log", "c.log"] { try FileManager.default.removeItem(atPath: folder.path + "/" + file) }
        #expect(try sources[..<3].map { try looks.holds($0, allOf: sources[3]) } == [true, false, true])
        let later = SourceLooks(after: looks)
        #expect(try sources[..<3].map { try later.holds($0, allOf: sources[0]) } == [true, false, true])
    }
}
