import LifecycleModel
import StateDiagrams
import TraceStore

/// What the pictures of a database are filled from.
struct PictureSource {
    let filter: Filter?
    let book: DwellBook
    /// The filter in words.
    let restrictions: [String]
    let reader: TraceReader

    /// What is documented and what was observed of a model, joined.
    ///
    /// - Parameter survey: what a pass over the steps told; one is made when it is missing.
    func graph(of model: LifecycleModel, language: String, survey: PictureSurvey? = nil) throws -> StateGraph {
        let survey = try survey ?? PictureSurvey(layer: model.layer, filter: filter, book: book, reader)
        var observed = ObservedGraph(model: model, language: language)
        observed.add(try LayerObservation(layer: model.layer, filter: filter, book: book, reader))
        if let estimate = survey.estimate { observed.add(estimate) }
        observed.add(marks: survey.marks[model.layer] ?? [:])
        observed.add(
            endings: try reader.endings(
                layer: model.layer, runs: DiagramQueries.living, parameters: DiagramQueries.values(filter)))
        let totals = try Self.totals(filter, reader)
        let drawn = PictureLanguage(rawValue: language) ?? .english
        return observed.graph(
            title: PictureHeading.lifecycle(of: model.title[language], drawn),
            subtitle: PictureHeading.subtitle(
                apps: totals.apps, runs: totals.runs, events: totals.events, restrictions: restrictions, drawn),
            runs: totals.runs, events: totals.events)
    }

    /// What a picture or a check was made from.
    struct Totals {
        var apps: [String] = []
        var runs = 0
        var events = 0
    }

    /// The apps, runs and events that a filter leaves.
    static func totals(_ filter: Filter?, _ reader: TraceReader) throws -> Totals {
        let values = DiagramQueries.values(filter)
        var totals = Totals()
        for row in try Rows.all(reader, DiagramQueries.apps, values) {
            if let app = row.text("app") { totals.apps.append(app) }
            totals.runs += Int(row.integer("runs") ?? 0)
        }
        let isWhole = filter?.isEmpty ?? true
        let events = try Rows.all(
            reader, isWhole ? DiagramQueries.allEvents : DiagramQueries.events, isWhole ? [:] : values)
        totals.events = Int(events.first?.integer("events") ?? 0)
        return totals
    }
}
