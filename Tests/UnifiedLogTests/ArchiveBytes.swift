@testable import UnifiedLog

/// The bytes of archives: chunks, their padding and their compression.
extension ArchiveEncoder {
    func chunk(_ tag: UInt32, _ subtag: UInt32, _ data: [UInt8]) -> [UInt8] {
        var bytes = Bytes()
        bytes.put(tag, subtag)
        bytes.put(UInt64(data.count))
        bytes.all += data
        return tag == 0x6001 || tag == 0x6002 ? bytes.all : padded(bytes.all)
    }

    func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
    }

    func compressed(_ data: [UInt8]) -> [UInt8] {
        var bytes = Bytes()
        switch compression {
        case .none:
            bytes.put(UInt32(0x2D34_7662), UInt32(data.count))
            bytes.all += data
        case .literals, .matches:
            let block = compression == .literals ? Self.literals(data) : Self.lz4(data)
            bytes.put(UInt32(0x3134_7662), UInt32(data.count), UInt32(block.count))
            bytes.all += block
        }
        bytes.put(UInt32(0x2434_7662))
        return bytes.all
    }

    private static func length(_ count: Int) -> [UInt8] {
        guard count >= 15 else { return [] }
        let rest = count - 15
        return [UInt8](repeating: 255, count: rest / 255) + [UInt8(rest % 255)]
    }

    private static func literals(_ data: [UInt8]) -> [UInt8] {
        [UInt8(min(15, data.count) << 4)] + length(data.count) + data
    }

    /// A greedy compressor: enough to make matches of every kind, overlapping ones included.
    static func lz4(_ data: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var places: [UInt32: Int] = [:]
        var start = 0
        var at = 0
        while at + 12 < data.count {
            let key = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(data[at + $1]) }
            let found = places[key]
            places[key] = at
            guard let found, at - found <= 65_535 else {
                at += 1
                continue
            }
            var count = 4
            while at + count < data.count - 5, data[found + count] == data[at + count] { count += 1 }
            let text = data[start..<at]
            output.append(UInt8(min(15, text.count) << 4 | min(15, count - 4)))
            output += length(text.count) + text
            output += [UInt8((at - found) & 255), UInt8((at - found) >> 8)] + length(count - 4)
            at += count
            start = at
        }
        return output + literals(Array(data[start...]))
    }

    /// Bytes that grow.
    struct Bytes {
        var all: [UInt8] = []

        mutating func put<each T: FixedWidthInteger>(_ values: repeat each T) {
            for value in repeat each values { withUnsafeBytes(of: value.littleEndian) { all += $0 } }
        }

        mutating func put(_ uuid: LogUUID) {
            withUnsafeBytes(of: uuid.high.bigEndian) { all += $0 }
            withUnsafeBytes(of: uuid.low.bigEndian) { all += $0 }
        }

        mutating func align() { while all.count % 8 != 0 { all.append(0) } }
    }
}

/// An archive in memory.
struct ArchiveInMemory: StringFiles {
    let files: [String: [UInt8]]

    func uuidText(_ uuid: LogUUID) -> (any StringBytes)? {
        files["\(uuid.digits.prefix(2))/\(uuid.digits.dropFirst(2))"].map(BytesInMemory.init)
    }

    func sharedCache(_ uuid: LogUUID) -> (any StringBytes)? { files["dsc/\(uuid.digits)"].map(BytesInMemory.init) }
}

struct BytesInMemory: StringBytes {
    let all: [UInt8]
    var count: Int { all.count }

    func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8> { all.dropFirst(offset).prefix(count) }
}
