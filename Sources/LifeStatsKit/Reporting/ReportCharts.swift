import LifecycleModel
import Reports
import StateDiagrams
import TraceStore

/// The distributions of one layer as charts of the report.
struct ReportCharts {
    /// Days drawn at most, the latest ones.
    static let mostDays = 92

    let reader: TraceReader
    let model: LifecycleModel
    let filter: Filter?
    let language: String

    /// The section with the charts for which there is something to draw; `nil` when there is none.
    func section() throws -> ReportSection? {
        let stays = try stays()
        let pictures = [dwell(stays), survival(stays), try transitions(), try days()].compactMap(\.self)
        guard !pictures.isEmpty else { return nil }
        return ReportSection(
            id: "distributions", title: "How the figures are distributed",
            introduction: "The \(model.layer) layer. Lengths of stays are drawn from their first three digits.",
            blocks: pictures.map { .picture($0) },
            questions: [
                ReportQuestion(
                    title: "Every stay", command: "lifestats query \"select * from visits\" --format csv",
                    sql: "SELECT state, dwell_ns, complete, at_least_ns FROM visits WHERE layer = '\(model.layer)'")
            ])
    }

    // MARK: - Charts

    private struct Stays {
        var state: String
        var isComplete: Bool
        var duration: Int64
        var count: Int
    }

    private func dwell(_ stays: [Stays]) -> ReportPicture? {
        let rows = drawnStates.compactMap { state -> DwellHistogram.Row? in
            let own = stays.filter { $0.state == state.id && $0.isComplete }
            var histogram = LogHistogram()
            for stay in own { histogram.add(stay.duration, times: stay.count) }
            guard histogram.count > 0 else { return nil }
            return DwellHistogram.Row(
                title: title(state), stays: histogram, median: quantile(0.5, of: own), p90: quantile(0.9, of: own))
        }
        guard !rows.isEmpty else { return nil }
        return picture(
            .dwell(DwellHistogram(title: "How long stays last", rows: rows)), id: "dwell",
            caption: "Completed stays by length, on a logarithmic scale, with median and ninetieth percentile.")
    }

    private func survival(_ stays: [Stays]) -> ReportPicture? {
        guard let state = drawnStates.first(where: { $0.id == "background" }) else { return nil }
        let own = stays.filter { $0.state == state.id }
        guard own.contains(where: \.isComplete) else { return nil }
        let series = SurvivalCurve.Series(
            title: title(state),
            stays: own.lazy.flatMap { stay in
                repeatElement((duration: stay.duration, isComplete: stay.isComplete), count: stay.count)
            })
        return picture(
            .survival(SurvivalCurve(title: "How long background stays go on", series: [series])), id: "survival",
            caption:
                "Part of the background stays that still go on after a time (Kaplan and Meier): those that the log "
                + "cuts off count for as long as they were seen.")
    }

    private func transitions() throws -> ReportPicture? {
        var values = filter?.values ?? [:]
        values["layer"] = .text(model.layer)
        var counts: [[String]: (count: Int, isDocumented: Bool)] = [:]
        var leaving: [String: Int] = [:]
        for row in try Rows.all(reader, try QueryCatalog.query("transition_counts").sql, values) {
            guard let from = row.text("from_state"), let to = row.text("to_state") else { continue }
            let count = Int(row.integer("count") ?? 0)
            let isDocumented = row.text("verdict") != "undocumented"
            let known = counts[[from, to]] ?? (0, false)
            counts[[from, to]] = (known.count + count, known.isDocumented || isDocumented)
            leaving[from, default: 0] += count
        }
        guard !counts.isEmpty else { return nil }
        let cells = counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { pair, seen in
            TransitionHeatMap.Cell(
                from: pair[0], to: pair[1], count: seen.count,
                probability: Double(seen.count) / Double(max(1, leaving[pair[0]] ?? 0)),
                isDocumented: seen.isDocumented)
        }
        let names = drawnStates.map { TransitionHeatMap.Name(id: $0.id, title: title($0)) }
        return picture(
            .transitions(TransitionHeatMap(title: "Which state follows which", states: names, cells: cells)),
            id: "transitions",
            caption: "Rows are left, columns are entered; the colour is the part of what leaves a row.")
    }

    private func days() throws -> ReportPicture? {
        var values = filter?.values ?? [:]
        values["layer"] = .text(model.layer)
        var days: [DailyActivity.Day] = []
        for row in try Rows.all(reader, ReportChartQueries.days, values) {
            guard let date = row.text("day"), let state = row.text("state"), let time = row.integer("ns") else {
                continue
            }
            if days.last?.date != date { days.append(DailyActivity.Day(date: date, time: [:], runs: 0)) }
            days[days.count - 1].time[state] = time
            // Each state counts the runs it occurs in; the largest is the best lower bound of the day's runs.
            days[days.count - 1].runs = max(days[days.count - 1].runs, Int(row.integer("runs") ?? 0))
        }
        guard days.count > 1 else { return nil }
        let states = drawnStates.filter { state in days.contains { $0.time[state.id] != nil } }.map {
            Timeline.State(id: $0.id, title: title($0), tone: TimelineTones.tone(of: $0))
        }
        let left = max(0, days.count - Self.mostDays)
        let more = left > 0 ? " The latest \(Self.mostDays) of \(days.count) days." : ""
        return picture(
            .daily(DailyActivity(title: "How each day is spent", states: states, days: Array(days.dropFirst(left)))),
            id: "daily", caption: "Completed stays by the day (UTC) on which they begin.\(more)")
    }

    // MARK: - Helpers

    private func stays() throws -> [Stays] {
        var values = filter?.values ?? [:]
        values["layer"] = .text(model.layer)
        return try Rows.all(reader, ReportChartQueries.stays, values).compactMap { row in
            guard let state = row.text("state"), let digits = row.integer("digits"), let head = row.integer("head"),
                let count = row.integer("count")
            else { return nil }
            let duration = (3..<max(3, digits)).reduce(head) { value, _ in value &* 10 }
            return Stays(
                state: state, isComplete: row.integer("complete") == 1, duration: duration, count: Int(count))
        }
    }

    /// The smallest length that at least a part of the stays do not exceed.
    private func quantile(_ part: Double, of stays: [Stays]) -> Int64? {
        let all = stays.reduce(0) { $0 + $1.count }
        var seen = 0
        for stay in stays.sorted(by: { $0.duration < $1.duration }) {
            seen += stay.count
            if Double(seen) >= part * Double(all) { return stay.duration }
        }
        return nil
    }

    private func picture(_ chart: Chart, id: String, caption: String) -> ReportPicture {
        let language = PictureLanguage(rawValue: language) ?? .english
        return ReportPicture(svg: chart.svg(language: language, idPrefix: "chart-\(id)"), caption: caption)
    }

    private var drawnStates: [ModelState] { model.states.filter(\.isDrawn) }

    private func title(_ state: ModelState) -> String { state.title[language] }
}
