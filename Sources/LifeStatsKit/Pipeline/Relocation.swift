import LogReading
import TraceRecords
import TraceStore

/// Brings known sources to where a file with the same content counts in place of theirs.
struct Relocation {
    let writer: TraceWriter
    let material: IngestMaterial
    let settings: DerivationSettings
    let options: IngestOptions
    /// The device and the version that the person says, as the database calls them.
    let device: String?
    let appVersion: String?
    /// What is ingested.
    let files: [SourceDescription]
    let stop: StopRequest

    /// Known sources that stay in their logs: they, or what rests on them, cannot be read again as they were.
    private(set) var bound: Set<Int32> = []
    /// What the person should know of it.
    private(set) var notices: [ReadingDiagnostic] = []

    /// Gives sources of a log that moves as a whole their new names. Any other source is forgotten: at its new place it
    /// may go on from another one than before, so that it is to be read there as a new one.
    ///
    /// - Parameter places: where sources belong, by their numbers.
    mutating func run(_ places: [Int32: SourceDescription]) throws {
        guard !places.isEmpty else { return }
        let before = try writer.sources()
        let after = before.map { record in
            guard let place = places[record.id] else { return record }
            var record = record
            (record.path, record.stream, record.ordinal) = (place.path, place.stream, place.rank)
            return record
        }
        let records = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0) })
        let logsBefore = Self.logs(of: before)
        let logsAfter = Self.logs(of: after)
        let orders = Set(logsBefore.values)
        let uses = Dictionary(after.map { ($0.path, 1) }, uniquingKeysWith: +)
        // What is to be at its own place is read anew there.
        let moved = after.filter { places[$0.id] != nil && records[$0.id] != $0 }
        let renamed = moved.filter { uses[$0.path] == 1 && orders.contains(logsAfter[$0.stream] ?? []) }
        try writer.move(renamed)

        let removal = SourceRemoval(
            writer: writer, database: options.database, models: options.models, settings: settings,
            rederivation: Rederivation(
                writer: writer, catalog: try material.load().models, options: settings.replayOptions),
            files: files)
        let isRenamed = Set(renamed.map(\.id))
        for (stream, order) in logsBefore.sorted(by: { $0.key < $1.key }) {
            var leaving: [Leaver] = []
            // What rests on another source goes before that one.
            for id in order.reversed() {
                guard let record = records[id], let place = places[id] else { continue }
                if isRenamed.contains(id) {
                    note(record, at: place, "counts in its place")
                } else if isReadAlike(record) {
                    leaving.append(Leaver(record: record, place: place))
                } else {
                    bound.insert(id)
                    note(record, at: place, "is left as it was, because it was read with other options")
                }
            }
            let tail = zip(leaving, order.reversed()).prefix { $0.record.id == $1 }.map(\.0)
            if !tail.isEmpty { try remove(tail) { try removal.remove(tail: tail.map(\.record.id), ofStream: stream) } }
            for leaver in leaving.dropFirst(tail.count) { try remove([leaver]) { try removal.remove(leaver.record) } }
        }
    }

    /// A source that goes to another log.
    private struct Leaver {
        var record: SourceRecord
        var place: SourceDescription
    }

    private mutating func remove(_ leaving: [Leaver], _ removal: () throws -> Void) throws {
        guard !stop.isMade else { return bound.formUnion(leaving.map(\.record.id)) }
        do {
            try writer.attempt(removal)
            for leaver in leaving { note(leaver.record, at: leaver.place, "counts in its place") }
        } catch let error as LifeStatsError {
            bound.formUnion(leaving.map(\.record.id))
            for leaver in leaving { note(leaver.record, at: leaver.place, "is left as it was: \(error)") }
        }
    }

    private mutating func note(_ record: SourceRecord, at place: SourceDescription, _ what: String) {
        // At the same path it was short for a moment, or could not be brought to its log before.
        let whose =
            record.path == place.path
            ? "was read here in part, or as one of another log, and" : "holds what was read as \(record.path), and"
        notices.append(ReadingDiagnostic(.notice, path: place.path, message: "\(whose) \(what)"))
    }

    /// Whether the source would be read as it was.
    private func isReadAlike(_ record: SourceRecord) -> Bool {
        let wishes = ResumePoint(text: record.resume)?.wishes ?? ReadingWishes()
        return wishes == material.wishes
            && (device == nil || record.device == device) && record.appVersion == appVersion
    }

    /// The sources of each log, in its order.
    private static func logs(of sources: [SourceRecord]) -> [String: [Int32]] {
        Dictionary(grouping: sources, by: \.stream).mapValues { $0.inOrderOfLog.map(\.id) }
    }
}
