import Testing

@testable import UnifiedLog

/// Reads one file of an archive in memory.
func entries(_ archive: ArchiveEncoder, _ path: String) -> (entries: [LogEntry], file: TraceFile) {
    var clock = TimeSync()
    for (name, bytes) in archive.files where name.hasPrefix("timesync/") { clock.add(bytes) }
    var file = TraceFile(strings: StringCatalog(ArchiveInMemory(files: archive.files)), timeSync: clock)
    return (entries(archive.files[path] ?? [], &file), file)
}

/// Reads the chunks of a file.
private func entries(_ bytes: [UInt8], _ file: inout TraceFile) -> [LogEntry] {
    var found = LogBatch()
    var chunks = TraceChunks(MemoryBytes(name: "a", all: bytes))
    while let (chunk, offset) = chunks.next() { file.read(chunk, at: offset, into: &found) }
    return (0..<found.count).map { found[$0] }
}

private func texts(_ entries: [LogEntry]) -> [String] { entries.map { String(decoding: $0.message, as: UTF8.self) } }

@Suite struct TraceFileTests {
    typealias Message = ArchiveEncoder.Message

    private func archive(
        _ messages: [Message], _ prepare: (inout ArchiveEncoder) -> Void = { _ in }
    ) -> ArchiveEncoder {
        var archive = ArchiveEncoder(boot: 1)
        prepare(&archive)
        archive.addTimeSync("01", start: 1_700_000_000_000_000_000, steps: [(24_000_000, 1_700_000_001_500_000_000)])
        let process = ArchiveEncoder.Process(
            pid: 412, path: "/private/var/containers/Bundle/Application/Postbox.app/Postbox", messages: messages)
        archive.addTrace("Persist/0000000000000001.tracev3", [process])
        archive.addStrings()
        return archive
    }

    private func messages(_ list: [Message], _ prepare: (inout ArchiveEncoder) -> Void = { _ in }) -> [String] {
        texts(entries(archive(list, prepare), "Persist/0000000000000001.tracev3").entries)
    }

    @Test(arguments: [ArchiveEncoder.Compression.none, .literals, .matches])
    func `Entries have process, thread, level, subsystem and activity, whatever the compression`(
        _ compression: ArchiveEncoder.Compression
    ) throws {
        var message = Message(ticks: 48_000_000, format: "Scene did become active: %d", values: [.integer(7, size: 4)])
        message.level = 0x10
        message.thread = 99
        message.activity = 5
        message.subsystem = "com.example.postbox"
        message.category = "lifecycle"
        let archive = archive([message, message, message]) { $0.compression = compression }
        let (found, file) = entries(archive, "Persist/0000000000000001.tracev3")
        #expect(found.count == 3 && file.counts.logs == 3 && file.damage.isEmpty)
        let entry = try #require(found.first)
        #expect(entry.processID == 412 && entry.thread == 99 && entry.activity == 5 && entry.level == 0x10)
        #expect(entry.process.path == "/private/var/containers/Bundle/Application/Postbox.app/Postbox")
        #expect(entry.subsystem?.subsystem == "com.example.postbox" && entry.subsystem?.category == "lifecycle")
        #expect(texts(found).allSatisfy { $0 == "Scene did become active: 7" })
    }

    @Test func `Times follow the clock of the boot, and its steps`() {
        // 125/3 ns a tick: 24,000,000 ticks are one second. The clock was set half a second forward at that moment.
        let list = [12_000_000, 24_000_000, 48_000_000].map { Message(ticks: $0, format: "x") }
        let found = entries(archive(list), "Persist/0000000000000001.tracev3").entries
        let base: Int64 = 1_700_000_000_000_000_000
        #expect(found.map { $0.time - base } == [500_000_000, 1_500_000_000, 2_500_000_000])
    }

    @Test(arguments: [
        ArchiveEncoder.Place.executable, .absolute, .uuid, .sharedCache, .largeSharedCache,
    ])
    func `Format strings are found wherever they are`(_ place: ArchiveEncoder.Place) {
        let list = ["first %s", "second %s"].map {
            Message(ticks: 1, format: $0, values: [.text("text")], place: place)
        }
        #expect(messages(list) == ["first text", "second text"])
        if place == .sharedCache {
            #expect(messages(list) { $0.sharedCacheVersion = 1 } == ["first text", "second text"])
        }
    }

    @Test func `A dynamic format is the text itself`() {
        #expect(messages([Message(ticks: 1, format: "", values: [.text("100 %d")], place: .dynamic)]) == ["100 %d"])
    }

    @Test func `Arguments too large for a record are found beside it`() {
        let long = String(repeating: "long ", count: 200)
        var message = Message(ticks: 1, format: "%s|%{private}s", values: [.text(long), .secret("hidden")])
        message.isOversize = true
        #expect(messages([message, Message(ticks: 2, format: "after")]) == ["\(long)|hidden", "after"])
    }

    @Test func `Private values are shown where they were kept, and concealed where not`() {
        let list = [
            Message(ticks: 1, format: "%{private}s and %{private}s", values: [.secret("one"), .secret("two")]),
            Message(ticks: 2, format: "%{private}s", values: [.secret("three")]),
            Message(ticks: 3, format: "%{private}s, %{sensitive}d", values: [.concealed, .sensitive]),
        ]
        #expect(messages(list) == ["one and two", "three", "<private>, <private>"])
    }

    @Test func `What is no log message is counted, and a simple dump is one`() throws {
        var archive = ArchiveEncoder(boot: 1)
        let process = ArchiveEncoder.Process(pid: 1, path: "/a", messages: [Message(ticks: 9, format: "x")])
        archive.addTrace("a", [process], others: archive.otherChunks(ticks: 5, isUnknown: true))
        archive.addStrings()
        let (found, file) = entries(archive, "a")
        #expect(texts(found) == ["dumped!", "x"] && file.damage.isEmpty)
        let dump = try #require(found.first)
        #expect(dump.processID == 1 && dump.thread == 0x43 && dump.level == 0x10 && dump.ticks == 5)
        #expect(dump.subsystem?.subsystem == "com.example.tea")
        var expected = LogCounts(headers: 1, catalogs: 1, chunkSets: 1, firehoses: 2, simpleDumps: 1, stateDumps: 1)
        (expected.logs, expected.activities, expected.traces, expected.signposts, expected.losses) = (1, 1, 1, 1, 1)
        expected.otherRecords = 1
        #expect(file.counts == expected)
    }

    @Test func `A record without its format string is counted as unresolved`() {
        var archive = archive([Message(ticks: 1, format: "lost")])
        archive = ArchiveEncoder(boot: 1)
        archive.addTrace(
            "a.tracev3", [ArchiveEncoder.Process(pid: 1, path: "/a", messages: [Message(ticks: 1, format: "lost")])])
        let (found, file) = entries(archive, "a.tracev3")
        #expect(file.counts.unresolved == 1 && found.first?.isResolved == false)
        #expect(texts(found) == ["<compose failure [missing precomposed log]>"])
    }

    @Test func `Damage costs its chunk only, and is located`() throws {
        let path = "Persist/0000000000000001.tracev3"
        var archive = ArchiveEncoder(boot: 1)
        archive.compression = .none
        let process = { (text: String) in
            ArchiveEncoder.Process(pid: 1, path: "/a", messages: [Message(ticks: 1, format: text)])
        }
        archive.addTrace(path, [process("first")])
        archive.addTrace("other", [process("second")])
        archive.addStrings()
        var first = try #require(archive.files[path])
        let second = try #require(archive.files["other"])
        // The chunk set is the last chunk: a tag inside it that is none.
        let marker = try #require(first.firstIndex(of: UInt8(ascii: "b")))
        first[marker] = UInt8(ascii: "x")
        var file = TraceFile(strings: StringCatalog(ArchiveInMemory(files: archive.files)), timeSync: TimeSync())
        #expect(texts(entries(first + second, &file)) == ["second"])
        #expect(file.damage.count == 1 && file.damage.first.map { $0.offset > 0 && $0.offset < first.count } == true)
    }

    @Test func `Damaged bytes anywhere never crash the reader`() {
        var random = SystemRandomNumberGenerator()
        let list = (0..<12).map {
            Message(
                ticks: UInt64($0), format: "%s %d %{private}@",
                values: [.text("a"), .integer(3, size: 4), .secret("b")])
        }
        let whole = archive(list).files["Persist/0000000000000001.tracev3"] ?? []
        let strings = StringCatalog(ArchiveInMemory(files: archive(list).files))
        for _ in 0..<2_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            bytes.removeLast(Int.random(in: 0...40, using: &random))
            var file = TraceFile(strings: strings, timeSync: TimeSync())
            _ = entries(bytes, &file)
        }
    }
}

@Suite struct MessageTests {
    private func text(_ format: String, _ values: [ArchiveEncoder.Value]) -> String {
        var archive = ArchiveEncoder(boot: 1)
        let message = ArchiveEncoder.Message(ticks: 1, format: format, values: values)
        archive.addTrace("a", [ArchiveEncoder.Process(pid: 1, path: "/a", messages: [message])])
        archive.addStrings()
        return entries(archive, "a").entries.first.map { String(decoding: $0.message, as: UTF8.self) } ?? "(none)"
    }

    /// Expected texts are those of printf(3) and os_log(3).
    @Test(arguments: [
        ("%d", UInt64(bitPattern: -5), 4, "-5"), ("%i", 5, 8, "5"), ("%u", 0xFFFF_FFFF, 4, "4294967295"),
        ("%lld", UInt64(bitPattern: -1), 8, "-1"), ("%x", 255, 4, "ff"), ("%X", 255, 4, "FF"), ("%#x", 255, 4, "0xff"),
        ("%#x", 0, 4, "0"), ("%08x", 255, 4, "000000ff"), ("%p", 4096, 8, "0x1000"), ("%o", 8, 4, "10"),
        ("%5d|", 42, 4, "   42|"), ("%-5d|", 42, 4, "42   |"), ("%05d", 42, 4, "00042"), ("%6.6d", 1, 4, "000001"),
        ("%+d", 42, 4, "+42"), ("%c", 65, 4, "A"), ("%{bool}d", 1, 4, "true"), ("%{BOOL}d", 0, 4, "NO"),
        ("%{darwin.errno}d", 32, 4, "[32: Broken pipe]"), ("%{errno}d", 2, 4, "[2: No such file or directory]"),
        ("%{public}d%%", 50, 4, "50%"), ("%{darwin.mode}d", 0o40755, 4, "drwxr-xr-x"),
        ("%{darwin.signal}d", 11, 4, "[sigsegv: Segmentation fault]"),
        ("%{time_t}d", 1_452_627_697, 4, "2016-01-12 19:41:37"), ("%m", 65, 4, "No route to host"),
    ])
    func `Numbers`(_ format: String, _ value: UInt64, _ size: Int, _ expected: String) {
        #expect(text(format, [.integer(value, size: size)]) == expected)
    }

    @Test func `Floating-point numbers`() {
        #expect(text("%.2f", [.integer((3.14159).bitPattern, size: 8)]) == "3.14")
        #expect(text("%g", [.integer((0.5).bitPattern, size: 8)]) == "0.5")
        #expect(text("%8.3f|", [.integer((2.5).bitPattern, size: 8)]) == "   2.500|")
    }

    @Test func `Texts, objects and data`() {
        #expect(text("<%s>", [.text("größer")]) == "<größer>")
        #expect(text("<%{public}@>", [.object("a {\n b\n}")]) == "<a {\n b\n}>")
        #expect(text("%{public}-8s|", [.text("OFF")]) == "OFF     |")
        #expect(text("%8s|", [.text("OFF")]) == "     OFF|")
        #expect(text("%.*s", [.precision(3), .text("abcdef")]) == "abc")
        #expect(
            text("%{public,uuid_t}.16P", [.precision(16), .data((0..<16).map { UInt8($0) })])
                == "00010203-0405-0607-0809-0A0B0C0D0E0F")
        #expect(text("%{network:in_addr}d", [.data([127, 0, 0, 1])]) == "127.0.0.1")
        #expect(
            text("%{in6_addr}.16P", [.precision(16), .data([0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1])])
                == "fe80::1")
        #expect(text("%{mask.hash}s", [.data([1, 2, 3, 4])]) == "<mask.hash: 'AQIDBA=='>")
    }

    @Test func `What is missing is named`() {
        #expect(text("%d %d", [.integer(1, size: 4)]) == "1 <decode: missing data>")
        #expect(text("100 %", []) == "100 %")
        #expect(text("%{no:such}d", [.integer(1, size: 4)]) == "<decode: unsupported decoder: no:such>")
    }
}
