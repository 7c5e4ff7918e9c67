import TraceRecords

/// A number for the content of a database that does not depend on row ids, on paths and lines of the sources, or on
/// the order and the pieces in which they were ingested.
///
/// The sum of the rows' hashes: rows count as often as they occur, and in any order.
package struct ContentDigest: Sendable, Hashable, CustomStringConvertible {
    private var lanes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init() {}

    @inline(__always)
    mutating func add(_ row: RowHash) {
        lanes.0 &+= Self.spread(row.low)
        lanes.1 &+= Self.spread(row.high)
        lanes.2 &+= Self.spread(row.low &+ row.high)
        lanes.3 &+= Self.spread(row.low ^ (row.high << 32 | row.high >> 32))
    }

    /// 64 hexadecimal digits.
    package var description: String {
        [lanes.0, lanes.1, lanes.2, lanes.3].map(\.hexadecimal).joined()
    }

    package static func == (a: ContentDigest, b: ContentDigest) -> Bool { a.lanes == b.lanes }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(lanes.0)
        hasher.combine(lanes.1)
    }

    /// The finalizer of splitmix64: every bit of the input reaches every bit of the output.
    @inline(__always)
    private static func spread(_ value: UInt64) -> UInt64 {
        var x = value &+ 0x9E37_79B9_7F4A_7C15
        x = (x ^ (x >> 30)) &* 0xBF58_476D_1CE4_E5B9
        x = (x ^ (x >> 27)) &* 0x94D0_49BB_1331_11EB
        return x ^ (x >> 31)
    }
}
