import LogReading
import TraceStore

/// From paths to a database: find the inputs, compare them with what was read before, read what is new, recognise, replay,
/// write.
public struct IngestPipeline: Sendable {
    let options: IngestOptions

    public init(options: IngestOptions) { self.options = options }

    /// Ingests everything that the options name.
    ///
    /// - Parameters:
    ///   - progress: gets a line for the terminal several times a second.
    ///   - notice: gets what the user should know at once (another process is writing …).
    /// - Throws: ``LifeStatsError`` when nothing could be read, or the database cannot be written.
    public func run(
        progress show: @escaping @Sendable (String) -> Void = { _ in }, notice: @escaping (String) -> Void = { _ in }
    ) throws -> IngestReport {
        try LifeStatsError.translated {
            let reading = try options.readingOptions()
            let material = IngestMaterial(options)
            // Mistakes in the user's own files are reported even where there is nothing new to read.
            if options.namesMaterial { _ = try material.load() }
            var inputs = try findInputs(reading)

            var hasWaited = false
            let pipe = " (if it feeds this one through a pipe, neither can go on: save its output to a file first)"
            let writer = try TraceWriter(path: options.database) {
                hasWaited = true
                notice($0 + (options.paths.contains("-") ? pipe : ""))
            }
            // The logs have grown meanwhile, and the other process may have read more of them.
            if hasWaited { inputs = try findInputs(reading) }
            let stop = StopRequest()
            let interruption = Interruption { stop.make() }
            defer { interruption.cancel() }

            let session = try IngestSession(
                options: options, reading: reading, material: material, writer: writer, stop: stop, show: show)
            try session.run(inputs)
            try writer.close(notice: notice)
            return session.report
        }
    }

    private func findInputs(_ reading: ReadingOptions) throws -> InputFinder.Findings {
        let inputs = InputFinder.find(options.paths, options: reading)
        guard inputs.isComplete || !inputs.sources.isEmpty else {
            throw LifeStatsError(inputs.diagnostics.map(\.description).joined(separator: "\n"))
        }
        return inputs
    }
}
