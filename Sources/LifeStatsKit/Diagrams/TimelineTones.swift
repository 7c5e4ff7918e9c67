import LifecycleModel
import StateDiagrams

/// How a state is coloured in timelines: by what the model says of it, not by its name alone.
enum TimelineTones {
    static func tone(of state: ModelState) -> Timeline.Tone {
        if let known = byState[state.id] { return known }
        return state.runsCode == false ? .suspended : .transit
    }

    private static let byState: [String: Timeline.Tone] = [
        "active": .active, "fg_active": .active, "appeared": .active,
        "inactive": .transit, "fg_inactive": .transit, "appearing": .transit, "disappearing": .transit,
        "background": .background, "loaded": .background, "running": .background,
        "suspended": .suspended, "disappeared": .suspended,
        "not_running": .outside, "unattached": .outside, "unloaded": .outside, "discarded": .outside,
        "deallocated": .outside,
    ]
}
