/// What a recogniser remembers of the lines before: a line that names no process is one of the process before it.
///
/// Kept with the place where the reading of a source stands, so that reading on says what reading at once says.
package struct RecognitionContext: Sendable, Hashable, Codable {
    /// Name of the process, and its id; `nil` where no line named one.
    package var process: String?
    package var pid: Int32?
    /// Host or device name.
    package var device: String?
    /// The name of the device as people read it: a log may write it with escapes.
    package var deviceName: String? { device.map { String(decoding: VisText.plain(Array($0.utf8)), as: UTF8.self) } }

    /// The first device that the lines of the source name themselves; `nil` where none does.
    package var firstDevice: NamedDevice?

    /// Figures of a MetricKit payload whose end has not been read.
    package var totals: DailyTotals.Payload?
    /// Versions of a report that has not told the end of its process.
    package var report: ReportVersions?

    package init(
        process: String? = nil, pid: Int32? = nil, device: String? = nil, totals: DailyTotals.Payload? = nil
    ) {
        self.process = process
        self.pid = pid
        self.device = device
        self.totals = totals
    }
}
