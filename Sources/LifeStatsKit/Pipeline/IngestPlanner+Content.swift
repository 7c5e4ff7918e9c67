import LogReading
import TraceStore

/// Which known sources hold what a file does.
extension IngestPlanner {
    /// The known source that a file at its path goes on with: of several the longest that it begins with.
    func holder(of source: SourceDescription) throws(ReadingError) -> Int? {
        let places = known.places(ofPath: source.path)
        guard places.count > 1 else { return places.last }
        var longest: (index: Int, length: Int64)?
        for index in places {
            guard let fingerprint = SourceFingerprint(text: known[index].fingerprint),
                fingerprint.length >= longest?.length ?? 1,
                try looks.relation(of: fingerprint, to: source) != .replaced
            else { continue }
            longest = (index, fingerprint.length)
        }
        return longest?.index ?? places.last
    }

    /// Known sources that were read later than the one that a file goes on with, and are its beginning: it was shorter
    /// for a moment, while it was copied anew. What is no beginning of it was another log, whose lines stay; what stands at
    /// another place of the log by now may be a rotation that begins like it.
    func fragments(of source: SourceDescription, after holder: Int) throws(ReadingError) -> [Int] {
        var result: [Int] = []
        for index in known.places(ofPath: source.path) where index > holder && index < readBefore {
            let record = known[index]
            guard !bound.contains(record.id), record.stream == source.stream, record.ordinal == known[holder].ordinal,
                let fingerprint = SourceFingerprint(text: record.fingerprint), fingerprint.length > 0,
                try looks.relation(of: fingerprint, to: source) != .replaced
            else { continue }
            result.append(index)
        }
        return result
    }

    /// A known source with just the content of another file, and its own file if that is still there.
    ///
    /// The fingerprints of different logs may be equal. Where both files are at hand, all that they hold is compared.
    func sameContent(
        as source: SourceDescription, _ fingerprint: SourceFingerprint
    ) throws(ReadingError) -> (index: Int, present: SourceDescription?)? {
        var gone: Int?
        for index in known.places(ofContent: fingerprint.text).reversed() where known[index].path != source.path {
            guard let present = stillInPlace(known[index]) else {
                gone = gone ?? index
                continue
            }
            if try looks.holds(present, allOf: source) { return (index, present) }
        }
        return gone.map { ($0, nil) }
    }

    /// Whether a source of the same stream, still in its place, begins with all that this one holds: while a log is
    /// followed, a copy of it that is not complete yet, before the log is cut.
    func isUnfinishedCopy(
        _ source: SourceDescription, _ fingerprint: SourceFingerprint
    ) throws(ReadingError) -> Bool {
        for index in known.places(ofStream: source.stream) where index < readBefore {
            guard let original = offered[known[index].path], original.path != source.path,
                original.size ?? 0 > fingerprint.length
            else { continue }
            if try looks.relation(of: fingerprint, to: original) == .grown { return true }
        }
        return false
    }

    /// Whether a source counts in place of a known one with the same content: that one is gone from its log, or stands
    /// behind it in the order of a clean ingest.
    ///
    /// - Parameter present: the known source's file, if it is still there.
    func supplants(_ source: SourceDescription, _ index: Int, _ present: SourceDescription?) -> Bool {
        let record = known[index]
        guard index < readBefore, !bound.contains(record.id) else { return false }
        guard let present else { return record.stream != source.stream }
        // One file may be named in several ways. A log that is followed goes on where it is, whoever copies it.
        guard !present.isSameFile(as: source), record.stream != source.stream || !waitsForCopies else { return false }
        return (source.stream, source.rank, source.path) < (record.stream, record.ordinal, record.path)
    }

    /// The file at a known source's path, if it still holds what was read of it.
    func stillInPlace(_ record: SourceRecord) -> SourceDescription? {
        guard !displaced.contains(record.id), let fingerprint = SourceFingerprint(text: record.fingerprint) else {
            return nil
        }
        let found = offered[record.path] ?? looks.source(at: record.path)
        guard let source = found, source.path == record.path, !source.isOnce,
            let relation = try? looks.relation(of: fingerprint, to: source), relation != .replaced
        else { return nil }
        // Of several that were read at the path, one holds what is there now.
        if let index = try? holder(of: source), known[index].id != record.id { return nil }
        return source
    }
}
