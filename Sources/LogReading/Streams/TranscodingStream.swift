/// UTF-16 or Latin-1, read as UTF-8.
///
/// A byte too many or too few in UTF-16 would make everything after it unreadable. ASCII text that is read one byte
/// off shows itself: all its units are ASCII characters in the wrong half. There the reading goes on one byte further.
final class TranscodingStream: LayeredStream {
    let source: any ByteStream
    private let encoding: SourceBeginning.Encoding
    private var raw = [UInt8](repeating: 0, count: 16 << 10)
    /// Bytes of a character that is not complete, at the beginning of `raw`.
    private var kept = 0
    private var output: [UInt8] = []
    private var given = 0
    /// Stray bytes that were left out.
    private var strays = 0

    /// This many units show that the reading is one byte off: so many characters in a row with a zero in the lower half are
    /// in no language.
    private static let telling = 6

    /// What had to be assumed, in plain words.
    var assumptions: [String] {
        switch strays {
        case 0: []
        case 1: ["a byte between the characters of UTF-16 left out"]
        default: ["\(strays) bytes between the characters of UTF-16 left out"]
        }
    }

    init(_ stream: any ByteStream, encoding: SourceBeginning.Encoding) {
        source = stream
        self.encoding = encoding
    }

    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        if given == output.count, try !refill() { return 0 }
        let count = min(room.count, output.count - given)
        output.withUnsafeBytes { bytes in
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[given..<given + count]))
        }
        given += count
        return count
    }

    private func refill() throws(ReadingError) -> Bool {
        output.removeAll(keepingCapacity: true)
        given = 0
        while output.isEmpty {
            var got = 0
            var failure: ReadingError?
            raw.withUnsafeMutableBytes { bytes in
                do throws(ReadingError) {
                    got = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[kept...]))
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            guard got > 0 else {
                // Nothing follows; half a character goes on waiting.
                if source.hasEnded, kept > 1 { decode(kept, isEnd: true) }
                return !output.isEmpty
            }
            decode(kept + got, isEnd: false)
        }
        return true
    }

    private func decode(_ count: Int, isEnd: Bool) {
        kept = 0
        if encoding == .latin1 {
            for byte in raw[..<count] { append(Unicode.Scalar(byte)) }
            return
        }
        var at = 0
        while at + 1 < count {
            let unit = unit(at)
            if isOff(unit) {
                switch isOff(at, count) {
                case true?:
                    strays += 1
                    append("\u{FFFD}")
                    at += 1
                    continue
                case nil where !isEnd: return keep(at..<count)
                default: break
                }
            }
            if UTF16.isLeadSurrogate(unit) {
                guard at + 3 < count else { break }
                let next = self.unit(at + 2)
                if UTF16.isTrailSurrogate(next) {
                    let code = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(next) - 0xDC00)
                    append(Unicode.Scalar(code) ?? "\u{FFFD}")
                    at += 4
                    continue
                }
            }
            append(Unicode.Scalar(UInt32(unit)) ?? "\u{FFFD}")
            at += 2
        }
        keep(at..<count)
    }

    private func keep(_ rest: Range<Int>) {
        for index in rest { raw[index - rest.lowerBound] = raw[index] }
        kept = rest.count
    }

    /// Whether a unit is a printable ASCII character, or one that parts lines, in the wrong half.
    private func isOff(_ unit: UInt16) -> Bool {
        let high = unit >> 8
        return unit & 0xFF == 0 && (high >= 0x20 && high < 0x7F || high == 0x0A || high == 0x0D || high == 0x09)
    }

    /// Whether the units from a place on are one byte off; `nil` when more bytes are needed.
    private func isOff(_ start: Int, _ count: Int) -> Bool? {
        var differs = false
        for number in 1..<Self.telling {
            let at = start + 2 * number
            guard at + 1 < count else { return nil }
            guard isOff(unit(at)) else { return false }
            differs = differs || unit(at) != unit(start)
        }
        // Text may be indented by wide blanks (U+3000).
        return differs
    }

    private func unit(_ at: Int) -> UInt16 {
        let (low, high) = encoding == .utf16LittleEndian ? (raw[at], raw[at + 1]) : (raw[at + 1], raw[at])
        return UInt16(high) << 8 | UInt16(low)
    }

    private func append(_ scalar: Unicode.Scalar) { output.append(contentsOf: UTF8.encode(scalar)?.map { $0 } ?? []) }
}
