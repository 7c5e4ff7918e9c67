package import TraceRecords

/// What the user decides about a replay; the same facts under the same options always give the same rows.
package struct ReplayOptions: Sendable {
    /// Silence of a process, in nanoseconds, after which a background stay counts as suspended; `nil` makes no
    /// estimate.
    package var suspendGrace: Int64?
    /// Devices that sources belong to, where the user says so; they overrule what the lines print.
    package var devicesOfSources: [Int32: String] = [:]
    /// Versions of the app, as the user says: of runs that are replayed again, by ``RunRecord/key``, and of what begins in
    /// a source.
    package var appVersions: [String: String] = [:]
    package var appVersionsOfSources: [Int32: String] = [:]
    /// Processes that bundle identifiers were found to belong to in earlier lines of the log.
    package var processesOfBundles: [String: String] = [:]
    /// Profile of rules to follow; `nil` lets the callbacks decide (`ios13+` once a scene callback occurs, `ios12-`
    /// before).
    package var profile: String?
    /// Values of configuration keys that overrule those of the catalog.
    package var configuration: [String: String]
    /// Major version of the system that the log comes from, when the user says so.
    package var systemVersion: Int?
    /// Whether messages are handed on to the store.
    package var keepsMessages: Bool
    /// Of the last events of the log that are read back from the store what their lines said, in the order of the log.
    package var copyKeys: [CopyKey] = []
    /// The first source of the log, where facts of other logs of the device come too: it is that of runs of which only
    /// those tell.
    package var home: Int32?
    /// Run ids whose stored rows the first batch replaces (a stream that has grown).
    package var forgottenRuns: [Int64]

    package init(
        suspendGrace: Int64? = 5_000_000_000, profile: String? = nil,
        configuration: [String: String] = [:], systemVersion: Int? = nil, keepsMessages: Bool = false,
        forgottenRuns: [Int64] = []
    ) {
        self.suspendGrace = suspendGrace
        self.profile = profile
        self.configuration = configuration
        self.systemVersion = systemVersion
        self.keepsMessages = keepsMessages
        self.forgottenRuns = forgottenRuns
    }
}
