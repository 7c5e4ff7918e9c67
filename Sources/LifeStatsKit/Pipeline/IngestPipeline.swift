import Dispatch
import EventRecognition
import LifecycleModel
import LifecycleReplay
import LogReading
import TraceRecords
import TraceStore

/// From paths to a database: find the inputs, decide what of them is new, read, recognise, replay, write.
public struct IngestPipeline: Sendable {
    let options: IngestOptions

    public init(options: IngestOptions) { self.options = options }

    /// Ingests everything that the options name.
    ///
    /// - Parameters:
    ///   - progress: gets a line for the terminal several times a second.
    ///   - notice: gets what the person should know at once (another process is writing …).
    /// - Throws: ``LifeStatsError`` when nothing could be read, or the database cannot be written.
    public func run(
        progress show: @escaping @Sendable (String) -> Void = { _ in }, notice: @escaping (String) -> Void = { _ in }
    ) throws -> IngestReport {
        try LifeStatsError.translated {
            let reading = try options.readingOptions()
            let material = IngestMaterial(options)
            // What is wrong in a file of the user's is said even where there is nothing new to read.
            if options.namesMaterial { _ = try material.load() }
            var inputs = try findInputs(reading)

            var hasWaited = false
            let readsPipe = options.paths.contains("-")
            let pipe = readsPipe ? " (if that is what feeds this one, neither goes on: save it as a file first)" : ""
            let writer = try TraceWriter(path: options.database) {
                hasWaited = true
                notice($0 + pipe)
            }
            // The logs have gone on meanwhile, and the other process may have read them further than they were then.
            if hasWaited { inputs = try findInputs(reading) }
            let stop = StopRequest()
            let interruption = Interruption { stop.make() }
            defer { interruption.cancel() }

            var report = IngestReport(database: options.database)
            func store() throws {
                var session = try IngestSession(
                    self, writer: writer, reading: reading, material: material, stop: stop, show: show)
                try session.run(inputs)
                report = session.report
            }
            // Whoever reads meanwhile sees the database as it was before. What has no end, or could not be read again
            // after a crash, is stored as it comes.
            if options.follow || inputs.sources.contains(where: \.isOnce) {
                try store()
            } else {
                try writer.atomically(store)
            }
            try writer.close(notice: notice)
            return report
        }
    }

    private func findInputs(_ reading: ReadingOptions) throws -> InputFinder.Findings {
        let inputs = InputFinder.find(options.paths, options: reading)
        guard inputs.isComplete || !inputs.sources.isEmpty else {
            throw LifeStatsError(inputs.diagnostics.map(\.description).joined(separator: "\n"))
        }
        return inputs
    }

    /// Reads, recognises, replays and writes what a plan found to be new, on three threads.
    ///
    /// - Returns: what has changed since it was planned, so that its log has to be looked at again.
    func ingest(
        _ planner: IngestPlanner, into writer: TraceWriter, material: IngestMaterial, reading: ReadingOptions,
        replayOptions: ReplayOptions, redaction: Redaction?, stop: StopRequest, report: inout IngestReport,
        show: (String) -> Void
    ) throws -> [ReadingDiagnostic] {
        let progress = IngestProgress(bytesInAll: planner.bytesToRead, stop: stop)
        let facts = BoundedQueue<FactItem>(capacity: 4)
        let writes = BoundedQueue<WriteItem>(capacity: 1)
        var store = StoreWorker(writer: writer, writes: writes, progress: progress)
        try store.move(planner.moved)
        let plans = planner.logs
        guard !plans.isEmpty else { return [] }

        let parts = try material.load()
        if !material.isStored {
            try writer.setModels(parts.models)
            material.isStored = true
        }
        let reader = FactReader(
            catalog: parts.layouts, options: reading, lexicon: parts.lexicon, keepsMessages: options.keepMessages,
            wishes: material.wishes, redaction: redaction, queue: facts, progress: progress)
        let replay = ReplayWorker(catalog: parts.models, options: replayOptions, facts: facts, writes: writes)
        let first = writer.firstIDs
        let stages = DispatchGroup()
        DispatchQueue.global().async(group: stages) { reader.read(plans) }
        DispatchQueue.global().async(group: stages) { replay.run(first: first) }
        defer {
            // Where writing failed, the other threads are not to go on, nor to wait for ever.
            progress.abandon()
            writes.close()
            while writes.take() != nil {}
            stages.wait()
        }
        try store.run(report: &report, show: show)
        report.add(problems: progress.problems, isInterrupted: stop.isMade && !options.follow)
        for (plan, _) in progress.abandoned { report.takeBack(plan) }
        return progress.abandoned.map(\.change)
    }
}
