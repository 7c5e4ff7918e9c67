/// The wall clock of each boot: the records of `timesync` files.
///
/// Format: libyal dtformats, "Apple Unified Logging and Activity Tracing formats", timesync database file.
package struct TimeSync: Sendable {
    private struct Anchor {
        var ticks: UInt64
        var time: Int64
    }

    private struct Boot {
        var numerator: UInt32
        var denominator: UInt32
        var anchors: [Anchor]
    }

    private var boots: [LogUUID: Boot] = [:]

    package init() {}

    /// Adds the records of a file.
    ///
    /// - Returns: whether all of it could be read.
    @discardableResult
    package mutating func add(_ bytes: [UInt8]) -> Bool {
        var reader = ByteReader(bytes.span.bytes)
        var current: LogUUID?
        while reader.remaining >= 4 {
            let start = reader.offset
            guard let signature: UInt16 = reader.integer(), let size: UInt16 = reader.integer(), size >= 32,
                reader.skip(4)
            else { return false }
            switch signature {
            case 0xBBB0:
                guard let boot = reader.uuid(), let numerator: UInt32 = reader.integer(),
                    let denominator: UInt32 = reader.integer(), let time: Int64 = reader.integer(), denominator > 0
                else { return false }
                current = boot
                if boots[boot] == nil {
                    boots[boot] = Boot(
                        numerator: numerator, denominator: denominator, anchors: [Anchor(ticks: 0, time: time)])
                }
            case 0x7354:
                guard let current, let ticks: UInt64 = reader.integer(), let time: Int64 = reader.integer() else {
                    return false
                }
                insert(Anchor(ticks: ticks, time: time), into: current)
            default:
                return false
            }
            guard reader.seek(start + Int(size)) else { return false }
        }
        return reader.remaining == 0
    }

    private mutating func insert(_ anchor: Anchor, into boot: LogUUID) {
        guard let anchors = boots[boot]?.anchors else { return }
        let place = anchors.lastIndex { $0.ticks <= anchor.ticks }.map { $0 + 1 } ?? 0
        boots[boot]?.anchors.insert(anchor, at: place)
    }

    /// When a boot began, in nanoseconds since 1970; `nil` when no file has it.
    func start(of boot: LogUUID) -> Int64? { boots[boot]?.anchors.first?.time }

    /// The clock of a boot; `nil` when no file has it.
    func clock(of boot: LogUUID) -> WallClock? {
        boots[boot].map { boot in
            WallClock(
                numerator: boot.numerator, denominator: boot.denominator,
                anchors: boot.anchors.map { ($0.ticks, $0.time) })
        }
    }
}

/// Turns ticks of one boot into wall time.
struct WallClock {
    let numerator: UInt32
    let denominator: UInt32
    /// Pairs of ticks and nanoseconds since 1970, by ticks.
    let anchors: [(ticks: UInt64, time: Int64)]

    func time(at ticks: UInt64) -> Int64 {
        let anchor = anchors[max(0, anchors.partitionPoint { $0.ticks <= ticks } - 1)]
        let isBefore = ticks < anchor.ticks
        let elapsed = isBefore ? anchor.ticks - ticks : ticks - anchor.ticks
        // In floating point, rounded down, as the readers do that this one is compared with: equal to the nanosecond.
        let nanoseconds = Int64(clamping: Int(min(9e18, Double(elapsed) * (Double(numerator) / Double(denominator)))))
        return isBefore ? anchor.time &- nanoseconds : anchor.time &+ nanoseconds
    }
}

extension Array {
    /// How many elements at the beginning fulfil a condition that no element after them fulfils.
    @inline(__always)
    func partitionPoint(_ isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
