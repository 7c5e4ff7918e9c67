import Testing

@testable import LogReading

@Suite("Text in any encoding, and what is no text")
struct EncodingTests {
    static let line = "2021-05-04 09:08:07.250 Tee\u{00FC}hr[512:1f03] hei\u{00DF} \u{1F375}\n"

    private func bytes(_ text: String, bigEndian: Bool) -> [UInt8] {
        ([0xFEFF] + Array(text.utf16)).flatMap { unit -> [UInt8] in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return bigEndian ? [high, low] : [low, high]
        }
    }

    @Test("UTF-16 with a mark, in both orders, and UTF-8 with one", arguments: [1, 7, 256 << 10])
    func marks(chunk: Int) throws {
        let plain = try read(Self.line + Self.line)
        #expect(plain.entries.map(\.message) == ["hei\u{00DF} \u{1F375}", "hei\u{00DF} \u{1F375}"])
        let options = ReadingOptions(chunkBytes: chunk)
        for bigEndian in [true, false] {
            let result = try read(bytes(Self.line + Self.line, bigEndian: bigEndian), options: options).result
            #expect(result == plain)
        }
        #expect(try read([0xEF, 0xBB, 0xBF] + Array((Self.line + Self.line).utf8), options: options).result == plain)
    }

    @Test("UTF-16 without a mark, in both orders, and the assumption is stored", arguments: [1, 7, 256 << 10])
    func withoutMark(chunk: Int) throws {
        let plain = try read(Self.line + Self.line)
        for bigEndian in [true, false] {
            let bytes = Array(bytes(Self.line + Self.line, bigEndian: bigEndian).dropFirst(2))
            let result = try read(bytes, options: ReadingOptions(chunkBytes: chunk)).result
            #expect(result.entries == plain.entries && result.counts == plain.counts)
            #expect(result.assumptions == plain.assumptions + ["text without a mark read as UTF-16"])
            let folder = try ScratchFolder()
            #expect(InputFinder.find([try folder.write("app.log", bytes)]).isComplete)
        }
    }

    @Test("metadata that follow the message are found in UTF-16 as in UTF-8", arguments: [true, false])
    func metadataInUTF16(bigEndian: Bool) throws {
        let text = """
            applicationDidBecomeActive
            Type: Notice | Timestamp: 2025-08-22 10:41:14.5+09:00 | Process: Tee\u{00FC}hr | Library: L | TID: 0xf700
            two lines,
            one message
            Type: Notice | Timestamp: 2025-08-22 10:41:15.5+09:00 | Process: Tee\u{00FC}hr | Library: L | TID: 0xf700

            """
        let plain = try read(text).entries
        #expect(plain.map(\.time) == ["2025-08-22T01:41:14.5Z", "2025-08-22T01:41:15.5Z"])
        let marked = bytes(text, bigEndian: bigEndian)
        #expect(try read(marked).result.entries == plain)
        #expect(try read(Array(marked.dropFirst(2))).result.entries == plain)
        let coloured = text.replacing("Type: Notice", with: "\u{1B}[31mType: \u{1B}[0mNotice")
        #expect(try read(bytes(coloured, bigEndian: bigEndian)).result.entries.map(\.time) == plain.map(\.time))
        // What is looked at may end inside a character.
        for cut in [1, 2, 3] { #expect(SourceBeginning(Array(marked.dropLast(cut))).hasMetadata) }
        let pair = bytes(text + "\u{1F375}", bigEndian: bigEndian)
        #expect(SourceBeginning(Array(pair.dropLast(2))) == SourceBeginning(marked))
    }

    @Test("text that is not UTF-8 is read as Latin-1, and the assumption is stored")
    func latin1() throws {
        let text = Array("Tea[1:2] Gr".utf8) + [0xFC, 0xDF] + Array("e\n".utf8)
        let result = try read(text).result
        #expect(result.entries.map(\.message) == ["Gr\u{00FC}\u{00DF}e"])
        #expect(result.assumptions == ["text that is not UTF-8 read as Latin-1"])
    }

    @Test("one damaged byte does not make a UTF-8 log Latin-1")
    func damagedUTF8() throws {
        let result = try read(Array(Self.line.utf8) + [0xFF, 0x0A]).result
        #expect(result.assumptions == ["times without a zone read as UTC"])
        #expect(result.entries.first?.process == "Tee\u{00FC}hr")
    }

    @Test("colours are taken out")
    func colours() throws {
        let line = "\u{1B}[0;36mNov 12 12:24:37 \u{1B}[1mhost tea(Kit)[5] <Notice>\u{1B}[0m: boiling\u{1B}[0m"
        for text in [line, line + "\n", line + "\nmore\n"] {
            let entry = try #require(try read(text).entries.first)
            #expect(entry.process == "tea" && entry.pid == 5 && entry.device == "host")
            #expect(entry.message.hasPrefix("boiling"))
        }
    }

    @Test("colours are taken out of lines that begin like the line before")
    func colouredRepeats() throws {
        let messages = ["one", "two", "three"]
        let lines = messages.map {
            "2024-03-09 07:30:00.5 Tea[1:2] \u{1B}[31m\($0.prefix(2))\u{1B}[0m\($0.dropFirst(2))\n"
        }
        for chunk in [7, 100, 256 << 10] {
            let result = try read(Array(lines.joined().utf8), options: ReadingOptions(chunkBytes: chunk)).result
            #expect(result.entries.map(\.message) == messages, "\(chunk)")
        }
    }

    @Test("the gap of NUL bytes that a crash leaves hides no line")
    func gap() throws {
        let result = try read("Tea[1:2] one\n" + String(repeating: "\u{0}", count: 5000) + "Tea[1:2] two\n")
        #expect(result.entries.map(\.message) == ["one", "two"])
        #expect(result.counts.lines == 2 && result.counts.isBalanced)
    }

    @Test("colours are taken out where the metadata follow the message")
    func colouredMetadata() throws {
        let lines = [
            "applicationDidBecomeActive",
            "Type: Notice | Timestamp: 2025-05-01 07:30:00.118417+02:00 | Process: Tea | Library: Tea | TID: 0x7",
            "one",
            "two", "Type: Error | Timestamp: 2025-05-01 07:30:01.118417+02:00 | Process: Tea | Library: Tea | TID: 0x7",
        ]
        let plain = try read(lines.joined(separator: "\n") + "\n")
        #expect(plain.entries.map(\.process) == ["Tea", "Tea"])
        let coloured = lines.map { "\u{1B}[1;32m\($0.prefix(5))\u{1B}[0m\($0.dropFirst(5))\u{1B}[0m" }
        for chunk in [1, 7, 100, 256 << 10] {
            let text = Array((coloured.joined(separator: "\n") + "\n").utf8)
            let result = try read(text, options: ReadingOptions(chunkBytes: chunk)).result
            #expect(result.entries.map(\.time) == plain.entries.map(\.time) && result.counts == plain.counts)
            #expect(result.entries.map(\.process) == ["Tea", "Tea"], "\(chunk)")
            #expect(result.entries.first?.message == "applicationDidBecomeActive")
        }
    }

    @Test("a line of many megabytes is cut, counted, and costs its neighbours nothing")
    func longLine() throws {
        let long = "Tea[1:2] " + String(repeating: "abcdefgh", count: 400_000)
        let options = ReadingOptions(entryBytes: 64 << 10)
        let result = try read(Array("Tea[1:2] one\n\(long)\nTea[1:2] two\n".utf8), options: options).result
        #expect(
            result.assumptions == ["1 line reaches beyond the first 64 KiB of its entry: the rest was not examined"])
        #expect(result.entries.map(\.line) == [1, 2, 3])
        #expect(result.entries.map { $0.message.utf8.count } == [3, (64 << 10) - 9, 3])
        #expect(result.counts.lines == 3 && result.bytes == Int64(long.utf8.count) + 27)
    }

    @Test(
        "what a long line says at its end reaches its entry, in a timed line and in a bare one", arguments: [20, 200])
    func endOfLongLine(kibibytes: Int) throws {
        let long = String(repeating: "x", count: kibibytes << 10) + " applicationDidBecomeActive"
        let header = "2021-05-04 09:08:07.250 Tea[512:1f03] "
        for chunk in [1000, 256 << 10] {
            let text = "\(header)one\n\(header)\(long)\n\(long)!\n"
            let result = try read(Array(text.utf8), options: ReadingOptions(chunkBytes: chunk)).result
            #expect(result.entries.map(\.message) == ["one", long, long + "!"])
            #expect(result.assumptions == ["times without a zone read as UTC"])
        }
    }

    @Test("a record of very many lines is cut in its message, not in its accounting")
    func longRecord() throws {
        let text = "Tea[1:2] one\n" + String(repeating: "  more and more\n", count: 50_000) + "Tea[1:2] two\n"
        let result = try read(Array(text.utf8), options: ReadingOptions(entryBytes: 64 << 10)).result
        // 65,536 bytes hold the first line of 13 bytes and 4,095 others of 16 bytes.
        #expect(
            result.assumptions == [
                "45905 lines reach beyond the first 64 KiB of their entries: the rest was not examined"
            ])
        #expect(result.entries.map(\.lines) == [50_001, 1])
        #expect(result.entries.first?.message.utf8.count == (64 << 10) - 9)
        #expect(result.counts.continuation == 50_000 && result.counts.isBalanced)
    }

    private static func rubbish(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var chance = SeededChance(state: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &chance) }
    }

    private static func timed(_ minutes: Range<Int>) -> [UInt8] {
        Array(minutes.map { "2021-05-04 09:\($0):07.250 Tea[512:1f03] kettle \($0)\n" }.joined().utf8)
    }

    @Test(
        "a block of rubbish in or behind a log costs no other line, and neither does a gap of NUL bytes before it",
        arguments: [(4096, 1), (4096, 2), (60, 3), (4096, nil), (300_000, nil)] as [(Int, UInt64?)])
    func block(count: Int, seed: UInt64?) throws {
        let block = seed.map { Self.rubbish(count, seed: $0) + [0x0A] } ?? [UInt8](repeating: 0, count: count)
        let folder = try ScratchFolder()
        let (first, second) = (Self.timed(10..<20), Self.timed(20..<30))
        var cases = [(first + block + second, 10..<30), (first + block, 10..<20)]
        if seed == nil { cases.append((block + second, 20..<30)) }
        for (bytes, kept) in cases {
            let file = try folder.write("app.log", Array(bytes))
            let found = InputFinder.find([file])
            // What begins as no text is read where its format is given.
            if seed == nil { #expect(found.sources.count == 1 && found.isComplete) }
            for chunk in [1000, 256 << 10] {
                let result = try read(Array(bytes), options: ReadingOptions(chunkBytes: chunk)).result
                let times = result.entries.filter { $0.process == "Tea" }.compactMap(\.time)
                #expect(times == kept.map { "2021-05-04T09:\($0):07.25Z" }, "\(chunk) \(result.entries.count)")
                #expect(result.counts.isBalanced)
                // A gap of NUL bytes at the end is no line.
                let hasOpenLine = bytes.last != 0x0A && seed != nil
                #expect(result.counts.lines == Int64(bytes.count { $0 == 0x0A } + (hasOpenLine ? 1 : 0)))
                #expect(!result.assumptions.contains { $0.contains("Latin-1") })
            }
        }
    }

    @Test("files of kinds that hold text are no logs, unless somebody says so")
    func foreign() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("a.db", Array("SQLite format 3\u{0}".utf8) + Self.timed(10..<59))
        #expect(InputFinder.find([file]).sources.isEmpty && !InputFinder.find([file]).isComplete)
        #expect(InputFinder.find([folder.path]).sources.isEmpty)
        let forced = InputFinder.find([file], options: ReadingOptions(format: "nslog"))
        #expect(forced.sources.count == 1 && forced.isComplete)
    }
}
