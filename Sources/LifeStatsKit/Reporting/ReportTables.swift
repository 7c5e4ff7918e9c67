import LifecycleModel
import LogReading
import NamedQueries
import Reports
import TraceRecords
import TraceStore

/// The tables and lists of the report.
struct ReportTables {
    let source: PictureSource
    let models: [LifecycleModel]
    /// Files of the user's models.
    let files: [String]

    /// Whether there are few enough events for queries that read every visit more than once.
    let isSmall: Bool

    /// Remarks on the logs at first sight.
    private static let mostRemarks = 2
    /// Columns of durations that narrow screens leave out.
    private static let secondary: Set = ["complete", "censored", "total_s", "mean_s", "min_s", "p99_s"]

    // MARK: - Sections

    func dwellTimes(_ charts: [ReportCharts]) throws -> ReportSection? {
        guard var table = try named("dwell_times", caption: "Time in each state.") else { return nil }
        var quantiles =
            isSmall
            ? try named(
                "dwell_survival",
                caption:
                    "Kaplan-Meier estimates for states with visits that the end of the log cuts: the shortest durations that "
                    + "so many visits do not exceed.")
            : nil
        for place in table.columns.indices {
            table.columns[place].isSecondary = Self.secondary.contains(table.columns[place].column.name)
        }
        // Without such visits the estimates are of the same visits as the table above.
        if let cut = quantiles?.columns.firstIndex(where: { $0.column.name == "cut" }) {
            quantiles?.rows.removeAll { $0[cut] == .integer(0) }
        }
        return ReportSection(
            id: "dwell", title: "Dwell times",
            introduction:
                "Durations are of complete visits: p90 of at least 10, p99 of at least 100. Visits that the log cuts off (censored) are only counted.",
            blocks: try tabs(of: table, charts, id: "dwell-layer") { layer, chart in
                let censored = quantiles.flatMap { Self.part($0, of: layer) }
                return try [
                    censored.map { .more("Quantiles that count censored visits", [.table($0)]) },
                    chart?.days().map { .more("Day by day", [.pictures([$0])]) },
                ].compactMap(\.self)
            },
            questions: try questions("dwell_times", "dwell_survival"))
    }

    func transitions(_ charts: [ReportCharts]) throws -> ReportSection? {
        guard var table = try named("transition_counts", caption: "How often each transition happens.") else {
            return nil
        }
        let hasSteps = settle(&table)
        // Names of callbacks are long: what a narrow screen shows first is the transition and its count.
        if let from = table.columns.firstIndex(where: { $0.column.name == "callback" }),
            let to = table.columns.firstIndex(where: { $0.column.name == "probability" }), from < to
        {
            table.columns.insert(table.columns.remove(at: from), at: to)
            for row in table.rows.indices { table.rows[row].insert(table.rows[row].remove(at: from), at: to) }
        }
        // The undocumented ones first, then the most frequent, because the others are folded.
        if let place = table.columns.firstIndex(where: { $0.column.name == "count" }) {
            func count(_ row: [Cell]) -> Int64 { if case .integer(let count) = row[place] { count } else { 0 } }
            let rows = table.rows.enumerated()
                .sorted { (count($1.element), $0.offset) < (count($0.element), $1.offset) }.map(\.element)
            table.rows = rows.filter(Self.isUndocumented) + rows.filter { !Self.isUndocumented($0) }
        }
        return ReportSection(
            id: "transitions", title: "Transitions",
            introduction:
                "Probabilities are shares of the transitions out of a state: of each callback in rows, of all in pictures."
                + (hasSteps
                    ? " “in steps”: of several steps the log shows the last. A transition in two rows has no median."
                    : ""),
            blocks: try tabs(of: table, charts, id: "transitions-layer") { _, chart in
                try [chart?.transitions().map { .more("As a matrix", [.pictures([$0])]) }].compactMap(\.self)
            },
            questions: try questions("transition_counts"))
    }

    /// Says of undocumented transitions that are documented in steps that they are, in rows of their own.
    ///
    /// - Returns: whether there are any.
    private func settle(_ table: inout ReportTable) -> Bool {
        let places = Dictionary(
            table.columns.enumerated().map { ($1.column.name, $0) }, uniquingKeysWith: { first, _ in first })
        guard let verdict = places["verdict"], let counts = places["count"], let share = places["probability"],
            let dwell = places["p50_dwell_s"]
        else { return false }
        let all = table.rows
        table.rows = []
        for row in all {
            let text = { (name: String) -> String? in
                if let place = places[name], case .text(let text) = row[place] { text } else { nil }
            }
            guard case .integer(let count) = row[counts],
                let (_, steps) = source.survey.deviations.change(in: text, count: count)
            else {
                table.rows.append(row)
                continue
            }
            for (part, word) in [(count - steps, "undocumented"), (steps, "in steps")] where part > 0 {
                var own = row
                (own[verdict], own[counts]) = (.text(word), .integer(part))
                if part < count {
                    if case .real(let whole) = own[share] { own[share] = .real(whole * Double(part) / Double(count)) }
                    own[dwell] = .null
                }
                table.rows.append(own)
            }
        }
        return table.rows.contains { $0[verdict] == .text("in steps") }
    }

    /// What the reader chooses in sections whose tabs are layers.
    static let layerLabel = "Layer"

    /// The rows of each layer in a tab of its own, with what belongs to them.
    private func tabs(
        of table: ReportTable, _ charts: [ReportCharts], id: String,
        _ more: (String, ReportCharts?) throws -> [ReportBlock]
    ) throws -> [ReportBlock] {
        // A truncated table does not show how many rows each layer has.
        guard let column = table.columns.firstIndex(where: { $0.column.name == "layer" }),
            table.totalRows ?? 0 <= table.rows.count
        else { return [.table(table)] }
        var layers = charts.map(\.model.layer)
        for case .text(let layer) in table.rows.map({ $0[column] }) where !layers.contains(layer) {
            layers.append(layer)
        }
        return ReportTabs(
            id: id, label: Self.layerLabel,
            tabs: try layers.compactMap { layer in
                guard var part = Self.part(table, of: layer) else { return nil }
                let chart = charts.first { $0.model.layer == layer }
                part.titles = chart?.titles ?? [:]
                return .init(
                    title: chart?.model.title["en"] ?? layer, blocks: [.table(part)] + (try more(layer, chart)))
            }, isPrintedWhole: true
        ).blocks
    }

    private static func isUndocumented(_ row: [Cell]) -> Bool { row.contains(.text("undocumented")) }

    /// The rows of one layer without the column that names it; `nil` when there are none.
    private static func part(_ table: ReportTable, of layer: String) -> ReportTable? {
        guard let column = table.columns.firstIndex(where: { $0.column.name == "layer" }) else { return nil }
        var part = table
        part.columns.remove(at: column)
        part.rows = table.rows.filter { $0[column] == .text(layer) }.map { row in
            row.indices.filter { $0 != column }.map { row[$0] }
        }
        part.totalRows = nil
        part.openRows = part.rows.count(where: isUndocumented)
        return part.rows.isEmpty ? nil : part
    }

    func launches() throws -> ReportSection? {
        let table =
            isSmall
            ? try named("launch_times", caption: "Time until the app is active, by kind of launch.") : nil
        if isSmall, table == nil { return nil }
        return ReportSection(
            id: "launches", title: "Launches",
            introduction: isSmall
                ? "A cold launch starts the process; a resume brings one back. A launch at the very start of a log has no time, unless its first callback is logged: it may have begun earlier."
                : "Launch times are left out above \(NumberText.grouped(ReportBuilder.mostEventsForDetails)) events; run the query.",
            blocks: table.map { [.table($0)] } ?? [], questions: try questions("launch_times"))
    }

    func ends() throws -> ReportSection? {
        var reasons = try table(
            ReportQueries.endReasons, DiagramQueries.values(source.filter), caption: "Reasons why runs end.")
        for row in reasons.rows.indices {
            if case .text(let reason) = reasons.rows[row][0] {
                reasons.rows[row][0] = .text(EndReason.words(of: reason))
            }
        }
        guard !reasons.rows.isEmpty else { return nil }
        return ReportSection(
            id: "ends", title: "Ends of runs",
            introduction:
                "How the processes ended, by what the log shows or by the state in which a process fell silent.",
            blocks: [.table(reasons)], questions: try questions("end_reasons"))
    }

    /// - Parameter named: the links of the overview.
    func worstRuns(_ runs: ReportRuns, _ charts: [ReportCharts], named: [ReportLink]) throws -> ReportSection? {
        var blocks: [ReportBlock] = []
        let others = Set(named.compactMap { Int64($0.target.trimmingPrefix("#run-")) })
        let lanes = try runs.lanes(with: others, source: source, models: models)
        if let lanes { blocks.append(.picture(lanes.picture)) }
        if let table = runs.table {
            let isAll = table.rows.count > 1 && table.rows.count == table.totalRows
            let title =
                isAll
                ? "\(table.rows.count == 2 ? "Both" : "All \(table.rows.count)") runs\(runs.isWorst ? ", worst first" : "")"
                : table.rows.count == 1
                    ? "The run in figures"
                    : runs.isWorst ? "The \(table.rows.count) worst runs" : "\(table.rows.count) runs"
            blocks.append(.more(title, [.table(table)]))
        }
        if let dots = try charts.first?.dots() {
            blocks.append(.more(dots.title, [.pictures([dots.picture])]))
        }
        guard !blocks.isEmpty else { return nil }
        return ReportSection(
            id: "runs", title: runs.table?.rows.count == 1 ? "The run" : runs.isWorst ? "Worst runs" : "Runs",
            blocks: blocks,
            questions: [ReportQuestion("lifestats timeline --worst \(max(1, lanes?.worst ?? 5)) -o timeline.svg")]
                + (try questions("run_summary")))
    }

    func conformance() throws -> ReportSection? {
        let blocks = try measures() + [try scenarios()].compactMap(\.self)
        guard !blocks.isEmpty else { return nil }
        return ReportSection(
            id: "conformance", title: "Conformance", blocks: blocks,
            questions: [ReportQuestion("lifestats check --measures")] + (try questions("scenario_times")))
    }

    /// What the figures rest on besides log lines, and what could not be read.
    func dataQuality() throws -> ReportSection? {
        let logs = try table(ReportQueries.sources, [:], caption: "One row for each log.")
        guard !logs.rows.isEmpty else { return nil }
        let notices = isSmall ? try DataNotices.all(source.reader) : (copies: [], others: [])
        let pairs = notices.copies.count
        let first = notices.copies.prefix(1).map {
            (pairs > 1 ? "\(NumberText.grouped(pairs)) pairs of logs have lines in common. The first: " : "") + $0 + "."
        }
        let list = try assumptions() + (notices.copies.dropFirst() + notices.others).map { $0 + "." }
        let rejects = try table(ReportQueries.rejects, [:], caption: "Rejected lines, one row for each reason.")
        let most = Self.mostRemarks - first.count
        let shown = list.count > most + 1 ? most : list.count
        var blocks: [ReportBlock] = [
            .list(first + (rejects.rows.isEmpty ? ["No line was rejected."] : []) + list.prefix(shown))
        ]
        if !rejects.rows.isEmpty { blocks.append(.table(rejects)) }
        if list.count > shown {
            blocks.append(.more(Plural.text(list.count - shown, "more remark"), [.list(Array(list.dropFirst(shown)))]))
        }
        blocks.append(.more(Plural.text(logs.totalRows ?? logs.rows.count, "log"), [.table(logs)]))
        return ReportSection(
            id: "quality", title: source.isWhole ? "Data quality" : "Data quality of the whole database",
            blocks: blocks,
            questions: try questions("source_accounting")
                + [ReportQuestion("lifestats query \"select * from rejects\"")])
    }

    // MARK: - Parts

    /// How well logs and models agree, as in `check --measures`.
    private func measures() throws -> [ReportBlock] {
        guard isSmall else { return [] }
        let catalog = try ModelLoading.catalog(with: files)
        let layers = try Measures.layers(of: source.reader, filter: source.filter, models: catalog)
        let rows: [[Cell]] = layers.flatMap { layer in
            layer.measures.map {
                [.text(layer.layer), .text($0.title), $0.value.map { .real($0) } ?? .null, .text($0.formula)]
            }
        }
        guard !rows.isEmpty else { return [] }
        let columns = [
            ReportColumn("layer"), ReportColumn("measure"), ReportColumn("value", kind: .share),
            ReportColumn("formula", heading: "formula"),
        ]
        let fitness = layers.compactMap { layer in
            let title = catalog.models.first { $0.layer == layer.layer }?.title["en"] ?? layer.layer
            return layer.measures.first { $0.title == "alignment fitness" }?.value.map {
                "\(title) \(NumberText.percent($0))"
            }
        }
        let table = ReportTable(
            caption: "Standard measures of process mining; 100% is perfect agreement.", columns: columns, rows: rows)
        let sentence = "How well the logs fit the models (alignment fitness): \(fitness.joined(separator: ", "))."
        return (fitness.isEmpty ? [] : [.text(sentence)]) + [.more(Plural.text(rows.count, "measure"), [.table(table)])]
    }

    /// The documented scenarios that occurred. A match that may be any member of a class counts for the class.
    private func scenarios() throws -> ReportBlock? {
        let instances = try source.filter?.instances(of: DiagramQueries.chosen, source.reader)
        let counts = try source.reader.store.scenarioCounts { instance, started in
            source.filter?.includes(started) ?? true && instances?.contains(instance) ?? true
        }
        guard !counts.isEmpty else { return nil }
        let rows: [[Cell]] = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { id, count in
            let (title, members) = scenario(id)
            return [
                .text(id), title.map { .text($0) } ?? .null, members.map { .text($0) } ?? .null, .integer(count),
            ]
        }
        let columns = [
            ReportColumn("scenario", role: .code), ReportColumn("what", heading: "what happened"),
            ReportColumn("members", heading: "which is one of"), ReportColumn("count", heading: "times"),
        ]
        return .more(
            Plural.text(rows.count, "documented scenario"),
            [
                .text("Callbacks cannot distinguish the members of a class (EQ-…)."),
                .table(ReportTable(caption: "One row for each scenario or class.", columns: columns, rows: rows)),
            ])
    }

    /// The title of a scenario or class, and of a class the titles of its members.
    private func scenario(_ id: String) -> (title: String?, members: String?) {
        let known = models.flatMap(\.scenarios)
        guard let found = models.flatMap(\.classes).first(where: { $0.id == id }) else {
            return (known.first { $0.id == id }?.title["en"], nil)
        }
        let members = found.members.map { member in
            known.first { $0.id == member }.map { "\($0.title["en"]) (\(member))" } ?? member
        }
        return (found.title["en"], members.joined(separator: ", "))
    }

    private func assumptions() throws -> [String] {
        var list: [String] = []
        var counts: [String: (logs: Int64, path: String)] = [:]
        for row in try Rows.all(source.reader, ReportQueries.assumptions) {
            for one in (row.text("assumptions") ?? "").split(separator: "; ").map(String.init) {
                let known = counts[one]
                counts[one] = (
                    (known?.logs ?? 0) + (row.integer("logs") ?? 0),
                    min(known?.path ?? "\u{10FFFF}", row.text("path") ?? "")
                )
            }
        }
        for (one, found) in counts.sorted(by: { ($1.value.logs, $0.key) < ($0.value.logs, $1.key) }) {
            let first = one.prefix(1).uppercased() + one.dropFirst()
            list.append(
                "\(first): \(Plural.text(found.logs, "log"))\(found.logs == 1 ? ":" : ", such as") \(found.path).")
        }
        if let estimate = source.survey.estimate?.visits, estimate.count > 0 {
            let basis = try Rows.all(source.reader, ReportQueries.basis).first?.text("basis") ?? "silence"
            // A number stays with its unit.
            let words = basis.replacing(" s grace", with: "\u{A0}s grace")
            list.append(
                "\(Plural.text(estimate.count, "suspension")) \(estimate.count == 1 ? "is" : "are") estimated from "
                    + "\(words); they never count as observed.")
        }
        let inferred = source.book.kinds.values.reduce(0) { $0 + ($1.isTransition && !$1.isObserved ? $1.steps : 0) }
        if inferred > 0 {
            let hasScenes = source.book.kinds.values.contains { $0.layer == "scene" && $0.steps > 0 }
            let basis = hasScenes ? "models and the states of scenes imply" : "models imply"
            list.append(
                "\(Plural.text(inferred, "transition")) \(inferred == 1 ? "has" : "have") no log line of "
                    + "\(inferred == 1 ? "its" : "their") own: the \(basis) "
                    + "\(inferred == 1 ? "it" : "them").")
        }
        if let row = try Rows.all(source.reader, ReportQueries.silentLogs).first, let logs = row.integer("logs"),
            logs > 0
        {
            list.append(
                "\(Plural.text(logs, "log")) without any lifecycle event\(logs == 1 ? ":" : ", such as") "
                    + "\(row.text("path") ?? "").")
        }
        return list
    }

    // MARK: - Helpers

    /// The result of a named query without its columns that hold nothing; `nil` when it is empty.
    private func named(_ name: String, caption: String) throws -> ReportTable? {
        var table = try table(try QueryCatalog.query(name).sql, source.filter?.values ?? [:], caption: caption)
        Percentile.removeUncertain(from: &table)
        let used = table.columns.indices.filter { place in table.rows.contains { $0[place] != .null } }
        table.columns = used.map { table.columns[$0] }
        table.rows = table.rows.map { row in used.map { row[$0] } }
        return table.rows.isEmpty ? nil : table
    }

    /// The named queries behind a section.
    private func questions(_ names: String...) throws -> [ReportQuestion] {
        try names.map { ReportQuestion("lifestats query \($0)", sql: try QueryCatalog.query($0).sql) }
    }

    private func table(_ sql: String, _ parameters: [String: SQLValue], caption: String) throws -> ReportTable {
        var columns: [ReportColumn] = []
        var rows: [[Cell]] = []
        var count = 0
        try source.reader.query(sql, parameters) { names in
            columns = names.map { ReportColumn($0) }
        } row: { row in
            count += 1
            if count <= ReportTable.rowLimit { rows.append(row.values) }
        }
        return ReportTable(caption: caption, columns: columns, rows: rows, totalRows: count)
    }
}

/// The queries of the report besides the named ones. Parameters are those of ``DiagramQueries/values(_:layer:)``.
enum ReportQueries {
    private static let undated = "%\(AssumedDate.words)%"

    /// - Parameter isWhole: whether there is no filter, under which the runs need not be looked up.
    static func layers(isWhole: Bool) -> String {
        """
        SELECT layer, count(*) AS instances FROM instances
        \(isWhole ? "" : "WHERE run_id IN (SELECT r.run_id FROM runs AS r WHERE \(DiagramQueries.living))") GROUP BY layer
        ORDER BY layer NOT IN (SELECT k.layer FROM step_kinds AS k WHERE k.verdict IS NOT NULL AND k.evidence = 'observed'),
            CASE layer WHEN 'app' THEN 0 WHEN 'scene' THEN 1 WHEN 'view' THEN 2 ELSE 3 END, layer
        """
    }

    static let overview = """
        SELECT count(*) AS files, coalesce(sum(lines), 0) AS lines,
            min(first_ns) FILTER (WHERE assumptions IS NULL OR assumptions NOT LIKE '\(undated)') AS first_ns,
            max(last_ns) FILTER (WHERE assumptions IS NULL OR assumptions NOT LIKE '\(undated)') AS last_ns,
            count(first_ns) FILTER (WHERE assumptions LIKE '\(undated)') AS undated,
            sum(entry_lines) AS entries, count(*) FILTER (WHERE events = 0 AND lines > 0) AS silent,
            (SELECT path FROM sources ORDER BY events, lines DESC, path LIMIT 1) AS puzzle
        FROM sources
        """

    /// The extent of the runs within a filter.
    static let span = """
        SELECT count(DISTINCT r.device) AS devices, count(r.device) AS of_devices, count(DISTINCT r.source_id) AS files,
            min(coalesce(r.first_seen_ns, r.started_ns, r.ended_ns)) AS first_ns,
            max(coalesce(r.last_seen_ns, r.ended_ns, r.started_ns)) AS last_ns,
            (SELECT coalesce(sum(s.lines), 0) FROM sources AS s
                WHERE s.source_id IN (SELECT r.source_id FROM runs AS r WHERE \(DiagramQueries.living))) AS lines
        FROM runs AS r WHERE \(DiagramQueries.living)
        """

    static let endReasons = """
        SELECT r.end_reason, count(*) AS runs, 1.0 * count(*) / sum(count(*)) OVER () AS share
        FROM runs AS r WHERE \(DiagramQueries.living)
        GROUP BY r.end_reason ORDER BY count(*) DESC, r.end_reason
        """

    static let homes = """
        SELECT r.app, r.app_version, r.end_reason, count(*) AS runs FROM runs AS r WHERE \(DiagramQueries.living)
        GROUP BY r.app, r.app_version, r.end_reason
        """

    static let sources = """
        SELECT path, format, lines, entry_lines, continuation_lines, other_lines, rejected_lines, events, timezone
        FROM sources ORDER BY path
        """

    static let assumptions = "SELECT assumptions, count(*) AS logs, min(path) AS path FROM sources GROUP BY assumptions"

    static let silentLogs = """
        SELECT count(*) AS logs, min(path) AS path FROM sources WHERE events = 0 AND lines > 0
        """

    static let basis = "SELECT basis FROM suspensions WHERE evidence = 'inferred' LIMIT 1"

    static let rejects = """
        SELECT reason, count(*) AS lines, min(path || ':' || line) AS place FROM rejects
        GROUP BY reason ORDER BY count(*) DESC, reason
        """

    /// Time by day and state; a visit counts for the day on which it begins.
    static let days = """
        SELECT date(day * 86400, 'unixepoch') AS day, state, sum(dwell_ns) AS ns
        FROM (
            SELECT v.entered_ns / 86400000000000 AS day, v.state, v.dwell_ns
            FROM visits AS v
            WHERE v.layer = $layer AND v.complete = 1 AND v.dwell_ns IS NOT NULL
                AND \(DiagramQueries.within("v", time: "v.entered_ns"))
        )
        GROUP BY day, state
        ORDER BY day, state
        """
}
