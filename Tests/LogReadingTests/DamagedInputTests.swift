import Foundation
import Testing

@testable import LogReading

@Suite("Compressed files that are damaged or cut off")
struct DamagedInputTests {
    /// A log of which no two lines are alike, so that it is compressed line by line.
    private static func log(_ count: Int, seed: UInt64 = 5) -> [String] {
        var chance = SeededChance(state: seed)
        return (0..<count).map { "2021-05-04 09:08:10.250 Tea[512:1f03] \($0) \(chance.next())\n" }
    }

    /// What is read of a file: messages, without those that the damage cut, and the failure.
    private func read(_ file: String) throws -> (messages: [String], error: ReadingError?, reader: SourceReader?) {
        guard let source = InputFinder.find([file]).sources.first else { return ([], nil, nil) }
        let reader = try SourceReader(source, catalog: try builtInCatalog.get())
        var messages: [String] = []
        do throws(ReadingError) {
            while let batch = try reader.next() { messages += batch.entries.map { batch.text($0.message) } }
        } catch {
            return (messages, error, reader)
        }
        return (messages, nil, reader)
    }

    private func compressed(_ text: String, by tool: String, in folder: ScratchFolder) throws -> [UInt8]? {
        try folder.write("\(tool).log", Array(text.utf8))
        guard PackedInputTests.run([tool, "-k", "\(tool).log"], in: folder.path) else { return nil }
        let suffix = ["gzip": "gz", "bzip2": "bz2"][tool] ?? tool
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(tool).log.\(suffix)")))
    }

    @Test("a gzip file that is cut gives what gzip itself gets out of it, then the damage")
    func cut() throws {
        let folder = try ScratchFolder()
        let lines = Self.log(20_000)
        guard let bytes = try compressed(lines.joined(), by: "gzip", in: folder) else { return }
        let file = try folder.write("cut.log.gz", Array(bytes.prefix(bytes.count / 2)))
        guard PackedInputTests.run(["sh", "-c", "gzip -dc cut.log.gz > rest; true"], in: folder.path) else { return }
        let rest = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path + "/rest")))
        let (messages, error, reader) = try read(file)
        let position = try #require(reader).endPosition
        #expect(error?.code == .damaged && error?.path == file)
        #expect(rest.count > 500_000 && position.byteOffset == Int64(rest.count))
        #expect(position.counts.isBalanced && position.counts.lines == Int64(rest.count { $0 == 0x0A } + 1))
        #expect(zip(messages.dropLast(), lines).allSatisfy { $1.hasSuffix("] \($0)\n") })
        let source = try #require(InputFinder.find([file]).sources.first)
        let explanation = try FormatExplanation.explain(source, catalog: try builtInCatalog.get())
        #expect(explanation.damage == error?.message && explanation.counts == position.counts)
    }

    @Test("where nothing stands before the cut, nothing is said to be kept", arguments: ["gzip", "bzip2", "xz"])
    func nothingBefore(tool: String) throws {
        let folder = try ScratchFolder()
        guard let bytes = try compressed(Self.log(20_000).joined(), by: tool, in: folder) else { return }
        for (length, isKept) in [(14, false), (bytes.count * 3 / 4, true)] {
            let file = try folder.write("cut\(length)", Array(bytes.prefix(length)))
            let found = InputFinder.find([file])
            let message = try found.diagnostics.first?.message ?? #require(try read(file).error?.message)
            #expect(message.contains("is kept") == isKept && message.contains("nothing before") != isKept, "\(message)")
        }
    }

    @Test("a small gzip file, cut at any byte, loses no whole line that is in it")
    func cutAnywhere() throws {
        let folder = try ScratchFolder()
        let lines = Self.log(12)
        let messages = lines.map { String($0.dropFirst(38).dropLast()) }
        guard let bytes = try compressed(lines.joined(), by: "gzip", in: folder) else { return }
        var before = 0
        for length in 20..<bytes.count {
            let file = try folder.write("cut.log.gz", Array(bytes.prefix(length)))
            let found = try read(file)
            // Each byte that is there adds what it says: the lines grow with the file, up to all of them.
            let whole = found.messages.count { messages.contains($0) }
            #expect(Array(found.messages.prefix(whole)) == Array(messages.prefix(whole)) && whole >= before)
            #expect(found.messages.count <= whole + 1)
            #expect(found.messages.isEmpty || found.error?.code == .damaged, "cut at \(length)")
            before = whole
        }
        #expect(before == lines.count)
    }

    @Test("a damaged byte costs no line before it", arguments: 0..<40)
    func damagedByte(seed: UInt64) throws {
        let folder = try ScratchFolder()
        let first = Self.log(300)
        guard let bytes = try compressed(first.joined(), by: "gzip", in: folder) else { return }
        var chance = SeededChance(state: seed)
        let place = Int.random(in: 2..<bytes.count, using: &chance)
        var damaged = bytes
        damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &chance)
        let sound = try read(try folder.write("sound.log.gz", Array(bytes.prefix(place)))).messages.dropLast()
        let found = try read(try folder.write("damaged.log.gz", damaged))
        #expect(Array(found.messages.prefix(sound.count)) == Array(sound))
        if let reader = found.reader { #expect(reader.endPosition.counts.isBalanced) }
        // The name and the time in the header are no part of the data.
        #expect(found.error?.code == .damaged || place < 25)
    }

    @Test("several gzip files one behind the other are one log; zeros behind them say nothing")
    func members() throws {
        let folder = try ScratchFolder()
        let lines = Self.log(30)
        guard let bytes = try compressed(lines.joined(), by: "gzip", in: folder) else { return }
        let found = try read(try folder.write("twice.log.gz", bytes + bytes + Array(repeating: 0, count: 700)))
        #expect(found.error == nil && found.messages.count == 60)
        let rubbish = try read(try folder.write("more.log.gz", bytes + Array("no gzip".utf8)))
        #expect(rubbish.messages.count == 30 && rubbish.error?.code == .damaged)
    }

    @Test("an archive that is cut keeps its members before the cut, and the beginning of the one that is cut")
    func archive() throws {
        let folder = try ScratchFolder()
        let lines = Self.log(400)
        try folder.write("in/a.log", Array(lines.joined().utf8))
        try folder.write("in/b.log", Array(lines.joined().utf8))
        guard PackedInputTests.run(["tar", "czf", "all.tgz", "in/a.log", "in/b.log"], in: folder.path) else { return }
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path + "/all.tgz")))
        // The second member repeats the first, so that its bytes are few: cut in it.
        let file = try folder.write("cut.tgz", Array(bytes.prefix(bytes.count - 200)))
        let found = InputFinder.find([file])
        #expect(found.sources.map(\.path) == ["\(file)!/in/a.log", "\(file)!/in/b.log"])
        #expect(try read("\(file)!/in/a.log").messages.count == 400)
        let second = try read("\(file)!/in/b.log")
        #expect(second.error?.code == .damaged && second.messages.count > 100)
    }

    @Test("other compressions lose at most a block, and say so", arguments: ["xz", "bzip2", "zstd"])
    func others(tool: String) throws {
        let folder = try ScratchFolder()
        let lines = Self.log(20_000)
        try folder.write("app.log", Array(lines.joined().utf8))
        guard PackedInputTests.run([tool, "-q", "-k", "app.log"], in: folder.path) else { return }
        let suffix = ["xz": "xz", "bzip2": "bz2", "zstd": "zst"][tool] ?? tool
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/app.log.\(suffix)")))
        let file = try folder.write("cut.log.\(suffix)", Array(whole.prefix(whole.count * 9 / 10)))
        let (messages, error, reader) = try read(file)
        #expect(error?.code == .damaged && error?.message.contains("except for the block") == true)
        #expect(messages.count > 9000)
        #expect(zip(messages.dropLast(), lines).allSatisfy { $1.hasSuffix("] \($0)\n") })
        #expect(try #require(reader).endPosition.counts.isBalanced)
    }
}
