import TraceRecords

@testable import TraceStore

/// A hand-made day: two runs of Demo, one of Other that the log cuts at both ends, one of Scenes with two scenes and
/// two view controllers. Times are seconds after 08:00:00.
///
/// Demo 1 (1.0): launch 0, active 1-11, 12-32 and 95-100, background 33-93 (suspended from 38) and from 101, last sign
/// of life 105, the next run at 200. Demo 2 (1.1): launch into the background 200, active 231-261, terminated 270.
struct DayFixture {
    let folder: TemporaryFolder
    let path: String

    init(mode: TraceWriter.WriteMode = .whole) throws {
        folder = try TemporaryFolder()
        path = folder.file("day.db")
        var script = Script()
        Self.demo(&script)
        Self.other(&script)
        Self.scenes(&script)
        Self.details(&script)
        let writer = try TraceWriter(path: path, mode: mode)
        try writer.write(
            StoredBatch(
                log: 1, source: 1, record: Script.source(), rows: script.take(),
                dailyTotals: [
                    DailyTotal(
                        line: 1, app: "Demo", appVersion: "1.0", from: Script.start, until: nil,
                        metric: "cumulativeForegroundTime", value: 50, unit: "s")
                ]))
        let documented = [
            ("not_running", "inactive"), ("inactive", "active"), ("active", "inactive"), ("inactive", "background"),
            ("background", "inactive"), ("background", "suspended"),
        ]
        try writer.setModels(
            states: [],
            transitions: documented.enumerated().map { ordinal, move in
                [
                    .text("app"), .integer(Int64(ordinal)), .text("app"), .text(move.0), .text(move.1), .text("c"),
                    .integer(move.1 == "suspended" ? 1 : 0), .text("A"),
                ]
            })
        try writer.close()
    }

    /// Walks an instance through states, each `(callback, state, time)`; the first is entered from `from`.
    private static func walk(
        _ script: inout Script, instance: Int64, from: String, layer: String = "app",
        _ path: [(callback: String, state: String, time: Double)]
    ) -> Int64 {
        var before = from
        var opener: Int64?
        var entered = 0.0
        for (callback, state, time) in path {
            opener = script.step(
                callback, before, state, at: time, instance: instance, dwell: opener == nil ? nil : time - entered,
                opener: opener, layer: layer)
            before = state
            entered = time
        }
        return opener ?? 0
    }

    private static func demo(_ script: inout Script) {
        script.run(
            1, started: Script.at(0), end: .killedInBackground, lastSeen: Script.at(105), nextSeen: Script.at(200),
            version: "1.0", device: "phone-1")
        let last = walk(
            &script, instance: 1, from: "not_running",
            [
                ("launch", "inactive", 0), ("become", "active", 1), ("resign", "inactive", 11),
                ("become", "active", 12),
                ("resign", "inactive", 32), ("leave", "background", 33), ("enter", "inactive", 93),
                ("become", "active", 95), ("resign", "inactive", 100), ("leave", "background", 101),
            ])
        script.instance(
            1, run: 1,
            tail: InstanceRecord.Tail(
                state: "background", entered: Script.at(101), opener: last, evidence: .observed, censoring: .right,
                atLeast: 4 * Script.second, silentlyTo: "not_running", verdict: .documented))
        script.batch.suspensions.append(
            Suspension(
                id: 1, run: 1, instance: 1, opener: 6, from: Script.at(38), until: Script.at(93), leadsTo: "background",
                evidence: .inferred, basis: "silence"))

        script.run(
            2, pid: 101, started: Script.at(200), ended: Script.at(270), end: .terminated, evidence: .observed,
            lastSeen: Script.at(270), version: "1.1", device: "phone-1")
        _ = walk(
            &script, instance: 2, from: "not_running",
            [
                ("launch", "background", 200), ("enter", "inactive", 230), ("become", "active", 231),
                ("resign", "inactive", 261), ("leave", "background", 262), ("terminate", "not_running", 270),
            ])
        script.instance(2, run: 2)
    }

    private static func other(_ script: inout Script) {
        script.run(3, app: "Other", pid: 102, device: "phone-2")
        let cut = script.step(
            "resign", "active", "inactive", at: 300, instance: 3, dwell: 50, censoring: .left)
        let back = script.step("become", "inactive", "active", at: 310, instance: 3, dwell: 10, opener: cut)
        script.instance(
            3, run: 3,
            tail: InstanceRecord.Tail(
                state: "active", entered: Script.at(310), opener: back, evidence: .observed, censoring: .right,
                atLeast: 20 * Script.second))
    }

    private static func scenes(_ script: inout Script) {
        script.run(4, app: "Scenes", pid: 103)
        for (instance, from, until) in [(4, 400.0, 420.0), (5, 410.0, 430.0)] as [(Int64, Double, Double)] {
            _ = walk(
                &script, instance: instance, from: "not_running", layer: "scene",
                [("sceneActive", "fg_active", from), ("sceneGone", "not_running", until)])
            script.instance(instance, run: 4, layer: "scene", label: "scene-\(instance)")
        }
        _ = walk(
            &script, instance: 6, from: "not_running", layer: "view",
            [("appear", "appeared", 400), ("disappear", "disappeared", 401), ("dealloc", "not_running", 402)])
        script.instance(6, run: 4, layer: "view", label: "Menu")
        let left = walk(
            &script, instance: 7, from: "not_running", layer: "view",
            [("appear", "appeared", 403), ("disappear", "disappeared", 404)])
        script.instance(
            7, run: 4, layer: "view", label: "Menu#2",
            tail: InstanceRecord.Tail(
                state: "disappeared", entered: Script.at(404), opener: left, evidence: .observed, censoring: .right,
                atLeast: 7 * Script.second))
    }

    private static func details(_ script: inout Script) {
        let findings: [(run: Int64, rule: String, deviation: Deviation, severity: Severity, line: Int64)] = [
            (1, "R-1", .ruleViolation, .warning, 5), (2, "R-1", .ruleViolation, .warning, 12),
            (1, "TL-1", .limitOverrun, .error, 7), (1, "clock-regression", .clockRegression, .info, 8),
        ]
        for (place, finding) in findings.enumerated() {
            script.batch.findings.append(
                Finding(
                    id: Int64(place + 1), run: finding.run, instance: nil, layer: "app", rule: finding.rule,
                    deviation: finding.deviation,
                    severity: finding.severity, time: Script.at(9), message: "\(finding.rule) at \(finding.line)",
                    source: 1, line: finding.line, step: nil,
                    limit: finding.rule == "TL-1" ? 5 * Script.second : nil,
                    taken: finding.rule == "TL-1" ? 8 * Script.second : nil))
        }
        for (run, first, last, ended) in [(1, 1, 2, 3.0), (2, 11, 12, 205.0)] as [(Int64, Int64, Int64, Double)] {
            script.batch.scenarios.append(
                ScenarioMatch(
                    run: run, scenario: "SC-1", equivalenceClass: "EQ-1", members: "SC-1, SC-2", firstStep: first,
                    lastStep: last,
                    ended: Script.at(ended)))
        }
    }
}
