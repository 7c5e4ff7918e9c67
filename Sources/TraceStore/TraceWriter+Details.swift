import GRDB
import TraceRecords

extension TraceWriter {
    /// Stores suspensions; one with the same visit and begin is replaced.
    func write(suspensions: [Suspension], in db: Database) throws {
        for suspension in suspensions {
            let kind = SuspensionKind(suspension)
            guard suspensionKinds[kind] == nil else { continue }
            let id = Int64(suspensionKinds.count + 1)
            try db.execute(
                sql: "INSERT INTO raw_suspension_kinds VALUES (?, ?, ?, ?)",
                arguments: [id, kind.evidence, kind.basis, kind.leadsTo])
            suspensionKinds[kind] = id
        }
        let insert = BulkInsert(
            "REPLACE", into: "raw_suspensions", ["visit", "from_ns", "until_ns", "instance", "kind"])
        try insert.insert(suspensions, in: db) { suspension, row in
            row.integer(suspension.opener ?? -suspension.instance)
            row.integer(suspension.from)
            row.integer(suspension.until)
            row.integer(suspension.instance)
            row.integer(suspensionKinds[SuspensionKind(suspension)])
        }
    }

    /// Stores signs of life, findings, scenarios and messages.
    func writeDetails(_ batch: ReplayBatch, in db: Database) throws {
        let life = BulkInsert(
            into: "raw_life",
            ["run", "source", "from_ns", "until_ns", "first_line", "last_line", "naming", "other_name", "other_device"])
        try life.insert(batch.life, in: db) { span, row in
            row.integer(span.run)
            row.integer(Int64(span.source))
            row.integer(span.from)
            row.integer(span.until)
            row.integer(span.firstLine)
            row.integer(span.lastLine)
            row.integer(Int64(span.naming.rawValue))
            row.text(span.otherName)
            row.text(span.otherDevice)
        }
        let findings = BulkInsert(
            into: "raw_findings",
            [
                "run", "instance", "layer", "rule", "deviation", "severity", "time_ns", "message", "repair", "source",
                "line", "step", "limit_ns", "taken_ns",
            ])
        try findings.insert(batch.findings, in: db) { finding, row in
            row.integer(finding.run)
            row.integer(finding.instance)
            row.text(finding.layer)
            row.text(finding.rule)
            row.text(finding.deviation)
            row.text(finding.severity.rawValue)
            row.integer(finding.time)
            row.text(finding.message)
            row.text(finding.repair)
            row.integer(Int64(finding.source))
            row.integer(finding.line)
            row.integer(finding.step)
            row.integer(finding.limit)
            row.integer(finding.taken)
        }
        try write(scenarios: batch.scenarios, in: db)
        let messages = BulkInsert("REPLACE", into: "raw_messages", ["step", "text"])
        try messages.insert(batch.messages, in: db) { message, row in
            row.integer(message.step)
            row.text(message.text)
        }
        let otherNames = BulkInsert("REPLACE", into: "raw_other_names", ["step", "name", "device"])
        try otherNames.insert(batch.otherNames.filter { $0.name != nil || $0.device != nil }, in: db) { other, row in
            row.integer(other.step)
            row.text(other.name)
            row.text(other.device)
        }
        try otherNames.insert(batch.otherNames.filter { $0.label != nil }, in: db) { other, row in
            row.integer(-other.step)
            row.text(other.label)
            row.text(nil)
        }
    }

    /// Removes what was stored of lines that are read again.
    func takeBack(_ sources: [Int32: TakenBack], in db: Database) throws {
        for (source, lines) in sources {
            try db.execute(
                sql: "DELETE FROM raw_rejects WHERE source = ? AND line > ?", arguments: [source, lines.rejectsBehind])
            try db.execute(
                sql: "DELETE FROM raw_daily_totals WHERE source = ? AND line > ?",
                arguments: [source, lines.totalsBehind])
        }
    }

    private func write(scenarios: [ScenarioMatch], in db: Database) throws {
        // One after another mostly name few kinds: the last one is found without a look-up.
        var last = (kind: ScenarioKind(scenario: "", equivalenceClass: nil), id: Int64(0))
        var kinds: [Int64] = []
        kinds.reserveCapacity(scenarios.count)
        for match in scenarios {
            if match.scenario != last.kind.scenario || match.equivalenceClass != last.kind.equivalenceClass {
                let kind = ScenarioKind(scenario: match.scenario, equivalenceClass: match.equivalenceClass)
                last = (kind, try number(of: kind, in: db))
            }
            kinds.append(last.id)
        }
        let insert = BulkInsert(
            "REPLACE", into: "raw_scenarios", ["first_step", "last_step", "run", "kind", "ended_ns"])
        var next = 0
        try insert.insert(scenarios, in: db) { match, row in
            row.integer(match.firstStep)
            row.integer(match.lastStep)
            row.integer(match.run)
            row.integer(kinds[next])
            row.integer(match.ended)
            next += 1
        }
    }

    private func number(of kind: ScenarioKind, in db: Database) throws -> Int64 {
        if let known = scenarioKinds[kind] { return known }
        let id = Int64(scenarioKinds.count + 1)
        try db.execute(
            sql: "INSERT INTO raw_scenario_kinds VALUES (?, ?, ?)",
            arguments: [id, kind.scenario, kind.equivalenceClass])
        scenarioKinds[kind] = id
        return id
    }

    /// Stores the signs of life of processes that have no run, in place of what there was of the stream.
    func replaceEarlyLife(ofStream stream: String, by spans: [EarlyLife], in db: Database) throws {
        try db.execute(
            sql: "DELETE FROM raw_early_life WHERE source IN (SELECT source_id FROM raw_sources WHERE stream = ?)",
            arguments: [stream])
        let insert = BulkInsert(
            into: "raw_early_life",
            [
                "source", "process", "pid", "device", "from_ns", "until_ns", "first_line", "last_line", "naming",
                "other_device",
            ])
        try insert.insert(spans, in: db) { span, row in
            row.integer(Int64(span.life.source))
            row.text(span.process)
            row.integer(span.pid.map(Int64.init))
            row.text(span.device)
            row.integer(span.life.from)
            row.integer(span.life.until)
            row.integer(span.life.firstLine)
            row.integer(span.life.lastLine)
            row.integer(Int64(span.life.naming.rawValue))
            row.text(span.life.otherDevice)
        }
    }

    /// Stores lines that could not be read, and totals that sources state themselves.
    func write(rejects: [Int32: [Reject]], dailyTotals: [Int32: [DailyTotal]], in db: Database) throws {
        let rejected = BulkInsert(
            "REPLACE", into: "raw_rejects", ["source", "line", "byte_offset", "reason", "text"])
        for (source, lines) in rejects {
            try rejected.insert(lines, in: db) { line, row in
                row.integer(Int64(source))
                row.integer(line.line)
                row.integer(line.byteOffset)
                row.text(line.reason)
                row.text(line.text)
            }
        }
        let totals = BulkInsert(
            into: "raw_daily_totals",
            ["source", "line", "app", "app_version", "from_ns", "until_ns", "metric", "value", "unit"])
        for (source, figures) in dailyTotals {
            try totals.insert(figures, in: db) { figure, row in
                row.integer(Int64(source))
                row.integer(figure.line)
                row.text(figure.app)
                row.text(figure.appVersion)
                row.integer(figure.from)
                row.integer(figure.until)
                row.text(figure.metric)
                row.real(figure.value)
                row.text(figure.unit)
            }
        }
    }

    /// Replaces what the database says of the documented models.
    package func setModels(states: [DocumentedState], transitions: [DocumentedTransition]) throws {
        try transaction { db in
            try db.execute(sql: "DELETE FROM raw_documented_states; DELETE FROM raw_documented_transitions")
            for (ordinal, state) in states.enumerated() {
                try db.execute(
                    sql:
                        "INSERT INTO raw_documented_states (model, layer, state, title, initial, final, ordinal) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    arguments: [
                        state.model, state.layer, state.state, state.title, state.isInitial, state.isFinal, ordinal,
                    ])
            }
            for (ordinal, edge) in transitions.enumerated() {
                try db.execute(
                    sql: """
                        INSERT INTO raw_documented_transitions
                        (model, layer, from_state, to_state, callbacks, silent, citation, ordinal)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        edge.model, edge.layer, edge.from, edge.to, edge.callbacks, edge.isSilent, edge.citation,
                        ordinal,
                    ])
            }
        }
    }
}
