import EventRecognition
import LogReading
import TraceRecords
import TraceStore

/// What is to be done for one log: a stream of which something is new.
struct LogPlan: Sendable {
    /// One source of the log that has something new to read.
    struct Source: Sendable {
        /// What the store knows of it; for a new source, what it will be told.
        var record: SourceRecord
        var description: SourceDescription
        /// Where to go on from; `nil` begins at the first line.
        var resumeAt: SourcePosition?
        /// What recognition remembered there.
        var context: RecognitionContext?

        /// What was stored of lines that are read again.
        var takenBack: TakenBack? {
            resumeAt.map { position in
                TakenBack(
                    rejectsBehind: position.counts.lines,
                    totalsBehind: min(position.counts.lines, (context?.totals?.firstLine ?? Int64.max) - 1))
            }
        }
    }

    /// Name of the stream.
    var stream: String
    /// The sources to read, oldest first.
    var sources: [Source]
    /// Facts of the runs that may go on, read back from the store, by source in the order of the log.
    var storedFacts: [StoredFactBatch] = []
    /// How many events of those runs the store shows, those included that are read again.
    var reopenedEvents: Int64 = 0
    /// The runs that those facts make anew.
    var reopenedRuns: [Int64] = []
    /// What the store knows of the log's runs.
    var knownRuns: [RunRecord] = []
    /// How many runs without any time the log has that are not made anew.
    var earlierUntimedRuns: Int64 = 0
    /// Whether what is new belongs before something that was read already, so that all has to be derived again.
    var needsRederivation = false
}
