import Foundation
import LifecycleModel
import LogReading
import TraceStore

/// From paths to a database: find the inputs, compare them with what was read before, read what is new, recognise, replay,
/// write.
public struct IngestPipeline: Sendable {
    /// How long an ingest may look at what it has stored.
    private static let secondsForNotices = 2.0

    let options: IngestOptions

    public init(options: IngestOptions) { self.options = options }

    /// Begins to load what every ingest needs, on other threads and once in a process: it may be called early.
    public static func prepare() { IngestMaterial.prepare() }

    /// Ingests everything that the options name.
    ///
    /// - Parameters:
    ///   - progress: gets a line for the terminal several times a second.
    ///   - notice: gets what the user should know at once (another process is writing …).
    /// - Throws: ``LifeStatsError`` when nothing could be read, or the database cannot be written.
    public func run(
        progress show: @escaping @Sendable (String) -> Void = { _ in }, notice: @escaping (String) -> Void = { _ in }
    ) throws -> IngestReport {
        try run(stop: StopRequest(), progress: show, notice: notice)
    }

    /// The same, until someone asks to stop.
    func run(
        stop: StopRequest, progress show: @escaping @Sendable (String) -> Void = { _ in },
        notice: @escaping (String) -> Void
    ) throws -> IngestReport {
        try LifeStatsError.translated {
            let reading = try options.readingOptions()
            Self.prepare()
            let material = IngestMaterial(options)
            // Mistakes in the user's own files are reported even where there is nothing new to read.
            if options.namesMaterial { _ = try material.load() }
            var inputs = try findInputs(reading)

            var hasWaited = false
            let pipe = " (if it feeds this one through a pipe, neither can continue: save its output to a file first)"
            let arrives = options.follow || inputs.sources.contains(where: \.isOnce)
            let writer = try TraceWriter(
                path: options.database, callbacks: material.callbacks(), mode: arrives ? .asItArrives : .whole
            ) {
                hasWaited = true
                notice($0 + (options.paths.contains("-") ? pipe : ""))
            }
            // The logs have grown meanwhile, and the other process may have read more of them.
            if hasWaited { inputs = try findInputs(reading) }
            let interruption = Interruption { stop.make() }
            defer { interruption.cancel() }

            let session = try IngestSession(
                options: options, reading: reading, material: material, writer: writer, stop: stop, show: show)
            try session.run(inputs)
            try writer.close(notice: notice)
            return try completed(session.report, inputs, material, reading)
        }
    }

    /// Adds what the summary's advice depends on.
    private func completed(
        _ report: IngestReport, _ inputs: InputFinder.Findings, _ material: IngestMaterial, _ reading: ReadingOptions
    ) throws -> IngestReport {
        var report = report
        if report.foundNoState {
            report.add(near: NearLines().find(in: inputs.sources, try material.load(), reading))
        } else if let missing = report.missingState {
            let near = NearLines(missing: (missing.name, report.appNames)).find(
                in: inputs.sources.filter { missing.paths.contains($0.path) }, try material.load(), reading)
            report.add(near: near, to: missing.name)
        }
        report.add(ownLayers: try ModelLoading.ownLayers(of: options.models))
        if report.files > 0, !options.follow {
            let limit = ReadingLimit(seconds: Self.secondsForNotices)
            let notices = try? DatabaseReading.run(options.database, limit: limit, DataNotices.all)
            report.add(notices: notices.map { $0.copies + $0.others } ?? [])
        }
        return report
    }

    private func findInputs(_ reading: ReadingOptions) throws -> InputFinder.Findings {
        var inputs = InputFinder.find(options.paths, options: reading)
        // The database may lie among the logs.
        inputs.diagnostics.removeAll { diagnostic in
            diagnostic.severity == .notice
                && URL(fileURLWithPath: diagnostic.path).standardizedFileURL
                    == URL(fileURLWithPath: options.database).standardizedFileURL
        }
        guard inputs.isComplete || !inputs.sources.isEmpty else {
            throw LifeStatsError(inputs.diagnostics.map(\.description).joined(separator: "\n"))
        }
        return inputs
    }
}

/// One ingest: looks at the inputs and stores what is new, until nothing changes any more or the user ends it.
final class IngestSession {
    /// How often a followed log is looked at.
    private static let secondsBetweenLooks = 0.25
    /// How often an ingest looks at logs that are rotated while it reads them.
    private static let mostLooks = 8

    private let options: IngestOptions
    private let reading: ReadingOptions
    private let material: IngestMaterial
    private let writer: TraceWriter
    private let stop: StopRequest
    private let show: (String) -> Void
    private let settings: DerivationSettings
    private let redaction: Redaction?
    private let cache: FingerprintCache
    private(set) var report: IngestReport
    private var hasStoredModels = false
    /// The first block of this ingest.
    private let firstBlock: Int64
    /// Whether anything was stored since the evidence of other logs was attached.
    private var hasNews = false

    init(
        options: IngestOptions, reading: ReadingOptions, material: IngestMaterial, writer: TraceWriter,
        stop: StopRequest, show: @escaping (String) -> Void
    ) throws {
        self.options = options
        self.reading = reading
        self.material = material
        self.writer = writer
        self.stop = stop
        self.show = show
        settings = try DerivationSettings.settled(
            for: options.suspendGrace, models: material.models(), writer: writer, path: options.database)
        redaction = try Redaction.begin(wanted: options.redact, writer: writer, path: options.database)
        cache = FingerprintCache(options: reading)
        firstBlock = writer.nextBlock
        report = IngestReport(options, namesLogs: redaction == nil)
    }

    /// Stores what is new of the inputs: in one transaction, or as it comes where it has no end, or could not be read
    /// again after a crash.
    func run(_ inputs: InputFinder.Findings) throws {
        report.add(inputs.diagnostics)
        if options.follow && !options.paths.contains("-") {
            try follow(inputs)
        } else if inputs.sources.contains(where: \.isOnce) {
            try lookUntilSettled(inputs)
        } else {
            try writer.atomically { try lookUntilSettled(inputs) }
        }
        if stop.isMade, !options.follow { report.noteInterruption() }
    }

    /// Looks again at logs that changed while they were read.
    private func lookUntilSettled(_ inputs: InputFinder.Findings) throws {
        var inputs = inputs
        for look in 1...Self.mostLooks {
            let changed = try self.look(at: inputs.sources)
            if changed.isEmpty || stop.isMade { break }
            guard look < Self.mostLooks else { return report.add(changed) }
            Thread.sleep(forTimeInterval: Self.secondsBetweenLooks)
            inputs = InputFinder.find(options.paths, options: reading)
            inputs.sources.removeAll(where: \.isOnce)
            report.add(inputs.diagnostics)
        }
        try attachEvidence()
    }

    /// Looks at the inputs again and again. Files are kept open, so that the last lines of one that is renamed or deleted
    /// are read.
    private func follow(_ inputs: InputFinder.Findings) throws {
        var inputs = inputs
        var held = HeldFiles()
        let watch = RotationWatch(options.paths, options: reading)
        while true {
            held.hold(inputs.sources)
            let changed = try lookOnce(inputs.sources)
            if changed.isEmpty { held.noteRead(inputs.sources) }
            if stop.isMade { return }
            Thread.sleep(forTimeInterval: Self.secondsBetweenLooks)
            // Between the two steps of a rotation the path that was named may lead nowhere.
            inputs = InputFinder.find(options.paths, options: reading)
            watch.addRotations(to: &inputs)
            let gone = held.gone(from: inputs.sources)
            if !gone.isEmpty, try lookOnce(gone).isEmpty { held.noteRead(gone) }
        }
    }

    private func lookOnce(_ sources: [SourceDescription]) throws -> [ReadingDiagnostic] {
        let changed = try look(at: sources)
        try attachEvidence()
        return changed
    }

    private func attachEvidence() throws {
        guard hasNews else { return }
        hasNews = false
        try writer.atomically {
            let grace = settings.suspendGrace.nanoseconds
            report.add(removed: try writer.attachEvidence(grace: grace, since: firstBlock))
        }
    }

    // MARK: - One look

    /// Compares sources with the database, and stores what is new.
    ///
    /// - Returns: what changed since it was found, so that its log has to be looked at again.
    private func look(at sources: [SourceDescription]) throws -> [ReadingDiagnostic] {
        let known = try writer.sources()
        let names = SourceNames(known: known, redaction: redaction)
        let planner = IngestPlanner(
            database: options.database, known: known,
            logs: Dictionary(try writer.logs().map { ($0.stream, $0.id) }) { first, _ in first },
            options: reading, assumptions: assumptions, cache: cache,
            layouts: { [material] in try? material.load().layouts })
        let plan = IngestPlanner.plan(sources.map(names.known), planner)
        report.add(plan)
        if !plan.moved.isEmpty { try writer.atomically { try writer.update(sources: plan.moved) } }
        guard !plan.logs.isEmpty else { return plan.changed }

        let progress = IngestProgress(bytesInAll: plan.bytesToRead, stop: stop)
        hasNews = true
        try store(plan, progress)
        report.add(progress.problems)
        return plan.changed + progress.changes
    }

    /// Derives logs again where that is necessary, then goes on with the others.
    private func store(_ plan: IngestPlan, _ progress: IngestProgress) throws {
        // The models are there before the rest, which other threads prepare meanwhile.
        let models = try material.models()
        if !hasStoredModels {
            try writer.atomically { try writer.setModels(models) }
            hasStoredModels = true
        }
        let derivation = Derivation(
            writer: writer, models: models, settings: settings, progress: progress,
            mostFactsOfSmallLog: options.mostFactsOfSmallLog)
        let parts = try material.load()
        ProcessMemory.dropCodeOfStart(before: plan.bytesToRead ?? .max)
        let reader = LogReader(
            layouts: parts.layouts, lexicon: parts.lexicon, options: reading, keepsMessages: options.keepMessages,
            redaction: redaction, progress: progress)
        var continued: [(plan: LogPlan, from: Derivation.Continuation)] = []
        for log in plan.logs where !progress.isInterrupted {
            if let from = try derivation.continuation(of: log) {
                continued.append((log, from))
            } else if log.isLive {
                continued.append(try continuable(log, derivation))
            } else {
                try writer.atomically { try derivation.deriveAgain(log, reader: reader, &report) }
            }
        }
        guard !continued.isEmpty, !progress.isInterrupted else { return }
        // What is stored as it comes is stored log by log.
        let lanes = options.follow || continued.contains(where: \.plan.isLive) ? 1 : options.lanes
        try derivation.goOn(with: continued, reader: reader, lanes: lanes) { next in
            while let items = next() {
                try writer.atomically { try store(items, then: next, derivation, progress) }
            }
        }
    }

    /// Derives what is known of a log again, so that a pipe can go on with it.
    private func continuable(
        _ log: LogPlan, _ derivation: Derivation
    ) throws -> (plan: LogPlan, from: Derivation.Continuation) {
        var known = log
        known.way = .deriveAgain
        known.sources.removeAll { !$0.isKnown }
        try writer.atomically { try derivation.deriveAgain(known, keepsState: true, &report) }
        return (log, try derivation.continuation(of: log) ?? Derivation.Continuation())
    }

    /// Stores items up to where they belong together.
    private func store(
        _ first: [StoreItem], then next: () -> [StoreItem]?, _ derivation: Derivation, _ progress: IngestProgress
    ) throws {
        var items: [StoreItem]? = first
        while let present = items {
            for item in present { try derivation.store(item, &report) }
            if let line = progress.line() { show(line) }
            if case .consistent? = present.last { return }
            items = next()
        }
    }

    /// What the user says of new sources.
    private var assumptions: IngestPlanner.Assumptions {
        let said = ReadingAssumptions(
            format: options.format, timezone: options.timezone, year: options.year, date: options.date)
        return IngestPlanner.Assumptions(
            device: options.device.map { redaction?.device($0) ?? $0 },
            appVersion: options.appVersion.map { redaction?.version($0) ?? $0 },
            systemVersion: options.systemVersion,
            reading: said == ReadingAssumptions() ? nil : said, keepsMessages: options.keepMessages)
    }
}
