import TraceRecords

/// Models whose transitions name callbacks of other models: a player that leaves the picture when its app does.
extension LogReplayer {
    /// Moves the instances that a callback of another model drives. What it means to that model in a state that names no
    /// move for it is not known, so it stays there and nothing is wrong.
    mutating func drive(_ run: Int32, by event: ResolvedEvent) {
        for listener in plan.catalog.listeners[Int(event.callback)] {
            let model = plan.catalog.models[Int(listener.model)]
            if model.isPerRun {
                guard runs[Int(run)].launchSeen != 0 || search(run, model, label: 0) != nil else { continue }
                move(ofRun(run, model), listener.callback, event)
            } else {
                for other in runs[Int(run)].others where instances[Int(other)].model == listener.model {
                    move(other, listener.callback, event)
                }
            }
        }
    }

    private mutating func move(_ slot: Int32, _ callback: UInt16, _ event: ResolvedEvent) {
        let state = instances[Int(slot)].state
        guard state != CompiledModel.unknown else { return }
        let action = plan.catalog.models[Int(instances[Int(slot)].model)].action(of: callback, in: state)
        guard action.isLegal, action.after != state else { return }
        let last = instances[Int(slot)].lastCallback
        record(
            slot, role: .derived, subject: callback, origin: 0, before: state, after: action.after, isLegal: true,
            time: event.time, line: event.line, inferred: false)
        instances[Int(slot)].lastCallback = last
    }
}
