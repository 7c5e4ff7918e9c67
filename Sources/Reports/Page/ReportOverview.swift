package import TraceRecords

/// The figures from which the first sentences and the tiles of a report are made.
package struct ReportOverview: Sendable, Hashable {
    /// The state of the main layer in which most time was spent.
    package struct MainState: Sendable, Hashable {
        package var state: String
        /// Sum of the completed visits in nanoseconds.
        package var total: Int64
        /// Share of the completed visits of the layer, 0 to 1.
        package var share: Double

        package init(state: String, total: Int64, share: Double) {
            self.state = state
            self.total = total
            self.share = share
        }
    }

    /// Process names, most frequent first.
    package var apps: [String]
    /// Number of known devices; 0 when no log names one.
    package var devices: Int
    package var runs: Int64
    package var events: Int64
    package var files: Int64
    package var lines: Int64
    /// Earliest and latest time, in nanoseconds since 1970 UTC.
    package var firstTime: Int64?
    package var lastTime: Int64?
    package var mainState: MainState?
    package var transitions: Int64
    package var undocumentedTransitions: Int64
    package var findings: [Severity: Int64]
    /// Runs by `end_reason`.
    package var endReasons: [EndReason: Int64]

    package init(
        apps: [String] = [], devices: Int = 0, runs: Int64, events: Int64, files: Int64, lines: Int64,
        firstTime: Int64? = nil, lastTime: Int64? = nil, mainState: MainState? = nil, transitions: Int64 = 0,
        undocumentedTransitions: Int64 = 0, findings: [Severity: Int64] = [:], endReasons: [EndReason: Int64] = [:]
    ) {
        self.apps = apps
        self.devices = devices
        self.runs = runs
        self.events = events
        self.files = files
        self.lines = lines
        self.firstTime = firstTime
        self.lastTime = lastTime
        self.mainState = mainState
        self.transitions = transitions
        self.undocumentedTransitions = undocumentedTransitions
        self.findings = findings
        self.endReasons = endReasons
    }
}

// MARK: - As text

extension ReportOverview {
    /// A figure with its name and perhaps a remark below it.
    struct Tile {
        var name: String
        var value: String
        var remark: String?
        /// `error`, `warning` or empty; draws attention.
        var mood = ""
    }

    /// The report in two or three sentences.
    package var sentences: String {
        guard events > 0 else {
            return "No lifecycle event was found in \(Plural.text(files, "file")), \(Plural.text(lines, "line"))."
        }
        return [runSentence, timeSentence, deviationSentence, endSentence].compactMap(\.self).joined(separator: " ")
    }

    var tiles: [Tile] {
        var tiles = [
            Tile(name: "runs", value: NumberText.grouped(runs), remark: span),
            Tile(name: "events", value: NumberText.grouped(events), remark: "in \(Plural.text(lines, "line"))"),
        ]
        if let mainState {
            tiles.append(
                Tile(
                    name: "in \(mainState.state)", value: HumanDuration.text(nanoseconds: mainState.total),
                    remark: "\(NumberText.percent(mainState.share)) of the completed visits"))
        }
        let mood = undocumentedTransitions > 0 ? "warning" : ""
        tiles.append(
            Tile(
                name: "undocumented transitions", value: NumberText.grouped(undocumentedTransitions),
                remark: "of \(NumberText.grouped(transitions))", mood: mood))
        let errors = findings[.error] ?? 0
        let rest = Plural.text(findings[.warning] ?? 0, "warning") + ", " + Plural.text(findings[.info] ?? 0, "remark")
        tiles.append(
            Tile(
                name: "errors", value: NumberText.grouped(errors), remark: "and \(rest)",
                mood: errors > 0 ? "error" : ""))
        return tiles
    }

    private var span: String? {
        guard let firstTime, let lastTime else { return nil }
        let (length, overflows) = lastTime.subtractingReportingOverflow(firstTime)
        return overflows ? nil : "over \(HumanDuration.text(nanoseconds: length))"
    }

    private var runSentence: String {
        let names = apps.prefix(3).joined(separator: ", ")
        let more = apps.count > 3 ? " and \(apps.count - 3) more" : ""
        var text = apps.isEmpty ? "The log shows" : "\(names)\(more): the log shows"
        text += " \(Plural.text(runs, "run"))"
        if devices > 1 { text += " on \(NumberText.grouped(devices)) devices" }
        if let firstTime, let lastTime {
            text += " between \(CivilTime.readable(nanoseconds: firstTime))"
            text += " and \(CivilTime.readable(nanoseconds: lastTime)) UTC"
        } else {
            text += ", but no times, so there are counts and no durations"
        }
        return text + "."
    }

    private var timeSentence: String? {
        guard let mainState else { return nil }
        let total = HumanDuration.text(nanoseconds: mainState.total)
        return "Most of the time was spent in \(mainState.state): \(total), "
            + "\(NumberText.percent(mainState.share)) of all completed visits."
    }

    private var deviationSentence: String {
        guard undocumentedTransitions > 0 else { return "Every transition is one that Apple documents." }
        let part = NumberText.percent(Double(undocumentedTransitions) / Double(max(1, transitions)))
        let verb = undocumentedTransitions == 1 ? "is" : "are"
        return "Of \(Plural.text(transitions, "transition")), \(NumberText.grouped(undocumentedTransitions)) (\(part)) "
            + "\(verb) not documented."
    }

    private var endSentence: String? {
        let bad: [(EndReason, String)] = [
            (.crash, "crashed"), (.watchdog, "were ended by the watchdog"), (.jetsam, "were ended for memory"),
            (.abnormalInForeground, "ended abnormally in the foreground"), (.launchFailure, "failed to launch"),
            (.killedInBackground, "were killed in the background"),
        ]
        let parts = bad.compactMap { reason, words -> String? in
            guard let count = endReasons[reason], count > 0 else { return nil }
            let verb = count == 1 ? words.replacing("were ", with: "was ") : words
            return "\(NumberText.grouped(count)) \(verb)"
        }
        guard !parts.isEmpty else { return nil }
        return "Of the runs, \(parts.joined(separator: ", "))."
    }
}
