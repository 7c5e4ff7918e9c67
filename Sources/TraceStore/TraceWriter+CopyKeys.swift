import Foundation
import GRDB
package import TraceRecords

/// What is kept of the last lines of each source, so that a log that is read on knows copies of them.
///
/// Kept are for each line the difference of its number from that of the line before (seven bits a byte, the lowest
/// first, the sign in the lowest bit of all) and the eight bytes of its key.
extension TraceWriter {
    /// The keys of sources, those of each in the order in which they were kept.
    package func copyKeys(ofSources sources: [Int32]) throws -> [CopyKey] {
        try read { db in
            let statement = try db.cachedStatement(sql: "SELECT keys FROM raw_copy_keys WHERE source = ?")
            return try sources.flatMap { source in
                try Data.fetchOne(statement, arguments: [source]).map { Self.decoded($0, of: source) } ?? []
            }
        }
    }

    /// Replaces the keys of sources.
    func write(copyKeys: [Int32: [CopyKey]], in db: Database) throws {
        let insert = try db.cachedStatement(sql: "REPLACE INTO raw_copy_keys (source, keys) VALUES (?, ?)")
        let delete = try db.cachedStatement(sql: "DELETE FROM raw_copy_keys WHERE source = ?")
        for (source, keys) in copyKeys {
            if keys.isEmpty {
                try delete.execute(arguments: [source])
            } else {
                try insert.execute(arguments: [source, Self.encoded(keys)])
            }
        }
    }

    private static func encoded(_ keys: [CopyKey]) -> Data {
        var bytes = Data(capacity: keys.count * 10)
        var line: Int64 = 0
        for key in keys {
            let step = key.line &- line
            var rest = UInt64(bitPattern: step << 1 ^ step >> 63)
            while rest > 0x7F {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
            for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: key.key >> shift)) }
            line = key.line
        }
        return bytes
    }

    /// What a damaged row tells as far as it goes: without a key a copy counts as a line of its own.
    private static func decoded(_ data: Data, of source: Int32) -> [CopyKey] {
        var keys: [CopyKey] = []
        var bytes = data[...]
        var line: Int64 = 0
        while !bytes.isEmpty {
            var step: UInt64 = 0
            var shift: UInt64 = 0
            while let byte = bytes.popFirst() {
                step |= UInt64(byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 { break }
            }
            guard bytes.count >= 8 else { break }
            line &+= Int64(bitPattern: step >> 1) ^ -Int64(bitPattern: step & 1)
            let key = bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            bytes = bytes.dropFirst(8)
            keys.append(CopyKey(source: source, line: line, key: key))
        }
        return keys
    }
}
