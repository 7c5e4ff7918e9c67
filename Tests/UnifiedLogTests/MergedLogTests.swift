import Testing

@testable import UnifiedLog

struct MemoryBytes: TraceBytes {
    let name: String
    let all: [UInt8]

    func bytes(at offset: Int, count: Int) -> [UInt8] { Array(all.dropFirst(offset).prefix(count)) }
}

@Suite struct MergedLogTests {
    typealias Message = ArchiveEncoder.Message

    private func merged(_ archives: [ArchiveEncoder]) -> (texts: [String], log: MergedLog) {
        var clock = TimeSync()
        var files: [String: [UInt8]] = [:]
        for archive in archives { files.merge(archive.files) { first, _ in first } }
        for (name, bytes) in files where name.hasPrefix("timesync/") { clock.add(bytes) }
        let traces = files.filter { $0.key.hasSuffix(".tracev3") }.sorted { $0.key > $1.key }
        var log = MergedLog(
            traces.map { MemoryBytes(name: $0.key, all: $0.value) },
            strings: StringCatalog(ArchiveInMemory(files: files)), timeSync: clock)
        var texts: [String] = []
        while let entry = log.next() { texts.append(String(decoding: entry.message, as: UTF8.self)) }
        return (texts, log)
    }

    @Test func `Files of one boot are merged by time`() {
        var archive = ArchiveEncoder(boot: 1)
        archive.addTimeSync("01", start: 0, steps: [])
        let list = { (numbers: [Int]) in
            [
                ArchiveEncoder.Process(
                    pid: 1, path: "/a",
                    messages: numbers.map {
                        Message(ticks: UInt64($0), format: "%d", values: [.integer(UInt64($0), size: 4)])
                    })
            ]
        }
        archive.addTrace("Persist/1.tracev3", list([1, 4, 9, 30]))
        archive.addTrace("Persist/2.tracev3", list([31, 35, 32]))
        archive.addTrace("Special/1.tracev3", list([2, 3, 33, 5]))
        archive.addStrings()
        #expect(merged([archive]).texts == [1, 2, 3, 4, 5, 9, 30, 31, 32, 33, 35].map(String.init))
    }

    @Test func `Boots follow each other, whatever their ticks`() {
        let archives = [(UInt64(7), Int64(2_000)), (3, 1_000)].map { boot, start in
            var archive = ArchiveEncoder(boot: boot)
            archive.addTimeSync("\(boot)", start: start * 1_000_000_000, steps: [])
            let messages = [Message(ticks: UInt64(3_000 - start), format: "boot \(boot)")]
            archive.addTrace("Persist/\(boot).tracev3", [.init(pid: Int32(boot), path: "/a", messages: messages)])
            archive.addStrings()
            return archive
        }
        #expect(merged(archives).texts == ["boot 3", "boot 7"])
    }

    @Test func `A file that is cut off keeps what came before`() {
        var archive = ArchiveEncoder(boot: 1)
        archive.addTrace("a.tracev3", [.init(pid: 1, path: "/a", messages: [Message(ticks: 1, format: "x")])])
        archive.addStrings()
        var clock = TimeSync()
        clock.add([])
        let whole = archive.files["a.tracev3"] ?? []
        for length in [0, 7, 100, whole.count - 30] {
            let bytes = MemoryBytes(name: "a", all: Array(whole[..<length]))
            var log = MergedLog(
                [bytes], strings: StringCatalog(ArchiveInMemory(files: archive.files)), timeSync: clock)
            #expect(log.next() == nil)
            #expect(log.problems.count == 1)
        }
    }

    @Test(arguments: [ArchiveEncoder.Compression.none, .literals, .matches])
    func `Of a chunk set that is cut off, what comes before is read`(_ compression: ArchiveEncoder.Compression) {
        var archive = ArchiveEncoder(boot: 1)
        archive.compression = compression
        let list = (0..<24).map { Message(ticks: $0, format: "%s", values: [.text("message \($0)")]) }
        archive.addTrace("a.tracev3", [.init(pid: 1, path: "/a", messages: list)])
        archive.addStrings()
        archive.cut("a.tracev3", by: 60)
        let (texts, log) = merged([archive])
        // A firehose chunk holds eight of them.
        #expect(texts == (0..<16).map { "message \($0)" })
        #expect(log.problems.count == 1 && log.problems.first?.reason.hasPrefix("cut off") == true)
    }

    @Test func `Records that were handed over late come at their time, and are counted once`() {
        var archive = ArchiveEncoder(boot: 1)
        archive.addTimeSync("01", start: 0, steps: [])
        for (now, late) in [([10, 20], []), ([30, 40], [12, 5]), ([50, 60], [35, 15])] {
            let list = (now + late).map { tick in
                var message = Message(ticks: UInt64(tick), format: "%d", values: [.integer(UInt64(tick), size: 4)])
                message.isLate = late.contains(tick)
                return message
            }
            archive.addTrace("Persist/1.tracev3", [.init(pid: 1, path: "/a", messages: list)])
        }
        archive.addStrings()
        let (texts, log) = merged([archive])
        #expect(texts == [5, 10, 12, 15, 20, 30, 35, 40, 50, 60].map(String.init))
        var expected = LogCounts(headers: 1, catalogs: 3, chunkSets: 3, firehoses: 3)
        expected.logs = 10
        #expect(log.counts == expected && log.problems.isEmpty)
    }

    @Test func `A record that two files hold comes once, and one that is in a file twice comes twice`() {
        var archive = ArchiveEncoder(boot: 1)
        archive.addTimeSync("01", start: 0, steps: [])
        let list = { (texts: [(UInt64, String)]) in
            [ArchiveEncoder.Process(pid: 1, path: "/a", messages: texts.map { Message(ticks: $0, format: $1) })]
        }
        archive.addTrace("Persist/1.tracev3", list([(1, "a"), (2, "b"), (2, "b"), (3, "c"), (5, "of Persist")]))
        archive.addTrace(
            "logdata.LiveData.tracev3", list([(2, "b"), (2, "other"), (3, "c"), (3, "c"), (5, "x"), (6, "d")]))
        archive.addStrings()
        let (texts, log) = merged([archive])
        #expect(texts.sorted() == ["a", "b", "b", "c", "c", "d", "of Persist", "other", "x"])
        #expect(texts.first == "a" && texts.last == "d")
        #expect(log.counts.copies == 2 && log.counts.logs == 11)
    }

    @Test func `Equal records of two boots, and of two threads, are no copies`() {
        let archives = [UInt64(1), 2].map { boot in
            var archive = ArchiveEncoder(boot: boot)
            archive.addTimeSync("\(boot)", start: Int64(boot), steps: [])
            for thread in [UInt64(1), 2] {
                var message = Message(ticks: 7, format: "same")
                message.thread = thread
                archive.addTrace("\(boot)/\(thread).tracev3", [.init(pid: 1, path: "/a", messages: [message])])
            }
            archive.addStrings()
            return archive
        }
        let (texts, log) = merged(archives)
        #expect(texts.count == 4 && log.counts.copies == 0)
    }

    @Test(arguments: ["Persist/1.tracev3", "Special/1.tracev3"])
    func `Oversize arguments are found under an earlier catalog and in another file of the boot`(_ path: String) {
        var large = Message(ticks: 9, format: "%s", values: [.text(String(repeating: "large ", count: 500))])
        (large.isOversize, large.isElsewhere) = (true, true)
        var archive = ArchiveEncoder(boot: 1)
        archive.addTimeSync("01", start: 0, steps: [])
        let process = { (message: Message) in ArchiveEncoder.Process(pid: 1, path: "/a", messages: [message]) }
        archive.addTrace(
            "Persist/1.tracev3", [process(Message(ticks: 1, format: "small"))], others: archive.oversizeChunk(large))
        archive.addTrace(path, [process(large)])
        archive.addStrings()
        let (texts, log) = merged([archive])
        #expect(texts == ["small", String(repeating: "large ", count: 500)] && log.problems.isEmpty)
    }
}
