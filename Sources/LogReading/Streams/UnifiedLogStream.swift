import UnifiedLog

/// Apple's binary unified log as the text that `log show` prints: the layout `log-show` reads it, with nine digits of a second.
final class UnifiedLogStream: ByteStream {
    private var log: MergedLog
    /// Text that was made and not yet read.
    private var waiting: [UInt8] = []
    private var given = 0
    /// Times of one second share their beginning.
    private var second: Int64 = .min
    private var secondText: [UInt8] = []

    init(_ archive: any LogArchive) throws(ReadingError) {
        var clock = TimeSync()
        for file in archive.timeSyncs() { clock.add(file) }
        log = MergedLog(try archive.traces(), strings: StringCatalog(archive), timeSync: clock)
    }

    /// The account of what is not a log message, and what was damaged, in words; empty when there is nothing to mention.
    var remarks: [String] {
        let counts = log.counts
        let skipped = [
            (counts.activities, "activities"), (counts.traces, "traces"), (counts.signposts, "signposts"),
            (counts.stateDumps, "state dumps"), (counts.losses, "records of loss"),
            (counts.otherChunks, "unknown chunks"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        var remarks: [String] = []
        if !skipped.isEmpty { remarks.append("not log messages: " + skipped.joined(separator: ", ")) }
        if counts.unresolved > 0 { remarks.append("\(counts.unresolved) messages without their format string") }
        for problem in log.problems.prefix(3) {
            remarks.append("\(problem.file), byte \(problem.offset): \(problem.reason)")
        }
        return remarks
    }

    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        if given == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            given = 0
            while waiting.count < room.count, let entry = log.next() { append(entry) }
        }
        let count = min(room.count, waiting.count - given)
        guard count > 0 else { return 0 }
        waiting.withUnsafeBytes { all in
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[given..<given + count]))
        }
        given += count
        return count
    }

    /// Appends a line of `log show`.
    private func append(_ entry: LogEntry) {
        appendTime(entry.time)
        waiting += Self.hexadecimal
        waiting.append(entry.thread, radix: 16)
        waiting += Self.name(ofLevel: entry.level)
        waiting.append(entry.activity, radix: 16)
        waiting.append(0x20)
        if entry.processID < 0 { waiting.append(UInt8(ascii: "-")) }
        waiting.append(UInt64(entry.processID.magnitude), radix: 10)
        waiting += Self.timeToLive
        waiting += entry.process.name
        waiting += Self.afterProcess
        if !entry.sender.path.isEmpty, entry.sender.path != entry.process.path {
            waiting.append(UInt8(ascii: "("))
            waiting += entry.sender.name
            waiting += Self.afterSender
        }
        if let subsystem = entry.subsystem { waiting += subsystem.text }
        waiting += entry.message
        waiting.append(0x0A)
    }

    private func appendTime(_ nanoseconds: Int64) {
        let fraction = (nanoseconds % 1_000_000_000 + 1_000_000_000) % 1_000_000_000
        let seconds = (nanoseconds - fraction) / 1_000_000_000
        if seconds != second {
            second = seconds
            let iso = TimeText.iso(seconds * 1_000_000_000)
            secondText = Array((iso.prefix(10) + " " + iso.dropFirst(11).prefix(8) + ".").utf8)
        }
        waiting += secondText
        var unit: Int64 = 100_000_000
        while unit > 0 {
            waiting.append(0x30 + UInt8(fraction / unit % 10))
            unit /= 10
        }
        waiting += "+0000".utf8
    }

    private static let hexadecimal = Array(" 0x".utf8)
    private static let timeToLive = Array(" 0 ".utf8)
    private static let afterProcess = Array(": ".utf8)
    private static let afterSender = Array(") ".utf8)

    private static let levels: [UInt8: [UInt8]] =
        [0x01: "Info", 0x02: "Debug", 0x10: "Error", 0x11: "Fault"].mapValues { Array(" \($0) 0x".utf8) }
    private static let defaultLevel = Array(" Default 0x".utf8)

    /// A level, and the beginning of the number after it.
    private static func name(ofLevel level: UInt8) -> [UInt8] {
        level == 0 ? defaultLevel : levels[level] ?? defaultLevel
    }
}
