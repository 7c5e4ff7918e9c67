package import TraceRecords

/// Something a reader should know first, in a sentence, with links to what shows it.
package struct ReportObservation: Sendable, Hashable {
    /// How bad it is; `nil` for what is only worth knowing.
    package var severity: Severity?
    package var text: String
    package var links: [ReportLink] = []

    package init(severity: Severity? = nil, text: String, links: [ReportLink] = []) {
        (self.severity, self.text, self.links) = (severity, text, links)
    }

    /// The most links that one sentence can do with.
    private static let mostLinks = 4

    /// Further links, each target once, while there are not too many.
    package mutating func add(_ more: [ReportLink]) {
        for link in more where links.count < Self.mostLinks && !links.contains(where: { $0.target == link.target }) {
            links.append(link)
        }
    }
}

/// How much of something each app and each version has.
package struct Homes: Sendable, Hashable {
    private var apps: [String: Int64] = [:]
    private var versions: [String: Int64] = [:]

    package init() {}

    package mutating func add(app: String?, version: String?, _ count: Int64) {
        apps[app ?? "", default: 0] += count
        versions[version ?? "", default: 0] += count
    }

    /// `all 6 in Outbox`, where that tells it from others; `nil` where it is of many.
    ///
    /// - Parameter all: all that there could be.
    func words(among all: Homes) -> String? {
        for (own, known, unit) in [(apps, all.apps, ""), (versions, all.versions, "version ")] where known.count > 1 {
            let total = own.values.reduce(0, +)
            guard total > 1, let (name, count) = own.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
                !name.isEmpty,
                count * 5 >= total * 4
            else { continue }
            let share =
                count < total
                ? "\(NumberText.grouped(count)) of \(NumberText.grouped(total))"
                : total == 2 ? "both" : "all \(NumberText.grouped(total))"
            return "\(share) in \(unit)\(VisibleText.neutralised(name))"
        }
        return nil
    }
}

/// The figures from which the first sentences and the tiles of a report are made.
package struct ReportOverview: Sendable, Hashable {
    /// The state of the main layer in which most time was spent.
    package struct MainState: Sendable, Hashable {
        /// Its name for people.
        package var title: String
        /// Sum of the completed visits in nanoseconds.
        package var total: Int64
        /// Share of the completed visits of the layer, 0 to 1.
        package var share: Double
        /// The least that other visits of the layer lasted, such as those that the log cuts, in nanoseconds.
        package var incomplete: Int64

        /// Whether complete visits take most of the time, so that their shares are those of the app.
        var isTelling: Bool { Double(incomplete) <= Double(total) / max(share, 1e-9) }

        package init(title: String, total: Int64, share: Double, incomplete: Int64 = 0) {
            (self.title, self.total, self.share, self.incomplete) = (title, total, share, incomplete)
        }
    }

    /// Number of known devices, and of the runs of which the log names one.
    package var devices = 0
    package var runsOfDevices: Int64 = 0
    package var runs: Int64
    package var events: Int64
    package var files: Int64
    package var lines: Int64
    /// Entries of all logs, the files without a recognised line, and the path of the file of which least was recognised;
    /// unknown where only a part is looked at.
    package var entries: Int64 = 0
    package var silentFiles: Int64 = 0
    package var puzzle: String?
    /// Earliest and latest time, in nanoseconds since 1970 UTC.
    package var firstTime: Int64?
    package var lastTime: Int64?
    /// Whether other logs leave out the date or the year of their times.
    package var hasUndatedLogs = false
    package var mainState: MainState?
    /// The changes of all layers, inferred ones too, and the layers that have any.
    package var transitions: Int64 = 0
    package var changingLayers: Set<String> = []
    /// Those that are undocumented, and those that are documented as several steps of which the log shows only the last.
    package var undocumentedTransitions: Int64 = 0
    package var transitionsInSteps: Int64 = 0
    package var findings: [Severity: Int64] = [:]
    /// Runs by `end_reason`.
    package var endReasons: [EndReason: Int64] = [:]
    /// The apps and versions of all runs, and of those that ended badly.
    package var homes = Homes()
    package var homesOfBadEnds = Homes()
    /// What the page is about where it does not compare, in a sentence; empty where it compares nothing.
    package var scope = ""
    /// The most important first.
    package var observations: [ReportObservation] = []
}

extension ReportOverview {
    package init(runs: Int64, events: Int64) { self.init(runs: runs, events: events, files: 0, lines: 0) }
}

// MARK: - As text

extension ReportOverview {
    /// A figure with its name.
    struct Tile {
        var name: String
        var value: String
        /// `error` or empty; draws attention.
        var mood = ""
    }

    /// What the report is about, in a sentence.
    package var summary: String {
        guard events > 0 else {
            return "No lifecycle event was found in \(Plural.text(files, "file")), \(Plural.text(lines, "line"))."
        }
        return runSentence + (scope.isEmpty ? "" : " " + scope)
    }

    /// The few figures that matter most; the sections have the others.
    var tiles: [Tile] {
        var tiles = [
            Tile(name: runs == 1 ? "run" : "runs", value: NumberText.grouped(runs)),
            Tile(name: events == 1 ? "event" : "events", value: NumberText.grouped(events)),
        ]
        guard events > 0 else { return tiles }
        if let mainState {
            tiles.append(
                mainState.isTelling
                    ? Tile(name: "of completed time in \(mainState.title)", value: NumberText.percent(mainState.share))
                    : Tile(
                        name: "in complete visits to \(mainState.title)",
                        value: HumanDuration.text(nanoseconds: mainState.total)))
        }
        let errors = findings[.error] ?? 0
        return tiles + [
            Tile(
                name: "undocumented \(undocumentedTransitions == 1 ? "transition" : "transitions")",
                value: NumberText.grouped(undocumentedTransitions)),
            Tile(
                name: errors == 1 ? "error" : "errors", value: NumberText.grouped(errors),
                mood: errors > 0 ? "error" : ""),
        ]
    }

    private var runSentence: String {
        var text = "The \(files > 1 ? "logs show" : "log shows") \(Plural.text(runs, "run"))"
        let count = NumberText.grouped(devices)
        let isOfAll = runsOfDevices >= runs
        if devices > 1, isOfAll { text += " on \(count) devices" }
        if let firstTime, let lastTime {
            let ends = [firstTime, lastTime].map { CivilTime.readable(nanoseconds: $0) }
            text += hasUndatedLogs ? ". Those of dated logs are" : ""
            text += ends[0] == ends[1] ? " at \(ends[0]) UTC." : " between \(ends[0]) and \(ends[1]) UTC."
        } else if hasUndatedLogs {
            text += ". \(files > 1 ? "Their" : "Its") times are without a date or a year."
        } else {
            text += ", but no times, so there are counts and no durations."
        }
        guard devices > 1, !isOfAll else { return text }
        return text
            + " \(Plural.text(runsOfDevices, "run")) \(runsOfDevices == 1 ? "comes" : "come") from \(count) known devices."
    }

    // MARK: - Observations

    /// That hardly anything of the logs was recognised, and what to do; `nil` where enough was for a launch and a home press.
    package var recognition: ReportObservation? {
        guard let puzzle, lines > 0 else { return nil }
        let found: String
        if events == 0 {
            found =
                "Nothing in \(Plural.text(lines, "line")) was recognised as a lifecycle event, so that this page says nothing about the app."
        } else if events < 5, events * 2 < entries {
            found =
                "Only \(events) of \(NumberText.grouped(entries)) log entries \(events == 1 ? "is a lifecycle event" : "are lifecycle events") "
                + "that lifestats knows, so that this page says little about the app."
        } else if silentFiles > 0, silentFiles * 2 >= files {
            found =
                "In \(NumberText.grouped(silentFiles)) of \(Plural.text(files, "file")) no lifecycle event was recognised; this page is about the other\(files - silentFiles == 1 ? "" : "s")."
        } else {
            return nil
        }
        return ReportObservation(
            severity: .warning,
            text:
                "\(found) “lifestats formats explain \(ShellText.quoted(puzzle))” shows how the log was read, and which lines come "
                + "closest; the option --aliases takes your own spellings of callbacks.",
            links: [ReportLink(text: "Data quality", target: "#section-quality")])
    }

    /// What `endReasons` says about runs that ended badly; `nil` when none did.
    package var ends: ReportObservation? {
        let links = [ReportLink(text: "How runs end", target: "#section-ends")]
        let ways: [(reason: EndReason, words: String)] = [
            (.crash, "in a crash"), (.watchdog, "by the watchdog"),
            (.abnormalInForeground, "in use without a callback"), (.jetsam, "out of memory"),
            (.launchFailure, "at launch"),
        ]
        let found = ways.map { (count: endReasons[$0.reason] ?? 0, words: $0.words) }.filter { $0.count > 0 }
        let all = found.reduce(0) { $0 + $1.count }
        guard all > 0 else {
            // Being killed in the background is usual.
            let killed = endReasons[.killedInBackground] ?? 0
            let words = "\(killed == 1 ? "was" : "were") probably killed in the background"
            return killed == 0
                ? nil
                : ReportObservation(
                    text: "Of \(Plural.text(runs, "run")), \(NumberText.grouped(killed)) \(words).", links: links)
        }
        let list = found.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }.map {
            found.count > 1 ? "\(NumberText.grouped($0.element.count)) \($0.element.words)" : $0.element.words
        }
        return ReportObservation(
            severity: .error,
            text: "\(NumberText.grouped(all)) of \(Plural.text(runs, "run")) ended abnormally"
                + "\(found.count > 1 ? ":" : ",") \(list.joined(separator: ", "))"
                + "\(homesOfBadEnds.words(among: homes).map { " (\($0))" } ?? "").", links: links)
    }

    package var time: ReportObservation? {
        guard let mainState else { return nil }
        let total = HumanDuration.text(nanoseconds: mainState.total)
        guard mainState.isTelling else {
            let least = HumanDuration.text(nanoseconds: HumanDuration.lowerBound(mainState.incomplete))
            return ReportObservation(
                text:
                    "Most of the time, at least \(least), is in visits that are not complete; of those that are, "
                    + "state \(mainState.title) takes most: \(total).",
                links: [ReportLink(text: "Dwell times", target: "#section-dwell")])
        }
        return ReportObservation(
            text: "\(NumberText.percent(mainState.share)) of the time in completed visits was spent in "
                + "state \(mainState.title): \(total).",
            links: [ReportLink(text: "Dwell times", target: "#section-dwell")])
    }

    /// How far the transitions are documented.
    ///
    /// - Parameters:
    ///   - most: the most frequent undocumented change of state, in words, and how often it came; of findings if there are any.
    ///   - shown: what shows it.
    package func transitionsObservation(
        most: (text: String, count: Int64)?, shown: [ReportLink] = []
    ) -> ReportObservation? {
        guard transitions > 0 else { return nil }
        let links = [ReportLink(text: "Transitions", target: "#section-transitions")]
        // Each picture has those of one layer.
        let inLayers = changingLayers.count > 1 ? " in \(changingLayers.count) layers" : ""
        guard undocumentedTransitions > 0 else {
            let all =
                transitions == 1
                ? "The one transition is" : "All \(NumberText.grouped(transitions)) transitions\(inLayers) are"
            let inSteps =
                transitionsInSteps == 0
                ? ""
                : "; \(NumberText.grouped(transitionsInSteps)) of them \(transitionsInSteps == 1 ? "is" : "are") "
                    + "documented as several steps, of which the log shows only the last"
            return ReportObservation(text: "\(all) documented\(inSteps).", links: links)
        }
        let example =
            most.map { text, count in
                count == undocumentedTransitions
                    ? ": \(text)" : ", \(count > 1 ? "most often" : "for example") \(text)"
            } ?? ""
        return ReportObservation(
            severity: .warning,
            text:
                "\(NumberText.grouped(undocumentedTransitions)) of \(Plural.text(transitions, "transition"))\(inLayers) "
                + "\(undocumentedTransitions == 1 ? "is" : "are") not documented\(example).",
            links: links + shown)
    }
}
