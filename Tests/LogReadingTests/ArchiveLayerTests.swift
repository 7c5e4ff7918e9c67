import Foundation
import Testing

@testable import LogReading

/// What lies inside each other is undone layer by layer, each within its limits; and what was passed over is read later.
@Suite("Layers of compressed files and archives")
struct ArchiveLayerTests {
    private static let line = "2024-03-09 07:30:00.5 Tea[1:2] one\n"

    /// The file that a script of Python leaves at `path`; `nil` where there is no Python.
    private func made(_ script: String, in folder: ScratchFolder) -> String? {
        let python = """
            import bz2, gzip, io, os, struct, tarfile, zipfile
            line = b'\(Self.line.dropLast())\\n'
            def tar(members, mode='w', file=None):
                with tarfile.open('packed', mode, fileobj=file) as tape:
                    for name, text in members:
                        info = tarfile.TarInfo(name); info.size = len(text)
                        tape.addfile(info, io.BytesIO(text))
            def zipped(names, text):
                bytes = io.BytesIO()
                with zipfile.ZipFile(bytes, 'w', zipfile.ZIP_DEFLATED) as zip:
                    for name in names: zip.writestr(name, text)
                return bytearray(bytes.getvalue())

            """
        guard PackedInputTests.run(["python3", "--version"], in: folder.path) else { return nil }
        #expect(PackedInputTests.run(["python3", "-c", python + script], in: folder.path), "\(script)")
        return folder.path + "/packed"
    }

    /// Limits of 1 MiB in all.
    private static let small = ReadingOptions(archiveLimits: ArchiveLimits(wholeFloor: 1 << 20))

    /// What the person is told of a file when it is found, and when it is read.
    private func messages(of file: String, options: ReadingOptions) throws -> [String] {
        let found = InputFinder.find([file], options: options)
        var messages = found.diagnostics.map(\.message)
        for source in found.sources {
            let error = #expect(throws: ReadingError.self) {
                let reader = try SourceReader(source, catalog: try builtInCatalog.get(), options: options)
                while try reader.next() != nil {}
            }
            messages += [error?.message ?? ""]
        }
        return messages
    }

    @Test(
        "a layer that takes much and gives nothing is a bomb",
        arguments: [
            // NUL bytes behind a gzip file
            "inside = gzip.compress(line) + bytes(16 << 20)",
            // frames that zstd skips, behind an empty one
            "inside = bytes.fromhex('28b52ffd2400010000 99e9d851'.replace(' ', '')) "
                + "+ (struct.pack('<II', 0x184D2A50, 1 << 20) + bytes(1 << 20)) * 16",
        ])
    func silentLayers(inside: String) throws {
        let folder = try ScratchFolder()
        guard let file = made("\(inside)\nopen('packed', 'wb').write(bz2.compress(inside))", in: folder) else { return }
        let messages = try messages(of: file, options: Self.small)
        #expect(messages.contains { $0.contains("archive bomb") }, "\(messages)")
    }

    @Test("what a zip archive inside another one expands to while it is passed over counts as well")
    func zipPassedOver() throws {
        let folder = try ScratchFolder()
        let script = """
            class Pipe(io.RawIOBase):
                def __init__(self): self.bytes = bytearray()
                def writable(self): return True
                def write(self, more): self.bytes += more; return len(more)
            pipe = Pipe()
            with zipfile.ZipFile(pipe, 'w', zipfile.ZIP_DEFLATED) as zip:
                zip.writestr('a.log', line); zip.writestr('b.bin', bytes(16 << 20)); zip.writestr('c.log', line)
            tar([('in.zip', bytes(pipe.bytes))])
            """
        guard let file = made(script, in: folder) else { return }
        let found = InputFinder.find([file], options: Self.small)
        #expect(found.diagnostics.contains { $0.message.contains("archive bomb") }, "\(found)")
        #expect(InputFinder.find([file]).sources.count == 2)
    }

    @Test("a changed byte of a compressed archive is told, although the archive itself knows no sums")
    func changedByte() throws {
        let folder = try ScratchFolder()
        let script = """
            tape = io.BytesIO()
            tar([('a.log', line)], file=tape)
            bytes = bytearray(gzip.compress(tape.getvalue(), 0))
            bytes[bytes.index(b'07:30')] ^= 1
            open('packed', 'wb').write(bytes)
            """
        guard let file = made(script, in: folder) else { return }
        let found = InputFinder.find([folder.path])
        #expect(found.sources.map(\.path) == [file + "!/a.log"])
        #expect(!found.isComplete)
        #expect(found.diagnostics.map(\.message).contains { $0.contains("incorrect data check") }, "\(found)")
    }

    @Test(
        "what begins as an archive or a compressed file and cannot be read is damaged",
        arguments: [
            "tarfile.open('packed', 'w').close(); bytes = bytearray(512); bytes[257:262] = b'ustar'; bytes[0:1] = b'a'",
            "bytes = bytearray(bz2.compress(line)); bytes[3] = 120",
            "bytes = bytearray(bz2.compress(line)); bytes += b'BZhx and more'",
        ])
    func damagedBeginning(script: String) throws {
        let folder = try ScratchFolder()
        guard let file = made(script + "\nopen('packed', 'wb').write(bytes)", in: folder) else { return }
        let messages = try messages(of: file, options: ReadingOptions())
        #expect(messages.contains { $0.contains("damaged") }, "\(messages)")
    }

    @Test("a member with a name that no system would allow is left out, and the person is told")
    func longNames() throws {
        let folder = try ScratchFolder()
        let script = "tar([(name, line) for name in ['x' * 5000 + '.log', 'y' * 5000 + '.log', 'a.log']])"
        guard let file = made(script, in: folder) else { return }
        let found = InputFinder.find([file])
        #expect(found.sources.map(\.path) == [file + "!/a.log"])
        #expect(
            found.diagnostics.map(\.description) == [
                "\(file)!/\(String(repeating: "x", count: 40))…: its name is longer than 4096 bytes; left out, with 1 more "
                    + "of the archive"
            ])
    }

    @Test("members are read in any order, whatever was passed over before", arguments: ["w", "w:gz", "w:xz"])
    func anyOrder(mode: String) throws {
        let folder = try ScratchFolder()
        let script = "tar([(f'{number}.log', line * (number * 40 + 1)) for number in range(20)], '\(mode)')"
        guard let file = made(script, in: folder) else { return }
        let sources = InputFinder.find([file]).sources
        #expect(sources.count == 20)
        func number(_ source: SourceDescription) -> Int64 {
            Int64(source.path.split(separator: "/").last?.dropLast(4) ?? "") ?? -1
        }
        var chance = SeededChance(state: 7)
        for order in [sources, sources.reversed(), sources.shuffled(using: &chance)] {
            for source in order { #expect(try lines(of: source) == number(source) * 40 + 1, "\(source.path)") }
        }
    }

    @Test("zeros behind what is compressed fill the last block of a tape; other bytes are damage, and told as such")
    func tapes() throws {
        let folder = try ScratchFolder()
        guard let file = made("open('packed', 'wb').write(bz2.compress(line) + bytes(100_000))", in: folder) else {
            return
        }
        let source = try #require(InputFinder.find([file]).sources.first)
        #expect(try lines(of: source) == 1)
        guard made("open('packed', 'wb').write(bz2.compress(line) + bytes(9) + b'x')", in: folder) != nil else {
            return
        }
        let messages = try messages(of: file, options: ReadingOptions())
        #expect(messages.contains { $0.contains("The text before it is kept") }, "\(messages)")
    }

    @Test("a member that cannot be read, wanted or not, costs no other one")
    func unreadableMember() throws {
        let folder = try ScratchFolder()
        let script = """
            bytes = zipped(['.hidden', 'secret.txt', 'app.log', 'app.log.1', 'app.log.2'], line * 9)
            # Two of them say that they are encrypted.
            for name in [b'.hidden', b'secret.txt']:
                bytes[bytes.index(name) - 24] |= 1
                bytes[bytes.rindex(name) - 38] |= 1
            open('packed', 'wb').write(bytes)
            """
        guard let file = made(script, in: folder) else { return }
        let found = InputFinder.find([file])
        #expect(found.sources.map(\.path) == [".2", ".1", ""].map { file + "!/app.log" + $0 })
        #expect(found.diagnostics.map(\.path) == [file + "!/secret.txt"], "\(found.diagnostics)")
        #expect(found.diagnostics.allSatisfy { $0.message.contains("it is encrypted") }, "\(found.diagnostics)")
        #expect(!found.isComplete)
        for _ in 0..<2 {
            for source in found.sources { #expect(try lines(of: source) == 9) }
        }
    }

    @Test("no two members get the same path")
    func paths() throws {
        let folder = try ScratchFolder()
        let script =
            "tar([(name, line) for name in ['a.log', 'b.log#2', 'a.log', 'a.log#2', 'b.log', 'b.log', 'a.log']])"
        guard let file = made(script, in: folder) else { return }
        let paths = InputFinder.find([file]).sources.map { String($0.path.dropFirst(file.utf8.count + 2)) }
        #expect(
            Set(paths) == ["a.log", "b.log#2", "a.log#2", "a.log#2#2", "b.log", "b.log#3", "a.log#3"], "\(paths)")
        #expect(paths.count == 7)
    }

    private func lines(of source: SourceDescription) throws -> Int64 {
        let reader = try SourceReader(source, catalog: try builtInCatalog.get())
        while try reader.next() != nil {}
        return reader.endPosition.counts.lines
    }

    @Test("another name of a hidden member is told of, that of one that is read is not")
    func links() throws {
        let folder = try ScratchFolder()
        let script = """
            with tarfile.open('packed', 'w') as tape:
                for name in ['.spool/x', 'a.log']:
                    info = tarfile.TarInfo(name); info.size = len(line)
                    tape.addfile(info, io.BytesIO(line))
                for name, target in [('x.log', '.spool/x'), ('b.log', './a.log')]:
                    info = tarfile.TarInfo(name); info.type = tarfile.LNKTYPE; info.linkname = target
                    tape.addfile(info)
            """
        guard let file = made(script, in: folder) else { return }
        let found = InputFinder.find([file])
        #expect(found.sources.map(\.path) == [file + "!/a.log"])
        #expect(found.diagnostics.map(\.path) == [file + "!/x.log"], "\(found.diagnostics)")
    }

    @Test("a wrong sum of one member costs no line, and is told")
    func wrongSum() throws {
        let folder = try ScratchFolder()
        let script = """
            bytes = zipped(['a.log', 'b.log'], line * 9)
            bytes[bytes.index(b'a.log') - 16] ^= 1
            bytes[bytes.rindex(b'a.log') - 30] ^= 1
            open('packed', 'wb').write(bytes)
            """
        guard let file = made(script, in: folder) else { return }
        let found = InputFinder.find([file])
        #expect(found.sources.count == 2 && found.isComplete, "\(found.diagnostics)")
        for source in found.sources {
            let reader = try SourceReader(source, catalog: try builtInCatalog.get())
            let error = catching { while try reader.next() != nil {} }
            #expect(reader.endPosition.counts.lines == 9)
            #expect(error?.message.contains("some of it may be wrong") == (source.path.hasSuffix("a.log") ? true : nil))
        }
    }

    private func catching(_ body: () throws -> Void) -> ReadingError? {
        do { try body() } catch { return error as? ReadingError }
        return nil
    }

    @Test(
        "a log with a gap of NUL bytes in front, as one has that was emptied while it was written to, is read",
        arguments: ["gzip.compress", "bz2.compress", "lzma.compress"])
    func gap(compress: String) throws {
        let folder = try ScratchFolder()
        let script = "import lzma\nopen('packed', 'wb').write(\(compress)(bytes(600_000) + line * 9))"
        guard let file = made(script, in: folder) else { return }
        let found = InputFinder.find([file])
        #expect(try found.sources.map(lines) == [9], "\(found.diagnostics)")
    }

    @Test("an archive without a mark, as tar wrote them before 1988, is read member by member")
    func oldTape() throws {
        let folder = try ScratchFolder()
        let script = """
            tape = io.BytesIO(); tar([('a.log.1', line), ('a.log', line * 2)], file=tape)
            bytes = bytearray(tape.getvalue())
            for start in [0, 1024]:
                bytes[start + 257:start + 345] = b'\\0' * 88
                bytes[start + 148:start + 156] = b' ' * 8
                bytes[start + 148:start + 156] = b'%06o\\0 ' % sum(bytes[start:start + 512])
            open('packed', 'wb').write(bytes)
            open('more', 'wb').write(bytes + line)
            open('more.gz', 'wb').write(gzip.compress(bytes + bytes + line))
            """
        guard let file = made(script, in: folder) else { return }
        for (name, notices) in [(file, 0), (folder.path + "/more", 1), (folder.path + "/more.gz", 1)] {
            let found = InputFinder.find([name])
            #expect(found.sources.map(\.path) == [".1", ""].map { name + "!/a.log" + $0 })
            #expect(try found.sources.map(lines) == [1, 2])
            #expect(found.isComplete && found.diagnostics.count == notices, "\(found.diagnostics)")
            #expect(found.diagnostics.allSatisfy { $0.message.contains("after the end of the archive") })
        }
    }

    @Test("what looks like the header of a tar archive in places is a text all the same")
    func text() throws {
        let folder = try ScratchFolder()
        var bytes = Array(String(repeating: Self.line, count: 30).utf8)
        bytes.replaceSubrange(257..<262, with: "ustar".utf8)
        try folder.write("a.log", bytes)
        #expect(InputFinder.find([folder.path + "/a.log"]).sources.map(\.isSeekable) == [true])
    }
}
