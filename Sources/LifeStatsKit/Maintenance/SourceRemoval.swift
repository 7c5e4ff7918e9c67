import LogReading
import TraceRecords
import TraceStore

/// Takes sources out of a database, with all that rests on it.
struct SourceRemoval {
    let writer: TraceWriter
    let database: String
    /// Files of models beside the built-in ones.
    let models: [String]
    let settings: DerivationSettings
    let rederivation: Rederivation
    /// Where the sources of a redacted database may lie: the paths in it lead nowhere.
    let files: [SourceDescription]

    /// Leaves the database as it would be without a source, but for what its log tells of others of the device.
    ///
    /// A source behind it whose times or reports rest on it is read again from its file. All or nothing.
    ///
    /// - Throws: ``LifeStatsError`` where the file of a source that rests on it cannot be read.
    func remove(_ record: SourceRecord) throws {
        let before = try writer.sources().filter { $0.stream == record.stream }
        try writer.atomically {
            try rederivation.run(stream: record.stream, without: Loss(of: record.id, among: before))
            let heirs = HeirReading(
                writer: writer, database: database, models: models, settings: settings, files: files)
            if try heirs.run(without: record, among: before) { try rederivation.run(groupsOf: [record.stream]) }
        }
    }

    /// The same for the last sources of a log, on which nothing rests: together, however many they are.
    func remove(tail: [Int32], ofStream stream: String) throws {
        try rederivation.run(stream: stream, without: Loss(ofTail: Set(tail)))
    }
}
