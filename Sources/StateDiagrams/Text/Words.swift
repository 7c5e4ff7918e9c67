import Foundation
import TraceRecords

/// A word or phrase of pictures. `words/words.json` has the texts, in the order of ``PictureLanguage``: `%` and `%2` stand
/// for figures; `|` separates the form for one from the form for several.
enum Word: String, CaseIterable {
    // Counts and figures
    case visits, beginHere, starts, ends, runs, someRuns, events, transitions, edges, states, callbacks, more, estimated
    case inferredTimes, inferredToo, endings, median, p90, total, share

    // Diagrams
    case lifecycle, noRuns, documented, observed, overlay, edgeDocumented, edgeOfModel, edgeInferred, edgeInSteps,
        edgeUndocumented
    case edgeUndocumentedInferred, edgeNever, edgeSilent, edgeEstimated, silent, noCallback, withoutCallback,
        byScenes, someByScenes, untoldState, via, twoVerdicts
    case onlyWhereSeen, inferred, neverVisited, notCompared, edgeNotCompared, width, initial, final,
        shareOfTime, shadeOften, shadeLong,
        estimatedState
    case percentages, percentagesOfMoves, prefixLeftOut, hidden, folded
    case finding, errorMark, warningMark, remarkMark, remarksOnEdges
    case example, source, compared, someDiffer, moreInB, lessInB, beyondChance,
        withinChance
    case widthOfDifference, comparedFigures

    // How runs end: the values of `runs.end_reason`
    case terminated = "end_terminated"
    case killedInBackground = "end_killed_in_background"
    case abnormalInForeground = "end_abnormal_in_foreground"
    case launchFailure = "end_launch_failure"
    case watchdog = "end_watchdog"
    case jetsam = "end_jetsam"
    case crash = "end_crash"
    case logEnd = "end_log_end"

    // Timelines
    case timeline, firstRuns, worstRuns, undatedTimes, overAWeek, runsTooShort, unnamedApp, inferredVisit,
        estimatedVisit, unknownLength, cut, narrowVisit, leftOutTime, orderOnly, inPart, noDate, withoutTimes,
        notOnAClock,
        tooShort, inMost, shortVisits, oneMoment, remarksLeftOut,
        axisLaunch, utc, undated, fromLaunch, ownScales, lanesLeftOut

    // Charts
    case dwell, completeVisits, sinceVisitBegan, halfOver, medianWithCut, from, to, undocumented, sinceStart
    case shareOfMoves, nothing, runsLeftOut, bandOfCurve, curvesLeftOut
    case durations, inProgress, betweenStates, byDay, entered

    static let texts: [String: [String]] =
        (try? JSONDecoder().decode([String: [String]].self, from: Data(PackageResources.words_json))) ?? [:]

    /// The text in a language; a word that the file lacks is its own text.
    func text(_ language: PictureLanguage) -> String {
        guard let texts = Self.texts[rawValue], let place = PictureLanguage.allCases.firstIndex(of: language),
            texts.indices.contains(place)
        else { return rawValue }
        return texts[place]
    }
}

/// The languages of the words in pictures. Titles of states come with the graph.
package enum PictureLanguage: String, Sendable, CaseIterable, Codable {
    case english = "en"
    case simplifiedChinese = "zh-Hans"
    case traditionalChinese = "zh-Hant"
    case spanish = "es"

    /// Whether sentences have spaces between them.
    var isSpaced: Bool { self == .english || self == .spanish }
}

/// The words of pictures in one language.
struct Words: Sendable {
    let language: PictureLanguage

    init(_ language: PictureLanguage) { self.language = language }

    subscript(_ word: Word) -> String { word.text(language) }

    /// A phrase with its figures: the first for `%`, the second for `%2`.
    func filled(_ word: Word, _ first: String, _ second: String = "") -> String {
        let parts = self[word].split(separator: "%", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts.first ?? "")) { text, part in
            part.first == "2" ? text + second + part.dropFirst() : text + first + part
        }
    }

    /// A phrase with a number; where the language has two forms, separated by `|`, the first is for one.
    func counted(_ count: Int, _ word: Word, _ second: String = "") -> String {
        let forms = filled(word, grouped(count), second).split(separator: "|", maxSplits: 1)
        return String((count == 1 ? forms.first : forms.last) ?? "")
    }

    /// `812 estimated`.
    func estimated(_ count: Int) -> String { counted(count, .estimated) }

    /// `median 4 s`, `total 3 h`: a named duration.
    func duration(_ word: Word, _ nanoseconds: Int64) -> String { "\(self[word]) \(duration(nanoseconds))" }

    func duration(_ nanoseconds: Int64) -> String { figure(DurationText.of(nanoseconds)) }

    /// `4 s`, or `≥ 4 s` for a lower bound.
    func duration(_ nanoseconds: Int64, isLeast: Bool) -> String {
        isLeast ? "≥ " + duration(HumanDuration.lowerBound(nanoseconds)) : duration(nanoseconds)
    }

    func grouped(_ count: Int) -> String { figure(NumberText.grouped(count)) }

    /// A share as a percentage; of less than a thousand things, a whole one: more digits would promise too much.
    func percent(_ share: Double, of whole: Int? = nil) -> String {
        guard let whole, whole < 1_000, share.isFinite else { return figure(NumberText.percent(share)) }
        let rounded = Int((share * 100).rounded())
        let text = share > 0 && rounded == 0 ? "<1" : share < 1 && rounded == 100 ? ">99" : String(rounded)
        return figure(text + "%")
    }

    /// The fewest moves out of a state that was left in several ways: all shares of moves in a picture are as precise as
    /// these allow. The share of an only way is 100 %, however few or many moves it is of.
    static func fewestMoves(_ ways: some Sequence<(from: String, count: Int)>) -> Int {
        Dictionary(grouping: ways, by: \.from).values.filter { $0.count > 1 }
            .map { $0.reduce(0) { $0 + $1.count } }.filter { $0 > 0 }.min() ?? 0
    }

    /// A figure as the language writes it: in Spanish with a comma before decimals and a space before the per cent.
    private func figure(_ text: String) -> String {
        guard language == .spanish else { return text }
        let signs: [Character: String] = [".": ",", ",": "\u{202F}", "%": "\u{A0}%"]
        return text.map { signs[$0] ?? String($0) }.joined()
    }

    /// How a number of runs ended: a value of `runs.end_reason` in words; an unknown value is shown as it is.
    func endReason(_ reason: String, count: Int) -> String {
        Word(rawValue: "end_\(reason)").map { counted(count, $0) } ?? VisibleText.line(reason)
    }
}

/// Durations in pictures: worded as everywhere else, with every number glued to its unit, so that a line can break only
/// between the parts.
package enum DurationText {
    /// The text of a duration in nanoseconds: `0 s`, `350 ms`, `4.2 s`, `1 min 5 s`, `3 d 4 h`.
    package static func of(_ nanoseconds: Int64) -> String {
        let words = HumanDuration.text(nanoseconds: nanoseconds).split(separator: " ")
        return words.enumerated().map { $0 == 0 ? "\($1)" : ($0.isMultiple(of: 2) ? " " : "\u{A0}") + $1 }.joined()
    }
}

/// Headings of pictures in the language of the picture.
package enum PictureHeading {
    /// `App lifecycle`.
    package static func lifecycle(of model: String, _ language: PictureLanguage) -> String {
        Words(language).filled(.lifecycle, model)
    }

    /// The charts of a report.
    package enum Chart: String {
        case durations, inProgress, betweenStates, byDay, entered
    }

    /// `Durations of visits`.
    package static func chart(_ chart: Chart, _ language: PictureLanguage) -> String {
        Word(rawValue: chart.rawValue).map { Words(language)[$0] } ?? ""
    }

    /// `Runs: Harbour, unnamed app`, for a timeline; `Runs` where no app has a name.
    package static func runs(of apps: [String?], _ language: PictureLanguage) -> String {
        let words = Words(language)
        guard apps.contains(where: { $0 != nil }) else { return words[.timeline] }
        return "\(words[.timeline]): \(names(apps.map { $0 ?? words[.unnamedApp] }, words))"
    }

    /// `Harbour [530] · 2026-05-12 05:05:16`.
    package static func run(of app: String?, pid: Int64?, began: Int64?, _ language: PictureLanguage) -> String {
        (app ?? Words(language)[.unnamedApp]) + (pid.map { " [\($0)]" } ?? "")
            + (began.map {
                " · " + ClockText.readable($0)
                    + (ClockText.date($0).contains("-") ? "" : " · " + Words(language)[.noDate])
            } ?? "")
    }

    /// `12 of 71 runs`, or `71 runs` when that is all.
    package static func count(runs: Int, of all: Int, _ language: PictureLanguage) -> String {
        let words = Words(language)
        if runs >= all { return words.counted(all, .runs) }
        return words.filled(.someRuns, NumberText.grouped(runs), NumberText.grouped(all))
    }

    /// `the first 12 of 71 runs`, by their begin, or `the worst 12 of 71 runs`; `71 runs` when that is all.
    package static func drawn(runs: Int, of all: Int, isWorst: Bool, _ language: PictureLanguage) -> String {
        if runs >= all { return count(runs: runs, of: all, language) }
        let words = Words(language)
        return words.counted(runs, isWorst ? .worstRuns : .firstRuns, words.grouped(all))
    }

    /// `None of the 9 runs logs scene callbacks`.
    package static func none(of runs: Int, layer: String, _ language: PictureLanguage) -> String {
        // Within a sentence only names such as SwiftUI begin with a capital letter.
        let isName = layer.prefix { $0 != " " }.dropFirst().contains(where: \.isUppercase)
        return Words(language).counted(runs, .noRuns, isName ? layer : layer.prefix(1).lowercased() + layer.dropFirst())
    }

    /// How many runs a timeline leaves out because nothing of them has a time.
    package static func withoutTimes(_ runs: Int, _ language: PictureLanguage) -> String {
        Words(language).counted(runs, .withoutTimes)
    }

    /// How many runs a clock leaves out because they have no date.
    package static func notOnAClock(_ runs: Int, _ language: PictureLanguage) -> String {
        Words(language).counted(runs, .notOnAClock)
    }

    /// Why a timeline that may choose its axis is not drawn by the clock; `nil` where it is.
    ///
    /// - Parameter span: From the first to the last time, as far as one clock tells it.
    package static func notOneClock(_ timeline: Timeline, span: Int64, _ language: PictureLanguage) -> String? {
        let times = timeline.lanes.flatMap(\.visits).flatMap { [$0.from, $0.until] }.compactMap(\.self)
        let areMixed = Set(times.map { $0 >= ClockText.dated }).count > 1
        let isLong = timeline.runs.count > 1 && span > 7 * 86_400_000_000_000
        let reason: Word? =
            areMixed ? .undatedTimes : isLong ? .overAWeek : timeline.isTooShortForOneClock ? .runsTooShort : nil
        return reason.map { Words(language)[$0] }
    }

    /// `Harbour, Kino · 71 runs · 445 events · since 2026-03-01`, or `9 of 71 runs` where the others have nothing to show.
    ///
    /// - Parameter restrictions: What the picture leaves out, in words.
    package static func subtitle(
        apps: [String], runs: Int, of all: Int, events: Int, restrictions: [String], _ language: PictureLanguage
    ) -> String {
        let words = Words(language)
        // The events are those of all runs.
        let figures = [count(runs: runs, of: all, language)] + (runs < all ? [] : [words.counted(events, .events)])
        return ((apps.isEmpty ? [] : [names(apps, words)]) + figures + restrictions).joined(separator: " · ")
    }

    /// The first names, and the number of the others.
    static func names(_ all: [String], _ words: Words) -> String {
        let shown = NameList.shown(of: all.count)
        let more = all.count > shown ? [words.filled(.more, String(all.count - shown))] : []
        return (all.prefix(shown) + more).joined(separator: ", ")
    }
}
