import CohortComparison
import LifecycleModel
import Reports
import StateDiagrams
import TraceRecords

/// The pictures of a comparison: one map with both cohorts, and how long visits last in each.
struct ComparedPictures {
    private let compared: CohortComparer.Compared
    let report: ComparisonReport

    /// - Parameter titles: Of states by layer and id.
    init(_ compared: CohortComparer.Compared, titles: [String: [String: String]] = [:]) {
        self.compared = compared
        var report = compared.report
        report.titles.merge(titles) { $1 }
        self.report = report
    }

    // MARK: - Curves

    /// How long visits of each state last, in both cohorts.
    ///
    /// The most certain differences come first, with a mark on those beyond chance.
    ///
    /// - Parameter layer: the only one to draw, with the titles of its states only.
    func curves(of layer: String? = nil) -> [SurvivalCurve] {
        let rows = compared.cohorts.measurements.filter { layer == nil || $0.layer == layer }
        let chances = rows.map { self.row($0.kind, $0.layer, $0.name)?.p ?? 1 }
        return zip(rows, chances).enumerated().sorted { a, b in
            (a.element.1, a.offset) < (b.element.1, b.offset)
        }.compactMap { place in
            let row = place.element.0
            guard row.kind == .dwell, case .stays(let stays) = row.content,
                let written = self.row(.dwell, row.layer, row.name)
            else { return nil }
            let sides = [("A", written.a, false), ("B", written.b, true)]
            let series = sides.map { name, figure, isB in
                let own = SurvivalEstimate(stays.filter { compared.cohorts.isInB[Int($0.unit)] == isB })
                let steps = own.curve(units: compared.cohorts.isInB.count).map {
                    SurvivalCurve.Step(time: Int64($0.seconds * 1e9), share: $0.share, band: $0.band)
                }
                return SurvivalCurve.Series(title: name, count: Int(figure.count), steps: steps)
            }
            let state = report.titles[row.layer]?[row.name] ?? row.name
            let prefix = layer == nil ? "\(report.layerTitles[row.layer] ?? row.layer) · " : ""
            return SurvivalCurve(
                title: (written.isSignificant ? StateGraph.beyondChance : "") + prefix + state, series: series)
        }
    }

    func curves(_ format: DiagramFormat) throws -> RenderedPicture {
        let sheet = SurvivalSheet(
            title: "How long visits last", subtitle: (report.sides + [report.verdict]).joined(separator: " · "),
            curves: curves(), units: report.unitNames)
        return RenderedPicture(
            bytes: try Chart.survivals(sheet).bytes(format),
            summary: report.verdict)
    }

    // MARK: - The map

    /// Both cohorts in one graph.
    func graph(of model: LifecycleModel, language: String) throws -> StateGraph {
        let a = try observation(of: model, in: compared.names.a, report.units.runs.a)
        let b = try observation(of: model, in: compared.names.b, report.units.runs.b)
        var observed = ObservedGraph(model: model, language: language)
        observed.add(LayerObservation(a, b))
        let drawn = PictureLanguage(checked: language)
        var graph = observed.graph(
            title: PictureHeading.lifecycle(of: model.title[language], drawn),
            subtitle: drawn == .english
                ? (report.sides + [report.verdict]).joined(separator: " · ")
                : "A \(report.request.a) · B \(report.request.b)",
            runs: report.units.runs.a.count + report.units.runs.b.count, events: nil)
        for index in graph.states.indices {
            func change(_ kind: MeasuredRow.Kind, unit: Double) -> StateGraph.Change? {
                row(kind, model.layer, graph.states[index].id).map { row in
                    .init(
                        a: row.a.value.map { $0 * unit }, b: row.b.value.map { $0 * unit },
                        isSignificant: row.isSignificant)
                }
            }
            graph.states[index].change = change(.dwell, unit: 1e9)
            graph.states[index].shareChange = change(.share, unit: 1)
        }
        let left = (Self.left(a), Self.left(b))
        for index in graph.edges.indices where graph.edges[index].seen != nil {
            let edge = graph.edges[index]
            let line = LayerObservation.Line(
                from: edge.from, to: edge.to, isDocumented: edge.isDocumented, isInferred: edge.isInferred)
            // What was only inferred is no part of the observed moves.
            func figure(_ cohort: LayerObservation, _ left: [String: Int]) -> Double? {
                let count = Double(cohort.moves[line]?.figures.count ?? 0)
                return edge.isInferred ? count : left[edge.from].map { count / Double($0) }
            }
            graph.edges[index].change = .init(
                a: figure(a, left.0), b: figure(b, left.1),
                isSignificant: !edge.isInferred
                    && row(.transition, model.layer, "\(edge.from)>\(edge.to)")?.isSignificant == true,
                isCount: edge.isInferred)
        }
        // The figures that differ may be of other layers, or of launches.
        let (found, all) = (graph.differences.count, report.rows.count(where: \.isSignificant))
        if drawn == .english, all > 0 {
            let part = found == 0 ? "none of them is" : found == all ? "all are" : "\(found) of the \(all) are"
            graph.subtitle += "; \(part) in this picture"
        }
        return graph
    }

    private func observation(
        of model: LifecycleModel, in cohort: Cohort, _ runs: [CohortRun]
    ) throws -> LayerObservation {
        try DatabaseReading.run(cohort.database, limit: report.request.limit) {
            try LayerObservation(layer: model.layer, runs: Set(runs.map(\.id)), $0)
        }
    }

    /// Observed transitions out of each state.
    private static func left(_ observation: LayerObservation) -> [String: Int] {
        observation.moves.filter { !$0.key.isInferred }
            .reduce(into: [:]) { $0[$1.key.from, default: 0] += $1.value.figures.count }
    }

    private func row(_ kind: MeasuredRow.Kind, _ layer: String, _ name: String) -> ComparedRow? {
        report.rows.first { ($0.kind, $0.layer, $0.name) == (kind, layer, name) }
    }
}

// MARK: - In a report

extension ComparedPictures {
    /// The number of curves beside the map; the others are in a section that opens with a click.
    private static let mostCurves = 2

    /// The answer and its figures.
    func section() -> ReportSection {
        let request = report.request
        return ReportSection(
            id: "comparison", title: "Comparison", blocks: report.blocks,
            questions: [
                ReportQuestion(
                    "lifestats compare \([request.a, request.b].map(ShellText.quoted).joined(separator: " "))")
            ])
    }

    /// Both cohorts in one map of a layer; `nil` where neither has it.
    func map(of model: LifecycleModel, language: String) throws -> ReportPicture? {
        guard report.rows.contains(where: { $0.layer == model.layer }) else { return nil }
        return ReportPicture(
            try graph(of: model, language: language), view: .overlay,
            id: "compared-\(ReportBuilder.anchor(model.layer))", language: language,
            caption: "What differs from A to B; a diamond marks a difference beyond chance.")
    }

    /// How long visits last in both cohorts, state by state.
    func curves(of model: LifecycleModel, language: String) -> [ReportBlock] {
        let curves = curves(of: model.layer).enumerated().map {
            let id = "compared-\(ReportBuilder.anchor(model.layer))-curve-\($0)"
            return ReportPicture(
                svg: Chart.survival($1).svg(
                    language: PictureLanguage(checked: language), idPrefix: id, isPart: true),
                caption: "Share of visits still in progress after a time (Kaplan-Meier), with bands of 95%.")
        }
        let rest = Array(curves.dropFirst(Self.mostCurves))
        return (curves.isEmpty ? [] : [.pictures(Array(curves.prefix(Self.mostCurves)))])
            + (rest.isEmpty ? [] : [.more(Plural.text(rest.count, "more state"), [.pictures(rest)])])
    }
}
