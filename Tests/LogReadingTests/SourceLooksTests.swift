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
}
