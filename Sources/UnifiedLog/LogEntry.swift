/// One record of a unified log that has a message, as `log show` prints it.
package struct LogEntry: Sendable {
    /// What kind of record it is.
    package enum Kind: UInt8, Sendable { case log, activity, trace, signpost, loss, stateDump, simpleDump }

    package var kind: Kind
    /// Mach continuous time, in ticks of the boot's timebase.
    package var ticks: UInt64 = 0
    /// Nanoseconds since 1970 UTC.
    package var time: Int64 = 0
    /// 0 default, 1 info, 2 debug, 0x10 error, 0x11 fault; of a signpost its scope and type.
    package var level: UInt8 = 0
    package var processID: Int32 = 0
    package var thread: UInt64 = 0
    /// Identifier of the activity, without its flag bit; 0 without one.
    package var activity: UInt64 = 0
    /// The executable, and the image that logged.
    package var process = LogName.unknown
    package var sender = LogName.unknown
    package var subsystem: LogSubsystem?
    /// The message, as UTF-8.
    package var message: ArraySlice<UInt8> = []
    /// Whether its format string or image was found.
    package var isResolved = true
}

/// Records with their messages. The messages are in one room: a batch is read, given out, and used again.
package struct LogBatch {
    private var records: [LogEntry] = []
    private var messages: [Range<Int>] = []
    /// The messages of all records, one after the other.
    var texts: [UInt8] = []
    /// Room for a chunk set while it is read.
    var decompressed: [UInt8] = []

    package init() {}

    package var count: Int { records.count }

    /// A record with its message.
    package subscript(place: Int) -> LogEntry {
        var entry = records[place]
        entry.message = texts[messages[place]]
        return entry
    }

    func ticks(at place: Int) -> UInt64 { records[place].ticks }
    /// The size of all records with their messages.
    var byteCount: Int { texts.count + records.count * MemoryLayout<LogEntry>.stride }

    /// Adds a record, whose message is what was appended to ``texts`` since the record before.
    mutating func add(_ entry: consuming LogEntry) {
        messages.append((messages.last?.upperBound ?? 0)..<texts.count)
        records.append(entry)
    }

    /// Forgets all records, and keeps the room.
    mutating func removeAll() {
        records.removeAll(keepingCapacity: true)
        messages.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: true)
    }
}

/// The path of an executable or a library, shared by all records that name it.
package final class LogName: Sendable {
    /// The path; empty when it is not known.
    package let path: String
    /// Its last part, as UTF-8, on one line.
    package let name: [UInt8]

    package static let unknown = LogName("")

    init(_ path: String) {
        self.path = path
        name = (path.split(separator: "/").last ?? "unknown").utf8.map { $0 < 0x20 ? 0x20 : $0 }
    }
}

/// Subsystem and category, shared by all records that name them.
package final class LogSubsystem: Sendable {
    package let subsystem: String
    package let category: String
    /// Both, as `log show` prints them, on one line.
    package let text: [UInt8]

    init(subsystem: String, category: String) {
        self.subsystem = subsystem
        self.category = category
        text = "[\(subsystem):\(category)] ".utf8.map { $0 < 0x20 ? 0x20 : $0 }
    }
}

/// The account of what was read: every chunk and record is in one of these.
package struct LogCounts: Sendable, Hashable {
    package var headers = 0
    package var catalogs = 0
    package var chunkSets = 0
    /// Chunks of records in chunk sets.
    package var firehoses = 0
    package var oversize = 0
    package var simpleDumps = 0
    package var stateDumps = 0
    /// Chunks of a kind that is not known.
    package var otherChunks = 0
    package var logs = 0
    package var activities = 0
    package var traces = 0
    package var signposts = 0
    package var losses = 0
    package var unused = 0
    /// Records of a kind that is not known.
    package var otherRecords = 0
    /// Log messages whose format string was not found.
    package var unresolved = 0
    /// Records that came after later ones.
    package var late = 0
    /// Records that another file contains as well.
    package var copies = 0

    mutating func add(_ other: LogCounts) {
        let all: [WritableKeyPath<LogCounts, Int>] = [
            \.headers, \.catalogs, \.chunkSets, \.firehoses, \.oversize, \.simpleDumps, \.stateDumps, \.otherChunks,
            \.logs, \.activities, \.traces, \.signposts, \.losses, \.unused, \.otherRecords, \.unresolved,
        ]
        for count in all { self[keyPath: count] += other[keyPath: count] }
    }
}

/// Damage because of which a chunk was lost.
package struct LogDamage: Sendable, Hashable {
    /// Offset of the chunk in the file.
    package var offset: Int
    package var reason: String
}
