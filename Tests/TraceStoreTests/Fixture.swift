import Foundation
import TraceRecords

@testable import TraceStore

/// A folder that goes away with the test.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { path + "/" + name }
}

/// Builds a replay's batches by hand.
struct Script {
    var batch = ReplayBatch()
    private var known: [StepKind] = []
    private var nextStep: Int64
    private var block: Int64
    private var lastCallbacks: [Int64: Int32] = [:]
    static let second: Int64 = 1_000_000_000
    /// 2026-03-01T08:00:00Z
    static let start: Int64 = 1_772_352_000_000_000_000

    /// Ids begin with 1 in block 0, so that they are easy to read.
    init(nextStep: Int64 = 1) {
        self.nextStep = nextStep
        block = Block.of(nextStep)
    }

    mutating func run(
        _ id: Int64, app: String = "Demo", pid: Int32 = 100, source: Int32 = 1, started: Int64? = nil,
        ended: Int64? = nil, end: EndReason = .logEnd, evidence: EvidenceKind = .inferred, lastSeen: Int64? = nil,
        nextSeen: Int64? = nil, version: String? = nil, device: String? = nil, hasCallbacks: Bool = false
    ) {
        batch.runs.append(
            RunRecord(
                id: id, source: source, device: device, app: app, pid: pid, profile: "ios13+", appVersion: version,
                started: started, ended: ended, endReason: end, endEvidence: evidence, firstSeen: started,
                lastSeen: lastSeen, nextSeen: nextSeen, key: "\(app)-\(pid)-\(id)", hasCallbacks: hasCallbacks))
    }

    mutating func instance(
        _ id: Int64, run: Int64, layer: String = "app", label: String = "app", tail: InstanceRecord.Tail? = nil
    ) {
        batch.instances.append(
            InstanceRecord(
                id: id, run: run, layer: layer, model: layer, label: label, printedLabel: label, tail: tail))
    }

    /// Adds an event; `at` in seconds after ``start``.
    @discardableResult
    mutating func step(
        _ callback: String, _ before: String?, _ after: String?, at seconds: Double?, instance: Int64 = 1,
        line: Int64? = nil, dwell: Double? = nil, opener: Int64? = nil,
        role: StepKind.Role = .event, censoring: Censoring = .neither, verdict: Verdict? = .documented,
        layer: String = "app", proves: Proof? = nil
    ) -> Int64 {
        let kind = StepKind(
            role: role, model: layer, layer: layer, kind: proves == nil ? "callback" : callback,
            callback: proves == nil ? callback : nil, proves: proves, stateBefore: before,
            stateAfter: after, verdict: before == after ? nil : verdict, closedCensoring: censoring)
        let index = known.firstIndex(of: kind) ?? known.count
        if index == known.count {
            known.append(kind)
            batch.kinds.append(kind)
        }
        defer {
            nextStep += 1
            lastCallbacks[instance] = Int32(index)
        }
        batch.steps.append(
            Step(
                id: nextStep, instance: instance, line: line ?? nextStep & 0xFFFF,
                time: seconds.map { Self.start + Self.nanoseconds($0) }, kind: Int32(index),
                dwell: dwell.map(Self.nanoseconds), opener: opener,
                previousCallback: lastCallbacks[instance] ?? -1))
        return nextStep
    }

    /// A time, in seconds after ``start``.
    static func at(_ seconds: Double) -> Int64 { start + nanoseconds(seconds) }

    static func nanoseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1e9).rounded()) }

    /// What was built so far; the next batch has ids of the next block.
    mutating func take() -> ReplayBatch {
        defer {
            batch = ReplayBatch()
            block += 1
            nextStep = block << 16 + 1
        }
        batch.blocks = [block]
        return batch
    }

    static func source(
        _ id: Int32 = 1, log: Int32 = 1, path: String = "/logs/app.log", stream: String = "/logs/app",
        lines: Int64 = 100
    ) -> SourceRecord {
        var source = SourceRecord(
            id: id, log: log, path: path, stream: stream, format: "nslog", fingerprint: "f\(id)",
            resume: #"{"at":7}"#)
        source.position.counts.lines = lines
        source.position.counts.entry = lines
        return source
    }
}

/// Launch at 0 s, active from 2 to 32 s, inactive to 33.5 s, background since; the log ends 60 s in.
func smallRun() -> ReplayBatch {
    var script = Script()
    script.run(1, started: Script.start)
    let launch = script.step("didFinishLaunching", "not_running", "inactive", at: 0)
    let active = script.step("didBecomeActive", "inactive", "active", at: 2, dwell: 2, opener: launch)
    script.step("didReceiveMemoryWarning", "active", "active", at: 5)
    let resign = script.step("willResignActive", "active", "inactive", at: 32, dwell: 30, opener: active)
    let background = script.step(
        "didEnterBackground", "inactive", "background", at: 33.5, dwell: 1.5, opener: resign)
    script.instance(
        1, run: 1,
        tail: InstanceRecord.Tail(
            state: "background", entered: Script.start + Script.nanoseconds(33.5), opener: background,
            evidence: .observed, censoring: .right, atLeast: Script.nanoseconds(26.5)))
    return script.take()
}

/// The vocabulary of the tests.
let callbacks = [
    "didFinishLaunching", "didBecomeActive", "willResignActive", "didEnterBackground", "willEnterForeground",
]

extension TraceWriter {
    convenience init(path: String, mode: WriteMode = .whole) throws {
        try self.init(path: path, callbacks: callbacks, mode: mode)
    }

    /// Writes rows of source 1 of log 1.
    @discardableResult
    func put(_ rows: ReplayBatch, record: SourceRecord? = nil, isProvisional: Bool = false) throws -> Int64 {
        try write(StoredBatch(log: 1, source: 1, record: record, rows: rows, isProvisional: isProvisional))
    }
}

/// The rows of a query, each as its values joined by `|`.
func rows(_ path: String, _ sql: String, _ parameters: [String: SQLValue] = [:]) throws -> [String] {
    var rows: [String] = []
    try TraceReader(path: path).query(sql, parameters: parameters) { row in
        rows.append((0..<row.count).map { row.text($0) ?? "-" }.joined(separator: "|"))
    }
    return rows
}

/// Makes a database of one batch.
func store(
    _ batch: ReplayBatch, at path: String, record: SourceRecord = Script.source(),
    mode: TraceWriter.WriteMode = .whole
) throws {
    let writer = try TraceWriter(path: path, mode: mode)
    try writer.put(batch, record: record)
    try writer.close()
}

extension Verifier {
    /// Checks a database in one thread.
    static func verify(path: String) throws -> Verification {
        try result(of: TraceReader(path: path, isLenient: true))
    }

    /// The digest of a database whose schema is sound.
    static func digest(path: String) throws -> ContentDigest { try result(of: TraceReader(path: path)).digest }

    private static func result(of reader: TraceReader) throws -> Verification {
        let verifier = Verifier()
        try verifier.work(on: reader)
        return verifier.result
    }
}
