/// Decompresses the chunk sets of a tracev3 file: LZ4 blocks between Apple's markers.
///
/// Block format: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md. Markers: `bv41` (compressed), `bv4-` (plain),
/// `bv4$` (end).
enum LZ4Block {
    /// The most bytes of one chunk set. Real ones have some hundred KiB; more is an attack.
    static let mostBytes = 16 << 20

    private static let compressed: UInt32 = 0x3134_7662
    private static let plain: UInt32 = 0x2D34_7662
    private static let end: UInt32 = 0x2434_7662

    /// The bytes of a chunk set; `nil` when it is damaged or too large.
    static func decompress(_ bytes: RawSpan, into output: inout [UInt8]) -> Bool {
        output.removeAll(keepingCapacity: true)
        var reader = ByteReader(bytes)
        while let marker: UInt32 = reader.integer() {
            switch marker {
            case end:
                return true
            case plain:
                guard let size: UInt32 = reader.integer(), output.count + Int(size) <= mostBytes,
                    let slice = reader.slice(Int(size))
                else { return false }
                output.append(slice)
            case compressed:
                guard let size: UInt32 = reader.integer(), let length: UInt32 = reader.integer(),
                    output.count + Int(size) <= mostBytes, let slice = reader.slice(Int(length)),
                    append(slice, size: Int(size), to: &output)
                else { return false }
            default:
                return false
            }
        }
        return false
    }

    /// Unsafe leaf function of the hot path: appends one block. All reads and writes are checked against the ends of both buffers.
    private static func append(_ block: RawSpan, size: Int, to output: inout [UInt8]) -> Bool {
        let base = output.count
        output.append(contentsOf: repeatElement(0, count: size))
        let written = block.withUnsafeBytes { input in
            output.withUnsafeMutableBufferPointer { decode(input.assumingMemoryBound(to: UInt8.self), $0, from: base) }
        }
        return written == size
    }

    /// - Returns: how many bytes the block has; -1 when it is damaged.
    private static func decode(
        _ input: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>, from base: Int
    ) -> Int {
        guard let source = input.baseAddress, let target = output.baseAddress else { return input.isEmpty ? 0 : -1 }
        var read = 0
        var write = base
        func length(_ nibble: Int) -> Int? {
            guard nibble == 15 else { return nibble }
            var total = 15
            while read < input.count {
                let byte = Int(source[read])
                read += 1
                total += byte
                if byte != 255 { return total <= mostBytes ? total : nil }
            }
            return nil
        }
        while read < input.count {
            let token = Int(source[read])
            read += 1
            guard let literals = length(token >> 4), literals <= input.count - read, literals <= output.count - write
            else {
                return -1
            }
            (target + write).update(from: source + read, count: literals)
            read += literals
            write += literals
            if read == input.count { break }
            guard read + 2 <= input.count else { return -1 }
            let distance = Int(source[read]) | Int(source[read + 1]) << 8
            read += 2
            guard distance > 0, distance <= write - base, let more = length(token & 15),
                more + 4 <= output.count - write
            else {
                return -1
            }
            let count = more + 4
            if distance >= count {
                (target + write).update(from: target + write - distance, count: count)
            } else {
                for place in write..<write + count { target[place] = target[place - distance] }
            }
            write += count
        }
        return write - base
    }
}
