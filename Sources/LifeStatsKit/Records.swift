import Foundation
import LifecycleModel
import LogReading
import Reports
import StateDiagrams
import TraceRecords
import TraceStore

/// How one row of a view is shown.
public struct RecordOptions: Sendable {
    /// Lines of the log shown before and after.
    public var context = 3
    /// The columns of the view as they are stored, instead of sentences.
    public var raw = false
    public var colors = false
    /// Columns of the terminal; `nil` where there is none: log lines then stay whole.
    public var width: Int?
    /// Files of models besides the built-in ones.
    public var models: [String] = []
    public var wayBack = OneStep.WayBack()

    public init() {}
}

/// One row of a view: a run, visit, event or finding, with the log lines around it.
public enum Record {
    /// Describes a row.
    ///
    /// - Parameter id: `run:65537`, `visit:65538`, `event:65538`, `finding:65537` (or `r65537` …).
    /// - Throws: ``LifeStatsError`` when the id is invalid, or there is no such row.
    public static func text(
        of id: String, in database: String, options: RecordOptions = RecordOptions(),
        limit: ReadingLimit = ReadingLimit()
    ) throws -> String {
        try DatabaseReading.run(database, limit: limit) { reader in
            var (kind, number) = try parsed(id)
            var found = try Rows.all(reader, kind.sql, ["id": .integer(number)]).first
            if found == nil, kind == .event, let event = try event(behind: number, options, reader) {
                number = event
                found = try Rows.all(reader, kind.sql, ["id": .integer(event)]).first
            }
            guard let row = found else {
                let near = try Filter.nearest(kind.rawValue, to: number, in: reader)
                throw LifeStatsError(
                    "there is no \(kind.rawValue) \(number) in \(reader.path)",
                    remedy: (near.map { "the nearest is \(kind.rawValue):\($0); " } ?? "")
                        + "`lifestats query \"SELECT * FROM \(kind.rawValue)s LIMIT 10\"` shows some with their ids")
            }
            let writer = RecordWriter(reader: reader, options: options)
            var lines = options.raw ? try raw(kind, number, reader) : try writer.story(of: kind, number, row)
            if options.raw { lines += try writer.excerpt(kind, row) }
            return TerminalText.safe(lines.map { $0 + "\n" }.joined(), allowsColors: options.colors)
        }
    }

    /// Checks an id before logs are read.
    ///
    /// - Throws: ``LifeStatsError`` when it is none.
    public static func requireID(_ id: String) throws { _ = try parsed(id) }

    private static func parsed(_ id: String) throws -> (kind: Kind, number: Int64) {
        guard let match = id.wholeMatch(of: /(run|visit|event|finding|r|v|e|f):?(-?\d+)/),
            let number = Int64(match.2), let kind = Kind.allCases.first(where: { $0.rawValue.hasPrefix(match.1) })
        else {
            let known = id.allSatisfy(\.isNumber) ? [id, id, id, id] : ["65537", "65538", "65538", "65537"]
            let ids = zip(["run", "visit", "event", "finding"], known).map { "\($0):\($1)" }
            throw LifeStatsError(
                "\(id): not an id", remedy: "write \(ids.dropLast().joined(separator: ", ")) or \(ids[3])")
        }
        return (kind, number)
    }

    /// A view with ids, in the singular.
    enum Kind: String, CaseIterable {
        case run, visit, event, finding

        var sql: String { "SELECT * FROM \(rawValue)s WHERE \(rawValue)_id = $id" }
    }

    /// Leads from the id of a change to the event that made it: for what follows for another instance, that of the same line.
    private static func event(
        behind number: Int64, _ options: RecordOptions, _ reader: DatabaseReading
    ) throws -> Int64? {
        let changes = """
            SELECT t.run_id, e.event_id FROM transitions AS t
            LEFT JOIN events AS e ON e.event_id BETWEEN $id - 4096 AND $id AND e.run_id = t.run_id AND e.line = t.line
            WHERE t.transition_id = $id ORDER BY e.event_id DESC LIMIT 1
            """
        guard let change = try Rows.all(reader, changes, ["id": .integer(number)]).first,
            let run = change.integer("run_id")
        else { return nil }
        if let event = change.integer("event_id") { return event }
        throw LifeStatsError(
            "no event has the id \(number)",
            why: number < 0
                ? "this is the id of the end of a run, and no log line shows that end"
                : "this is the id of a transition, and the line that made it is not an event",
            remedy: "\(options.wayBack.condition)`lifestats show run:\(run)\(options.wayBack.options)` shows its run")
    }

    /// The columns of the view with their values.
    private static func raw(_ kind: Kind, _ number: Int64, _ reader: DatabaseReading) throws -> [String] {
        var names: [String] = []
        var values: [Cell] = []
        try reader.query(kind.sql, ["id": .integer(number)]) {
            names = $0
        } row: { row in
            values = row.values
        }
        let width = names.map(\.count).max() ?? 0
        return ["\(kind.rawValue) \(number)"]
            + zip(names, values).filter { $0.1 != .null }.map { name, value in
                "  \(name)\(String(repeating: " ", count: width - name.count))  "
                    + CellText.text(value, kind: .plain, raw: true)
            }
    }
}

/// Lines of a log, if there is still a file with the content that was ingested.
enum LogExcerpt {
    /// The result.
    enum Outcome {
        /// The file that now has the content, the lines with their numbers, and whether the last of them is that of the file.
        case found(path: String, lines: [(number: Int64, text: String)], isEnd: Bool)
        /// The file is gone or cannot be read.
        case gone
        /// The file has other content now, and no file next to it has the ingested content.
        case replaced
    }

    /// The lines around one as text, that one marked; or why they cannot be shown.
    static func text(
        of path: String, around line: Int64, context: Int, style: TextStyle, _ reader: DatabaseReading
    ) throws -> [String] {
        if path == "-" { return ["line \(line) of standard input cannot be shown: it was not kept"] }
        let fingerprint = try Rows.all(
            reader, "SELECT fingerprint FROM sources WHERE path = $path ORDER BY source_id DESC LIMIT 1",
            ["path": .text(path)]
        ).first?.text("fingerprint")
        var outcome = lines(of: path, fingerprint: fingerprint, around: line, context: context)
        let folder = reader.path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/")
        if case .gone = outcome, !path.hasPrefix("/"), reader.path.contains("/") {
            // Its path says nothing of the folder that it was read from, in which the database may be.
            outcome = lines(of: "\(folder)/\(path)", fingerprint: fingerprint, around: line, context: context)
        }
        switch outcome {
        case .gone:
            let places = [path, path.hasPrefix("/") ? path : "\(folder)/\(path)"]
            if places.contains(where: FileManager.default.fileExists) {
                return ["\(path):\(line) can no longer be read: check that you may read the file"]
            }
            let place = path.hasPrefix("/") ? "" : ", seen from this folder or that of the database"
            return ["\(path):\(line) can no longer be read: there is no such file\(place)"]
        case .replaced: return ["\(path):\(line) is not shown: the file no longer has the content that was ingested"]
        case .found(let present, let found, let isEnd):
            let width = String(line + Int64(context)).count
            let moved = present == path ? "" : ", now in \(present)"
            return ["\(path):\(line)\(moved)"]
                + found.flatMap { number, text in
                    let head = (number == line ? "> " : "  ") + String(number).leftPadded(to: width) + "  "
                    let text = VisibleText.neutralised(text)
                    let pieces = style.width.map { WrappedList.pieces(of: text, room: $0 - head.count) } ?? [text]
                    return pieces.enumerated().map { place, piece in
                        let shown = (place == 0 ? head : String(repeating: " ", count: head.count)) + piece
                        return number == line ? style.bold(shown) : style.dim(shown)
                    }
                }
                + (isEnd ? [style.dim("  " + String(repeating: " ", count: width) + "  (the file ends here)")] : [])
        }
    }

    /// The lines around one.
    ///
    /// - Parameters:
    ///   - path: the file that was read.
    ///   - fingerprint: `sources.fingerprint` of what was read.
    ///   - line: the line in the middle.
    ///   - context: how many lines before and after.
    static func lines(of path: String, fingerprint: String?, around line: Int64, context: Int) -> Outcome {
        let wanted = max(1, line - Int64(context))...(line + Int64(context))
        let mark = fingerprint.flatMap(SourceFingerprint.init(text:))
        func read(_ source: SourceDescription) -> Outcome? {
            if let mark {
                guard let relation = try? FingerprintCache(options: ReadingOptions()).relation(of: mark, to: source),
                    relation != .replaced
                else {
                    return nil
                }
            }
            guard let lines = try? SourceLines.lines(wanted, of: source), !lines.isEmpty else { return nil }
            let isEnd = lines.last.map { $0.number < wanted.upperBound } ?? true
            return .found(path: source.path, lines: lines, isEnd: isEnd)
        }
        let own = InputFinder.find([path]).sources.first { $0.path == path && !$0.isOnce }
        if let own, let outcome = read(own) { return outcome }
        // A rotated log has another name in the same folder.
        if mark != nil {
            for name in neighbours(of: path) {
                for other in InputFinder.find([name]).sources where !other.isOnce {
                    if let outcome = read(other) { return outcome }
                }
            }
        }
        return own == nil ? .gone : .replaced
    }

    /// The files in the same folder whose names begin with the name of this one.
    private static func neighbours(of path: String) -> [String] {
        let url = URL(fileURLWithPath: path)
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let names = try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
        return (names ?? []).sorted()
            .filter { $0.hasPrefix(url.lastPathComponent) && $0 != url.lastPathComponent }
            .map { path.contains("/") ? "\(folder)/\($0)" : $0 }
    }
}

/// Describes rows of views in sentences.
struct RecordWriter {
    /// Findings of a run that are shown with their lines.
    private static let mostFindings = 5

    let reader: DatabaseReading
    let options: RecordOptions
    private var style: TextStyle { TextStyle(isOn: options.colors, width: options.width) }

    func story(of kind: Record.Kind, _ number: Int64, _ row: Rows.Row) throws -> [String] {
        switch kind {
        case .run: try run(number, row)
        case .visit: try visit(number, row)
        case .event: try event(number, row)
        case .finding: try finding(number, row)
        }
    }

    // MARK: - Parts

    /// The log lines around a row, after an empty line; nothing where the row has no place in a log.
    func excerpt(_ kind: Record.Kind, _ row: Rows.Row) throws -> [String] {
        var place = row
        if kind == .run {
            guard let first = try event(of: row, isLast: false) else { return [] }
            place = first
        }
        guard let source = place.text("source"), let line = place.integer("line") else { return [] }
        return [""]
            + (try LogExcerpt.text(of: source, around: line, context: options.context, style: style, reader))
    }

    private func facts(_ facts: [(name: String, text: String?)]) -> [String] {
        let known = facts.compactMap { fact in fact.text.map { ("  " + fact.name, VisibleText.neutralised($0)) } }
        return WrappedList.text(known.map { (name: $0.0, text: $0.1) }, width: options.width ?? 100)
            .split(separator: "\n").map(String.init)
    }

    /// `Harbour [530] 4.2 on iPhone 15, iOS 17.4`.
    private func speaker(_ run: Rows.Row) -> String {
        var text = run.text("app") ?? "unnamed app"
        if let version = run.text("app_version") { text += " \(version)" }
        if let pid = run.integer("pid") { text += " [\(pid)]" }
        let place = [run.text("device"), run.text("os_version")].compactMap(\.self).joined(separator: ", ")
        return place.isEmpty ? text : "\(text) on \(place)"
    }

    private func of(_ row: Rows.Row) -> String {
        let layer = [row.text("layer"), row.text("layer") == "app" ? nil : row.text("instance")].compactMap(\.self)
        return
            "\(layer.joined(separator: " ")) of \(row.text("app") ?? "unnamed app"), run:\(row.integer("run_id") ?? 0)"
    }

    private func time(_ row: Rows.Row, _ column: String) -> String? {
        row.integer(column).map(ClockText.exact)
    }

    private func event(of run: Rows.Row, isLast: Bool) throws -> Rows.Row? {
        try Rows.all(
            reader,
            """
            SELECT coalesce(callback, kind || ': ' || proves) AS what, time_ns, source, line FROM events
            WHERE run_id = $run ORDER BY time_ns IS NULL, \(isLast ? "seq DESC" : "time_ns, seq") LIMIT 1
            """, ["run": .integer(run.integer("run_id") ?? 0)]
        ).first
    }

    // MARK: - Runs

    private func run(_ number: Int64, _ row: Rows.Row) throws -> [String] {
        let timeline = try timeline(ofRun: number)
        let began = began(row, timeline.lanes)
        let cause = row.text("launch_cause").map { "in the background, because of \($0)" }
        let isShown = row.text("end_reason") != "log_end"
        let ended = Self.words(of: row) + (isShown ? ", \(row.text("end_evidence") ?? "unknown")" : "")
        let last = try event(of: row, isLast: true)
        let reason = Self.reason(row, next: time(row, "next_seen_ns"))
        var lines = [style.bold("Run \(number)") + ": " + VisibleText.neutralised(speaker(row))]
        lines += facts([
            ("began", began), ("launched", cause), ("lasted", length(ofRun: row, timeline.lanes)), ("ended", ended),
            ("because", reason), ("detail", reason == nil ? row.text("end_detail") : nil),
            ("last event", last.map { self.last($0) }),
        ])
        lines.append("")
        lines += strip(of: timeline)
        lines += try findings(ofRun: number)
        lines.append("")
        let (show, query) = (
            "lifestats show run:\(number) --raw", "lifestats query \"SELECT * FROM visits WHERE run_id"
        )
        let way = options.wayBack
        if !way.condition.isEmpty { lines.append(style.dim(way.condition.trimmingCharacters(in: .whitespaces))) }
        return lines
            + [
                "`\(show)\(way.options)` prints the columns,", "`\(query) = \(number)\"\(way.options)` the visits",
            ].flatMap { style.wrapped($0) }.map(style.dim)
    }

    /// The strip begins with the first visit, which may be of another layer and before the launch. What is before the first
    /// line is of a clock that was set back.
    private static func begin(of run: Rows.Row, _ lanes: [Timeline.Lane]) -> Int64? {
        let first = run.integer("first_seen_ns")
        guard let started = run.integer("started_ns") else { return first }
        return lanes.flatMap(\.visits).compactMap(\.from).filter { $0 >= first ?? .min }.reduce(started, min)
    }

    /// A process may write lines before its first callback.
    private func began(_ run: Rows.Row, _ lanes: [Timeline.Lane]) -> String {
        guard let begin = Self.begin(of: run, lanes) else { return "at an unknown time" }
        let text = ClockText.exact(begin)
        if run.integer("started_ns") == nil { return "\(text): the log shows it from then on, but not its launch" }
        guard let first = run.integer("first_seen_ns"), first < begin else { return text }
        return "\(text), \(HumanDuration.text(nanoseconds: begin - first)) after the first line of the process"
    }

    private func length(ofRun row: Rows.Row, _ lanes: [Timeline.Lane]) -> String? {
        guard let begin = Self.begin(of: row, lanes),
            let end = row.integer("ended_ns") ?? row.integer("last_seen_ns")
        else { return nil }
        guard end >= begin, !lanes.contains(where: \.hasUnknownLength) else {
            return "an unknown time: the clock was set back meanwhile"
        }
        // What the log cuts, and a process that ends without a line, went on for longer than is known.
        let isWhole = row.integer("started_ns") != nil && row.integer("ended_ns") != nil
        let (length, shown) = (end &- begin, TimelineRenderer.span(of: lanes))
        let least = HumanDuration.text(nanoseconds: HumanDuration.lowerBound(length))
        let text = isWhole ? HumanDuration.text(nanoseconds: length) : "at least \(least)"
        // Lines of the system, or a report, may show more of the process than callbacks show of its states.
        guard length - shown > max(1_000_000_000, length / 100), !lanes.isEmpty else { return text }
        let part = shown > 1 ? HumanDuration.text(nanoseconds: shown) : "one moment"
        return "\(text), \(part) of it in the visits below: no line shows the state in the rest"
    }

    /// `applicationDidEnterBackground at 2026-03-01 08:00:09.400 UTC, app.log:4`.
    private func last(_ event: Rows.Row) -> String {
        let place = event.text("source").map { ", \($0):\(event.integer("line") ?? 0)" } ?? ""
        return "\(event.text("what") ?? "")\(time(event, "time_ns").map { " at \($0)" } ?? " without a time")\(place)"
    }

    private static func words(of run: Rows.Row) -> String {
        let isTold = run.text("end_detail") != nil && run.text("end_reason") == "terminated"
        return isTold ? "terminated" : run.text("end_reason").flatMap { endings[$0] } ?? "not shown: the log ends first"
    }

    private static let endings = [
        "terminated": "terminated by the user or the system", "killed_in_background": "killed in the background",
        "abnormal_in_foreground": "abnormally in the foreground", "launch_failure": "failed to launch",
        "watchdog": "killed by the watchdog", "jetsam": "killed because memory was low", "crash": "crashed",
    ]

    /// Why we think so.
    private static func reason(_ run: Rows.Row, next: String?) -> String? {
        let after =
            run.text("end_detail") ?? next.map { "the next run of the app begins at \($0)" }
            ?? "another run of the app follows"
        switch (run.text("end_reason"), run.text("end_evidence")) {
        case ("log_end", _), (_, "observed"): return nil
        case ("killed_in_background", _):
            return "it was in the background after its last line, showed no termination, and \(after)"
        case ("abnormal_in_foreground", _):
            return "it was in the foreground after its last line, showed no termination, and \(after)"
        case ("launch_failure", _): return "it never became active, and \(after)"
        default: return next == nil ? nil : after
        }
    }

    private func timeline(ofRun run: Int64) throws -> Timeline {
        var request = TimelineRequest(database: reader.path)
        request.filter = try Filter(run: run)
        request.models = options.models
        return try TimelineRenderer.timeline(request, reader)
    }

    /// The visits of a run as swim lanes.
    private func strip(of timeline: Timeline) -> [String] {
        guard !timeline.lanes.isEmpty else { return ["no visits"] }
        // The heading is there already, and the findings follow with their lines.
        var timeline = timeline
        for place in timeline.lanes.indices { timeline.lanes[place].marks = [] }
        return TimelineText(timeline, width: options.width, isColoured: options.colors).lines()
            .drop { !$0.isEmpty }.dropFirst(2).map { $0 }
    }

    private func findings(ofRun run: Int64) throws -> [String] {
        let found = try Rows.all(
            reader, "SELECT * FROM findings WHERE run_id = $run ORDER BY finding_id", ["run": .integer(run)])
        guard !found.isEmpty else { return ["", "no findings"] }
        let catalog = try ModelLoading.catalog(with: options.models)
        let rules = rules(of: catalog)
        var lines = ["", style.bold(Plural.text(found.count, "finding"))]
        for row in found.prefix(Self.mostFindings) {
            lines += [""] + heading(row, rules) + facts(sentences(row, catalog))
            lines += try excerpt(.finding, row).dropFirst()
        }
        if found.count > Self.mostFindings {
            let way = options.wayBack
            let check = "lifestats check\(way.options.replacing(" --from", with: "")) --run \(run) --all"
            lines += [""] + style.wrapped("… and \(found.count - Self.mostFindings) more: \(way.condition)`\(check)`")
        }
        return lines
    }

    // MARK: - Findings

    private func rules(of catalog: ModelCatalog) -> [RuleText] {
        CheckRunner.rules(of: catalog.models, catalog.settings, withOwn: true)
    }

    private func heading(_ row: Rows.Row, _ rules: [RuleText]) -> [String] {
        let (rule, severity) = (row.text("rule") ?? "", row.text("severity") ?? "")
        let id = "finding:\(row.integer("finding_id") ?? 0)"
        let head = [id, style.severity(severity), style.bold(rule)].joined(separator: "  ")
        guard let title = rules.first(where: { $0.id == rule })?.title else { return [head] }
        // Where both do not fit on a line, the title has its own.
        let isShort = style.fits([id, TextStyle(isOn: false).severity(severity), rule, title].joined(separator: "  "))
        return isShort ? ["\(head)  \(title)"] : [head] + style.wrapped(title, indent: 2)
    }

    private func sentences(_ row: Rows.Row, _ catalog: ModelCatalog) -> [(name: String, text: String?)] {
        let what = row.text("message").map { catalog.models.titled($0, layer: row.text("layer") ?? "") }
        return [("what", what), ("repair", row.text("repair").map { "the log would conform \($0)" })]
    }

    private func finding(_ number: Int64, _ row: Rows.Row) throws -> [String] {
        let rule = row.text("rule") ?? ""
        let catalog = try ModelLoading.catalog(with: options.models)
        let rules = rules(of: catalog)
        return heading(row, rules)
            + facts(
                sentences(row, catalog) + [
                    ("rule", rules.first { $0.id == rule }?.says), ("time", time(row, "time_ns")), ("in", of(row)),
                ])
            + (try excerpt(.finding, row))
            + ["", style.dim("`lifestats check --explain \(rule)` explains the rule and cites its source")]
    }

    // MARK: - Visits and events

    private static let mayRepeat = "what shows it may repeat an earlier line, such as the first callback of a launch"

    private func visit(_ number: Int64, _ row: Rows.Row) throws -> [String] {
        let least = row.integer("at_least_ns").flatMap { length in
            length > 0 ? "at least \(HumanDuration.text(nanoseconds: HumanDuration.lowerBound(length)))" : nil
        }
        let isCutLeft = ["left", "both"].contains(row.text("censored"))
        let mayBeEarlier = isCutLeft && row.integer("entered_ns") != nil
        let cut: String? =
            switch row.text("censored") {
            case "left" where mayBeEarlier: "it may have begun before the log: \(Self.mayRepeat)"
            case "left": "the log does not show its beginning"
            case "right": "the log does not show its end"
            case "both" where mayBeEarlier:
                "it may have begun before the log (\(Self.mayRepeat)), which does not show its end"
            case "both": "the log shows neither its beginning nor its end"
            default: nil
            }
        let seen = ["": "ends are", "left": "end is", "right": "beginning is"][row.text("censored") ?? ""]
        func end(_ column: String, _ callback: String, _ word: String = "by") -> String? {
            let parts = [time(row, column), row.text(callback).map { "\(word) \($0)" }].compactMap(\.self)
            return parts.isEmpty ? nil : parts.joined(separator: word == "by" ? " " : ", ")
        }
        return [style.bold("Visit \(number)") + ": \(row.text("state") ?? "")"]
            + facts(
                [
                    ("of", of(row)), ("entered", end("entered_ns", "entered_by", mayBeEarlier ? "shown by" : "by")),
                    ("left", end("left_ns", "left_by")),
                    ("lasted", row.integer("dwell_ns").map { HumanDuration.text(nanoseconds: $0) } ?? least),
                    ("but", cut),
                ] + (seen.map { [($0, row.text("evidence"))] } ?? [])) + (try excerpt(.visit, row))
    }

    private func event(_ number: Int64, _ row: Rows.Row) throws -> [String] {
        let what = row.text("callback") ?? "\(row.text("kind") ?? "evidence"): \(row.text("proves") ?? "")"
        let change = [row.text("state_before"), row.text("state_after")].compactMap(\.self)
        return [style.bold("Event \(number)") + ": \(VisibleText.neutralised(what))"]
            + facts([
                ("of", of(row)), ("time", time(row, "time_ns")),
                ("state", change.isEmpty ? nil : change.joined(separator: " → ")), ("verdict", row.text("verdict")),
                ("message", row.text("message")),
            ]) + (try excerpt(.event, row))
    }
}
