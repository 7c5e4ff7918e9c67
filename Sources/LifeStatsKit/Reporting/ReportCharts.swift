import LifecycleModel
import Reports
import StateDiagrams
import TraceRecords
import TraceStore

/// The distributions of one layer as charts of the report.
struct ReportCharts {
    private typealias Visits = SurvivalCurve.Series.Visits

    /// The maximum number of days, of which the latest are drawn, and of visits of one run.
    static let mostDays = 92
    static let mostVisits = 5_000

    let source: PictureSource
    let model: LifecycleModel
    let language: String
    /// Whether there are few enough visits to look at each of them.
    let isSmall: Bool

    /// How long visits last, and how many are still going on; nothing where there are too few visits to draw.
    func durations() throws -> [ReportBlock] {
        let seen = try source.observation(of: model.layer)
        let lengths = try VisitDurations(layer: model.layer, source: source, isSmall: isSmall)
        let pictures = [dwell(lengths, seen), survival(lengths, seen)].compactMap(\.self)
        return pictures.isEmpty ? [] : [.pictures(pictures)]
    }

    // MARK: - Charts

    private func dwell(_ lengths: VisitDurations, _ seen: LayerObservation) -> ReportPicture? {
        let rows = drawnStates.compactMap { state -> DwellHistogram.Row? in
            var histogram = LogHistogram()
            for visits in lengths.states[state.id]?.complete ?? [] {
                histogram.add(visits.duration, times: visits.count)
            }
            guard histogram.count > VisitDurations.mostInWords else { return nil }
            let figures = seen.visits[state.id]
            return DwellHistogram.Row(
                title: title(state), visits: histogram, median: figures?.median,
                p90: histogram.count < Percentile.fewest(90) ? nil : figures?.p90, state: state.id,
                tone: tone(of: state))
        }
        guard !rows.isEmpty else { return nil }
        let count = rows.reduce(0) { $0 + $1.visits.count }
        let ninetieth = rows.allSatisfy { $0.p90 == nil } ? "" : " and the 90th percentile"
        return picture(
            .dwell(DwellHistogram(title: heading(.durations), rows: rows)), id: "dwell",
            caption:
                "\(part(count, of: seen)) by duration, on a logarithmic scale, with the median\(ninetieth): those "
                + "that are complete, with both ends observed. Each row has its own scale: its highest bar has full height."
                + without(rows.map(\.state), lengths, \.completeVisits, seen, why: "no complete visit"))
    }

    /// The background comes first, because it is what users ask about; then the states with the most time.
    private func survival(_ lengths: VisitDurations, _ seen: LayerObservation) -> ReportPicture? {
        let states = drawnStates.filter { state in
            guard let visits = lengths.states[state.id], !visits.ended.isEmpty else { return false }
            return VisitDurations.State.count(visits.survival) > VisitDurations.mostInWords
        }.sorted { a, b in
            let (first, second) = (a.id == "background", b.id == "background")
            if first != second { return first }
            let (more, less) = (seen.visits[a.id]?.total ?? 0, seen.visits[b.id]?.total ?? 0)
            return (less, a.id) < (more, b.id)
        }
        guard !states.isEmpty else { return nil }
        let series = states.map { state in
            // The first state of most models has no visits: the second one has the solid line.
            let place = drawnStates.firstIndex(of: state).map { $0 + SurvivalCurve.mostSeries - 1 }
            return SurvivalCurve.Series(
                title: title(state), visits: lengths.states[state.id]?.survival ?? [], state: state.id,
                tone: tone(of: state), place: place, isExact: lengths.isExact)
        }
        return picture(
            .survival(SurvivalCurve(title: heading(.inProgress), series: series)), id: "survival",
            caption:
                "Share of visits still in progress after a time (Kaplan-Meier), of \(part(series.reduce(0) { $0 + $1.count }, of: seen)): "
                + "those with a known start. A visit that the log cuts counts for as long as it was observed, unlike in the table."
                + without(states.map(\.id), lengths, \.survival, seen, why: "no end was observed"))
    }

    /// The states with visits that a chart leaves out: those with few in words.
    private func without(
        _ drawn: [String], _ lengths: VisitDurations, _ visits: KeyPath<VisitDurations.State, [Visits]>,
        _ seen: LayerObservation, why: String
    ) -> String {
        let names = drawnStates.filter { state in
            !drawn.contains(state.id) && seen.visits[state.id]?.count ?? 0 > 0
                && VisitDurations.inWords(lengths.states[state.id]?[keyPath: visits] ?? []) == nil
        }.map(title)
        let rest = names.isEmpty ? "" : " Without \(names.joined(separator: ", ")): \(why)."
        let few = drawnStates.filter { !drawn.contains($0.id) }.compactMap { state in
            VisitDurations.inWords(lengths.states[state.id]?[keyPath: visits] ?? []).map { "\(title(state)) (\($0))" }
        }
        return rest + (few.isEmpty ? "" : " Too few visits to draw: \(few.joined(separator: "; ")).")
    }

    /// Which state follows which, as a matrix.
    func transitions() throws -> ReportPicture? {
        let seen = try source.observation(of: model.layer)
        // A table says the same of a few.
        guard seen.moves.values.reduce(0, { $0 + $1.figures.count }) > VisitDurations.mostInWords else { return nil }
        var counts: [[String]: (count: Int, inferred: Int, isDocumented: Bool)] = [:]
        var leaving: [String: Int] = [:]
        for (line, moves) in seen.moves {
            let (known, count) = (counts[[line.from, line.to]] ?? (0, 0, true), moves.figures.count)
            counts[[line.from, line.to]] = (
                known.count + (line.isInferred ? 0 : count), known.inferred + (line.isInferred ? count : 0),
                known.isDocumented && line.isDocumented
            )
            leaving[line.from, default: 0] += line.isInferred ? 0 : count
        }
        let cells = counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { pair, seen in
            TransitionHeatMap.Cell(
                from: pair[0], to: pair[1], count: seen.count,
                probability: Double(seen.count) / Double(max(1, leaving[pair[0]] ?? 0)),
                inferred: seen.inferred, isDocumented: seen.isDocumented)
        }
        let used = Set(cells.flatMap { [$0.from, $0.to] })
        let names = model.states.filter { used.contains($0.id) }.map {
            TransitionHeatMap.Name(id: $0.id, title: title($0))
        }
        return picture(
            .transitions(TransitionHeatMap(title: heading(.betweenStates), states: names, cells: cells)),
            id: "transitions",
            caption: "From the state of the row to that of the column."
                + (cells.allSatisfy(\.isDocumented)
                    ? "" : " A dashed frame: some or all of these transitions are undocumented."))
    }

    func days() throws -> ReportPicture? {
        var days: [String: [String: Int64]] = [:]
        if source.isWhole {
            for (day, spent) in source.survey.days {
                for (key, time) in spent where key[0] == model.layer {
                    days[CivilTime.date(nanoseconds: day * PictureSurvey.day), default: [:]][key[1]] = time
                }
            }
        } else {
            let values = DiagramQueries.values(source.filter, layer: model.layer)
            for row in try Rows.all(source.reader, ReportQueries.days, values) {
                guard let date = row.text("day"), let state = row.text("state") else { continue }
                days[date, default: [:]][state] = row.integer("ns")
            }
        }
        // Lines without a date belong to no day.
        days = days.filter { $0.key >= CivilTime.date(nanoseconds: ClockText.dated) }
        guard days.count > 1 else { return nil }
        let states = tones.filter { state in days.values.contains { $0[state.id] != nil } }
        let left = max(0, days.count - Self.mostDays)
        let more = left > 0 ? " The latest \(Self.mostDays) of \(days.count) days are shown." : ""
        let drawn = days.sorted { $0.key < $1.key }.dropFirst(left).map {
            DailyActivity.Day(date: $0.key, time: $0.value)
        }
        return picture(
            .daily(DailyActivity(title: heading(.byDay), states: states, days: drawn)), id: "daily",
            caption: "Completed visits, by the day (UTC) on which they begin.\(more)")
    }

    /// When the instances of each run enter a state, with a heading.
    func dots() throws -> (title: String, picture: ReportPicture)? {
        var values = DiagramQueries.values(source.filter)
        let all = Int(try Rows.all(source.reader, TimelineQueries.count, values).first?.integer("runs") ?? 0)
        values["most"] = .integer(Int64(DottedChart.mostRows))
        var rows: [DottedChart.Row] = []
        var entered: Set<String> = []
        for run in try Rows.all(source.reader, TimelineQueries.spread, values) {
            guard let id = run.integer("run_id") else { continue }
            let visits = try source.reader.store.visits(ofRun: id, layer: model.layer, most: Self.mostVisits)
            let times = visits.compactMap(\.entered)
            let isDated = times.contains { $0 >= ClockText.dated }
            let dots = visits.compactMap { visit in
                visit.entered.flatMap { time in
                    isDated && time < ClockText.dated ? nil : DottedChart.Dot(time: time, state: visit.state)
                }
            }
            guard !dots.isEmpty else { continue }
            entered.formUnion(dots.map(\.state))
            rows.append(
                DottedChart.Row(title: TimelineRenderer.title(of: run, PictureLanguage(checked: language)), dots: dots))
        }
        guard rows.count > 1 else { return nil }
        let isAll = all == rows.count
        let chosen = all > DottedChart.mostRows ? "evenly chosen" : "those with dated visits"
        let chart = DottedChart(
            title: heading(.entered), states: tones.filter { entered.contains($0.id) }, rows: rows, allRows: all)
        var narrow = chart
        narrow.isNarrow = true
        return (
            isAll
                ? "Every run from its launch on"
                : "\(rows.count) of \(NumberText.grouped(all)) runs from their launch on",
            picture(
                .dotted(chart), narrow: .dotted(narrow), id: "dots",
                caption:
                    "One row for each run\(isAll ? "" : " (\(rows.count) runs, \(chosen))"); each dot is the start of a visit, "
                    + "on a logarithmic scale.")
        )
    }

    // MARK: - Helpers

    private func picture(_ chart: Chart, narrow: Chart? = nil, id: String, caption: String) -> ReportPicture {
        func svg(_ chart: Chart, _ suffix: String = "") -> String {
            chart.svg(
                language: PictureLanguage(checked: language),
                idPrefix: "chart-\(ReportBuilder.anchor(model.layer))-\(id)\(suffix)", isPart: true)
        }
        return ReportPicture(svg: svg(chart), narrow: narrow.map { svg($0, "-narrow") } ?? "", caption: caption)
    }

    /// `317 of 422 visits`: how many of those that the diagram and the table count.
    private func part(_ count: Int, of seen: LayerObservation) -> String {
        "\(NumberText.grouped(count)) of \(Plural.text(seen.visits.values.reduce(0) { $0 + $1.count }, "visit"))"
    }

    private var drawnStates: [ModelState] { model.states.filter(\.isDrawn) }

    private var tones: [Timeline.State] {
        model.states.map { Timeline.State(id: $0.id, title: title($0), tone: tone(of: $0)) }
    }

    private func tone(of state: ModelState) -> Timeline.Tone {
        let place = model.states.firstIndex { $0.id == state.id } ?? 0
        return TimelineTones.tone(of: state, at: place, in: model)
    }

    /// The titles of the states by their ids.
    var titles: [String: String] {
        Dictionary(model.states.map { ($0.id, title($0)) }, uniquingKeysWith: { first, _ in first })
    }

    private func title(_ state: ModelState) -> String { state.title[language] }

    private func heading(_ chart: PictureHeading.Chart) -> String {
        PictureHeading.chart(chart, PictureLanguage(checked: language))
    }
}

/// How many durations a high percentile needs: as many as leave one beyond it.
enum Percentile {
    /// 10 for the 90th percentile, 100 for the 99th.
    static func fewest(_ percent: Int) -> Int { 100 / (100 - percent) }

    /// Removes from a table what too few durations say nothing about. The column of their count stands before them.
    static func removeUncertain(from table: inout ReportTable) {
        let names = table.columns.map(\.column.name)
        guard let count = ["complete", "launches", "visits"].compactMap({ names.firstIndex(of: $0) }).first else {
            return
        }
        for (place, name) in names.enumerated() {
            guard let percent = name.wholeMatch(of: /p([789]\d)_.*/).flatMap({ Int($0.1) }) else { continue }
            for row in table.rows.indices {
                if case .integer(let number) = table.rows[row][count], number < fewest(percent) {
                    table.rows[row][place] = .null
                }
            }
        }
    }
}

/// The distributions of the durations of visits in one layer.
struct VisitDurations {
    typealias Bucket = DwellBook.Bucket

    /// So many visits are named one by one instead of drawn.
    static let mostInWords = 2

    /// The visits of one state.
    struct State {
        /// Both ends are observed.
        var complete: [Bucket] = []
        /// Both ends are known, observed or inferred.
        var ended: [Bucket] = []
        /// Cut off by the end of the log; their durations are lower bounds.
        var cut: [Bucket] = []

        /// All durations, censored ones included.
        var survival: [SurvivalCurve.Series.Visits] {
            ended.map { ($0.duration, true, $0.count) } + cut.map { ($0.duration, false, $0.count) }
        }

        var completeVisits: [SurvivalCurve.Series.Visits] { complete.map { ($0.duration, true, $0.count) } }

        static func count(_ visits: [SurvivalCurve.Series.Visits]) -> Int { visits.reduce(0) { $0 + $1.count } }
    }

    /// `1.2 s and at least 3 s`: visits that are too few to draw; `nil` for more, and for none.
    static func inWords(_ visits: [SurvivalCurve.Series.Visits]) -> String? {
        guard 1...mostInWords ~= State.count(visits) else { return nil }
        let words = visits.filter { $0.isComplete || $0.duration > 0 }.flatMap { visit in
            let known = visit.isComplete ? visit.duration : HumanDuration.lowerBound(visit.duration)
            let length = HumanDuration.text(nanoseconds: known)
            return repeatElement(visit.isComplete ? length : "at least \(length)", count: visit.count)
        }
        return words.isEmpty ? nil : words.joined(separator: " and ")
    }

    private(set) var states: [String: State] = [:]
    /// Whether the durations are not rounded.
    let isExact: Bool

    init(layer: String, source: PictureSource, isSmall: Bool) throws {
        isExact = isSmall || !source.isWhole
        if source.isWhole {
            try read(layer, source.book, source.reader)
        } else {
            try read(layer, source.filter, source.reader)
        }
    }

    private mutating func read(_ layer: String, _ book: DwellBook, _ reader: DatabaseReading) throws {
        var kinds: [String: (complete: [Int64], ended: [Int64], cut: [Int64])] = [:]
        for (id, kind) in book.kinds where kind.layer == layer && kind.isVisit && kind.steps > 0 {
            guard let state = kind.before else { continue }
            if kind.isComplete { kinds[state, default: ([], [], [])].complete.append(id) }
            if kind.censoring.isEmpty { kinds[state, default: ([], [], [])].ended.append(id) }
            if kind.censoring == "right" { kinds[state, default: ([], [], [])].cut.append(id) }
        }
        let found = Array(kinds)
        let groups = found.flatMap { [$0.value.complete, $0.value.ended, $0.value.cut] }
        let lengths = isExact ? try book.lengths(of: groups) : groups.map(book.distribution)
        for (place, state) in found.enumerated() {
            let own = lengths[(3 * place)...]
            states[state.key] = State(
                complete: own[own.startIndex], ended: own[own.startIndex + 1], cut: own[own.startIndex + 2])
        }
    }

    private mutating func read(_ layer: String, _ filter: Filter?, _ reader: DatabaseReading) throws {
        typealias Counts = [Int64: Int]
        var counts: [String: (complete: Counts, ended: Counts, cut: Counts)] = [:]
        let values = DiagramQueries.values(filter, layer: layer)
        try reader.query(DiagramQueries.lengths, values) { row in
            guard let state = row.text(0), let length = row.integer(2) else { return }
            let none: (complete: Counts, ended: Counts, cut: Counts) = ([:], [:], [:])
            let censoring = row.text(3) ?? ""
            // In place: a copy of the counts for every row would take as long as all rows before it.
            if row.integer(1) == 1 { counts[state, default: none].complete[length, default: 0] += 1 }
            if censoring.isEmpty { counts[state, default: none].ended[length, default: 0] += 1 }
            if censoring == "right" { counts[state, default: none].cut[length, default: 0] += 1 }
        }
        func buckets(_ counts: Counts) -> [Bucket] {
            counts.sorted { $0.key < $1.key }.map { Bucket(duration: $0.key, count: $0.value) }
        }
        states = counts.mapValues {
            State(complete: buckets($0.complete), ended: buckets($0.ended), cut: buckets($0.cut))
        }
    }
}
