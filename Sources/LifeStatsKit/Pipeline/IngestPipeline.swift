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
            let writer = try TraceWriter(path: options.database) {
                hasWaited = true
                notice("another process is writing to \(options.database); waiting for it")
            }
            // The logs have gone on meanwhile, and the other process may have read them further than they were then.
            if hasWaited { inputs = try findInputs(reading) }
            let settings = try DerivationSettings.settled(
                for: options.suspendGrace, writer: writer, path: options.database)
            let redaction = try Redaction.begin(wanted: options.redact, writer: writer, path: options.database)
            let device = options.device.map { redaction?.device($0) ?? $0 }
            let stop = StopRequest()
            let interruption = Interruption { stop.make() }
            defer { interruption.cancel() }

            let watch = RotationWatch(options.follow ? options.paths : [], options: reading)
            var held = HeldFiles()
            var report = IngestReport(database: options.database, diagnostics: inputs.diagnostics)
            var nextSettling: UInt64 = 0
            var looks = 0
            func look(at sources: [SourceDescription]) throws -> [ReadingDiagnostic] {
                let shown = redaction.map { sources.map($0.source) } ?? sources
                var relocation = Relocation(
                    writer: writer, material: material, settings: settings, options: options, device: device,
                    files: shown, stop: stop)
                var planner: IngestPlanner
                repeat {
                    planner = try IngestPlanner(
                        writer: writer, options: reading, material: material, device: device,
                        appVersion: self.options.appVersion, waitsForCopies: options.follow, bound: relocation.bound)
                    try planner.plan(shown)
                    try relocation.run(planner.supplanted)
                } while !planner.supplanted.isEmpty
                report.add(relocation.notices)
                report.add(planner)
                return try planner.changed
                    + ingest(
                        planner, into: writer, material: material, reading: reading,
                        replayOptions: options.replayOptions(settings), redaction: redaction,
                        stop: stop, report: &report, show: show)
            }
            while true {
                looks += 1
                if options.follow { held.hold(inputs.sources) }
                let changed = try look(at: inputs.sources)
                if changed.isEmpty { held.noteRead(inputs.sources) }
                // A log that is followed grows all the time; seeing a device as a whole takes as long as it is large.
                if DispatchTime.now().uptimeNanoseconds >= nextSettling {
                    nextSettling = try settle(writer, material, settings, report: &report)
                }
                let isFollowed = options.follow && !options.paths.contains("-")
                guard !stop.isMade, isFollowed || !changed.isEmpty else { break }
                guard isFollowed || looks < Self.mostLooks else {
                    report.add(changed)
                    break
                }
                Thread.sleep(forTimeInterval: Self.secondsBetweenLooks)
                // Between two files of a rotation the path that was named may lead nowhere.
                inputs = InputFinder.find(options.paths, options: reading)
                if !isFollowed {
                    inputs.sources.removeAll(where: \.isOnce)
                    report.add(inputs.diagnostics)
                }
                watch.addRotations(to: &inputs)
                let gone = held.gone(from: inputs.sources)
                if !gone.isEmpty, try look(at: gone).isEmpty { held.noteRead(gone) }
            }
            _ = try settle(writer, material, settings, report: &report)
            try writer.close()
            return report
        }
    }

    /// How often a followed log is looked at.
    private static let secondsBetweenLooks = 0.25

    /// How often an ingest looks at logs that are rotated while it reads them.
    private static let mostLooks = 8

    private func findInputs(_ reading: ReadingOptions) throws -> InputFinder.Findings {
        let inputs = InputFinder.find(options.paths, options: reading)
        guard inputs.isComplete || !inputs.sources.isEmpty else {
            throw LifeStatsError(inputs.diagnostics.map(\.description).joined(separator: "\n"))
        }
        return inputs
    }

    /// Brings the streams of each device to agree.
    ///
    /// - Returns: when to do so again at the earliest: one tenth of the time at most goes into it.
    private func settle(
        _ writer: TraceWriter, _ material: IngestMaterial, _ settings: DerivationSettings, report: inout IngestReport
    ) throws -> UInt64 {
        guard !(try writer.unsettledStreams().isEmpty) else { return 0 }
        let begin = DispatchTime.now().uptimeNanoseconds
        let rederivation = Rederivation(
            writer: writer, catalog: try material.load().models, options: settings.replayOptions)
        report.add(try rederivation.settle())
        let end = DispatchTime.now().uptimeNanoseconds
        return end + 10 * (end - begin)
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
