import LogReading
import TraceRecords
import TraceStore

extension IngestPipeline {
    /// Reads a source that the database knows again, from its first line, after what the source before it leaves now.
    /// What is written is part of the writer's transaction, if one is under way.
    ///
    /// - Parameters:
    ///   - files: where the source may lie, if not at its path.
    /// - Returns: whether it could be read, and was what it had been.
    func readAgain(
        _ source: Int32, among files: [SourceDescription], into writer: TraceWriter, settings: DerivationSettings,
        redaction: Redaction?
    ) throws -> Bool {
        let reading = try options.readingOptions()
        let material = IngestMaterial(options)
        // The database has the models that its facts are of.
        material.isStored = true
        var planner = try IngestPlanner(
            writer: writer, options: reading, material: material, device: nil, appVersion: nil,
            waitsForCopies: false, looks: SourceLooks(options: reading))
        guard try planner.planReadingAgain(source, among: files) else { return false }
        let before = try writer.sources().first { $0.id == source }
        var report = IngestReport(database: options.database)
        let changes = try ingest(
            planner, into: writer, material: material, reading: reading,
            replayOptions: options.replayOptions(settings), redaction: redaction, stop: StopRequest(),
            report: &report, show: { _ in })
        let after = try writer.sources().first { $0.id == source }
        return changes.isEmpty && after?.ingestedAt != before?.ingestedAt
    }
}
