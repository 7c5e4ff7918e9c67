/// The row ids that a replay gives out next, so that several replays write into one database.
package struct FirstIDs: Sendable, Hashable {
    /// Next ids of steps, runs and instances; at least 1.
    package var step: Int64
    package var run: Int64
    package var instance: Int64
    /// How many runs without any time this log has shown so far: tells runs with equal first lines apart.
    package var untimedRuns: Int64

    package init(step: Int64 = 1, run: Int64 = 1, instance: Int64 = 1, untimedRuns: Int64 = 0) {
        self.step = step
        self.run = run
        self.instance = instance
        self.untimedRuns = untimedRuns
    }
}
