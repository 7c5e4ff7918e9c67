import Dispatch
import EventRecognition
import Foundation
import LifecycleModel
import LifecycleReplay
import LogReading
import TraceRecords
import TraceStore

/// From paths to a database: find the inputs, decide what of them is new, read, recognise, replay, write.
public struct IngestPipeline: Sendable {
    private let options: IngestOptions

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
            let models = try ModelLoading.catalog(with: options.models)
            let layouts = try LayoutLoading.catalog(with: options.formats)
            let reading = try options.readingOptions()
            let vocabulary = Vocabulary(models: models.models)
            let lexicon = try Lexicon(vocabulary: vocabulary)

            let inputs = InputFinder.find(options.paths, options: reading)
            guard inputs.isComplete || !inputs.sources.isEmpty else {
                throw LifeStatsError(inputs.diagnostics.map(\.description).joined(separator: "\n"))
            }

            let writer = try TraceWriter(path: options.database) {
                notice("another process is writing to \(options.database); waiting for it")
            }
            try writer.setModels(models)
            var planner = try IngestPlanner(
                writer: writer, options: reading, vocabulary: vocabulary, device: options.device)
            try planner.plan(inputs.sources)

            let state = IngestProgress(bytesInAll: planner.bytesToRead)
            let facts = BoundedQueue<FactItem>(capacity: 4)
            let writes = BoundedQueue<WriteItem>(capacity: 2)
            let reader = FactReader(
                catalog: layouts, options: reading, lexicon: lexicon, keepsMessages: options.keepMessages,
                queue: facts, progress: state)
            let replay = ReplayWorker(
                catalog: models, options: options.replayOptions, facts: facts, writes: writes)
            let plans = planner.logs
            let first = writer.firstIDs

            let interruption = Interruption { state.interrupt() }
            defer { interruption.cancel() }
            let stages = DispatchGroup()
            DispatchQueue.global().async(group: stages) { reader.read(plans) }
            DispatchQueue.global().async(group: stages) { replay.run(first: first) }

            var report = IngestReport(database: options.database, planner: planner, diagnostics: inputs.diagnostics)
            var store = StoreWorker(writer: writer, writes: writes, progress: state)
            defer {
                // Whatever happens here, the other threads must not wait for ever.
                writes.close()
                while writes.take() != nil {}
                stages.wait()
            }
            try store.move(planner.moved)
            try store.run(report: &report, show: show)
            for plan in plans where plan.needsRederivation {
                try Rederivation(writer: writer, catalog: models, options: options.replayOptions)
                    .run(stream: plan.stream)
            }
            report.add(problems: state.problems, isInterrupted: state.isInterrupted)
            try writer.close()
            return report
        }
    }
}
