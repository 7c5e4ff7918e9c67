import Foundation
import Testing

@testable import LogReading

@Suite("Compressed files and archives")
struct PackedInputTests {
    static let text = (0..<200).map { "2021-05-04 09:08:\(10 + $0 % 50).250 Tea[512:1f03] line \($0)\n" }.joined()

    /// Runs a tool in a folder; false when it is not there.
    @discardableResult
    static func run(_ arguments: [String], in folder: String) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardError = nil
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private func messages(_ source: SourceDescription) throws -> [String] {
        let reader = try SourceReader(source, catalog: try builtInCatalog.get())
        var result: [String] = []
        while let batch = try reader.next() { result += batch.entries.map { batch.text($0.message) } }
        return result
    }

    @Test("a compressed log reads as the log itself", arguments: ["gzip", "bzip2", "xz", "zstd"])
    func compressed(tool: String) throws {
        let folder = try ScratchFolder()
        try folder.write("app.log", Array(Self.text.utf8))
        let arguments = tool == "zstd" ? ["zstd", "-q", "--rm", "app.log"] : [tool, "app.log"]
        guard Self.run(arguments, in: folder.path) else { return }
        let found = InputFinder.find([folder.path])
        let source = try #require(found.sources.first)
        #expect(source.stream == folder.path + "/app.log" && !source.isSeekable)
        #expect(try messages(source) == (0..<200).map { "line \($0)" })
        #expect(try SourceFingerprint.of(source).length == Int64(Self.text.utf8.count))
    }

    @Test("a log and its compressed rotation have the same fingerprint")
    func sameContent() throws {
        let folder = try ScratchFolder()
        let plain = try folder.write("app.log", Array(Self.text.utf8))
        try folder.write("copy/app.log.1", Array(Self.text.utf8))
        guard Self.run(["gzip", "copy/app.log.1"], in: folder.path) else { return }
        let sources = InputFinder.find([plain, folder.path + "/copy"]).sources
        #expect(Set(try sources.map { try SourceFingerprint.of($0) }).count == 1)
    }

    @Test(
        "the text files of an archive are sources; binaries and hidden files are left out", arguments: ["tar", "tgz"])
    func archive(kind: String) throws {
        let folder = try ScratchFolder()
        try folder.write("in/logs/app.log", Array(Self.text.utf8))
        try folder.write("in/logs/app.log.1")
        try folder.write("in/logs/.hidden.log")
        try folder.write("in/logs/image.bin", (0..<2000).map { UInt8(truncatingIfNeeded: $0 * 7) })
        guard Self.run(["tar", kind == "tgz" ? "czf" : "cf", "all.\(kind)", "in"], in: folder.path) else { return }
        let found = InputFinder.find([folder.path + "/all.\(kind)"])
        let archive = folder.path + "/all.\(kind)!/in/logs/"
        #expect(found.sources.map(\.path) == [archive + "app.log.1", archive + "app.log"])
        #expect(Set(found.sources.map(\.stream)) == [archive + "app.log"])
        #expect(try found.sources.map { try messages($0).count } == [1, 200])
        #expect(InputFinder.find([archive + "app.log"]).sources == [found.sources[1]])
        #expect(!InputFinder.find([archive + "none.log"]).isComplete)
    }

    @Test(
        "compressed files and archives inside archives are read where they stand; hidden files, links, binaries are not"
    )
    func nested() throws {
        let folder = try ScratchFolder()
        func lines(_ name: String) -> [UInt8] { Array((0..<3).map { "Tea[1:2] \(name) \($0)\n" }.joined().utf8) }
        for name in ["a", "b", "c"] { try folder.write("in/inner/logs/\(name).log", lines(name)) }
        try folder.write("in/inner/logs/old.log.1", lines("old"))
        try folder.write("in/app.log", lines("app"))
        try folder.write("in/app.log.1", lines("app.1"))
        try folder.write("in/Powerlog.PLSQL", (0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 37) })
        try folder.write("in/Info.plist", lines("plist"))
        try folder.write("in/cut.log.gz", [0x1F, 0x8B, 8, 0, 1, 2, 3])
        for command in [
            ["gzip", "inner/logs/old.log.1"], ["tar", "czf", "inner.tar.gz", "inner"], ["rm", "-r", "inner"],
            ["gzip", "app.log.1"], ["ln", "-s", "app.log", "link.log"],
        ] { guard Self.run(command, in: folder.path + "/in") else { return } }
        guard Self.run(["tar", "czf", "sysdiagnose.tar.gz", "in"], in: folder.path) else { return }
        let found = InputFinder.find([folder.path + "/sysdiagnose.tar.gz"])
        let archive = folder.path + "/sysdiagnose.tar.gz!/in/"
        let logs = archive + "inner.tar.gz!/inner/logs/"
        #expect(
            Set(found.sources.map(\.path)) == [
                archive + "app.log", archive + "app.log.1.gz", logs + "a.log", logs + "b.log", logs + "c.log",
                logs + "old.log.1.gz",
            ])
        #expect(found.sources.filter { $0.stream == archive + "app.log" }.map(\.rank) == [-1, Int64.max])
        #expect(
            Set(found.diagnostics.map(\.path)) == [
                archive + "cut.log.gz", archive + "Powerlog.PLSQL", archive + "Info.plist",
            ])
        #expect(InputFinder.find([archive + "Info.plist"]).sources.map(\.path) == [archive + "Info.plist"])
        #expect(!found.isComplete)
        for sources in [found.sources, found.sources.reversed(), found.sources.shuffled()] {
            for source in sources {
                let name = source.path.dropFirst(
                    (source.path.lastIndex(of: "/")?.utf16Offset(in: source.path) ?? 0) + 1)
                let stem = name.replacing(".log", with: "").replacing(".gz", with: "")
                let expected = (0..<3).map { "\(stem == "old.1" ? "old" : stem) \($0)" }
                #expect(try messages(source) == expected, "\(source.path)")
            }
        }
        #expect(InputFinder.find([logs + "b.log"]).sources.map(\.path) == [logs + "b.log"])
    }

    @Test("what is packed too often is said, not read")
    func tooDeep() throws {
        let folder = try ScratchFolder()
        try folder.write("0.tar", Array(Self.text.utf8))
        for depth in 1...4 {
            guard Self.run(["tar", "cf", "\(depth).tar", "\(depth - 1).tar"], in: folder.path) else { return }
        }
        let limited = ReadingOptions(archiveLimits: ArchiveLimits(depth: 3))
        #expect(InputFinder.find([folder.path + "/3.tar"], options: limited).sources.count == 1)
        let found = InputFinder.find([folder.path + "/4.tar"], options: limited)
        #expect(found.sources.isEmpty && found.diagnostics.contains { $0.message.contains("more than 3 levels") })
    }

    @Test("members are read front to back, and again, whatever was read before")
    func manyMembers() throws {
        let folder = try ScratchFolder()
        for number in 10..<40 { try folder.write("in/\(number).log", Array("Tea[1:2] member \(number)\n".utf8)) }
        guard Self.run(["tar", "czf", "all.tgz", "in"], in: folder.path) else { return }
        let sources = InputFinder.find([folder.path + "/all.tgz"]).sources
        let indices = sources.map { source -> Int in
            guard case .member(_, let place) = source.location else { return -1 }
            return place[0]
        }
        #expect(indices == indices.sorted() && sources.count == 30)
        func expected(_ source: SourceDescription) -> [String] { ["member \(source.path.suffix(6).prefix(2))"] }
        for source in sources { #expect(try messages(source) == expected(source)) }
        for source in sources.reversed() { #expect(try messages(source) == expected(source)) }
        for source in sources.shuffled() { #expect(try messages(source) == expected(source)) }
    }

    @Test("a bomb is stopped")
    func bomb() throws {
        let folder = try ScratchFolder()
        try folder.write("app.log", Array(repeating: UInt8(ascii: "x"), count: 4 << 20))
        guard Self.run(["bzip2", "app.log"], in: folder.path) else { return }
        let source = try #require(InputFinder.find([folder.path]).sources.first)
        let options = ReadingOptions(archiveLimits: ArchiveLimits(ratio: 100, floor: 1 << 20))
        let reader = try SourceReader(source, catalog: try builtInCatalog.get(), options: options)
        let error = #expect(throws: ReadingError.self) { while try reader.next() != nil {} }
        #expect(error?.code == .tooLarge)
    }

    @Test("the members of an archive may not expand beyond all measure together, however they are packed and read")
    func bombOfMembers() throws {
        let folder = try ScratchFolder()
        for number in 10..<20 {
            try folder.write("in/\(number).log", Array(repeating: UInt8(ascii: "x"), count: 1 << 20))
        }
        guard Self.run(["sh", "-c", "bzip2 in/*.log && tar cf all.tar in"], in: folder.path) else { return }
        let room = Int64(4 << 20) + 4096
        let options = ReadingOptions(archiveLimits: ArchiveLimits(wholeRatio: 1, wholeFloor: room))
        func failures(_ sources: [SourceDescription]) -> [Int] {
            sources.indices.filter { index in
                do throws(ReadingError) {
                    _ = try SourceFingerprint.of(sources[index], options: options)
                    return false
                } catch {
                    #expect(error.code == .tooLarge && error.message.contains("archive bomb"))
                    return true
                }
            }
        }
        let sources = InputFinder.find([folder.path + "/all.tar"], options: options).sources
        #expect(failures(sources) == Array(4..<10))
        // What was read is read again.
        #expect(failures(sources) == Array(4..<10))
        let others = InputFinder.find([folder.path + "/all.tar"], options: options).sources
        #expect(failures(others.reversed()) == Array(4..<10))
        #expect(failures(InputFinder.find([folder.path + "/all.tar"]).sources) == [])
    }

    @Test("what is passed over in an archive may not expand beyond all measure either", arguments: ["gzip", "bzip2"])
    func bombPassedOver(tool: String) throws {
        let folder = try ScratchFolder()
        try folder.write("in/a.log", Array("2024-03-09 07:30:00.5 Tea[1:2] one\n".utf8))
        try folder.write("in/b.bin", [UInt8](repeating: 0, count: 4 << 20))
        try folder.write("in/c.log", Array("2024-03-09 07:31:00.5 Tea[1:2] two\n".utf8))
        let pack = "tar cf - in/a.log in/b.bin in/c.log | \(tool) > all.tar.z"
        guard Self.run(["sh", "-c", pack], in: folder.path) else { return }
        let archive = folder.path + "/all.tar.z"
        let options = ReadingOptions(archiveLimits: ArchiveLimits(wholeFloor: 2 << 20))
        let found = InputFinder.find([archive], options: options)
        #expect(found.sources.map(\.path) == [archive + "!/in/a.log"])
        #expect(
            found.diagnostics.map(\.message).contains {
                $0.hasPrefix("its content expands to more than 500 times its size: it looks like an archive bomb")
            }, "\(found.diagnostics)")
        #expect(InputFinder.find([archive]).sources.count == 2)
    }

    @Test("what is passed over counts together at every depth, and not by the order of the members")
    func bombsPassedOver() throws {
        let folder = try ScratchFolder()
        try folder.write("in/a.log", Array("2024-03-09 07:30:00.5 Tea[1:2] one\n".utf8))
        try folder.write("in/b.bin", [UInt8](repeating: 0, count: 1 << 20))
        try folder.write("in/z.log", Array("2024-03-09 07:31:00.5 Tea[1:2] two\n".utf8))
        let pack = "for i in 1 2 3 4; do tar czf in/$i.tgz in/b.bin; done; tar czf all.tgz in/a.log in/?.tgz in/z.log"
        guard Self.run(["sh", "-c", pack], in: folder.path) else { return }
        func bombs(_ floor: Int64) -> Int {
            let options = ReadingOptions(archiveLimits: ArchiveLimits(wholeRatio: 1, wholeFloor: floor))
            let found = InputFinder.find([folder.path + "/all.tgz"], options: options)
            return found.diagnostics.count { $0.message.contains("archive bomb") }
        }
        // Of four times 1 MiB three are too many, and what comes behind them is not decompressed: that is told once.
        #expect(bombs(5 << 19) == 1)
        #expect(bombs(5 << 20) == 0)
        // By the size of the whole file, not by how much of it was read when the zeros came.
        try folder.write("in/y.log", (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7 | 1) })
        let order = "tar czf all.tgz in/a.log in/b.bin in/z.log in/y.log"
        guard Self.run(["sh", "-c", order], in: folder.path) else { return }
        let size = try FileManager.default.attributesOfItem(atPath: folder.path + "/all.tgz")[.size] as? Int64 ?? 0
        let options = ReadingOptions(archiveLimits: ArchiveLimits(wholeRatio: (2 << 20) / size, wholeFloor: 1))
        #expect(InputFinder.find([folder.path + "/all.tgz"], options: options).sources.count >= 2)
    }

    @Test("of compressed files without text the truth is told", arguments: [1, 2, 3])
    func nothingInside(times: Int) throws {
        let folder = try ScratchFolder()
        try folder.write("zeros", [UInt8](repeating: 0, count: 100_000))
        try folder.write("nothing", [])
        for tool in ["gzip", "bzip2"] {
            let pipe = Array(repeating: tool, count: times).joined(separator: " | ")
            guard Self.run(["sh", "-c", "for i in zeros nothing; do \(pipe) < $i > $i.log.z; done"], in: folder.path)
            else { return }
            let zeros = InputFinder.find([folder.path + "/zeros.log.z"])
            #expect(zeros.sources.isEmpty && zeros.diagnostics.count == 1)
            #expect(zeros.diagnostics.allSatisfy { $0.message.contains("binary data") }, "\(zeros.diagnostics)")
            let nothing = InputFinder.find([folder.path + "/nothing.log.z"])
            #expect(nothing.sources.isEmpty && nothing.diagnostics.count == 1)
            #expect(nothing.diagnostics.allSatisfy { $0.message == "is compressed, and empty" })
        }
    }

    @Test("member names that lead outside are only names")
    func traversal() throws {
        let folder = try ScratchFolder()
        try folder.write("in/app.log")
        try folder.write("work/keep")
        guard Self.run(["tar", "cPf", "../evil.tar", "../in/app.log"], in: folder.path + "/work") else { return }
        let found = InputFinder.find([folder.path + "/evil.tar"])
        #expect(found.sources.map(\.path) == [folder.path + "/evil.tar!/in/app.log"])
        #expect(try messages(try #require(found.sources.first)) == ["on"])
    }

    @Test("binary files are an error when named, and left out inside a folder")
    func binary() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("a.bin", (0..<4000).map { UInt8(truncatingIfNeeded: $0 &* 37) })
        #expect(!InputFinder.find([file]).isComplete)
        let found = InputFinder.find([folder.path])
        #expect(found.sources.isEmpty && found.isComplete && found.diagnostics.count == 1)
    }
}
