import Foundation
import Testing
import TraceRecords

@testable import LogReading

@Suite("Sources that grow, shrink or are replaced")
struct GrowingSourceTests {
    private func append(_ text: String, to file: String) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    private func source(_ file: String) throws -> SourceDescription {
        try #require(InputFinder.find([file]).sources.first)
    }

    /// Entries as the rule of provisional entries leaves them.
    private func follow(_ reader: SourceReader, _ entries: inout [ReadEntry]) throws {
        // What came from lines behind the last position is forgotten when more comes.
        let before = reader.position.counts.lines
        var isFirst = true
        while let batch = try reader.next() {
            if isFirst { entries.removeAll { $0.line > before } }
            isFirst = false
            entries += batch.entries.map {
                ReadEntry(line: $0.line, lines: $0.lineCount, pid: $0.pid, message: batch.text($0.message))
            }
        }
    }

    @Test("another file at the path of the one that was found is not read in its place")
    func replaced() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("app.log", Array("Tea[1:2] one\n".utf8))
        let found = try source(file)
        #expect(try SourceFingerprint.of(found).length == 13)
        let other = try folder.write("other.log", Array("Tea[1:2] another one\n".utf8))
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.moveItem(atPath: other, toPath: file)
        func code(_ body: () throws -> Void) -> ReadingError.Code? {
            do { try body() } catch { return (error as? ReadingError)?.code }
            return nil
        }
        #expect(code { _ = try SourceFingerprint.of(found) } == .changed)
        #expect(code { _ = try SourceReader(found, catalog: LayoutCatalog.builtIn()) } == .changed)
    }

    @Test("the fingerprint grows with what is read, and a file that is cut and written anew meanwhile is noticed")
    func writtenAnew() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("app.log", Array("Tea[1:2] one\n".utf8))
        let reader = try SourceReader(try source(file), catalog: LayoutCatalog.builtIn())
        while try reader.next() != nil {}
        #expect(try reader.fingerprint == SourceFingerprint.of(source(file)) && reader.isStillThere)
        try append("Tea[1:2] two\n", to: file)
        while try reader.next() != nil {}
        #expect(try reader.fingerprint == SourceFingerprint.of(source(file)) && reader.isStillThere)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data("Tea[1:2] three, and many more\n".utf8))
        try handle.close()
        #expect(!reader.isStillThere)
        try folder.write("other.log", Array("Tea[1:2] one\nTea[1:2] two\n".utf8))
        let other = try SourceReader(try source(folder.path + "/other.log"), catalog: LayoutCatalog.builtIn())
        while try other.next() != nil {}
        #expect(truncate(folder.path + "/other.log", 13) == 0 && !other.isStillThere)
    }

    @Test("a reading that goes on from a stored state extends the fingerprint", arguments: [0, 30, 4095, 4096, 9000])
    func resumedFingerprint(length: Int) throws {
        let folder = try ScratchFolder()
        let text = Array((0..<900).map { "Tea[1:2] line \($0)\n" }.joined().utf8)
        let file = try folder.write("app.log", Array(text[..<length]))
        let first = try SourceReader(try source(file), catalog: LayoutCatalog.builtIn())
        while try first.next() != nil {}
        let state = try JSONDecoder().decode(ReadingState.self, from: JSONEncoder().encode(first.state))
        #expect(state == first.state)
        try folder.write("app.log", text)
        let second = try SourceReader(try source(file), catalog: LayoutCatalog.builtIn(), resuming: state)
        while try second.next() != nil {}
        #expect(try second.fingerprint == SourceFingerprint.of(source(file)))
        #expect(second.fingerprint.length == Int64(text.count) && second.endPosition.counts.lines == 900)
    }

    @Test(
        "a file followed while it grows gives what it gives in the end, wherever the writer pauses", arguments: 0..<25)
    func follow(seed: UInt64) throws {
        let folder = try ScratchFolder()
        let file = try folder.write("app.log", [])
        let text =
            "Tea[1:2] one\n  more\nTea[1:2] two\nbare\n\nTea[1:2] three (\n)\nTea[1:2] four\n"
            + "2021-05-04 09:08:07.250 Tea[1:2] five\nfive\nsix\n2021-05-04 09:08:08.250 Tea[1:2] six\n"
        var chance = SeededChance(state: seed)
        let reader = try SourceReader(try source(file), catalog: try builtInCatalog.get())
        var entries: [ReadEntry] = []
        var rest = Substring(text)
        while !rest.isEmpty {
            let count = min(Int.random(in: 1...15, using: &chance), rest.count)
            try append(String(rest.prefix(count)), to: file)
            rest = rest.dropFirst(count)
            try follow(reader, &entries)
        }
        #expect(try reader.next() == nil)
        let whole = try read(text).entries.map {
            ReadEntry(line: $0.line, lines: $0.lines, pid: $0.pid, message: $0.message)
        }
        #expect(entries == whole)
        #expect(reader.endPosition.byteOffset == Int64(text.utf8.count) && reader.endPosition.counts.isBalanced)
    }

    @Test("a fingerprint distinguishes same, grown and replaced")
    func fingerprint() throws {
        let folder = try ScratchFolder()
        let text = (0..<500).map { "Tea[1:2] line \($0)\n" }.joined()
        let file = try folder.write("app.log", Array(text.utf8))
        let before = try SourceFingerprint.of(try source(file))
        #expect(before.length == Int64(text.utf8.count))
        #expect(SourceFingerprint(text: before.text) == before)
        func relation() throws -> SourceFingerprint.Relation {
            let relation = try before.relation(to: try source(file))
            #expect(try FingerprintCache().relation(of: before, to: try source(file)) == relation)
            return relation
        }
        #expect(try relation() == .same)
        try append("Tea[1:2] more\n", to: file)
        #expect(try relation() == .grown)
        var middle = Array(text.utf8)
        middle[6000] ^= 1
        for other in [Array(text.uppercased().utf8), Array(text.utf8.prefix(3000)), middle] {
            try folder.write("app.log", other)
            #expect(try relation() == .replaced)
        }
    }

    @Test("a file that shrinks while it is read ends early")
    func shrinks() throws {
        let folder = try ScratchFolder()
        // More than is looked at before the first line is read.
        let text = (0..<20_000).map { "Tea[1:2] line \($0)\n" }.joined()
        let file = try folder.write("app.log", Array(text.utf8))
        let options = ReadingOptions(chunkBytes: 1000)
        let reader = try SourceReader(try source(file), catalog: try builtInCatalog.get(), options: options)
        _ = try reader.next()
        #expect(truncate(file, 330_000) == 0)
        while try reader.next() != nil {}
        #expect(reader.endPosition.byteOffset == 330_000 && reader.endPosition.counts.isBalanced)
    }

    @Test("metadata far behind the beginning are found, and a log that comes to have them there is told otherwise")
    func lateMetadata() throws {
        let folder = try ScratchFolder()
        let printed = (0..<3000).map { "kettle on \($0)\n" }.joined() + "Type: stdio\n"
        let file = try folder.write("app.log", Array(printed.utf8))
        let before = try SourceBeginning(of: try source(file), options: ReadingOptions())
        let logged =
            "applicationDidBecomeActive\n"
            + "Type: Notice | Timestamp: 2025-05-01 07:30:00.5+02:00 | Process: Tea | Library: L | TID: 0x7\n"
        try append(logged, to: file)
        #expect(try SourceBeginning(of: try source(file), options: ReadingOptions()) != before)
        for chunk in [1000, 256 << 10] {
            let options = ReadingOptions(chunkBytes: chunk)
            let result = try read(Array((printed + logged).utf8), options: options).result
            let last = try #require(result.entries.last)
            #expect(last.time == "2025-05-01T05:30:00.5Z" && last.process == "Tea", "\(chunk)")
            #expect(last.message == "applicationDidBecomeActive" && result.entries.count == 3001)
            #expect(result.bytes == Int64((printed + logged).utf8.count) && result.counts.isBalanced)
        }
    }

    @Test("a pipe is read as it comes, and to its end")
    func pipe() throws {
        let folder = try ScratchFolder()
        let file = folder.path + "/pipe"
        #expect(mkfifo(file, 0o600) == 0)
        let text = (0..<3000).map { "Tea[1:2] line \($0)\n" }.joined()
        let writer = Thread {
            guard let handle = FileHandle(forWritingAtPath: file) else { return }
            handle.write(Data(text.utf8))
            try? handle.close()
        }
        writer.start()
        let reader = try SourceReader(try source(file), catalog: try builtInCatalog.get())
        var count = 0
        while let batch = try reader.next() { count += batch.entries.count }
        #expect(count == 3000)
    }

    @Test("a silent pipe gives the lines that are complete; what follows completes the last one")
    func patience() throws {
        let ends = Pipe()
        let out = ends.fileHandleForWriting
        let stream = FileStream(descriptor: ends.fileHandleForReading.fileDescriptor, path: "-")
        out.write(Data("Tea[1:2] one\nTea[1:2] tw".utf8))
        let options = ReadingOptions(patience: 0)
        let reader = try SourceReader(stream, catalog: try builtInCatalog.get(), options: options)
        func messages() throws -> [String] {
            var messages: [String] = []
            while let batch = try reader.next() { messages += batch.entries.map { batch.text($0.message) } }
            return messages
        }
        #expect(try messages() == ["one"] && !reader.hasEnded)
        #expect(try messages() == [])
        out.write(Data("o\n  more\n".utf8))
        #expect(try messages() == ["two\n  more"])
        try out.close()
        #expect(try reader.next() == nil && reader.hasEnded)
    }

    @Test("a rotation beside several files of one log is found once")
    func rotationBesideSeveral() throws {
        let folder = try ScratchFolder()
        let paths = ["app.log.1", "app.log.2"].map { folder.path + "/" + $0 }
        for name in ["app.log.1", "app.log.2"] { try folder.write(name) }
        let watch = RotationWatch(paths, options: ReadingOptions())
        try folder.write("app.log")
        var found = InputFinder.find(paths)
        watch.addRotations(to: &found)
        #expect(found.sources.map(\.path) == ["app.log.2", "app.log.1", "app.log"].map { folder.path + "/" + $0 })
    }
}
