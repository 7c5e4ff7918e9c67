import LogReading
import TraceRecords
import TraceStore

/// Brings known sources to where a file with the same content counts in place of theirs.
struct Relocation {
    let writer: TraceWriter
    let material: IngestMaterial
    let settings: DerivationSettings

    /// Known sources that may have taken up what one left that is forgotten: they are to be read again.
    private(set) var heirs: Set<Int32> = []
    /// What the person should know of it.
    private(set) var notices: [ReadingDiagnostic] = []

    init(writer: TraceWriter, material: IngestMaterial, settings: DerivationSettings) {
        self.writer = writer
        self.material = material
        self.settings = settings
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

        let forgotten = Set(moved.map(\.id)).subtracting(renamed.map(\.id))
        let leaving = before.filter { forgotten.contains($0.id) }
        for record in leaving {
            let log = logsBefore[record.stream] ?? []
            if let place = log.firstIndex(of: record.id) { heirs.formUnion(log[(place + 1)...].prefix(1)) }
            // A run has its device from any of its lines.
            guard let device = record.device else { continue }
            heirs.formUnion(before.filter { $0.stream == record.stream && $0.device != device }.map(\.id))
        }
        heirs.subtract(forgotten)
        if !leaving.isEmpty {
            let rederivation = Rederivation(
                writer: writer, catalog: try material.load().models, options: settings.replayOptions)
            for record in leaving {
                let counts = try writer.counts(ofStreams: [record.stream])
                try rederivation.run(stream: record.stream, without: record.id)
                change.add(try writer.counts(ofStreams: [record.stream]), minus: counts)
            }
        }
        notices += before.compactMap { record in
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
