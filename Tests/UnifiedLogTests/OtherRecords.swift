@testable import UnifiedLog

/// What a chunk set holds beside log messages.
extension ArchiveEncoder {
    /// An activity, a trace, a signpost, a loss and a state dump, and a simple dump, which is a message: "dumped".
    ///
    /// They are of the first process of the file.
    ///
    /// - Parameter isUnknown: whether a record of a kind that no reader knows comes first.
    func otherChunks(ticks: UInt64, isUnknown: Bool = false) -> [UInt8] {
        var activity = Bytes()
        activity.put(UInt64(1) << 63 | 77)
        activity.put(UInt32(0x2000))
        activity.all += [0, 0]
        var trace = Bytes()
        trace.put(UInt32(0x2000))
        trace.all += [0]
        var signpost = Bytes()
        signpost.put(UInt32(0x2000))
        signpost.put(UInt64(9))
        signpost.all += [0, 0]
        var loss = Bytes()
        loss.put(ticks, ticks + 5, UInt64(12))
        let unknown = isUnknown ? record(5, 0, flags: 0x2, activity) : []
        let points = [
            unknown, record(2, 1, flags: 0x2, activity), record(3, 0, flags: 0x2, trace),
            record(6, 0xC0, flags: 0x2, signpost),
            record(7, 0, flags: 0, loss),
        ].joined()
        return padded(chunk(0x6001, 0, Self.firehose(0, base: ticks, Array(points))))
            + chunk(0x6003, 0, stateDump(ticks)) + chunk(0x6004, 0, simpleDump(ticks))
    }

    private func record(_ type: UInt8, _ level: UInt8, flags: UInt16, _ data: Bytes) -> [UInt8] {
        var bytes = Bytes()
        bytes.all += [type, level]
        bytes.put(flags, UInt16(0x1000), UInt16(0))
        bytes.put(UInt64(0x42))
        bytes.put(UInt32(1))
        bytes.put(UInt16(0), UInt16(data.all.count))
        bytes.all += data.all
        bytes.align()
        return bytes.all
    }

    private func stateDump(_ ticks: UInt64) -> [UInt8] {
        var bytes = Bytes()
        bytes.put(UInt64(1))
        bytes.put(UInt32(100), UInt32(0))
        bytes.put(ticks, UInt64(0))
        bytes.put(Self.executable(1))
        bytes.put(UInt32(2), UInt32(4))
        bytes.all +=
            [UInt8](repeating: 0, count: 128) + Array("state".utf8) + [UInt8](repeating: 0, count: 59) + [1, 2, 3, 4]
        return bytes.all
    }

    private func simpleDump(_ ticks: UInt64) -> [UInt8] {
        var bytes = Bytes()
        bytes.put(UInt64(1))
        bytes.put(UInt32(100))
        bytes.all += [0, 0x10, 0, 0]
        bytes.put(ticks, UInt64(0x43), UInt64(0x2000))
        bytes.put(LogUUID(high: 5, low: 5))
        bytes.put(Self.cache)
        bytes.put(UInt32(0), UInt32(16), UInt32(8))
        bytes.all += Array("com.example.tea\0dumped!\0".utf8)
        return bytes.all
    }
}
