import TraceRecords
import UnifiedLog

/// Apple's binary unified log as the text that `log show` prints: with nine digits of a second.
final class UnifiedLogStream: ByteStream {
    /// What the column `format` calls it.
    static let format = "tracev3"

    private var log: MergedLog
    private var line = LogShowLine()
    /// Text that was made and not yet read.
    private var waiting: [UInt8] = []
    private var given = 0
    private let archive: any LogArchive
    /// Damage of the clocks.
    private var clockDamage: [MergedLog.Problem] = []

    /// The largest file of clocks that is read. Real ones have some KiB.
    private static let mostClockBytes = 8 << 20
    /// The most files without a clock that are named.
    private static let mostClockless = 16

    init(_ archive: any LogArchive) throws(ReadingError) {
        self.archive = archive
        var clock = TimeSync()
        for (name, bytes) in archive.timeSyncs() {
            if let bytes, let damage = clock.add(Array(bytes.bytes(at: 0, count: Self.mostClockBytes))) {
                clockDamage.append(MergedLog.Problem(damage, of: name))
            } else if bytes == nil {
                clockDamage.append(.unreadable(name))
            }
        }
        log = MergedLog(try archive.traces(), strings: StringCatalog(archive), timeSync: clock)
    }

    /// What could not be read so far, with its place.
    var damage: [MergedLog.Problem] { clockDamage + archive.unreadable + log.problems }

    /// The files that ``remarks`` names.
    var namesInRemarks: [String] { log.clockless.prefix(Self.mostClockless).map(\.file) }

    /// The account of all chunks and records in words, and what is doubtful.
    var remarks: [String] {
        let counts = log.counts
        func list(_ all: [(Int, String)]) -> String {
            all.filter { $0.0 > 0 }.map { "\($0.1): \($0.0)" }.joined(separator: ", ")
        }
        let chunks = list([
            (log.fileCount, "files"), (counts.headers, "headers"), (counts.catalogs, "catalogs"),
            (counts.chunkSets, "chunk sets"), (counts.firehoses, "firehose chunks"),
            (counts.oversize, "oversize chunks"), (counts.logs, "messages"), (counts.simpleDumps, "simple dumps"),
        ])
        let skipped = list([
            (counts.activities, "activities"), (counts.traces, "traces"), (counts.signposts, "signposts"),
            (counts.stateDumps, "state dumps"), (counts.losses, "records of loss"),
            (counts.unused, "unused records"), (counts.otherRecords, "unknown records"),
            (counts.otherChunks, "unknown chunks"),
        ])
        var remarks = ["binary log, " + chunks]
        if !skipped.isEmpty { remarks.append("not log messages, " + skipped) }
        if counts.unresolved > 0 {
            remarks.append(
                "\(counts.unresolved) messages without their format string (put the folders uuidtext and dsc of the device "
                    + "beside the log)")
        }
        if counts.copies > 0 { remarks.append("\(counts.copies) records that another file contains too, counted once") }
        remarks += log.clockless.prefix(Self.mostClockless).map(Self.text)
        let others = log.clockless.count - Self.mostClockless
        if others > 0 { remarks.append("\(others) more files whose boot is in no timesync file") }
        if counts.late > 0 {
            remarks.append("\(counts.late) messages are out of order: too many were waiting to be sorted")
        }
        let more = log.problemCount - log.problems.count
        if more > 0 { remarks.append("\(more) more damaged places") }
        return remarks
    }

    /// What is assumed of the times of a file whose boot is in no timesync file, and how to do without.
    private static func text(_ file: MergedLog.Clockless) -> String {
        let remedy = "read it with the folder timesync of its device beside it"
        guard let uptime = file.uptime else {
            return "\(file.file): without its header, its times count from 1970 (copy it again from its source)"
        }
        let lateness = uptime == 0 ? "" : " and are late by the \(hours(uptime)) for which the device had been up"
        return
            "\(file.file): its boot is in no timesync file, so its times count from the one in its header\(lateness) "
            + "(\(remedy))"
    }

    private static func hours(_ seconds: Int) -> String {
        seconds < 3600 ? "\(seconds / 60) min \(seconds % 60) s" : "\(seconds / 3600) h \(seconds / 60 % 60) min"
    }

    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        if given == waiting.count {
            var text: [UInt8] = []
            swap(&text, &waiting)
            text.removeAll(keepingCapacity: true)
            given = 0
            while text.count < room.count, let entry = log.next() { line.append(entry, to: &text) }
            swap(&text, &waiting)
        }
        let count = min(room.count, waiting.count - given)
        guard count > 0 else { return 0 }
        waiting.withUnsafeBytes { all in
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[given..<given + count]))
        }
        given += count
        return count
    }
}

/// Writes entries as lines of `log show`.
private struct LogShowLine {
    /// Times of one second share their beginning.
    private var second: Int64 = .min
    private var secondText: [UInt8] = []

    /// Appends the line of an entry.
    mutating func append(_ entry: borrowing LogEntry, to text: inout [UInt8]) {
        appendTime(entry.time, to: &text)
        text += Self.hexadecimal
        text.append(entry.thread, radix: 16)
        text += Self.name(ofLevel: entry.level)
        text.append(entry.activity, radix: 16)
        text.append(0x20)
        if entry.processID < 0 { text.append(UInt8(ascii: "-")) }
        text.append(UInt64(entry.processID.magnitude), radix: 10)
        text += Self.timeToLive
        text += entry.process.name
        text += Self.afterProcess
        if entry.sender !== entry.process, !entry.sender.path.isEmpty, entry.sender.path != entry.process.path {
            text.append(UInt8(ascii: "("))
            text += entry.sender.name
            text += Self.afterSender
        }
        if let subsystem = entry.subsystem {
            text += subsystem.text
        } else if let first = entry.message.first, first == UInt8(ascii: "[") || first == UInt8(ascii: "(") {
            // The message must not pass for a subsystem or a library.
            text += Self.noSubsystem
        }
        if entry.message.contains(0x0A) { appendLines(entry.message, to: &text) } else { text += entry.message }
        text.append(0x0A)
    }

    /// Appends a message of several lines. One that begins as an entry does is set off by a blank, so that it becomes none.
    private func appendLines(_ message: ArraySlice<UInt8>, to text: inout [UInt8]) {
        for (number, line) in message.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            if number > 0 { text.append(0x0A) }
            let year = line.prefix { (0x30...0x39).contains($0) }
            if number > 0, year.count == 4, line.dropFirst(4).first == UInt8(ascii: "-") { text.append(0x20) }
            text += line
        }
    }

    private mutating func appendTime(_ nanoseconds: Int64, to text: inout [UInt8]) {
        // A damaged clock may give any number.
        var (seconds, fraction) = max(nanoseconds, -9_000_000_000_000_000_000).quotientAndRemainder(
            dividingBy: 1_000_000_000)
        if fraction < 0 { (seconds, fraction) = (seconds - 1, fraction + 1_000_000_000) }
        if seconds != second {
            second = seconds
            let iso = CivilTime.shortISO(seconds * 1_000_000_000)
            secondText = Array((iso.prefix(10) + " " + iso.dropFirst(11).prefix(8) + ".").utf8)
        }
        text += secondText
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 9) { digits in
            var rest = UInt32(fraction)
            for place in 0..<9 {
                digits[8 - place] = 0x30 + UInt8(rest % 10)
                rest /= 10
            }
            text.append(contentsOf: digits)
        }
        text += Self.zone
    }

    private static let zone = Array("+0000".utf8)
    private static let hexadecimal = Array(" 0x".utf8)
    private static let timeToLive = Array(" 0 ".utf8)
    private static let afterProcess = Array(": ".utf8)
    private static let afterSender = Array(") ".utf8)
    private static let noSubsystem = Array("[:] ".utf8)

    private static let levels: [UInt8: [UInt8]] =
        [0x01: "Info", 0x02: "Debug", 0x10: "Error", 0x11: "Fault"].mapValues { Array(" \($0) 0x".utf8) }
    private static let defaultLevel = Array(" Default 0x".utf8)

    /// A level, and the beginning of the number after it.
    private static func name(ofLevel level: UInt8) -> [UInt8] {
        level == 0 ? defaultLevel : levels[level] ?? defaultLevel
    }
}
