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

    @Test("carriage returns alone end lines where there is no other line end", arguments: [1, 7, 256 << 10])
    func carriageReturns(chunk: Int) throws {
        let plain = try read(Self.line + Self.line)
        let text = (Self.line + Self.line).replacing("\n", with: "\r")
        let options = ReadingOptions(chunkBytes: chunk)
        for bytes in [Array(text.utf8), bytes(text, bigEndian: false)] {
            let result = try read(bytes, options: options).result
            #expect(result.entries == plain.entries && result.counts == plain.counts)
            #expect(result.assumptions == plain.assumptions + ["carriage returns alone taken for line ends"])
        }
        // Beside other line ends they are a part of the line.
        #expect(try read("Tea[1:2] 10 %\r20 %\nTea[1:2] on\n").entries.count == 2)
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

    @Test("the gap of NUL bytes that a crash leaves hides no line")
    func gap() throws {
        let result = try read("Tea[1:2] one\n" + String(repeating: "\u{0}", count: 5000) + "Tea[1:2] two\n")
        #expect(result.entries.map(\.message) == ["one", "two"])
        #expect(result.counts.lines == 2 && result.counts.isBalanced)
    }

    @Test("a line of many megabytes is cut, counted, and costs its neighbours nothing")
    func longLine() throws {
        let long = "Tea[1:2] " + String(repeating: "abcdefgh", count: 400_000)
        let result = try read("Tea[1:2] one\n\(long)\nTea[1:2] two\n")
        #expect(result.entries.map(\.line) == [1, 2, 3])
        #expect(result.entries.map { $0.message.utf8.count } == [3, (64 << 10) - 9, 3])
        #expect(result.counts.lines == 3 && result.bytes == Int64(long.utf8.count) + 27)
    }

    @Test("a record of very many lines is cut in its message, not in its accounting")
    func longRecord() throws {
        let result = try read(
            "Tea[1:2] one\n" + String(repeating: "  more and more\n", count: 50_000) + "Tea[1:2] two\n")
        #expect(result.entries.map(\.lines) == [50_001, 1])
        #expect(result.entries.first?.message.utf8.count == (64 << 10) - 9)
        #expect(result.counts.continuation == 50_000 && result.counts.isBalanced)
    }
}
