import GRDB
import TraceRecords

/// How many events each source has in a batch.
struct EventCounts {
    /// By number of its kind in the replay.
    private let areEvents: [Bool]
    private var counts: [Int32: Int64] = [:]
    private var source: Int32 = 0
    private var count: Int64 = 0

    init(_ traits: [KindTraits]) {
        areEvents = traits.map(\.isEvent)
    }

    @inline(__always)
    mutating func add(_ step: Step) {
        if step.source != source {
            flush()
            source = step.source
        }
        if areEvents[Int(step.kind)] { count += 1 }
    }

    /// Adds the counts to the rows of the sources.
    mutating func store(in db: Database) throws {
        flush()
        for (source, count) in counts {
            try db.execute(
                sql: "UPDATE raw_sources SET events = events + ? WHERE source_id = ?", arguments: [count, source])
        }
    }

    private mutating func flush() {
        if count != 0 { counts[source, default: 0] += count }
        count = 0
    }
}
