internal import TraceRecords

extension ReportOverview {
    /// A figure with its name and, where it helps, a remark below it.
    struct Tile {
        var name: String
        var value: String
        var remark: String?
        /// `error`, `warning` or empty: draws attention.
        var mood = ""
    }

    /// The whole story in two or three sentences.
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
                    remark: "\(NumberText.percent(mainState.share)) of the completed stays"))
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
            + "\(NumberText.percent(mainState.share)) of all completed stays."
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
