package import TraceRecords

/// One log file or stream that the store knows, and where the reading of it stands.
package struct SourceRecord: Sendable, Hashable {
    /// Row id; the number that steps, runs and findings name.
    package var id: Int32
    /// Path as it was given.
    package var path: String
    /// Folder and file name stem, which rotations of a log share.
    package var stream: String
    /// Place in the stream: a smaller number is older.
    package var ordinal: Int64
    /// Layout by which the source is read; `nil` while unknown.
    package var format: String?
    /// Device, when the log or the user names one.
    package var device: String?
    /// Version of the app whose runs begin here, when the user named it with the first ingest.
    package var appVersion: String?
    /// Size of the file in bytes.
    package var bytes: Int64
    /// Where the reading stands, with the line accounting.
    package var position: SourcePosition
    /// Zone taken for times that carry none.
    package var timezone: String?
    /// What was assumed about year, date and zone, in words.
    package var assumptions: String?
    /// Recognises the content under another name.
    package var fingerprint: String
    /// When it was last read, in nanoseconds since 1970 UTC.
    package var ingestedAt: Int64?
    /// What reading needs besides the position to go on; the store does not look into it.
    package var resume: String?

    package init(
        id: Int32, path: String, stream: String, ordinal: Int64 = 0, format: String? = nil, device: String? = nil,
        appVersion: String? = nil, bytes: Int64 = 0, position: SourcePosition = SourcePosition(),
        timezone: String? = nil,
        assumptions: String? = nil, fingerprint: String, ingestedAt: Int64? = nil, resume: String? = nil
    ) {
        self.id = id
        self.path = path
        self.stream = stream
        self.ordinal = ordinal
        self.format = format
        self.device = device
        self.appVersion = appVersion
        self.bytes = bytes
        self.position = position
        self.timezone = timezone
        self.assumptions = assumptions
        self.fingerprint = fingerprint
        self.ingestedAt = ingestedAt
        self.resume = resume
    }
}
