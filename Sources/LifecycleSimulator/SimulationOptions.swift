/// What a simulation writes.
package struct SimulationOptions: Sendable, Hashable {
    /// Seed of every random choice: the same options give the same bytes on every platform.
    package var seed: UInt64
    /// Number of callbacks over all files, at least ``minimumCallbacksPerFile`` a file.
    package var callbacks: Int
    /// Number of log files. Each is the stream of one app, with several runs.
    package var files: Int
    /// One line in so many is a callback, the others are noise of the same process; 1 writes callbacks only.
    package var linesPerCallback: Int
    /// How times are printed.
    package var form: NSLogForm
    /// Every so many files, one begins in the middle of a run; 0 for none.
    package var midLifeEvery: Int
    /// Silence of a process in the background, in nanoseconds, after which the truth counts it as suspended.
    package var suspendGrace: Int64
    /// First second of the first file, in seconds since 1970 UTC.
    package var start: Int64

    /// The fewest callbacks that a file may have: a whole launch and one more.
    package static let minimumCallbacksPerFile = 4

    package init(
        seed: UInt64 = 1, callbacks: Int = 10_000, files: Int = 1, linesPerCallback: Int = 1,
        form: NSLogForm = .alternating, midLifeEvery: Int = 4, suspendGrace: Int64 = 5_000_000_000,
        start: Int64 = 1_772_438_400
    ) {
        self.seed = seed
        self.callbacks = callbacks
        self.files = files
        self.linesPerCallback = linesPerCallback
        self.form = form
        self.midLifeEvery = midLifeEvery
        self.suspendGrace = suspendGrace
        self.start = start
    }
}
