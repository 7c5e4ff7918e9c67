import Reports
import TraceStore

/// A trace for Perfetto: tracks for devices, runs in them, and scenes and controllers in these; visits as slices, findings
/// as marks with an arrow to the line that they are about, and counters.
struct PerfettoExport {
    let reader: DatabaseReading
    let filter: Filter

    /// Numbers of tracks: a kind of thing, and its row id or its place in a list.
    private enum Track {
        static func of(_ kind: UInt64, _ id: Int64) -> UInt64 { kind << 56 | UInt64(bitPattern: id) & (1 << 56 - 1) }
        static func device(_ number: Int64) -> UInt64 { of(1, number) }
        static func run(_ id: Int64) -> UInt64 { of(2, id) }
        static func instance(_ id: Int64) -> UInt64 { of(3, id) }
        static func findings(_ run: Int64) -> UInt64 { of(4, run) }
        static func processes(_ device: Int64) -> UInt64 { of(5, device) }
        static func controllers(_ run: Int64) -> UInt64 { of(6, run) }
        /// Of an instance whose clock went back so often.
        static func detour(_ number: Int64) -> UInt64 { of(7, number) }
    }

    func write(_ output: @escaping ([UInt8]) -> Void) throws {
        var writer = try PerfettoWriter(output: output)
        try writeTracks(&writer)
        try writeVisits(&writer)
        try writeFindings(&writer)
        try writeCounters(&writer)
        try writer.finish()
    }

    private func writeTracks(_ writer: inout PerfettoWriter) throws {
        let values = filter.namedValues
        try reader.query(Self.devices, values) { row in
            let number = row.integer(1) ?? 0
            try writer.track(Track.device(number), in: nil, name: row.text(0) ?? "unknown device")
            try writer.track(
                Track.processes(number), in: Track.device(number), name: "running processes", unit: "processes")
        }
        try reader.query(Self.runs, values) { row in
            try writer.track(
                Track.run(row.integer(0) ?? 0), in: Track.device(row.integer(1) ?? 0), name: row.text(2) ?? "")
        }
        try reader.query(Self.instances, values) { row in
            try writer.track(
                Track.instance(row.integer(0) ?? 0), in: Track.run(row.integer(1) ?? 0), name: row.text(2) ?? "")
        }
    }

    private func writeVisits(_ writer: inout PerfettoWriter) throws {
        var track: UInt64 = 0
        var present: Int64?
        var last = Int64.min
        var detours: Int64 = 0
        try reader.query(Self.visits, filter.values) { row in
            let instance = row.integer(0) ?? 0
            guard let from = row.integer(3) else { return }
            if instance != present {
                (present, track, last) = (instance, Track.instance(instance), .min)
            } else if from < last {
                // Slices of a track nest, and a viewer sorts by time: what a clock shows again gets a track of its own.
                detours += 1
                track = Track.detour(detours)
                try writer.track(
                    track, in: Track.run(row.integer(1) ?? 0), name: "\(row.text(2) ?? "") (clock went back)")
            }
            try writer.begin(
                row.text(5) ?? "", category: row.text(6) ?? "", track: track, at: from,
                details: [
                    ("source", row[7]), ("line", row[8]), ("entered_by", row[9]),
                    ("evidence", row[10]), ("censored", row[11]),
                ])
            last = from
            guard let until = row.integer(4) else { return }
            last = max(from, until)
            try writer.end(track: track, at: last)
        }
    }

    private func writeFindings(_ writer: inout PerfettoWriter) throws {
        var tracks: Set<Int64> = []
        try reader.query(Self.findings, filter.values) { row in
            let run = row.integer(1) ?? 0
            guard let time = row.integer(5) else { return }
            if tracks.insert(run).inserted {
                try writer.track(Track.findings(run), in: Track.run(run), name: "findings")
            }
            let event = row.integer(9)
            let flow = UInt64(bitPattern: row.integer(0) ?? 0)
            try writer.mark(
                row.text(3) ?? "", category: "finding", track: Track.findings(run), at: time,
                flow: event == nil ? nil : flow,
                details: [
                    ("severity", row[4]), ("message", row[6]), ("source", row[7]),
                    ("line", row[8]),
                ])
            guard let event, let instance = row.integer(2) else { return }
            try writer.mark(
                row.text(10) ?? "", category: "line", track: Track.instance(instance), at: event, flow: flow,
                details: [("source", row[7]), ("line", row[8])])
        }
    }

    private func writeCounters(_ writer: inout PerfettoWriter) throws {
        try reader.query(Self.processes, filter.namedValues) { row in
            try writer.count(
                row.integer(2) ?? 0, track: Track.processes(row.integer(0) ?? 0), at: row.integer(1) ?? 0)
        }
        var tracks: Set<Int64> = []
        try reader.query(Self.controllers, filter.values) { row in
            let run = row.integer(0) ?? 0
            if tracks.insert(run).inserted {
                try writer.track(
                    Track.controllers(run), in: Track.run(run), name: "controllers on screen", unit: "controllers")
            }
            try writer.count(row.integer(2) ?? 0, track: Track.controllers(run), at: row.integer(1) ?? 0)
        }
    }

    /// When the process of a run ends at the latest. One that was killed in the background may live until its app is seen
    /// again; what goes on when its log ends, until then.
    private static func end(_ run: String) -> String {
        """
        coalesce(\(run).ended_ns, CASE \(run).end_reason WHEN 'killed_in_background' THEN \(run).next_seen_ns
            WHEN 'log_end' THEN (SELECT max(a.last_ns) FROM raw_sources AS b JOIN raw_sources AS a ON a.log = b.log
                WHERE b.source_id = \(run).source_id) END, \(run).last_seen_ns)
        """
    }

    /// Devices get numbers in the order of their names; that of unknown ones is 1.
    private static let numbered = """
        WITH devices AS (
            SELECT v.device, row_number() OVER (ORDER BY v.device) AS number
            FROM (SELECT DISTINCT v.device FROM runs AS v WHERE \(ExportQueries.named) UNION SELECT NULL) AS v
        )
        """

    private static let devices = """
        \(numbered)
        SELECT d.device, d.number FROM devices AS d
        WHERE EXISTS (SELECT 1 FROM runs AS v WHERE v.device IS d.device AND \(ExportQueries.named))
        ORDER BY d.number
        """

    private static let runs = """
        \(numbered)
        SELECT v.run_id, d.number, coalesce(v.app, '?') || coalesce(' ' || v.pid, '')
        FROM runs AS v JOIN devices AS d ON d.device IS v.device
        WHERE \(ExportQueries.named)
        ORDER BY v.run_id
        """

    private static let instances = """
        SELECT v.instance_id, v.run_id, coalesce(v.instance, v.layer) FROM instances AS v
        WHERE \(ExportQueries.named)
        ORDER BY v.instance_id
        """

    private static let visits = """
        SELECT v.instance_id, v.run_id, coalesce(v.instance, v.layer), v.entered_ns,
            coalesce(v.left_ns, v.entered_ns + v.at_least_ns, CASE v.censored
                WHEN 'right' THEN (SELECT \(end("r")) FROM runs AS r WHERE r.run_id = v.run_id) END),
            v.state, v.layer, v.source, v.line, v.entered_by, v.evidence, v.censored
        FROM visits_estimated AS v
        WHERE \(ExportQueries.chosen("entered"))
        ORDER BY v.run_id, v.instance_id, v.seq, v.entered_ns
        """

    private static let findings = """
        SELECT v.finding_id, v.run_id, e.instance_id, v.rule, v.severity, v.time_ns, v.message, v.source, v.line, e.time_ns,
            coalesce(e.callback, e.kind || ':' || e.proves)
        FROM findings AS v LEFT JOIN events AS e ON e.event_id = v.event_id
        WHERE \(ExportQueries.chosen("time"))
        ORDER BY v.finding_id
        """

    private static let processes = """
        \(numbered)
        SELECT d.number, c.at, sum(c.change) OVER (PARTITION BY d.number ORDER BY c.at, c.change ROWS UNBOUNDED PRECEDING)
        FROM (
            SELECT v.device, coalesce(v.started_ns, v.first_seen_ns) AS at, 1 AS change FROM runs AS v
            WHERE \(ExportQueries.named)
            UNION ALL
            SELECT v.device, \(end("v")), -1 FROM runs AS v WHERE \(ExportQueries.named)
        ) AS c JOIN devices AS d ON d.device IS c.device
        WHERE c.at IS NOT NULL
        ORDER BY d.number, c.at
        """

    private static let controllers = """
        SELECT c.run_id, c.at, sum(c.change) OVER (PARTITION BY c.run_id ORDER BY c.at, c.change ROWS UNBOUNDED PRECEDING)
        FROM (
            SELECT v.run_id, v.entered_ns AS at, 1 AS change FROM visits AS v
            WHERE v.layer = 'view' AND v.state = 'appeared' AND \(ExportQueries.chosen("entered"))
            UNION ALL
            SELECT v.run_id, v.left_ns, -1 FROM visits AS v
            WHERE v.layer = 'view' AND v.state = 'appeared' AND v.entered_ns IS NOT NULL
                AND \(ExportQueries.chosen("entered"))
        ) AS c
        WHERE c.at IS NOT NULL
        ORDER BY c.run_id, c.at
        """
}

/// Spans and log records for OpenTelemetry: a span for each run and each visit in it, a log record for each event.
struct TelemetryExport {
    let reader: DatabaseReading
    let filter: Filter

    /// The value of `ios.app.state` in the semantic conventions, by the callback that it is defined by.
    private static let states = [
        "applicationDidBecomeActive": "active", "applicationWillResignActive": "inactive",
        "applicationDidEnterBackground": "background", "applicationWillEnterForeground": "foreground",
        "applicationWillTerminate": "terminate",
    ]

    func run(into path: String) throws {
        let folder = try OutputFolder(path)
        let ids = try StableIDs(reader.store)
        try write(.traces, "traces.jsonl", folder) { writer in
            try reader.query(Self.runs, filter.namedValues) { row in
                guard let from = row.integer(7), let until = row.integer(8) else { return }
                let resource = resource(row, ids)
                try writer.span(
                    row.text(1) ?? "unknown", id: resource.run, parent: nil, of: resource, from: from,
                    until: max(from, until),
                    attributes: [
                        ("lifestats.end_reason", row[9]),
                        ("lifestats.end_evidence", row[10]),
                    ])
            }
            try reader.query(Self.visits, filter.values) { row in
                guard let from = row.integer(9), let until = row.integer(10) else { return }
                let resource = resource(row, ids)
                try writer.span(
                    row.text(8) ?? "", id: ids.id(row.integer(7) ?? 0, .step), parent: resource.run, of: resource,
                    from: from, until: max(from, until),
                    attributes: attributes(
                        row, from: 11, ["layer", "instance", "entered_by", "left_by", "evidence", "censored"]))
            }
        }
        try write(.logs, "logs.jsonl", folder) { writer in
            try reader.query(Self.events, filter.values) { row in
                let resource = resource(row, ids)
                let state = row.text(10) == "app" ? row.text(7).flatMap { Self.states[$0] } : nil
                var details = attributes(row, from: 10, ["layer", "instance", "state", "verdict"])
                details.append(("log.file.path", row[14]))
                details.append(("lifestats.line", row[15]))
                if let state { details.append(("ios.app.state", .text(state))) }
                try writer.log(
                    row.text(8) ?? "", event: state == nil ? nil : "device.app.lifecycle", time: row.integer(9),
                    span: resource.run, of: resource, attributes: details)
            }
        }
        try folder.finish()
    }

    private func write(
        _ signal: OTLPWriter.Signal, _ name: String, _ folder: OutputFolder, _ body: (inout OTLPWriter) throws -> Void
    ) throws {
        let file = try folder.open(name)
        var writer = OTLPWriter(signal, version: LifeStatsVersion.current) { bytes in
            reader.whileWriting { file.append(bytes) }
        }
        try body(&writer)
        try writer.finish()
        try folder.close(file)
    }

    /// The run of a row, from its first seven columns.
    private func resource(_ row: ResultRow, _ ids: StableIDs) -> OTLPResource {
        (
            run: ids.id(row.integer(0) ?? 0, .run),
            attributes: [
                ("service.name", .text(row.text(1) ?? "unknown_service")),
                ("service.version", row[2]), ("service.instance.id", row[3]),
                ("process.pid", row[4]), ("os.name", .text("ios")),
                ("os.version", row[5]), ("host.name", row[6]),
            ]
        )
    }

    private func attributes(_ row: ResultRow, from first: Int, _ names: [String]) -> [Attribute] {
        names.enumerated().map { ("lifestats.\($1)", row[first + $0]) }
    }

    private static func columns(_ run: String) -> String {
        "\(run).run_id, \(run).app, \(run).app_version, \(run).run_key, \(run).pid, \(run).os_version, \(run).device"
    }

    private static let runs = """
        SELECT \(columns("v")), coalesce(v.started_ns, v.first_seen_ns), coalesce(v.ended_ns, v.last_seen_ns), v.end_reason,
            v.end_evidence
        FROM runs AS v
        WHERE \(ExportQueries.named)
        """

    private static let visits = """
        SELECT \(columns("r")), v.visit_id, v.state, v.entered_ns, v.left_ns, v.layer, v.instance, v.entered_by, v.left_by,
            v.evidence, v.censored
        FROM visits AS v JOIN runs AS r ON r.run_id = v.run_id
        WHERE \(ExportQueries.chosen("entered"))
        """

    private static let events = """
        SELECT \(columns("r")), v.callback, \(ExportQueries.activity), v.time_ns, v.layer, v.instance, v.state_after,
            v.verdict, v.source, v.line
        FROM events AS v JOIN runs AS r ON r.run_id = v.run_id
        WHERE \(ExportQueries.chosen("time"))
        """
}
