import EventRecognition
import TraceRecords

/// What a source leaves to the next one of its log: a rotation may begin with a line that names no process, or whose
/// date only the lines before it tell.
struct SourceLegacy: Codable, Sendable {
    /// What recognition remembers at the end of the source.
    var context = RecognitionContext()
    /// The clock there.
    var clock = ClockMemory()

    init(context: RecognitionContext = RecognitionContext(), clock: ClockMemory = ClockMemory()) {
        self.context = context
        // Totals that wait for their day are counted by the lines of their own source.
        self.context.totals = nil
        // Which line names a device first is of no use to another source.
        self.context.firstDevice = nil
        self.clock = clock
    }
}
