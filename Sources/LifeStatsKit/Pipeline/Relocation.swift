import LogReading
import TraceRecords
import TraceStore

/// Brings known sources to where a file with the same content counts in place of theirs.
struct Relocation {
    let writer: TraceWriter
    let material: IngestMaterial
    let settings: DerivationSettings
    let database: String
    /// Files of models beside the built-in ones.
    let models: [String]
    /// What is ingested.
    let files: [SourceDescription]

    /// Known sources that stay where they are, because what rests on them cannot be read again.
    private(set) var bound: Set<Int32> = []
    /// What the person should know of it.
    private(set) var notices: [ReadingDiagnostic] = []

    init(
        writer: TraceWriter, material: IngestMaterial, settings: DerivationSettings, options: IngestOptions,
        files: [SourceDescription]
    ) {
        self.writer = writer
        self.material = material
        self.settings = settings
        database = options.database
        models = options.models
        self.files = files
    }

    /// Gives sources of a log that moves as a whole their new names. Any other source is forgotten: at its new place it
    /// may go on from another one than before, so that it is to be read there as a new one.
    ///
    /// - Parameter places: where sources belong, by their numbers.
    /// - Returns: what there is more of afterwards than before.
    mutating func run(_ places: [Int32: SourceDescription]) throws -> StreamCounts {
        var change = StreamCounts()
        guard !places.isEmpty else { return change }
        let before = try writer.sources()
        let after = before.map { record in
            guard let place = places[record.id] else { return record }
            var record = record
            (record.path, record.stream, record.ordinal) = (place.path, place.stream, place.rank)
            return record
        }
        let logsBefore = Self.logs(of: before)
        let logsAfter = Self.logs(of: after)
        let orders = Set(logsBefore.values)
        let uses = Dictionary(after.map { ($0.path, 1) }, uniquingKeysWith: +)
        let moved = after.filter { places[$0.id] != nil }
        let renamed = moved.filter { uses[$0.path] == 1 && orders.contains(logsAfter[$0.stream] ?? []) }
        try writer.move(renamed)

        let removal = SourceRemoval(
            writer: writer, database: database, models: models, settings: settings,
            rederivation: Rederivation(
                writer: writer, catalog: try material.load().models, options: settings.replayOptions),
            files: files)
        for record in before where places[record.id] != nil && !renamed.contains(where: { $0.id == record.id }) {
            let counts = try writer.counts(ofStreams: [record.stream])
            do {
                try removal.remove(record)
            } catch is LifeStatsError {
                bound.insert(record.id)
            }
            change.add(try writer.counts(ofStreams: [record.stream]), minus: counts)
        }
        notices += before.filter { !bound.contains($0.id) }.compactMap { record in
            places[record.id].map {
                ReadingDiagnostic(
                    .notice, path: $0.path, message: "holds what was read as \(record.path), and counts in its place")
            }
        }
        return change
    }

    /// The sources of each log, in its order.
    private static func logs(of sources: [SourceRecord]) -> [String: [Int32]] {
        Dictionary(grouping: sources, by: \.stream).mapValues { $0.inOrderOfLog.map(\.id) }
    }
}
