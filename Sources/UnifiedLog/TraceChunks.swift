/// The bytes of one tracev3 file.
package protocol TraceBytes {
    /// What the file is called in messages.
    var name: String { get }
    /// Bytes from an offset, fewer at the end.
    ///
    /// - Throws: when the file cannot be read further; what was read before is kept.
    func bytes(at offset: Int, count: Int) throws -> [UInt8]
}

/// The first bytes of a chunk: what it is, and how much follows.
enum ChunkTag: UInt32 {
    case header = 0x1000
    case firehose = 0x6001
    case oversize = 0x6002
    case stateDump = 0x6003
    case simpleDump = 0x6004
    case catalog = 0x600B
    case chunkSet = 0x600D

    init?(of chunk: [UInt8]) {
        guard let tag = ByteReader(chunk.span.bytes).integer(at: 0, UInt32.self) else { return nil }
        self.init(rawValue: tag)
    }

    /// Whether chunks of this kind are in the file itself, and not in a chunk set.
    var isOuter: Bool { beginsSection || self == .chunkSet }
    /// Whether what follows depends on nothing before it except the header.
    var beginsSection: Bool { self == .header || self == .catalog }
}

/// Divides a tracev3 file into chunks. Where no chunk begins, the next one is searched, so damage costs no other chunk.
struct TraceChunks {
    /// The largest chunk. Real ones have some hundred KiB.
    static let mostBytes = 16 << 20

    private let bytes: any TraceBytes
    /// Bytes that were read; those before `start` have been used.
    private var ahead: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    /// The least bytes to read at a time: few while chunk follows chunk, more once they must be looked for.
    private var block: Int
    /// Where the next chunk begins in the file.
    private(set) var offset = 0
    private var damage: [LogDamage] = []

    /// - Parameters:
    ///   - offset: where a chunk begins.
    ///   - block: the least bytes to read at a time.
    init(_ bytes: any TraceBytes, at offset: Int = 0, block: Int = 16) {
        self.bytes = bytes
        self.offset = offset
        self.block = block
    }

    /// The damage found since the last call.
    mutating func takeDamage() -> [LogDamage] {
        defer { damage = [] }
        return damage
    }

    /// The next chunk with its header and padding, and where it begins; `nil` at the end.
    mutating func next() -> (bytes: [UInt8], offset: Int)? {
        while fill(16) > 0 {
            guard let size = size(at: start) else {
                passOver()
                continue
            }
            let there = fill(size + 16)
            if there == size || there > size && self.size(at: start + size) != nil { return take(size) }
            // Its size is damaged, or the chunk after it is, or the file ends inside it.
            block = 256 << 10
            let end = start + min(size, there)
            let found = stride(from: start + 16, to: end, by: 8).first { isOuter(at: $0) }
            return take((found ?? end) - start)
        }
        return nil
    }

    /// Passes over bytes that no chunk begins with.
    private mutating func passOver() {
        let first = offset
        block = 256 << 10
        repeat { drop(min(8, fill(16))) } while fill(16) > 0 && !isOuter(at: start)
        let size = offset - first
        let reason =
            first == 0 && fill(16) == 0
            ? "none of its \(size) bytes begins a chunk of a tracev3 file: copy the file again from its source"
            : "no chunk begins here: \(size) bytes are left out"
        damage.append(LogDamage(offset: first, reason: reason))
    }

    private mutating func drop(_ count: Int) {
        start += count
        offset += count
    }

    private mutating func take(_ count: Int) -> (bytes: [UInt8], offset: Int) {
        defer { drop(count) }
        return (Array(ahead[start..<start + count]), offset)
    }

    /// Reads until so many bytes are there, or the file ends.
    ///
    /// - Returns: how many are there, perhaps more.
    private mutating func fill(_ count: Int) -> Int {
        if ahead.count - start < count, !isAtEnd {
            ahead.removeFirst(start)
            start = 0
            let missing = max(block, count - ahead.count)
            do {
                let more = try bytes.bytes(at: offset + ahead.count, count: missing)
                isAtEnd = more.count < missing
                ahead += more
            } catch {
                isAtEnd = true
                damage.append(LogDamage(offset: offset + ahead.count, reason: "\(error)"))
            }
        }
        return ahead.count - start
    }

    /// The size of the chunk that begins at a place in `ahead`, its header and the padding after it included; `nil` when none does.
    private func size(at place: Int) -> Int? {
        let reader = ByteReader(ahead.span.bytes)
        guard let tag: UInt32 = reader.integer(at: place), tag == ChunkTag.header.rawValue || tag >> 8 == 0x60,
            let size: UInt64 = reader.integer(at: place + 8), size <= UInt64(Self.mostBytes)
        else { return nil }
        return (16 + Int(size) + 7) & ~7
    }

    /// Whether a chunk begins at a place where it need not.
    private func isOuter(at place: Int) -> Bool {
        let reader = ByteReader(ahead.span.bytes)
        guard let tag: UInt32 = reader.integer(at: place), ChunkTag(rawValue: tag)?.isOuter == true,
            let subtag: UInt32 = reader.integer(at: place + 4), subtag < 0x100
        else { return false }
        return size(at: place) != nil
    }
}
