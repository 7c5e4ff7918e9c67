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
            guard got > 0 else { return false }
            decode(kept + got)
        }
        return true
    }

    private func decode(_ count: Int) {
        kept = 0
        if encoding == .latin1 {
            for byte in raw[..<count] { append(Unicode.Scalar(byte)) }
            return
        }
        var at = 0
        while at + 1 < count {
            let unit = unit(at)
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
        for index in at..<count { raw[index - at] = raw[index] }
        kept = count - at
    }

    private func unit(_ at: Int) -> UInt16 {
        let (low, high) = encoding == .utf16LittleEndian ? (raw[at], raw[at + 1]) : (raw[at + 1], raw[at])
        return UInt16(high) << 8 | UInt16(low)
    }

    private func append(_ scalar: Unicode.Scalar) { output.append(contentsOf: UTF8.encode(scalar)?.map { $0 } ?? []) }
}
