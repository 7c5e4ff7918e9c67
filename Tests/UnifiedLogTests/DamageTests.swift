import Testing

@testable import UnifiedLog

/// Damage costs the chunk that it is in, and is reported with its offset; what claims to be huge is not believed.
@Suite struct DamageTests {
    typealias Message = ArchiveEncoder.Message

    private static let path = "Persist/1.tracev3"

    /// How a chunk is damaged, given the file and where the chunk begins in it.
    struct Damage: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var make: @Sendable (inout [UInt8], Int) -> Void

        /// Writes bytes at a place of the chunk.
        static func bytes(_ name: String, _ place: Int, _ bytes: [UInt8]) -> Damage {
            Damage(testDescription: name) { file, start in
                file.replaceSubrange(start + place..<start + place + bytes.count, with: bytes)
            }
        }
    }

    private static let headers: [Damage] = [
        .bytes("no tag", 0, [0, 0, 0, 0]), .bytes("another tag", 0, [0xFF, 0xFF, 0xFF, 0xFF]),
        .bytes("a huge size", 8, [UInt8](repeating: 0xFF, count: 8)),
        .bytes("a size of 0", 8, [UInt8](repeating: 0, count: 8)),
        Damage(testDescription: "a size too large by 96") { file, start in file[start + 8] &+= 96 },
        Damage(testDescription: "a size too small by 24") { file, start in file[start + 8] &-= 24 },
    ]

    private func archive(_ texts: [String]) -> (files: [[UInt8]], strings: ArchiveInMemory) {
        var archive = ArchiveEncoder(boot: 1)
        archive.compression = .none
        for (number, text) in texts.enumerated() {
            let list = (0..<24).map {
                Message(ticks: UInt64($0), format: "\(text) %d", values: [.integer(UInt64($0), size: 4)])
            }
            archive.addTrace("\(number)", [.init(pid: 1, path: "/a", messages: list)])
        }
        archive.addStrings()
        return (texts.indices.compactMap { archive.files["\($0)"] }, ArchiveInMemory(files: archive.files))
    }

    private func read(_ bytes: [UInt8], _ strings: ArchiveInMemory) -> (texts: [String], log: MergedLog) {
        var log = MergedLog(
            [MemoryBytes(name: "a", all: bytes)], strings: StringCatalog(strings), timeSync: TimeSync())
        var texts: [String] = []
        while let entry = log.next() { texts.append(String(decoding: entry.message, as: UTF8.self)) }
        return (texts, log)
    }

    /// Where a tag begins, at a multiple of 8 or anywhere.
    private func place(of tag: [UInt8], in bytes: [UInt8], from start: Int = 0) -> Int? {
        (start..<bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == tag }
    }

    @Test(arguments: headers)
    func `A damaged chunk set costs no other`(_ damage: Damage) throws {
        let (files, strings) = archive(["first", "second", "third"])
        var bytes = files.joined().map { $0 }
        let start = try #require(place(of: [0x0D, 0x60, 0, 0], in: bytes, from: files[0].count))
        damage.make(&bytes, start)
        let (texts, log) = read(bytes, strings)
        #expect(
            texts.filter { $0.hasPrefix("first") }.count == 24 && texts.filter { $0.hasPrefix("third") }.count == 24)
        #expect((start..<start + files[1].count).contains(try #require(log.problems.first).offset))
    }

    @Test(arguments: headers)
    func `A damaged header of a chunk in a chunk set costs no chunk before it`(_ damage: Damage) throws {
        let (files, strings) = archive(["text"])
        var bytes = files[0]
        let set = try #require(place(of: [0x0D, 0x60, 0, 0], in: bytes))
        let first = try #require(place(of: [0x01, 0x60, 0, 0], in: bytes, from: set))
        damage.make(&bytes, try #require(place(of: [0x01, 0x60, 0, 0], in: bytes, from: first + 4)))
        let (texts, log) = read(bytes, strings)
        let expected = (0..<24).map { "text \($0)" }
        #expect(texts.prefix(8) == expected.prefix(8))
        let problem = try #require(log.problems.first)
        #expect(problem.offset == set && problem.reason.hasPrefix("damaged chunk at byte "))
        #expect(log.counts.firehoses >= 1 && log.counts.chunkSets == 1 && log.counts.catalogs == 1)
    }

    @Test func `A file whose beginning is lost gives what its next catalog describes`() {
        let (files, strings) = archive(["first", "second"])
        let (texts, log) = read(Array(files[0].dropFirst(8)) + files[1], strings)
        #expect(texts.contains("second 23") && log.problems.first?.offset == 0)
    }

    @Test func `A chunk set that unpacks to more than any real one is left out`() {
        var block: [UInt8] = [0x62, 0x76, 0x34, 0x31, 0xFF, 0xFF, 0xFF, 0x7F, 5, 0, 0, 0, 0x1F, 0x41, 1, 0, 0xFF]
        var room: [UInt8] = []
        #expect(!LZ4Block.decompress(block.span.bytes, into: &room) && room.isEmpty)
        // One byte, repeated 255 times by every further byte: 8 MiB from 33 KB.
        let count = 8 << 20
        let body = [0x1F, 0x41, 1, 0] + [UInt8](repeating: 0xFF, count: count / 255) + [0, 0x10, 0x41]
        block = [0x62, 0x76, 0x34, 0x31]
        for number in [count, body.count] { block += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        block += body
        #expect(!LZ4Block.decompress(block.span.bytes, into: &room) && room.isEmpty)
    }

    @Test func `Records that expand to more text than any chunk set end it`() throws {
        let long = String(repeating: "x", count: 60_000)
        var archive = ArchiveEncoder(boot: 1)
        let list = (0..<600).map { Message(ticks: UInt64($0), format: long) }
        archive.addTrace("a", [.init(pid: 1, path: "/a", messages: list)])
        archive.addStrings()
        var log = MergedLog(
            [MemoryBytes(name: "a", all: try #require(archive.files["a"]))],
            strings: StringCatalog(ArchiveInMemory(files: archive.files)), timeSync: TimeSync())
        var size = 0
        while let entry = log.next() { size += entry.message.count }
        #expect(size > 30 << 20 && size < 34 << 20)
        #expect(log.problems.first?.reason.hasPrefix("too much text") == true)
    }

    @Test func `Oversize arguments that no record refers to are forgotten`() {
        let store = OversizeStore()
        let process = Catalog.ProcessKey(first: 1, second: 2)
        // 12.5 MiB.
        for number in 0..<UInt16(200) {
            store.add(.init(arguments: [UInt8](repeating: 1, count: 64 << 10)), of: process, number: number, in: 0)
        }
        #expect(store.find(process, number: 0, in: 0) == nil && store.find(process, number: 199, in: 0) != nil)
        #expect(store.find(process, number: 199, in: 7) != nil)
    }

    @Test func `A file of headers only ends after the hundred thousandth`() {
        let header: [UInt8] = [0x00, 0x10, 0, 0, 0x11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let (texts, log) = read((0..<100_005).flatMap { _ in header }, archive([]).strings)
        #expect(texts.isEmpty && log.counts.headers < 100_005)
    }

    @Test func `Records that expand to hundreds of times the file end it`() throws {
        let list = (0..<400).map { Message(ticks: UInt64($0), format: String(repeating: "x", count: 60_000)) }
        var archive = ArchiveEncoder(boot: 1)
        archive.addTrace("a", [.init(pid: 1, path: "/a", messages: list)])
        archive.addStrings()
        let bytes = MemoryBytes(name: "a", all: try #require(archive.files["a"]))
        let strings = StringCatalog(ArchiveInMemory(files: archive.files))
        func read(_ freeText: Int) -> (entries: Int, log: MergedLog) {
            var log = MergedLog([bytes], strings: strings, timeSync: TimeSync(), freeText: freeText)
            var entries = 0
            while log.next() != nil { entries += 1 }
            return (entries, log)
        }
        let (entries, log) = read(1 << 20)
        #expect((17..<399).contains(entries) && log.problems.count == 1)
        #expect(log.problems.first?.reason.hasPrefix("expands to more than 500 times its size: ") == true)
        #expect(read(1 << 30).entries == 400)
    }

    @Test func `Files of strings that claim too much resolve nothing`() {
        for head: [UInt8] in [
            [0x99, 0x88, 0x77, 0x66, 2, 0, 0, 0, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x99, 0x88, 0x77, 0x66, 2, 0, 0, 0, 1, 0, 0, 0, 0x01, 0x40, 0, 0],
            [0x68, 0x63, 0x73, 0x64, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0],
            [0x68, 0x63, 0x73, 0x64, 2, 0, 0, 0, 1, 0, 0, 0, 0xFF, 0xFF, 0x03, 0x00],
        ] {
            let bytes = BytesInMemory(all: head + [UInt8](repeating: 0, count: 200_000))
            #expect(UUIDText(bytes) == nil && SharedCacheStrings(bytes) == nil)
        }
    }

    @Test func `A damaged clock record costs no other`() throws {
        var archive = ArchiveEncoder(boot: 1)
        archive.addTimeSync("1", start: 0, steps: [(24_000_000, 5_000_000_000), (48_000_000, 9_000_000_000)])
        var bytes = try #require(archive.files["timesync/1.timesync"])
        bytes[48] = 0
        var clock = TimeSync()
        #expect(clock.add(bytes)?.offset == 48)
        var wall = try #require(clock.clock(of: archive.boot))
        #expect(wall.time(at: 24_000_000) == 1_000_000_000 && wall.time(at: 48_000_000) == 9_000_000_000)
    }
}
