/// The wall clock of each boot: the records of `timesync` files.
///
/// Format: libyal dtformats, "Apple Unified Logging and Activity Tracing formats", timesync database file.
package struct TimeSync: Sendable {
    private struct Boot {
        var numerator: UInt32
        var denominator: UInt32
        /// By ticks.
        var anchors: [WallClock.Anchor]
    }

    private var boots: [LogUUID: Boot] = [:]

    package init() {}

    /// Adds the records of a file. After a damaged one, the next is looked for.
    ///
    /// - Returns: the first damage.
    @discardableResult
    package mutating func add(_ bytes: [UInt8]) -> LogDamage? {
        var reader = ByteReader(bytes.span.bytes)
        var current: LogUUID?
        var damage: LogDamage?
        while reader.remaining > 0 {
            let start = reader.offset
            if let size = record(&reader, &current), reader.seek(start + size) { continue }
            damage = damage ?? LogDamage(offset: start, reason: "damaged clock record")
            _ = reader.seek(min(start + 8, reader.count))
        }
        for boot in boots.keys { boots[boot]?.anchors.sort { $0.ticks < $1.ticks } }
        return damage
    }

    /// Reads a record.
    ///
    /// - Parameter boot: the boot of the records before it.
    /// - Returns: its size; `nil` when it is damaged.
    private mutating func record(_ reader: inout ByteReader, _ boot: inout LogUUID?) -> Int? {
        guard let signature: UInt16 = reader.integer(), let size: UInt16 = reader.integer(), size >= 32, reader.skip(4)
        else { return nil }
        switch signature {
        case 0xBBB0:
            guard let id = reader.uuid(), let numerator: UInt32 = reader.integer(),
                let denominator: UInt32 = reader.integer(), let time: Int64 = reader.integer(), denominator > 0
            else { return nil }
            boot = id
            if boots[id] == nil {
                boots[id] = Boot(numerator: numerator, denominator: denominator, anchors: [(0, time)])
            }
        case 0x7354:
            guard let boot, let ticks: UInt64 = reader.integer(), let time: Int64 = reader.integer() else { return nil }
            boots[boot]?.anchors.append((ticks, time))
        default:
            return nil
        }
        return Int(size)
    }

    /// The boot, where there is one only.
    var onlyBoot: LogUUID? { boots.count == 1 ? boots.keys.first : nil }

    /// When a boot began, in nanoseconds since 1970; `nil` when no file has it.
    func start(of boot: LogUUID) -> Int64? { boots[boot]?.anchors.first?.time }

    /// The clock of a boot; `nil` when no file has it.
    func clock(of boot: LogUUID) -> WallClock? {
        boots[boot].map { WallClock(numerator: $0.numerator, denominator: $0.denominator, anchors: $0.anchors) }
    }
}

/// Turns ticks of one boot into wall time.
struct WallClock {
    /// Ticks, and the nanoseconds since 1970 at that moment.
    typealias Anchor = (ticks: UInt64, time: Int64)

    private let nanosecondsPerTick: Double
    private let anchors: [Anchor]
    /// The anchor of the last time, and the ticks of the one after it.
    private var anchor: Anchor
    private var end: UInt64

    /// - Parameter anchors: by ticks; not empty.
    init(numerator: UInt32, denominator: UInt32, anchors: [Anchor]) {
        nanosecondsPerTick = Double(numerator) / Double(denominator)
        self.anchors = anchors
        anchor = anchors[0]
        end = anchors.count > 1 ? anchors[1].ticks : .max
    }

    mutating func time(at ticks: UInt64) -> Int64 {
        if ticks < anchor.ticks || ticks >= end {
            let place = max(0, anchors.partitionPoint { $0.ticks <= ticks } - 1)
            anchor = anchors[place]
            end = place + 1 < anchors.count ? anchors[place + 1].ticks : .max
        }
        let isBefore = ticks < anchor.ticks
        let elapsed = isBefore ? anchor.ticks - ticks : ticks - anchor.ticks
        // In floating point, rounded down, as the readers do that this one is compared with: equal to the nanosecond.
        let nanoseconds = Int64(clamping: Int(min(9e18, Double(elapsed) * nanosecondsPerTick)))
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
