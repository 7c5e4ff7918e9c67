import LogReading
import TraceRecords
import TraceStore

/// Sources that are to be read again, because they lie behind another one than when they were read.
extension IngestPlanner {
    /// Finds the sources that now lie behind another one of those that were known before than when they were read: what
    /// they took up is to be taken up anew, whenever their files are at hand.
    mutating func noteNewPredecessors() throws {
        guard !moved.isEmpty else { return }
        let before = try writer.sources()
        let former = before.predecessors
        let now = Array(known.records[..<readBefore]).predecessors
        for (index, source) in before.enumerated() where now[source.id] != former[source.id] {
            guard ResumePoint(text: source.resume)?.leansOnPredecessor == true else { continue }
            stale.insert(source.id)
            include(known[index].stream)
        }
    }

    /// Writes down which sources are stale before they are read, so that it is not forgotten where they cannot be.
    mutating func markStale() throws {
        guard !stale.isEmpty else { return }
        for (index, source) in try writer.sources().enumerated() where stale.contains(source.id) {
            guard var point = ResumePoint(text: source.resume), !point.isStale else { continue }
            // What was read of it is all that is known: what has come since has not been read.
            var record = source
            (record.path, record.stream, record.ordinal) =
                (known[index].path, known[index].stream, known[index].ordinal)
            point.isStale = true
            record.resume = point.text
            moved.append(record)
        }
    }

    mutating func includeIfStale(_ record: SourceRecord) {
        if ResumePoint(text: record.resume)?.isStale == true { include(record.stream) }
    }
}
