import LifecycleModel
import StateDiagrams

/// How a state is coloured in timelines: by what the model says of it, not by its name alone.
enum TimelineTones {
    /// - Parameter place: Place of the state in its model: the states of a user's model take the tones in turn.
    static func tone(of state: ModelState, at place: Int, in model: LifecycleModel) -> Timeline.Tone {
        if let known = byState[state.id] { return known }
        if state.runsCode == false { return .suspended }
        if ["app", "scene", "view", "process"].contains(model.layer) { return .transit }
        if state.id == model.initial || model.final.contains(state.id) { return .outside }
        return inTurn[place % inTurn.count]
    }

    private static let inTurn: [Timeline.Tone] = [.active, .transit, .background, .suspended]

    private static let byState: [String: Timeline.Tone] = [
        "active": .active, "fg_active": .active, "appeared": .active,
        "inactive": .transit, "fg_inactive": .transit, "appearing": .transit, "disappearing": .transit,
        "background": .background, "loaded": .background, "running": .background,
        "suspended": .suspended, "disappeared": .suspended,
        "not_running": .outside, "unattached": .outside, "unloaded": .outside, "discarded": .outside,
        "deallocated": .outside,
    ]
}
