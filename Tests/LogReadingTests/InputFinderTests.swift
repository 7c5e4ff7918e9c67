import Foundation
import Testing

@testable import LogReading

/// A folder that is removed with its owner.
final class ScratchFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "lifestats-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult
    func write(_ name: String, _ bytes: [UInt8] = Array("Tea[1:2] on\n".utf8)) throws -> String {
        let file = path + "/" + name
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }
}

@Suite("Finding what there is to read")
struct InputFinderTests {
    @Test("a folder is looked through in order; hidden files and folders are left out")
    func folder() throws {
        let folder = try ScratchFolder()
        for name in ["b.log", "a/z.log", "a/c.log", ".hidden", ".git/x.log"] { try folder.write(name) }
        let found = InputFinder.find([folder.path])
        #expect(
            found.sources.map { String($0.path.dropFirst(folder.path.count)) } == ["/a/c.log", "/a/z.log", "/b.log"])
        #expect(found.diagnostics.isEmpty)
    }

    @Test("rotations of one log are one stream, oldest first, whatever the order they are named in")
    func rotations() throws {
        let folder = try ScratchFolder()
        let names = ["app.log", "app.log.1", "app.log.2", "app.log.10", "other.log"]
        let paths = try names.map { try folder.write($0) }
        let found = InputFinder.find(paths.reversed())
        #expect(
            found.sources.map { String($0.path.dropFirst(folder.path.count + 1)) }
                == ["app.log.10", "app.log.2", "app.log.1", "app.log", "other.log"])
        #expect(Set(found.sources.map(\.stream)) == [folder.path + "/app.log", folder.path + "/other.log"])
    }

    @Test(
        "what a file name says about rotation",
        arguments: [
            ("app.log", "app.log", Int64.max), ("app.log.1", "app.log", -1), ("app.log.12.gz", "app.log", -12),
            ("app.log.gz", "app.log", .max), ("app.log-20240131", "app.log", 20_240_131),
            ("app.2024-01-31.log", "app.log", 20_240_131), ("app-2024-01-31.log", "app.log", 20_240_131),
            ("app.log.2024-01-31.xz", "app.log", 20_240_131), ("app-2024.log", "app-2024.log", .max),
            ("iOS-17.log", "iOS-17.log", .max), ("2024-01-31", "2024-01-31", .max),
            ("app.log-20241331", "app.log-20241331", .max),
            ("app.log-2026030110.gz", "app.log", 2_026_030_110),
            (
                "com.acme.app 2026-05-12--07-30-00-125.log", "com.acme.app.log", 20_260_512_073_000_125
            ),
            ("app_2026-05-12_073000.log", "app.log", 20_260_512_073_000_000),
            ("app-2-2026-05-12.log", "app-2.log", 20_260_512), ("app-2026-05-12-7.log", "app-2026-05-12-7.log", .max),
            ("app.log-2026030124", "app.log-2026030124", .max), ("app.log-1709251200", "app.log-1709251200", .max),
        ] as [(String, String, Int64)])
    func names(name: String, stem: String, rank: Int64) {
        let rotation = RotationName(name)
        #expect(rotation.stem == stem)
        #expect(rotation.rank == rank)
    }

    @Test("a loop of links ends, and every file is found once")
    func links() throws {
        let folder = try ScratchFolder()
        try folder.write("in/app.log")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/in/loop", withDestinationPath: folder.path)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/copy.log", withDestinationPath: folder.path + "/in/app.log")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/dangling.log", withDestinationPath: folder.path + "/nothing")
        let found = InputFinder.find([folder.path])
        #expect(found.sources.count == 1)
        #expect(found.isComplete)
        #expect(found.diagnostics.contains { $0.path.hasSuffix("dangling.log") && $0.severity == .warning })
    }

    @Test("a named path that is missing is an error; a pattern finds its files")
    func missing() throws {
        let folder = try ScratchFolder()
        try folder.write("a.log")
        try folder.write("b.txt")
        let found = InputFinder.find([folder.path + "/*.log", folder.path + "/*.none", folder.path + "/no"])
        #expect(found.sources.map(\.path) == [folder.path + "/a.log"])
        #expect(found.diagnostics.map(\.severity) == [.error, .error])
        #expect(!found.isComplete)
    }

    @Test("devices are refused when named; standard input is a source")
    func special() {
        let found = InputFinder.find(["/dev/zero", "-"])
        #expect(found.sources.map(\.path) == ["-"])
        #expect(found.diagnostics.map(\.severity) == [.error])
    }

    @Test("file names that are not UTF-8 are read, spelled with their bytes, and found again by that spelling")
    func bytesOfNames() throws {
        let folder = try ScratchFolder()
        let text = Array("Tea[1:2] on\n".utf8)
        // Latin-1 for "Gr\u{FC}n", a cut-off character, and a name that only looks like a spelling.
        let names: [([UInt8], String)] = [
            (Array("Gr".utf8) + [0xFC] + Array("n.log".utf8), "Gr%FCn.log"),
            (Array("a".utf8) + [0xE2, 0x82] + Array(".log.1".utf8), "a%E2%82.log.1"),
            (Array("100%FC.log".utf8), "100%FC.log"),
        ]
        try FileManager.default.createDirectory(atPath: folder.path + "/in", withIntermediateDirectories: true)
        for (name, _) in names {
            let path = (Array("\(folder.path)/in/".utf8) + name + [0]).map { CChar(bitPattern: $0) }
            let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
            // Some file systems take no such names.
            guard descriptor >= 0 else { return }
            #expect(write(descriptor, text, text.count) == text.count)
            close(descriptor)
        }
        let found = InputFinder.find([folder.path])
        #expect(Set(found.sources.map(\.path)) == Set(names.map { "\(folder.path)/in/\($0.1)" }), "\(found)")
        #expect(found.diagnostics.isEmpty)
        #expect(found.sources.first { $0.path.hasSuffix(".1") }?.stream == folder.path + "/in/a%E2%82.log")
        for (_, name) in names {
            let again = InputFinder.find(["\(folder.path)/in/\(name)"])
            let reader = try SourceReader(try #require(again.sources.first), catalog: try builtInCatalog.get())
            #expect(try reader.next()?.entries.count == 1, "\(name)")
        }
    }
}
