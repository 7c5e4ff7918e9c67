/// What a recogniser remembers of the lines before: a line that names no process is one of the process before it.
///
/// Kept with the place at which the reading of a source stopped, so that reading on gives what reading at once gives.
package struct RecognitionContext: Sendable, Hashable, Codable {
    /// Name of the process, and its id; `nil` where no line named one.
    package var process: String?
    package var pid: Int32?
    /// Host or device name, as the log writes it.
    package var device: String?
    /// The first device that the lines of the source name, as people read it; `nil` where none does.
    package var firstDevice: String?
    /// Time of the latest entry, in nanoseconds since 1970 UTC.
    package var lastTime: Int64?
    /// Figures of a MetricKit payload whose end has not been read.
    var totals: DailyTotals.Payload?
    /// Versions of a report that has not come to the end of its process.
    var report: ReportVersions?

    package init() {}
}
