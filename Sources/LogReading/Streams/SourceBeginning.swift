import Foundation

/// What the first bytes of a source show about all of it.
package struct SourceBeginning: Sendable, Hashable, Codable {
    /// How texts are encoded.
    enum Encoding: String, Codable {
        case utf8, utf16LittleEndian, utf16BigEndian, latin1
    }

    /// How many bytes are looked at.
    static let size = 16 << 10
    /// How much is looked at for metadata, without which a log has no times: an app may print much before it logs.
    static let metadataReach = 256 << 10

    var encoding = Encoding.utf8
    /// Bytes of a mark at the beginning, which belong to no line.
    var markLength = 0
    /// Whether lines with metadata end the records.
    var hasMetadata = false
    /// Whether there are colour codes of terminals.
    var hasColours = false
    /// Whether the times of its lines come after a text; only a catalog of layouts can tell.
    var hasTimesAnywhere = false
    /// Whether it is not text.
    var isBinary = false

    /// What the first bytes of a source show now; those of a short one may show more when it has grown.
    ///
    /// - Throws: ``ReadingError`` when it cannot be read.
    package init(of source: SourceDescription, options: ReadingOptions) throws(ReadingError) {
        self = try Self.read(from: StreamOpener.open(source, options: options), options: options).1
    }

    /// What a stream holds as UTF-8.
    ///
    /// - Parameter head: the bytes that were read from it to know its beginning.
    func text(_ head: [UInt8], then stream: any ByteStream) -> any ByteStream {
        let text = ChainedStream(Array(head.dropFirst(markLength)), then: stream)
        return encoding == .utf8 ? text : TranscodingStream(text, encoding: encoding)
    }

    /// The first bytes of a stream, and what they show.
    static func read(
        from stream: any ByteStream, options: ReadingOptions
    ) throws(ReadingError) -> ([UInt8], SourceBeginning) {
        var head = try StreamOpener.beginning(of: stream, isStopped: options.isStopped)
        var beginning = SourceBeginning(head)
        // More of a pipe would have to be waited for.
        let reach = Self.metadataReach - head.count
        if !beginning.hasMetadata, !stream.isLive, reach > 0, head.count >= Self.size,
            let more = try? StreamOpener.beginning(of: stream, size: reach)
        {
            head += more
            beginning.lookForMetadata(in: head)
        }
        return (head, beginning)
    }

    init(_ bytes: [UInt8]) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            markLength = 3
        } else if bytes.starts(with: [0xFF, 0xFE]) {
            encoding = .utf16LittleEndian
            markLength = 2
        } else if bytes.starts(with: [0xFE, 0xFF]) {
            encoding = .utf16BigEndian
            markLength = 2
        }
        let census = Census(bytes)
        if markLength == 0, let unmarked = Self.unmarkedUTF16(bytes, zeros: census.zeros) { encoding = unmarked }
        // The bytes of UTF-16 are those of other characters, too.
        let text = encoding == .utf8 ? bytes : decoded(bytes)
        hasColours = encoding == .utf8 ? census.hasEscape : text.contains(0x1B)
        hasMetadata = tellsMetadata(text)
        guard encoding == .utf8 else { return }
        // Text has no control characters to speak of; NUL bytes alone are the gap that a crash leaves in a file.
        isBinary =
            bytes.count >= 16 && census.controls * 20 > bytes.count - census.zeros
            || (census.zeros > 0 && census.zeros * 10 > bytes.count && !bytes.contains(0x0A))
        guard census.hasHighBytes, !isBinary else { return }
        // Line by line, so that one damaged line changes nothing in the others.
        var (sound, broken) = (0, 0)
        for line in bytes.split(separator: 0x0A) where line.contains(where: { $0 >= 0x80 }) {
            // Control characters are not Latin-1: the line was overwritten, and means nothing for the others.
            if line.contains(where: { $0 < 0x07 || ($0 > 0x0D && $0 < 0x20 && $0 != 0x1B) }) { continue }
            let (valid, invalid) = Self.sequences(line)
            if invalid > valid { broken += 1 } else { sound += 1 }
        }
        if broken > sound { encoding = .latin1 }
    }

    /// Looks for metadata in more of the source.
    mutating func lookForMetadata(in bytes: [UInt8]) { hasMetadata = hasMetadata || tellsMetadata(decoded(bytes)) }

    /// Looks where the lines of the first bytes have their times. Of what is shown as it comes the first line decides.
    mutating func lookForTimes(in bytes: [UInt8], isLive: Bool, _ matcher: inout LineMatcher) {
        hasTimesAnywhere =
            !isBinary && !hasMetadata
            && matcher.hasTimesAnywhere(plain(decoded(Array(bytes.prefix(Self.size)))), least: isLive ? 1 : 2)
        matcher.findsTimesAnywhere = hasTimesAnywhere
    }

    private func plain(_ text: [UInt8]) -> [UInt8] { hasColours ? Colours.removed(from: text) : text }

    private func tellsMetadata(_ text: [UInt8]) -> Bool {
        let plain = plain(text)
        return Self.contains(plain, "| Timestamp: ") && Self.contains(plain, "Type: ")
            || Self.contains(plain, "\nTimestamp: ") && !plain.starts(with: "Timestamp: ".utf8)
    }

    /// The first bytes of a source as UTF-8, without a character that their end cuts.
    private func decoded(_ bytes: [UInt8]) -> [UInt8] {
        guard encoding == .utf16LittleEndian || encoding == .utf16BigEndian else { return bytes }
        let stream = TranscodingStream(MemoryStream(Array(bytes.dropFirst(markLength))), encoding: encoding)
        return (try? StreamOpener.beginning(of: stream, size: 2 * bytes.count)) ?? []
    }

    /// UTF-16 without a mark: of what is plain ASCII in it, every other byte is zero, and few bytes between them are.
    private static func unmarkedUTF16(_ bytes: [UInt8], zeros: Int) -> Encoding? {
        guard bytes.count >= 16, zeros * 5 > bytes.count else { return nil }
        let odd = stride(from: 1, to: bytes.count, by: 2).count { bytes[$0] == 0 }
        let even = zeros - odd
        guard max(even, odd) >= 7 * min(even, odd) else { return nil }
        return odd > even ? .utf16LittleEndian : .utf16BigEndian
    }

    /// Counts of kinds of bytes, in one pass that small files can afford.
    private struct Census {
        var zeros = 0
        var controls = 0
        var hasEscape = false
        var hasHighBytes = false

        init(_ bytes: [UInt8]) {
            bytes.withUnsafeBufferPointer { buffer in
                var (zeros, controls, escapes, union) = (0, 0, 0, UInt8(0))
                for byte in buffer {
                    union |= byte
                    zeros &+= byte == 0 ? 1 : 0
                    escapes &+= byte == 0x1B ? 1 : 0
                    // Bell to carriage return are text; the escape character is counted by itself.
                    controls &+= byte &- 1 < 6 ? 1 : 0
                    controls &+= byte &- 14 < 18 ? 1 : 0
                }
                self.zeros = zeros
                self.controls = controls - escapes
                hasEscape = escapes > 0
                hasHighBytes = union >= 0x80
            }
        }
    }

    /// What had to be assumed, in plain words.
    var assumptions: [String] {
        var texts: [String] = []
        if encoding == .latin1 { texts.append("text that is not UTF-8 read as Latin-1") }
        if markLength == 0, encoding == .utf16LittleEndian || encoding == .utf16BigEndian {
            texts.append("text without a mark read as UTF-16")
        }
        return texts
    }

    private static func contains(_ bytes: [UInt8], _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        return bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return false }
            var at = 0
            while at + count <= buffer.count,
                let found = memchr(base + at, Int32(text.utf8Start[0]), buffer.count - count + 1 - at)
            {
                if memcmp(found, text.utf8Start, count) == 0 { return true }
                at = UnsafeRawPointer(found) - base + 1
            }
            return false
        }
    }

    /// Number of well-formed sequences of several bytes, and of bytes that are none; a cut one at the end is neither.
    private static func sequences(_ bytes: ArraySlice<UInt8>) -> (valid: Int, invalid: Int) {
        var (valid, invalid, at) = (0, 0, bytes.startIndex)
        while at < bytes.endIndex {
            let length: Int
            switch bytes[at] {
            case 0..<0x80:
                at += 1
                continue
            case 0xC2..<0xE0: length = 2
            case 0xE0..<0xF0: length = 3
            case 0xF0..<0xF5: length = 4
            default:
                invalid += 1
                at += 1
                continue
            }
            if at + length > bytes.endIndex { break }
            if (1..<length).allSatisfy({ bytes[at + $0] & 0xC0 == 0x80 }) {
                valid += 1
                at += length
            } else {
                invalid += 1
                at += 1
            }
        }
        return (valid, invalid)
    }
}
