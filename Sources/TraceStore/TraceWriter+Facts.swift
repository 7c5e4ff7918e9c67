import GRDB
package import TraceRecords

extension TraceWriter {
    /// The runs of a stream that count for what comes next: those that may go on, those that began last, and those that
    /// tell to which process a bundle belongs.
    package func runs(inStream stream: String, last count: Int) throws -> [RunRecord] {
        try runs(
            """
            \(Self.inStream) AND (is_at_hand OR bundle IS NOT NULL
                OR run_id IN (SELECT run_id FROM raw_runs WHERE \(Self.inStream) ORDER BY run_id DESC LIMIT :count))
            """, arguments: ["stream": stream, "count": count])
    }

    /// How many runs of a stream have no line with a time.
    package func untimedRuns(inStream stream: String) throws -> Int64 {
        try read { db in
            let sql = "SELECT count(*) FROM raw_runs WHERE \(Self.inStream) AND first_seen_ns IS NULL"
            return try Int64.fetchOne(db, sql: sql, arguments: ["stream": stream]) ?? 0
        }
    }

    /// All runs of a stream.
    package func runs(inStream stream: String) throws -> [RunRecord] {
        try runs(Self.inStream, arguments: ["stream": stream])
    }

    /// Condition on what has a source: it is one of the stream.
    private static let inStream = "source IN (SELECT source_id FROM raw_sources WHERE stream = :stream)"

    private func runs(_ condition: String, arguments: StatementArguments) throws -> [RunRecord] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM raw_runs WHERE \(condition) ORDER BY run_id", arguments: arguments)
                .map(RunRecord.init)
        }
    }

    /// Calls back with the facts of runs, in the order of the log: by place of the source in its stream, then line.
    ///
    /// Facts of several streams come stream by stream.
    ///
    /// - Parameters:
    ///   - runs: row ids of the runs.
    ///   - stream: the stream of the runs: what its lines say of no run of its own comes, too, and what lines of others
    ///     say does not.
    package func facts(ofRuns runs: [Int64], stream: String? = nil, _ body: (StoredFact) throws -> Void) throws {
        try read { db in
            try select(runs: runs, in: db)
            let records = try Row.fetchAll(
                db, sql: "SELECT * FROM raw_runs WHERE run_id IN (SELECT run_id FROM temp.chosen_runs)"
            ).map(RunRecord.init)
            let runsByID = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0) })
            let instances = try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM raw_instances
                    WHERE instance_id IN (SELECT instance_id FROM temp.chosen_instances)
                    """
            ).map(InstanceRecord.init)
            let instancesByID = Dictionary(uniqueKeysWithValues: instances.map { ($0.id, $0) })
            var kindsByID: [Int64: StepKind] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT * FROM raw_kinds WHERE role IN ('event', 'folded')") {
                try kindsByID[row.value("kind_id")] = KindTable.Key(row)?.kind
            }
            let rows = try Row.fetchCursor(
                db, sql: Self.factsOfChosen(try spansOfChosen(in: db)), arguments: ["stream": stream])
            while let row = try rows.next() {
                try body(StoredFact(row, runs: runsByID, instances: instancesByID, kinds: kindsByID))
            }
        }
    }

    private static func factsOfChosen(_ spans: [StepSpans.Span]) -> String {
        let events = spans.map { span in
            """
            SELECT s.source, s.line, s.step_id, s.kind, s.time, s.instance, NULL AS run, NULL AS from_ns,
                NULL AS until_ns, NULL AS first_line, m.text AS message, NULL AS process, NULL AS pid, NULL AS device,
                n.name, 0 AS naming, n.device AS named_device, l.name AS label
            FROM raw_steps AS s LEFT JOIN raw_messages AS m ON m.step = s.step_id
            LEFT JOIN raw_other_names AS n ON n.step = s.step_id
            LEFT JOIN raw_other_names AS l ON l.step = -s.step_id
            WHERE s.step_id BETWEEN \(span.first) AND \(span.last)
                AND s.instance IN (SELECT instance_id FROM temp.chosen_instances)
                AND s.kind NOT IN (SELECT kind_id FROM raw_kinds WHERE role NOT IN ('event', 'folded'))
            """
        }
        let life = """
            SELECT source, last_line AS line, NULL AS step_id, NULL AS kind, NULL AS time, NULL AS instance, run,
                from_ns, until_ns, first_line, NULL AS message, NULL AS process, NULL AS pid, NULL AS device,
                other_name AS name, naming, other_device AS named_device, NULL AS label
            FROM raw_life
            WHERE run IN (SELECT run_id FROM temp.chosen_runs)
            UNION ALL
            SELECT source, last_line AS line, NULL AS step_id, NULL AS kind, NULL AS time, NULL AS instance, 0 AS run,
                from_ns, until_ns, first_line, NULL AS message, process, pid, device, process AS name,
                naming, other_device AS named_device, NULL AS label
            FROM raw_early_life
            WHERE \(inStream)
            UNION ALL
            SELECT source, line, NULL AS step_id, kind, time, NULL AS instance, 0 AS run, NULL AS from_ns,
                NULL AS until_ns, NULL AS first_line, message, process, pid, device, name,
                0 AS naming, named_device, NULL AS label
            FROM raw_witnesses
            WHERE \(inStream)
            """
        return """
            SELECT f.* FROM (\((events + [life]).joined(separator: " UNION ALL "))) AS f
            JOIN raw_sources AS c ON c.source_id = f.source
            WHERE :stream IS NULL OR c.stream = :stream
            ORDER BY c.stream, c.ordinal, c.path, f.source, f.line, f.step_id
            """
    }
}

extension StoredFact {
    /// - Throws: ``DamagedRow`` where the row stands on others that are not there: a fact would be lost.
    init(
        _ row: Row, runs: [Int64: RunRecord], instances: [Int64: InstanceRecord], kinds: [Int64: StepKind]
    ) throws {
        source = try row.value(0)
        line = try row.value(1)
        name = try row.value(14)
        device = try row.value(16)
        if let step: Int64 = try row.value(2) {
            guard let kind = kinds[try row.value(3)], let instance = instances[try row.value(5)],
                let run = runs[instance.run]
            else {
                throw DamagedRow(description: "step \(step) is of a kind or an instance that is not there")
            }
            self.run = run
            content = try .event(step: step, instance: instance, kind: kind, time: row.time(4), message: row.value(10))
            name = name ?? run.name(in: kind.naming)
            device = device ?? run.device(in: kind.naming)
            label = try row.value(17) ?? instance.label(in: kind.naming)
        } else {
            let id: Int64 = try row.value(6)
            let nobody = try RunRecord(
                id: 0, source: source, device: row.value(13), app: row.value(11), pid: row.value(12), profile: "",
                key: "")
            if let number: Int64 = try row.value(3) {
                guard let kind = kinds[number] else {
                    throw DamagedRow(description: "line \(line) of a source is of a kind that is not there")
                }
                run = nobody
                let app = InstanceRecord(
                    id: 0, run: 0, layer: kind.layer, model: kind.model, label: kind.layer, printedLabel: "")
                content = try .event(step: 0, instance: app, kind: kind, time: row.time(4), message: row.value(10))
                return
            }
            guard let run = id == 0 ? nobody : runs[id] else {
                throw DamagedRow(description: "line \(line) of a source is of a run that is not there")
            }
            self.run = run
            let naming = Naming(rawValue: try row.value(15))
            content = try .life(
                LifeRecord(
                    run: run.id, source: source, from: row.time(7), until: row.time(8), firstLine: row.value(9),
                    lastLine: line, naming: naming))
            name = naming.contains(.withoutName) ? nil : name ?? run.name(in: naming)
            device = device ?? run.device(in: naming)
        }
    }
}

extension RunRecord {
    /// What a line calls the process as long as nothing else is kept of it.
    fileprivate func name(in naming: Naming) -> String? {
        if naming.contains(.withoutName) { return nil }
        return naming.contains(.byBundle) ? bundle : firstName ?? app
    }

    /// The device that a line is of as long as nothing else is kept of it.
    fileprivate func device(in naming: Naming) -> String? { naming.contains(.withoutDevice) ? nil : device }

    /// A row of `raw_runs` with all its columns, in their order: looking names up costs more than the reading.
    init(_ row: Row) throws {
        try self.init(
            id: row.value(0), source: row.value(1), device: row.value(2), app: row.value(3), pid: row.value(4),
            profile: row.value(5), osVersion: row.value(6),
            appVersion: row.value(7), started: row.value(8), ended: row.value(9),
            endReason: EndReason(rawValue: row.value(10)) ?? .logEnd,
            endEvidence: EvidenceKind(rawValue: row.value(11)) ?? .inferred, firstSeen: row.value(12),
            lastSeen: row.value(13),
            nextSeen: row.value(14), key: row.value(15), bundle: row.value(16), firstName: row.value(17),
            hasCallbacks: row.value(18),
            reportedVersion: row.value(19), isAtHand: row.value(20))
    }
}

extension InstanceRecord {
    /// What a line calls the instance as long as nothing else is kept of it.
    fileprivate func label(in naming: Naming) -> String? {
        naming.contains(.withoutLabel) || printedLabel.isEmpty ? nil : printedLabel
    }

    /// The instance without its open visit.
    init(_ row: Row) throws {
        try self.init(
            id: row.value("instance_id"), run: row.value("run"), layer: row.value("layer"), model: row.value("model"),
            label: row.value("label"),
            printedLabel: row.value("printed_label"))
    }
}
