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
    /// Path of the executable, and of the image that logged; empty when unknown.
    package var processPath = ""
    package var senderPath = ""
    package var subsystem = ""
    package var category = ""
    /// The message, as UTF-8.
    package var message: [UInt8] = []
    /// Whether its format string or image was found.
    package var isResolved = true
}

/// The account of what was read: every chunk and record is in one of these.
package struct LogCounts: Sendable, Hashable {
    package var logs = 0
    package var simpleDumps = 0
    package var activities = 0
    package var traces = 0
    package var signposts = 0
    package var losses = 0
    package var stateDumps = 0
    package var oversize = 0
    package var catalogs = 0
    package var chunkSets = 0
    /// Chunks of a kind that is not known.
    package var otherChunks = 0
    /// Log messages whose format string was not found.
    package var unresolved = 0
}

/// Damage that cost a chunk.
package struct LogDamage: Sendable, Hashable {
    /// Offset of the chunk in the file.
    package var offset: Int
    package var reason: String
}
