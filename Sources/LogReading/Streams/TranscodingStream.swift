/// UTF-16 or Latin-1, read as UTF-8.
final class TranscodingStream: LayeredStream {
    let source: any ByteStream
    private let encoding: SourceBeginning.Encoding
    private var raw = [UInt8](repeating: 0, count: 16 << 10)
    /// Bytes of a character that is not complete, at the beginning of `raw`.
    private var kept = 0
    private var output: [UInt8] = []
    private var given = 0

    init(_ stream: any ByteStream, encoding: SourceBeginning.Encoding) {
        source = stream
        self.encoding = encoding
    }

    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        if given == output.count { try refill() }
        let count = min(room.count, output.count - given)
        room.copyBytes(from: output[given..<given + count])
        given += count
        return count
    }

    private func refill() throws(ReadingError) {
        (output, given) = ([], 0)
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
            let count = kept + got
            // Where nothing follows, half a character goes on waiting.
            if got == 0, !source.hasEnded || count < 2 { return }
            decode(count, isEnd: got == 0)
        }
    }

    private func decode(_ count: Int, isEnd: Bool) {
        kept = 0
        guard encoding != .latin1 else {
            output = Array(String(String.UnicodeScalarView(raw[..<count].map { Unicode.Scalar($0) })).utf8)
            return
        }
        var units = stride(from: 0, to: count - 1, by: 2).map { at -> UInt16 in
            let (first, second) = (UInt16(raw[at]), UInt16(raw[at + 1]))
            return encoding == .utf16LittleEndian ? second << 8 | first : first << 8 | second
        }
        if !isEnd, let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        output = Array(String(decoding: units, as: UTF16.self).utf8)
        for index in 2 * units.count..<count {
            raw[kept] = raw[index]
            kept += 1
        }
    }
}
