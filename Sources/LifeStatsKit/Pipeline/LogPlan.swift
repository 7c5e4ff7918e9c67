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
        var point: ResumePoint?
        /// The source that the log goes on from, and how that one ended, where it was read before. A source that
        /// begins at its first line takes up what the one before it left.
        var predecessor: Int32?
        var legacy: SourceLegacy?
        /// What the person said of it before, and the options of that, where it is read so again whatever is said now.
        var wishes: ReadingWishes?
        var reading: ReadingOptions?

        init(record: SourceRecord, description: SourceDescription, point: ResumePoint? = nil) {
            self.record = record
            self.description = description
            self.point = point
        }

        /// A known source that is read again, from its first line: what its lines told of how it is read goes.
        init(again record: SourceRecord, description: SourceDescription) {
            self.init(record: record, description: description)
            (self.record.format, self.record.timezone, self.record.assumptions) = (nil, nil, nil)
        }
    }

    /// Name of the stream.
    var stream: String
    /// The sources to read, in the order of the log.
    var sources: [Source]
    /// Facts of the runs that may go on, read back from the store, by source in the order of the log.
    var storedFacts: [StoredFactBatch] = []
    /// How many events of those runs the store shows, those included that are read again.
    var reopenedEvents: Int64 = 0
    /// Version of the app whose runs begin in a source, as the user says now, or said when it was read first.
    var appVersions: [Int32: String] = [:]
    /// Devices of sources, where the person says them now, or said them when a source was read that is not read now.
    var devices: [Int32: String] = [:]
    /// Place in the log of every source that it has.
    var places: [Int32: Int] = [:]
    /// The runs that those facts make anew.
    var reopenedRuns: [Int64] = []
    /// What the store knows of the log's runs.
    var knownRuns: [RunRecord] = []
    /// What tells copies of the last lines that were read and are not read again.
    var copyKeys: [CopyKey] = []
    /// How many runs without any time the log has that are not made anew.
    var earlierUntimedRuns: Int64 = 0
    /// The sources that are read again from their first line; what was stored of them goes.
    var isReadAgain: Set<Int32> = []
    /// Whether what is new belongs before something that was read already. Then everything of the log is derived again,
    /// and stored in one transaction.
    var isOutOfOrder = false

    /// The stored facts that stand in the log before a source, or in what was read of it.
    func storedFacts(from first: Int, upTo source: Int32) -> ArraySlice<StoredFactBatch> {
        storedFacts[first...].prefix { places[$0.source] ?? 0 <= places[source] ?? 0 }
    }

    /// What was stored of lines of a source that are read again.
    func takenBack(of source: Source) -> TakenBack? {
        if isReadAgain.contains(source.record.id) { return TakenBack(rejectsBehind: 0, totalsBehind: 0) }
        return source.point.map { point in
            let lines = point.position.counts.lines
            return TakenBack(
                rejectsBehind: lines, totalsBehind: min(lines, (point.context.totals?.firstLine ?? Int64.max) - 1))
        }
    }
}
