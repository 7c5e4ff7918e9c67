import TraceRecords
import TraceStore

/// What reading hands to the replay.
enum FactItem: Sendable {
    /// A log begins.
    case log(LogPlan)
    /// Facts of a source, in order.
    case facts(FactBatch, source: Int32)
    /// The reading of a source goes on: what was stored of its last lines is read again.
    case takenBack(TakenBack, source: Int32)
    /// The stored facts of a source are over: what follows of it comes with symbols of its own.
    case endOfStoredFacts(source: Int32)
    /// Everything of the source up to here has been handed over: a place at which the work may be interrupted.
    case checkpoint(SourceRecord)
    /// The source has no more.
    case endOfSource(SourceRecord)
    /// Nothing of what was said of the log is to be stored.
    case abandonedLog
    /// The log has no more.
    case endOfLog
}
