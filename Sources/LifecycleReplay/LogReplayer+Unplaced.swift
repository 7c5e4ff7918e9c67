import LifecycleModel
import TraceRecords

/// Callbacks of scenes that the platform does not have, in runs without the scene that they name: such a line shows that
/// something is wrong, not that there is a scene. It is an event of the app.
extension LogReplayer {
    /// Whether a callback is of no scene that is known.
    mutating func isUnplaced(_ run: Int32, _ place: CompiledCatalog.Place, _ event: ResolvedEvent) -> Bool {
        let model = plan.catalog.models[Int(place.model)]
        guard model.isPerScene, model.traits[Int(place.callback)].contains(.isUnknown), plan.catalog.app != nil else {
            return false
        }
        let label = symbols.caseless(event.speaker.label)
        return search(run, model, label: label) == nil
    }

    /// Keeps the event, which changes nothing, and reports it.
    mutating func noteUnplaced(_ run: Int32, _ place: CompiledCatalog.Place, _ event: ResolvedEvent) {
        guard let number = plan.catalog.app else { return }
        let app = ofRun(run, plan.catalog.models[number])
        let time = event.time
        // No callback of the app has such a number.
        let mark = CompiledModel.noCallback - 1 - place.callback
        if isRepetition(app, mark, at: time) { return }
        let state = instances[Int(app)].state
        let id = record(
            app, role: .event, subject: place.callback, of: place.model, origin: 0, before: state, after: state,
            isLegal: false, time: time, line: event.line, inferred: false)
        reportUnknown(place, of: app, repair: "without this line", event)
        keepMessage(event, step: id)
        instances[Int(app)].lastCallback = mark
        instances[Int(app)].executionTime = time
        if plan.catalog.hasListeners { drive(run, by: event) }
    }
}
