package import TraceRecords

/// Something that could not be read: how often, and one place to look at.
package struct NotUnderstood: Sendable, Hashable {
    /// Why, in plain words: `no time at the beginning`.
    package var reason: String
    package var count: Int64
    /// What is counted, in the singular: `line`, `file`.
    package var unit: String
    /// The first place: `logs/app.log:120`.
    package var example: String?

    package init(reason: String, count: Int64, unit: String = "line", example: String? = nil) {
        self.reason = reason
        self.count = count
        self.unit = unit
        self.example = example
    }
}

/// What an ingest read and stored, for the user who ran it.
package struct IngestSummary: Sendable, Hashable {
    /// Path of the database, as the user wrote it.
    package var database: String
    /// Files read now, and files that were stored before and have not changed.
    package var files: Int
    package var unchangedFiles = 0
    /// Bytes read now, decompressed.
    package var bytes: Int64 = 0
    /// The line accounting of what was read now.
    package var lines = LineCounts()
    package var events: Int64 = 0
    /// Totals that sources report themselves (MetricKit).
    package var totals = 0
    package var runs: Int64 = 0
    /// Process names, in the order in which they are shown.
    package var apps: [String] = []
    /// A lower bound for the number of processes; `nil` when ``apps`` has all of them.
    package var leastApps: Int?
    /// Earliest and latest time that was read, in nanoseconds since 1970 UTC; `nil` when no line has a time.
    package var firstTime: Int64?
    package var lastTime: Int64?
    /// Place of the first event whose line has no time.
    package var firstUntimed: String?
    package var findings: [Severity: Int64] = [:]
    /// What the user named, for the case that there was no log in it.
    package var searched: [String] = []
    /// What makes another command read the same logs: ` logs/ --year 2026`; empty where they cannot be read again.
    package var logs = ""
    /// What had to be assumed: `app.log: times have no zone, read as UTC (--timezone)`.
    package var assumptions: [String] = []
    /// What the user should know but need not act on: a copy that was skipped.
    package var notices: [String] = []
    package var notUnderstood: [NotUnderstood] = []
    /// Where no state was recognised: the lines that come nearest to a lifecycle event, as `FILE:LINE  TEXT`. Or those that
    /// come nearest to a state of the app that no line shows.
    package var nearLines: [String] = []
    package var missingState: String?
    /// Whether lines hide what they say of the lifecycle.
    package var hidesStates = false
    package var exampleFile: String?
    /// Whether some event shows a state.
    package var showsStates = true
    /// Layers of the user's own models.
    package var ownLayers: [String] = []
}

extension IngestSummary {
    /// A summary in which nothing was read yet.
    package init(database: String) { self.init(database: database, files: 0) }
}

// MARK: - As text

extension IngestSummary {
    /// List entries that are shown; the rest is counted.
    private static let listLimit = 8
    /// Columns that a hint may take.
    private static let width = 100

    /// The summary as lines of text: what was read, what was assumed, what was not understood, what to do next.
    package func text() -> String {
        let place = files > 0 ? " into \(VisibleText.neutralised(database))" : ""
        var lines = [headline + place + (files > 0 && foundNothing ? ": no lifecycle event" : "")]
        for (name, value) in facts { lines.append("  \(name.padded(to: 9))  \(value)") }
        return (lines + remarks + next(nextSteps)).joined(separator: "\n") + "\n"
    }

    /// The summary for a command that answers next: what was read and found, and what may surprise.
    ///
    /// - Parameter isKept: whether the database stays.
    package func brief(isKept: Bool) -> String {
        var line = headline
        if files > 0, isKept { line += " into \(VisibleText.neutralised(database))" }
        if files > 0 { line += ": \(found)" }
        if events > 0, !showsStates { line += "; no line shows a state" }
        if events > 0, span == nil { line += "; no time \(Self.noDurations)" }
        return ([line] + remarks + (foundNothing || !showsStates ? next(stepsToRecognition()) : [])).joined(
            separator: "\n")
    }

    private var remarks: [String] {
        list("Assumed", Self.grouped(assumptions)) + list("Noticed", notices + untimed)
            + list("Not understood", notUnderstood.map(Self.sentence))
            + list(
                missingState.map { "No line shows the app in state \($0); nearest to it (--aliases adds your words)" }
                    ?? "Nearest to a lifecycle event", nearLines)
    }

    private var untimed: [String] {
        guard let firstUntimed, firstTime != nil else { return [] }
        return [
            "events without a time, first \(firstUntimed): they count, but visits that begin or end there have no length"
        ]
    }

    private static let noDurations = "was read, so there are counts but no durations"

    /// Commands with their purposes beside them; below, where there is no room for both.
    private func next(_ steps: [(command: String, purpose: String)]) -> [String] {
        func hasRoom(_ step: (command: String, purpose: String)) -> Bool {
            !step.purpose.isEmpty && CellWidth.of(step.command) + 4 + CellWidth.of(step.purpose) <= Self.width
        }
        let width = steps.filter(hasRoom).map { CellWidth.of($0.command) }.max() ?? 0
        return ["Next"]
            + steps.flatMap { step in
                hasRoom(step)
                    ? ["  \(step.command.padded(to: width))  \(step.purpose)"]
                    : ["  \(step.command)"] + (step.purpose.isEmpty ? [] : ["      \(step.purpose)"])
            }
    }

    private var headline: String {
        let target = VisibleText.neutralised(database)
        if files == 0 && unchangedFiles > 0 {
            return "Nothing new in \(Plural.text(unchangedFiles, "file")): \(target) is up to date"
        }
        if files == 0, !searched.isEmpty {
            let places = searched.prefix(3).map { VisibleText.neutralised($0) }.joined(separator: ", ")
            return "No log found in \(places)\(searched.count > 3 ? " …" : ""): 0 files read"
        }
        var text = "Read \(Plural.text(files, "file")), \(Plural.text(lines.lines, "line"))"
        if bytes > 0 { text += " (\(NumberText.bytes(bytes)))" }
        return text
    }

    private var facts: [(String, String)] {
        guard files > 0 else { return [] }
        var facts = [("events", found)]
        if totals > 0 { facts.append(("totals", Plural.text(totals, "figure") + " of MetricKit")) }
        if let span = span ?? (events > 0 ? "none \(Self.noDurations)" : nil) { facts.append(("time", span)) }
        let kinds = [
            Plural.text(lines.entry, "entry", "entries"),
            lines.continuation > 0 ? Plural.text(lines.continuation, "continuation") : nil,
            lines.other > 0 ? "\(NumberText.grouped(lines.other)) other" : nil,
            lines.rejected > 0 ? "\(NumberText.grouped(lines.rejected)) rejected" : nil,
        ]
        facts.append(("lines", kinds.compactMap(\.self).joined(separator: ", ")))
        if events > 0 { facts.append(("findings", SeverityCounts.sentence { max(0, findings[$0] ?? 0) } ?? "none")) }
        if unchangedFiles > 0 { facts.append(("unchanged", Plural.text(unchangedFiles, "file"))) }
        return facts
    }

    /// `812 events in 6 runs of MyApp, Maps`.
    private var found: String {
        var text = Plural.text(events, "event")
        // Events of a log that goes on may belong to runs that were stored before.
        if events > 0 { text += runs > 0 ? " in \(Plural.text(runs, "run"))" : " in known runs" }
        guard !apps.isEmpty else { return text }
        let shown = leastApps == nil ? NameList.shown(of: apps.count) : 3
        let names = apps.prefix(shown).map { VisibleText.shortenedInside(VisibleText.neutralised($0), to: 40) }
        let others = (leastApps ?? apps.count) - min(apps.count, shown)
        let more = others > 0 ? " and \(leastApps == nil ? "" : "at least ")\(NumberText.grouped(others)) more" : ""
        return text + " of \(names.joined(separator: ", "))\(more)"
    }

    private var span: String? {
        guard let firstTime, let lastTime else { return nil }
        let first = CivilTime.readable(nanoseconds: firstTime)
        let last = CivilTime.readable(nanoseconds: lastTime)
        let (length, overflows) = lastTime.subtractingReportingOverflow(firstTime)
        let duration = overflows ? "" : " (\(HumanDuration.text(nanoseconds: length)))"
        return first == last ? "\(first) UTC" : "\(first) to \(last) UTC\(duration)"
    }

    /// Entries `FILE: WHAT` with the same WHAT become one entry.
    private static func grouped(_ entries: [String]) -> [String] {
        var order: [String] = []
        var files: [String: [String]] = [:]
        for entry in entries {
            let parts = entry.split(separator: ": ", maxSplits: 1).map(String.init)
            let (what, file) = parts.count == 2 ? (parts[1], [parts[0]]) : (entry, [])
            if files[what] == nil { order.append(what) }
            files[what, default: []] += file
        }
        return order.map { what in
            guard let named = files[what], let first = named.first else { return what }
            return named.count == 1
                ? "\(first): \(what)" : "\(Plural.text(named.count, "file")): \(what), first \(first)"
        }
    }

    private static func sentence(_ found: NotUnderstood) -> String {
        let place = found.example.map { found.count == 1 ? ", \($0)" : ", first \($0)" } ?? ""
        return "\(Plural.text(found.count, found.unit)): \(found.reason)\(place)"
    }

    private func list(_ title: String, _ entries: [String]) -> [String] {
        guard !entries.isEmpty else { return [] }
        var lines = [title]
        lines += entries.prefix(Self.listLimit).map { "  " + VisibleText.neutralised($0) }
        if entries.count > Self.listLimit { lines.append("  … and \(entries.count - Self.listLimit) more") }
        return lines
    }

    private var foundNothing: Bool { events == 0 && totals == 0 && (files > 0 || unchangedFiles == 0) }

    /// Commands that suit what was found.
    private var nextSteps: [(command: String, purpose: String)] {
        let name = VisibleText.neutralised(database)
        let option = name == "lifestats.db" ? "" : " --db \(ShellText.quoted(name))"
        let query = "lifestats query\(option)"
        let rejects =
            lines.rejected > 0
            ? [("\(query) \"SELECT * FROM rejects\"", "the lines that could not be read, and why")] : []
        if foundNothing || !showsStates { return stepsToRecognition(forces: "; --format NAME forces one") + rejects }
        if events == 0, totals > 0 {
            return [
                ("\(query) \"SELECT * FROM daily_totals\"", "the daily totals of MetricKit"),
                ("\(query) daily_totals_compared", "the same beside the logs, once they are ingested too"),
            ]
        }
        var steps = [
            ("\(query) dwell_times", "how long the app stays in each state"),
            ("lifestats diagram\(option) -o app.svg", "the observed lifecycle over the documented one"),
        ]
        steps += ownLayers.prefix(3).map {
            (
                "lifestats diagram\(option) --layer \(ShellText.quoted($0)) -o \(ShellText.quoted($0)).svg",
                "your model \($0)"
            )
        }
        if findings.contains(where: { $0.key > .info && $0.value > 0 }) {
            steps.append(("lifestats check\(option)", "the deviations, with file and line"))
            steps.append(
                (
                    "lifestats check\(logs.isEmpty ? option : logs) --format github",
                    "the same, failing a build on GitHub; see docs/guide.md"
                ))
        }
        return steps + rejects
    }

    /// Commands for logs in which nothing was recognised.
    ///
    /// - Parameter forces: what the command can do about the format.
    private func stepsToRecognition(forces: String = "") -> [(command: String, purpose: String)] {
        guard let example = exampleFile.map({ ShellText.quoted(VisibleText.neutralised($0)) }), lines.entry > 0 else {
            return [("lifestats formats", "the formats that are read\(forces)")]
        }
        let isPipe = example == "-"
        let file = isPipe ? "app.log" : example
        let steps = isPipe ? [("save the log as app.log, because a pipe cannot be read twice; then", "")] : []
        let known =
            steps + [
                ("lifestats formats explain \(file)", "how its lines are read"),
                ("lifestats formats entries \(file)", "every entry, and what is recognised in it"),
            ]
        // Spellings do not help where the log hides the words.
        if hidesStates { return known }
        return known + [
            (
                "lifestats check \(file) --aliases spellings.yaml",
                "a check with your own words for callbacks, such as applicationDidEnterBackground: [\"app went away\"],\n"
                    + "      or for states, as of Flutter or React Native: evidence: {background: [\"app went away\"]}"
            )
        ]
    }
}

/// Numbers of findings in words, the worst first.
enum SeverityCounts {
    /// `2 errors, 1 warning`; `nil` when there are none.
    static func sentence(_ count: (Severity) -> Int64) -> String? {
        let counts = Severity.allCases.reversed().filter { count($0) > 0 }
            .map { Plural.text(count($0), $0.name) }
        return counts.isEmpty ? nil : counts.joined(separator: ", ")
    }
}

/// The progress of an ingest: one line that is overwritten on a terminal.
package enum ProgressLine {
    /// The line in at most `width` cells, without its end: a bar, bytes, MB/s and the time left.
    ///
    /// - Parameters:
    ///   - total: bytes in total; `nil` when that is unknown (standard input).
    ///   - seconds: since the start.
    package static func text(bytes: Int64, of total: Int64? = nil, seconds: Double, width: Int) -> String {
        let known = total.flatMap { $0 > 0 ? $0 : nil }
        let rate = seconds > 0.05 ? Double(bytes) / seconds : 0
        var parts = [NumberText.bytes(bytes) + (known.map { " of \(NumberText.bytes($0))" } ?? "")]
        if rate > 0 { parts.append("\(NumberText.threeDigits(rate / 1e6)) MB/s") }
        // During the first second the rate says nothing.
        if let known, known > bytes, rate > 0, seconds >= 1 {
            parts.append("\(HumanDuration.text(seconds: max(1, (Double(known - bytes) / rate).rounded()))) left")
        }
        guard let known else { return VisibleText.shortened(parts.joined(separator: "  "), to: width) }
        let share = min(1, max(0, Double(bytes) / Double(known)))
        let head = "\(Int(share * 100))%".leftPadded(to: 4)
        while parts.count > 1, head.count + 2 + CellWidth.of(parts.joined(separator: "  ")) > width {
            parts.removeLast()
        }
        let text = parts.joined(separator: "  ")
        let room = min(30, width - head.count - 4 - CellWidth.of(text))
        guard room >= 8 else { return VisibleText.shortened("\(head)  \(text)", to: width) }
        let filled = Int((Double(room) * share).rounded(.down))
        let bar = String(repeating: "━", count: filled) + String(repeating: "─", count: room - filled)
        return "\(head)  \(bar)  \(text)"
    }
}
