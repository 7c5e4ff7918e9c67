import Dispatch
import Foundation
import LogReading
import TraceStore

/// Looks at the inputs, and stores what is new of them, until nothing changes any more or the person ends it.
struct IngestSession {
    private let pipeline: IngestPipeline
    private let writer: TraceWriter
    private let reading: ReadingOptions
    private let material: IngestMaterial
    private let stop: StopRequest
    private let show: (String) -> Void
    private let settings: DerivationSettings
    private let redaction: Redaction?
    private let watch: RotationWatch
    /// The device that the person says, as the database calls it.
    private let device: String?
    private let appVersion: String?

    private var held = HeldFiles()
    private var looks: SourceLooks
    private var spelling: SourceSpelling
    private var nextSettling: UInt64 = 0
    private(set) var report: IngestReport

    /// How often a followed log is looked at.
    private static let secondsBetweenLooks = 0.25

    /// How often an ingest looks at logs that are rotated while it reads them.
    private static let mostLooks = 8

    init(
        _ pipeline: IngestPipeline, writer: TraceWriter, reading: ReadingOptions, material: IngestMaterial,
        stop: StopRequest, show: @escaping (String) -> Void
    ) throws {
        self.pipeline = pipeline
        let options = pipeline.options
        self.writer = writer
        self.reading = reading
        self.material = material
        self.stop = stop
        self.show = show
        settings = try DerivationSettings.settled(for: options.suspendGrace, writer: writer, path: options.database)
        redaction = try Redaction.begin(wanted: options.redact, writer: writer, path: options.database)
        device = options.device.map { [redaction] in redaction?.device($0) ?? $0 }
        appVersion = options.appVersion.map { [redaction] in redaction?.version($0) ?? $0 }
        watch = RotationWatch(options.follow ? options.paths : [], options: reading)
        report = IngestReport(database: options.database)
        looks = SourceLooks(options: reading)
        spelling = SourceSpelling(known: try writer.sources(), redaction: redaction)
    }

    private var options: IngestOptions { pipeline.options }

    /// Stores what is new of the inputs.
    mutating func run(_ inputs: InputFinder.Findings) throws {
        var inputs = inputs
        var looks = 0
        report.add(inputs.diagnostics)
        while true {
            looks += 1
            if options.follow { held.hold(inputs.sources) }
            let changed = try look(at: inputs.sources)
            if changed.isEmpty { held.noteRead(inputs.sources) }
            // A log that is followed grows all the time; seeing a device as a whole takes as long as it is large.
            if DispatchTime.now().uptimeNanoseconds >= nextSettling { try settle() }
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
        try settle()
    }

    /// Reads what is new of sources.
    ///
    /// - Returns: what has changed since it was found, so that its log has to be looked at again.
    private mutating func look(at sources: [SourceDescription]) throws -> [ReadingDiagnostic] {
        let sources = spelling.known(sources, options: reading)
        let shown = redaction.map { sources.map($0.source) } ?? sources
        var relocation = Relocation(
            writer: writer, material: material, settings: settings, options: options, device: device,
            appVersion: appVersion, files: shown, stop: stop)
        var planner: IngestPlanner
        repeat {
            looks = SourceLooks(options: reading, after: looks)
            planner = try IngestPlanner(
                writer: writer, options: reading, material: material, device: device,
                appVersion: appVersion, waitsForCopies: options.follow, bound: relocation.bound, looks: looks)
            try planner.plan(shown)
            try relocation.run(planner.supplanted)
        } while !planner.supplanted.isEmpty
        report.add(relocation.notices)
        report.add(planner)
        return try planner.changed
            + pipeline.ingest(
                planner, into: writer, material: material, reading: reading,
                replayOptions: options.replayOptions(settings), redaction: redaction, stop: stop, report: &report,
                show: show)
    }

    /// Brings the streams of each device to agree; one tenth of the time at most goes into it.
    private mutating func settle() throws {
        nextSettling = 0
        guard !(try writer.unsettledStreams().isEmpty) else { return }
        let begin = DispatchTime.now().uptimeNanoseconds
        let rederivation = Rederivation(
            writer: writer, catalog: try material.load().models, options: settings.replayOptions)
        report.add(try rederivation.settle())
        let end = DispatchTime.now().uptimeNanoseconds
        nextSettling = end + 10 * (end - begin)
    }
}
