internal import TraceRecords

extension IngestSummary {
    /// Entries of a list that are shown; the rest is counted.
    private static let listLimit = 8

    /// The summary as lines of text, each ended: what was read, what was assumed, what was not understood, what to do
    /// next.
    package func text(style: TextStyle = TextStyle(isOn: false)) -> String {
        var lines = [style.bold(headline)]
        for (name, value) in facts {
            lines.append("  " + style.dim(name + String(repeating: " ", count: 9 - name.count)) + "  " + value)
        }
        lines += list("Assumed", Self.grouped(assumptions), style)
        lines += list("Noticed", notices, style)
        lines += list("Not understood", notUnderstood.map(\.sentence), style)
        lines.append(style.bold("Next"))
        let width = nextSteps.map { CellWidth.of($0.command) }.max() ?? 0
        for step in nextSteps {
            let padding = String(repeating: " ", count: width - CellWidth.of(step.command))
            lines.append("  \(step.command)\(padding)  \(style.dim(step.purpose))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var headline: String {
        let target = VisibleText.neutralised(database)
        if files == 0 && unchangedFiles > 0 {
            return "Nothing new in \(Plural.text(unchangedFiles, "file")): \(target) is up to date"
        }
        if files == 0, !searched.isEmpty {
            let places = searched.prefix(3).map(VisibleText.neutralised).joined(separator: ", ")
            return "No log found in \(places)\(searched.count > 3 ? " …" : ""): 0 files read"
        }
        var text = "Read \(Plural.text(files, "file")), \(Plural.text(lines.lines, "line"))"
        if bytes > 0 { text += " (\(NumberText.bytes(bytes)))" }
        if let seconds { text += " in \(HumanDuration.text(seconds: seconds))" }
        return text + " into \(target)"
    }

    private var facts: [(String, String)] {
        guard files > 0 else { return [] }
        var facts: [(String, String)] = []
        var found = Plural.text(events, "event")
        if events > 0 { found += " in \(Plural.text(runs, "run"))" }
        if !apps.isEmpty {
            let names = apps.prefix(3).map { VisibleText.shortened(VisibleText.neutralised($0), to: 40) }
            let others = (leastApps ?? apps.count) - min(apps.count, 3)
            let more = others > 0 ? " and \(leastApps == nil ? "" : "at least ")\(NumberText.grouped(others)) more" : ""
            found += " of \(names.joined(separator: ", "))\(more)"
        }
        facts.append(("events", found))
        if totals > 0 { facts.append(("totals", Plural.text(Int64(totals), "figure") + " of MetricKit")) }
        if let firstTime, let lastTime {
            let first = CivilTime.readable(nanoseconds: firstTime)
            let last = CivilTime.readable(nanoseconds: lastTime)
            let (length, overflows) = lastTime.subtractingReportingOverflow(firstTime)
            let duration = overflows ? "" : " (\(HumanDuration.text(nanoseconds: length)))"
            facts.append(("time", first == last ? "\(first) UTC" : "\(first) to \(last) UTC\(duration)"))
        } else if events > 0 {
            facts.append(("time", "none: the lines carry no time, so there are counts but no durations"))
        }
        let kinds = [
            Plural.text(lines.entry, "entry", "entries"),
            lines.continuation > 0 ? Plural.text(lines.continuation, "continuation") : nil,
            lines.other > 0 ? "\(NumberText.grouped(lines.other)) other" : nil,
            lines.rejected > 0 ? "\(NumberText.grouped(lines.rejected)) rejected" : nil,
        ]
        facts.append(("lines", kinds.compactMap(\.self).joined(separator: ", ")))
        let deviations = Severity.allCases.reversed().compactMap { severity -> String? in
            guard let count = findings[severity], count > 0 else { return nil }
            return severity == .info
                ? Plural.text(count, "remark") : Plural.text(count, severity.rawValue)
        }
        if events > 0 {
            facts.append(("findings", deviations.isEmpty ? "none" : deviations.joined(separator: ", ")))
        }
        if unchangedFiles > 0 { facts.append(("unchanged", Plural.text(unchangedFiles, "file"))) }
        return facts
    }

    /// Entries that say the same of several files (`FILE: WHAT`), said once.
    private static func grouped(_ entries: [String]) -> [String] {
        var order: [String] = []
        var files: [String: [String]] = [:]
        for entry in entries {
            let parts = entry.split(separator: ": ", maxSplits: 1)
            let (what, file) = parts.count == 2 ? (String(parts[1]), String(parts[0])) : (entry, "")
            if files[what] == nil { order.append(what) }
            files[what, default: []].append(file)
        }
        return order.map { what in
            let named = (files[what] ?? []).filter { !$0.isEmpty }
            guard let first = named.first else { return what }
            return named.count == 1
                ? "\(first): \(what)" : "\(Plural.text(named.count, "file")): \(what), first \(first)"
        }
    }

    private func list(_ title: String, _ entries: [String], _ style: TextStyle) -> [String] {
        guard !entries.isEmpty else { return [] }
        var lines = [style.bold(title)]
        lines += entries.prefix(Self.listLimit).map { "  " + VisibleText.neutralised($0) }
        if entries.count > Self.listLimit { lines.append("  … and \(entries.count - Self.listLimit) more") }
        return lines
    }

    /// What to do next, from what was found.
    private var nextSteps: [(command: String, purpose: String)] {
        let name = VisibleText.neutralised(database)
        let option = name == "lifestats.db" ? "" : " --db \(ShellText.quoted(name))"
        guard events > 0 || totals > 0 || (files == 0 && unchangedFiles > 0) else {
            return [
                ("lifestats formats", "the formats that are read; --format NAME forces one"),
                ("lifestats query\(option) \"SELECT * FROM rejects\"", "the lines that could not be read, and why"),
            ].filter { $0.0 == "lifestats formats" || lines.rejected > 0 }
        }
        if events == 0, totals > 0 {
            return [
                ("lifestats query\(option) \"SELECT * FROM daily_totals\"", "what MetricKit says of the days"),
                (
                    "lifestats query\(option) daily_totals_compared",
                    "the same beside the logs, once they are ingested too"
                ),
            ]
        }
        var steps = [
            ("lifestats query\(option) dwell_times", "how long the app stays in each state"),
            ("lifestats diagram\(option) -o app.svg", "the observed lifecycle beside the documented one"),
        ]
        if findings.contains(where: { $0.key > .info && $0.value > 0 }) {
            steps.append(("lifestats check\(option)", "the deviations, with file and line"))
        }
        if lines.rejected > 0 {
            let query = "\"SELECT * FROM rejects\""
            steps.append(("lifestats query\(option) \(query)", "the lines that could not be read, and why"))
        }
        return steps
    }
}

extension NotUnderstood {
    fileprivate var sentence: String {
        let place = example.map { count == 1 ? ", \($0)" : ", first \($0)" } ?? ""
        return "\(Plural.text(count, unit)): \(reason)\(place)"
    }
}
