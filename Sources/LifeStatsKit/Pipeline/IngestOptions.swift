/// What to read, and what to assume of it.
public struct IngestOptions: Sendable {
    /// Files, folders, globs, archives; `-` is standard input.
    public var paths: [String]
    /// The database file; created when it does not exist.
    public var database: String
    /// Name of the one format to read everything as; `nil` finds it out from the content.
    public var format: String?
    /// Name of the device that the logs come from, where they name none.
    public var device: String?
    /// Version of the app that wrote the logs.
    public var appVersion: String?
    /// Zone of times that carry none, as `UTC`, `Europe/Zurich` or `+02:00`.
    public var timezone = "UTC"
    /// Year of times that carry none.
    public var year: Int?
    /// Date (`yyyy-mm-dd`) of times that carry none.
    public var date: String?
    /// Files of models beside the built-in ones.
    public var models: [String] = []
    /// Files of layouts beside the built-in ones.
    public var formats: [String] = []
    /// A file of further spellings of callbacks.
    public var aliases: String?
    /// Silence of a process in background after which it counts as suspended; `nil` takes what the database was made
    /// with.
    public var suspendGrace: SuspendGrace?
    /// Go on reading what is appended until interrupted.
    public var follow = false
    /// Keep the text of each event's line.
    public var keepMessages = false
    /// Replace device names, paths, identifiers and free text by pseudonyms.
    public var redact = false

    public init(paths: [String], database: String) {
        self.paths = paths
        self.database = database
    }
}
