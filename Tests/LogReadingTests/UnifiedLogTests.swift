import Foundation
import Testing
import TraceRecords

@testable import LogReading
@testable import UnifiedLog

@Suite("Binary unified logs") struct BinaryUnifiedLogTests {
    typealias Message = ArchiveEncoder.Message

    /// An archive on disk with two processes, and messages of every place of a format string.
    private func archive(_ name: String) throws -> String {
        var archive = ArchiveEncoder(boot: 1)
        archive.addTimeSync("0000000000000001", start: 1_709_942_400_000_000_000, steps: [])
        var list = (0..<20).map { number in
            Message(
                ticks: UInt64(number) * 24_000_000, format: "number %d of %s",
                values: [.integer(UInt64(number), size: 4), .text("twenty")])
        }
        list[3].subsystem = "com.apple.UIKit"
        list[3].category = "AppLifecycle"
        list[4] = Message(ticks: list[4].ticks, format: "state is {\n\ta = 1;\n}")
        archive.addTrace(
            "Persist/0000000000000001.tracev3",
            [
                .init(
                    pid: 412, path: "/var/containers/Bundle/Application/Postbox.app/Postbox",
                    messages: Array(list[..<12]))
            ])
        archive.addTrace(
            "Special/0000000000000001.tracev3",
            [
                .init(pid: 33, path: "/usr/libexec/runningboardd", messages: Array(list[12...]))
            ])
        archive.addStrings()
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())/\(name)")
        try write(archive, into: folder)
        return folder.path
    }

    private func write(_ archive: ArchiveEncoder, into folder: URL) throws {
        for (path, bytes) in archive.files {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
        }
    }

    private func entries(of source: SourceDescription) throws -> (entries: [ReadEntry], reader: SourceReader) {
        let (entries, reader, _) = try read(source)
        return (entries, reader)
    }

    private func read(
        _ source: SourceDescription
    ) throws -> (entries: [ReadEntry], reader: SourceReader, rejects: [Reject]) {
        let reader = try SourceReader(source, catalog: try builtInCatalog.get())
        var entries: [ReadEntry] = []
        var rejects: [Reject] = []
        while let batch = try reader.next() {
            rejects += batch.rejects
            for entry in batch.entries {
                func text(_ range: ByteRange) -> String? { range.isEmpty ? nil : batch.text(range) }
                entries.append(
                    ReadEntry(
                        line: entry.line, lines: entry.lineCount, time: entry.time.map(CivilTime.shortISO),
                        process: text(entry.process), pid: entry.pid, subsystem: text(entry.subsystem),
                        message: batch.text(entry.message)))
            }
        }
        return (entries, reader, rejects)
    }

    @Test("a folder .logarchive is one source, whose entries come in order of time")
    func archiveFolder() throws {
        let path = try archive("system_logs.logarchive")
        let found = InputFinder.find([path])
        #expect(found.diagnostics.isEmpty)
        let source = try #require(found.sources.first)
        #expect(found.sources.count == 1)
        let (entries, reader) = try entries(of: source)
        #expect(entries.count == 20)
        #expect(
            entries.map(\.process) == Array(repeating: "Postbox", count: 12)
                + Array(repeating: "runningboardd", count: 8))
        #expect(entries[0].time == "2024-03-09T00:00:00Z" && entries[19].time == "2024-03-09T00:00:19Z")
        #expect(entries[3].subsystem == "com.apple.UIKit" && entries[3].message == "number 3 of twenty")
        #expect(entries[4].message == "state is {\n\ta = 1;\n}" && entries[4].lines == 3)
        #expect(entries[12].pid == 33)
        #expect(reader.endPosition.counts.isBalanced && reader.formats == ["tracev3"])
        // Eight messages a chunk.
        #expect(
            reader.assumptions.contains(
                "binary log, files: 2, headers: 2, catalogs: 2, chunk sets: 2, firehose chunks: 3, messages: 20"))
    }

    @Test("a single tracev3 file finds its clock and its format strings above it")
    func singleFile() throws {
        let path = try archive("diagnostics")
        let found = InputFinder.find([path + "/Persist/0000000000000001.tracev3"])
        let (entries, _) = try entries(of: try #require(found.sources.first))
        #expect(entries.count == 12 && entries[1].message == "number 1 of twenty")
        #expect(entries[1].time == "2024-03-09T00:00:01Z")
    }

    @Test(
        "a folder with tracev3 files beside timesync and uuidtext is one log; strings alone are left out with a notice")
    func bareFolder() throws {
        let path = try archive("unified_logging")
        let files = FileManager.default
        for part in ["Persist", "Special"] {
            try files.moveItem(
                atPath: "\(path)/\(part)/0000000000000001.tracev3", toPath: "\(path)/\(part).tracev3")
            try files.removeItem(atPath: "\(path)/\(part)")
        }
        let found = InputFinder.find([path])
        #expect(found.diagnostics.isEmpty)
        #expect(try entries(of: try #require(found.sources.first)).entries.count == 20 && found.sources.count == 1)
        try files.removeItem(atPath: path + "/timesync")
        let parts = InputFinder.find([path])
        #expect(parts.sources.count == 2 && parts.diagnostics.count == 1)
        #expect(parts.diagnostics.first?.message.hasSuffix("of its binary unified log, like 2 more") == true)
    }

    @Test("a subsystem without a category keeps its subsystem")
    func emptyCategory() throws {
        var archive = ArchiveEncoder(boot: 1)
        var message = Message(ticks: 1, format: "[lid] closed")
        message.subsystem = "com.example.tea"
        archive.addTrace("a.tracev3", [.init(pid: 1, path: "/tea", messages: [message])])
        archive.addStrings()
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).tracev3")
        try Data(archive.files["a.tracev3"] ?? []).write(to: file)
        let entry = try entries(of: try #require(InputFinder.find([file.path]).sources.first)).entries.first
        #expect(entry?.subsystem == "com.example.tea")
    }

    @Test(
        "a message that begins as a subsystem or a library is the whole message",
        arguments: ["[Tea applicationDidEnterBackground:] called", "[lid:top] closed", "(UIKitCore) [a:b] c", "[:] x"])
    func messageInBrackets(text: String) throws {
        var archive = ArchiveEncoder(boot: 1)
        var named = Message(ticks: 2, format: "%s", values: [.text(text)])
        named.subsystem = "com.example.tea"
        archive.addTrace(
            "a.tracev3",
            [.init(pid: 1, path: "/tea", messages: [Message(ticks: 1, format: "%s", values: [.text(text)]), named])])
        archive.addStrings()
        let file = try place("a.tracev3")
        try write(archive, into: URL(filePath: file).deletingLastPathComponent())
        let found = try entries(of: try #require(InputFinder.find([file]).sources.first)).entries
        #expect(found.map(\.message) == [text, text])
        #expect(found.map(\.subsystem) == [nil, "com.example.tea"])
    }

    /// A place that does not exist yet.
    private func place(_ name: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.appending(path: name).path
    }

    @Test("through a link, what is beside the file or folder is found, and what is beside the link")
    func links() throws {
        let files = FileManager.default
        let path = try archive("diagnostics")
        for (name, target) in [
            ("link.tracev3", path + "/Persist/0000000000000001.tracev3"), ("link.logarchive", path),
            ("diagnostics", path),
        ] {
            let link = try place(name)
            try files.createSymbolicLink(atPath: link, withDestinationPath: target)
            let (linked, reader) = try entries(of: try #require(InputFinder.find([link]).sources.first))
            #expect(linked.count == (name == "link.tracev3" ? 12 : 20), "\(name)")
            #expect(linked[1].message == "number 1 of twenty" && linked[1].time == "2024-03-09T00:00:01Z", "\(name)")
            #expect(reader.assumptions.count == 1, "\(name)")
        }
        // The strings are beside the link, the clock is beside the file.
        let link = try place("1.tracev3")
        let here = link.dropLast("1.tracev3".count)
        try files.createDirectory(atPath: here + "uuidtext", withIntermediateDirectories: true)
        for name in try files.contentsOfDirectory(atPath: path) where name.count == 2 {
            try files.moveItem(atPath: "\(path)/\(name)", toPath: "\(here)uuidtext/\(name)")
        }
        try files.createSymbolicLink(atPath: link, withDestinationPath: path + "/Persist/0000000000000001.tracev3")
        let (linked, _) = try entries(of: try #require(InputFinder.find([link]).sources.first))
        #expect(linked.count == 12 && linked[1].message == "number 1 of twenty")
        #expect(linked[1].time == "2024-03-09T00:00:01Z")
    }

    @Test("a log archive whose files are links is read with what belongs to these")
    func linkedFiles() throws {
        let path = try archive("diagnostics")
        let folder = try place("a.logarchive")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/1.tracev3", withDestinationPath: path + "/Persist/0000000000000001.tracev3")
        let (linked, _) = try entries(of: try #require(InputFinder.find([folder]).sources.first))
        #expect(linked.count == 12 && linked[1].message == "number 1 of twenty")
        #expect(linked[1].time == "2024-03-09T00:00:01Z")
    }

    @Test("each file whose boot has no clock is named once, with what its times count from and what to add")
    func clockless() throws {
        let path = try archive("diagnostics")
        try Data().write(to: URL(filePath: path + "/timesync/0000000000000001.timesync"))
        let (found, reader) = try entries(of: try #require(InputFinder.find([path]).sources.first))
        // The header's time.
        #expect(found.count == 20 && found[1].time == "2023-11-14T22:13:21Z")
        for folder in ["Persist", "Special"] {
            let file = "\(folder)/0000000000000001.tracev3"
            #expect(
                reader.assumptions.filter { $0.contains(file) } == [
                    "\(file): its boot is in no timesync file, so its times count from the one in its header "
                        + "(read it with the folder timesync of its device beside it)"
                ])
        }
        var late = ArchiveEncoder(boot: 1)
        late.headerTicks = 24_000_000 * (3 * 3600 + 125)
        late.addTrace("a.tracev3", [.init(pid: 1, path: "/tea", messages: [Message(ticks: 1, format: "boiling")])])
        let file = try place("a.tracev3")
        try Data(late.files["a.tracev3"] ?? []).write(to: URL(filePath: file))
        let (_, other) = try entries(of: try #require(InputFinder.find([file]).sources.first))
        #expect(
            other.assumptions.contains {
                $0.contains("in its header and are late by the 3 h 2 min for which the device had been up (read")
            })
    }

    @Test("what is no file in an archive is left out with a notice", .timeLimit(.minutes(1)))
    func devices() throws {
        let path = try archive("a.logarchive")
        let device = path + "/Persist/0.tracev3"
        let pipe = path + "/Persist/pipe.tracev3"
        try FileManager.default.createSymbolicLink(atPath: device, withDestinationPath: "/dev/zero")
        #expect(mkfifo(pipe, 0o600) == 0)
        try FileManager.default.createSymbolicLink(atPath: path + "/HighVolume", withDestinationPath: path + "/nowhere")
        let found = InputFinder.find([path])
        #expect(found.diagnostics.map(\.path) == [path + "/HighVolume", device, pipe])
        #expect(
            found.diagnostics[1].message.contains("but a device") && found.diagnostics[2].message.contains("but a pipe")
        )
        #expect(try entries(of: try #require(found.sources.first)).entries.count == 20)
        // Clocks and strings that are no files.
        let clock = path + "/timesync/2.timesync"
        #expect(mkfifo(clock, 0o600) == 0)
        let digits = ArchiveEncoder.executable(33).digits
        let strings = "\(digits.prefix(2))/\(digits.dropFirst(2))"
        try FileManager.default.removeItem(atPath: "\(path)/\(strings)")
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(strings)", withDestinationPath: "/dev/zero")
        let (all, reader, rejects) = try read(try #require(InputFinder.find([path]).sources.first))
        #expect(
            all.count == 20
                && reader.assumptions.contains { $0.hasPrefix("8 messages without their format string (put ") })
        #expect(rejects.map(\.text) == ["timesync/2.timesync, byte 0", "\(strings), byte 0"])
        #expect(rejects.allSatisfy { $0.reason.hasPrefix("cannot be read: not a file") })
    }

    @Test(
        "other logs in the folder of a log archive are read as well, and a file of it that is named is not read twice")
    func otherFiles() throws {
        let path = try archive("diagnostics")
        try Data("2024-03-09 07:30:00.118 Tea[1:2] boiling\n".utf8).write(to: URL(filePath: path + "/app.log"))
        for name in ["Info.plist", "version.plist", "logdata.statistics.0.txt"] {
            try Data("<!-- no log -->\n".utf8).write(to: URL(filePath: "\(path)/\(name)"))
        }
        // Also what somebody has put among the files of the log.
        for name in ["Persist/tea.log", "timesync/old/tea.log"] {
            let other = URL(filePath: "\(path)/\(name)")
            try FileManager.default.createDirectory(
                at: other.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("2024-03-09 07:30:00.118 Tea[1:2] \(name)\n".utf8).write(to: other)
        }
        let file = path + "/Persist/0000000000000001.tracev3"
        let found = InputFinder.find([path, file])
        #expect(
            Set(found.sources.map { $0.path.dropFirst(path.count) })
                == ["", "/app.log", "/Persist/tea.log", "/timesync/old/tea.log"])
        #expect(found.diagnostics.map(\.message) == ["the same file was already found under another name"])
    }

    @Test("a file with a damaged beginning and an empty one are binary logs by their name")
    func namedFiles() throws {
        let file = try archive("a.logarchive") + "/Persist/0000000000000001.tracev3"
        var bytes = Array(try Data(contentsOf: URL(filePath: file)))
        bytes[0] = 0xFF
        try Data(bytes).write(to: URL(filePath: file))
        let (found, reader) = try entries(of: try #require(InputFinder.find([file]).sources.first))
        #expect(found.count == 12 && reader.endPosition.counts.rejected == 1)
        try Data().write(to: URL(filePath: file))
        let empty = try SourceReader(
            try #require(InputFinder.find([file]).sources.first), catalog: try builtInCatalog.get())
        #expect(
            try #require(try empty.next()).rejects.map(\.reason)
                == ["the file is empty: copy it again from its source"])
        // What is something else by its content is said to be none.
        try Data((0..<5_000).map { UInt8($0 % 7) }).write(to: URL(filePath: file))
        let (none, _, rejects) = try read(try #require(InputFinder.find([file]).sources.first))
        #expect(none.isEmpty && rejects.count == 1)
        #expect(rejects.first?.reason.hasPrefix("none of its 5000 bytes begins a chunk of a tracev3 file: ") == true)
    }

    @Test("a file without its name is read with --format tracev3, and a compressed one says how to go on")
    func otherNames() throws {
        let path = try archive("a.logarchive")
        let file = path + "/Persist/old"
        try FileManager.default.moveItem(atPath: path + "/Persist/0000000000000001.tracev3", toPath: file)
        var bytes = Array(try Data(contentsOf: URL(filePath: file)))
        let gzip = Process()
        gzip.executableURL = URL(filePath: "/usr/bin/env")
        gzip.arguments = ["gzip", "-k", file]
        try gzip.run()
        gzip.waitUntilExit()
        let packed = InputFinder.find([file + ".gz"])
        #expect(packed.sources.isEmpty)
        #expect(packed.diagnostics.first?.message.hasPrefix("is a compressed file of a binary unified log: ") == true)
        bytes[0] = 0xFF
        try Data(bytes).write(to: URL(filePath: file))
        #expect(InputFinder.find([file]).sources.isEmpty)
        var options = ReadingOptions()
        options.format = "tracev3"
        let (found, _) = try entries(of: try #require(InputFinder.find([file], options: options).sources.first))
        #expect(found.count == 12)
        // A compressed file of it is not read as if it were none of its kind.
        let compressed = InputFinder.find([file + ".gz"], options: options)
        for source in compressed.sources {
            if case .unifiedLog = source.location { Issue.record("\(source.path) is compressed") }
        }
    }

    @Test("names with line feeds stay on the line of their entry")
    func namesOfTwoLines() throws {
        var archive = ArchiveEncoder(boot: 1)
        var message = Message(ticks: 1, format: "boiling")
        (message.subsystem, message.category) = ("com.example\n.tea", "kit\tchen")
        archive.addTrace("a.tracev3", [.init(pid: 1, path: "/bin/te\na", messages: [message])])
        archive.addStrings()
        let file = try place("a.tracev3")
        try write(archive, into: URL(filePath: file).deletingLastPathComponent())
        let found = try entries(of: try #require(InputFinder.find([file]).sources.first)).entries
        #expect(found.count == 1 && found[0].message == "boiling" && found[0].process == "te a")
        #expect(found[0].subsystem == "com.example .tea" && found[0].lines == 1)
    }

    @Test("a message that quotes a log is one entry")
    func quotedLog() throws {
        var archive = ArchiveEncoder(boot: 1)
        let quoted = """
            the last lines:
            2024-03-09 00:00:00.000000+0000 0x1 Default 0x0 1 0 Tea: boiling
            2024-03-09 07:30:00.118 Tea[1:2] -[AppDelegate applicationDidBecomeActive:]
            {"timestamp":"2024-03-09 07:30:00.118","message":"boiling"}
            """
        archive.addTrace(
            "a.tracev3",
            [.init(pid: 1, path: "/tea", messages: [Message(ticks: 1, format: "%s", values: [.text(quoted)])])])
        archive.addStrings()
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID())/a.tracev3")
        try write(archive, into: file.deletingLastPathComponent())
        let found = try entries(of: try #require(InputFinder.find([file.path]).sources.first)).entries
        #expect(found.count == 1 && found[0].lines == 4)
    }

    @Test("a file that cannot be read, and damage, are rejects with their place")
    func damaged() throws {
        let path = try archive("a.logarchive")
        let special = path + "/Special/0000000000000001.tracev3"
        var bytes = Array(try Data(contentsOf: URL(filePath: special)))
        bytes[0x0] = 0xFF
        try Data(bytes).write(to: URL(filePath: special))
        let link = path + "/Special/2.tracev3"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: link)
        let (entries, reader, rejects) = try read(try #require(InputFinder.find([path]).sources.first))
        // The clocks have one boot only: it is that of the file without a header.
        #expect(entries.count == 20 && entries[19].time == "2024-03-09T00:00:19Z")
        #expect(reader.endPosition.counts.rejected == 2 && reader.endPosition.counts.isBalanced)
        #expect(
            rejects.map(\.byteOffset) == [0, 0]
                && rejects.map(\.text) == ["Special/0000000000000001.tracev3, byte 0", "Special/2.tracev3, byte 0"])
        #expect(rejects[0].reason.hasPrefix("no chunk begins here"))
        #expect(rejects[1].reason.contains("Too many levels of symbolic links"))
    }

    @Test("messages without their format strings are counted")
    func unresolved() throws {
        let path = try archive("a.logarchive")
        let digits = ArchiveEncoder.executable(33).digits
        try FileManager.default.removeItem(atPath: "\(path)/\(digits.prefix(2))/\(digits.dropFirst(2))")
        let (entries, reader) = try entries(of: try #require(InputFinder.find([path]).sources.first))
        #expect(entries.count == 20)
        #expect(reader.assumptions.contains { $0.hasPrefix("8 messages without their format string (put ") })
    }

    @Test("a log archive inside an archive is one source; clocks and strings without a log are left out with a notice")
    func packedArchive() throws {
        let path = try archive("system_logs.logarchive")
        let parent = URL(filePath: path).deletingLastPathComponent()
        func pack(_ name: String, _ arguments: [String]) throws -> String {
            let tar = Process()
            tar.executableURL = URL(filePath: "/usr/bin/env")
            tar.currentDirectoryURL = parent
            tar.arguments = ["tar", "czf", name] + arguments
            try tar.run()
            tar.waitUntilExit()
            return parent.appending(path: name).path
        }
        try Data("2024-03-09 07:30:00.118 Tea[1:2] -[AppDelegate applicationDidBecomeActive:]\n".utf8)
            .write(to: parent.appending(path: "app.log"))
        let whole = InputFinder.find([try pack("all.tgz", ["app.log", "system_logs.logarchive"])])
        #expect(whole.diagnostics.isEmpty)
        #expect(whole.sources.count == 2)
        let source = try #require(whole.sources.first { $0.path.hasSuffix("all.tgz!/system_logs.logarchive") })
        let packed = try entries(of: source)
        let plain = try entries(of: try #require(InputFinder.find([path]).sources.first))
        #expect(packed.entries == plain.entries && packed.entries.count == 20)
        #expect(packed.reader.assumptions == plain.reader.assumptions)

        // The clock is packed once more under another name; a file of the log is a pipe, one is a link.
        #expect(link(path + "/timesync/0000000000000001.timesync", path + "/timesync/1.timesync") == 0)
        #expect(mkfifo(path + "/Persist/pipe.tracev3", 0o600) == 0)
        #expect(symlink("/dev/zero", path + "/Persist/zero.tracev3") == 0)
        let odd = InputFinder.find([try pack("odd.tgz", ["system_logs.logarchive"])])
        #expect(odd.diagnostics.count == 1)
        #expect(odd.diagnostics.first?.message.hasPrefix("is not a file but a link, a pipe or a device; ") == true)
        #expect(try entries(of: try #require(odd.sources.first)).entries == plain.entries)

        // Of two hard links a tar holds one file; a log archive has lists that are no logs.
        try FileManager.default.removeItem(atPath: path + "/Persist/pipe.tracev3")
        try FileManager.default.removeItem(atPath: path + "/Persist/zero.tracev3")
        let first = parent.appending(path: "0.tracev3").path
        #expect(link(path + "/Persist/0000000000000001.tracev3", first) == 0)
        try Data("<plist/>\n".utf8).write(to: URL(filePath: path + "/Info.plist"))
        let linked = InputFinder.find([try pack("linked.tgz", ["0.tracev3", "system_logs.logarchive"])])
        #expect(linked.diagnostics.isEmpty)
        let archived = try #require(linked.sources.first { $0.path.hasSuffix("!/system_logs.logarchive") })
        #expect(try entries(of: archived).entries == plain.entries)

        let rest = InputFinder.find([try pack("rest.tgz", ["app.log", "system_logs.logarchive/timesync"])])
        #expect(rest.sources.count == 1 && rest.diagnostics.count == 1)
        #expect(rest.diagnostics.first?.message.contains("binary unified log that is not in the archive") == true)
    }
}
