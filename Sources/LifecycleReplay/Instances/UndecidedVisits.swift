import LifecycleModel
import TraceRecords

/// A visit of which the line that began it does not say in which of two states it is, with the steps that hang on it.
///
/// A launch may lead into the foreground or the background. A word "foreground" may mean active or inactive.
struct UndecidedVisit {
    /// How many steps are kept; a visit that goes on longer is decided as the log's end would decide it.
    static let stepsKept = 4096

    /// When the visit began.
    var time: Int64
    var isLaunch = true
    /// The steps with the keys of their kinds; of a resumed replay also those of the callbacks before, 0 for none.
    var steps: [(step: Step, key: KindKey, previous: UInt64)] = []
    /// Whether something showed that the app was woken in the background.
    var wokenInBackground = false
}

extension InstanceMachine {
    /// Decides an open choice if a callback allows it.
    mutating func narrow(_ event: CallbackEvent) {
        let slot = event.instance
        guard let visit = undecided[slot] else {
            states[Int(slot)].alternatives = 0
            return
        }
        let model = plan.catalog.models[Int(event.model)]
        if visit.steps.count >= UndecidedVisit.stepsKept {
            settle(slot, logEnds: false)
            return
        }
        if visit.isLaunch, event.traits.contains(.beginsRun) { return }
        if event.traits.contains(.isSupplementary) { return }
        let other = UInt8(states[Int(slot)].alternatives.trailingZeroBitCount)
        let here = model.action(of: event.local, in: states[Int(slot)].state)
        let there = model.action(of: event.local, in: other)
        guard visit.isLaunch else {
            decide(slot, other: there.isLegal && !here.isLegal, inferred: true)
            return
        }
        let time = event.time
        let isLate =
            visit.wokenInBackground || time == Time.none || visit.time == Time.none
            || plan.settings.infersBackgroundLaunch && time - visit.time > plan.settings.backgroundLaunchAfter
        if here.isLegal, here.after == other, isLate, time != Time.none, !visit.wokenInBackground {
            // So long after a launch into the background the app would be there already; no line tells how it got there.
            decide(slot, other: false, inferred: false)
            states[Int(slot)].openedByInference = true
            return
        }
        let background =
            if there.isLegal, there.after == other {
                true
            } else if there.isLegal {
                isLate && !(here.isLegal && time == Time.none && !visit.wokenInBackground)
            } else {
                false
            }
        decide(slot, other: background, inferred: false)
    }

    /// Decides an open choice at the end of what is known of the run.
    mutating func settle(_ slot: Int32, logEnds: Bool) {
        guard states[Int(slot)].alternatives != 0, let visit = undecided[slot] else { return }
        guard visit.isLaunch else {
            decide(slot, other: false, inferred: true)
            return
        }
        let run = runs.states[Int(states[Int(slot)].run)]
        let goesOn = logEnds && !run.isOver && !run.hasGoneBack
        let known = goesOn ? max(run.lastHeard, latest) : run.lastHeard
        let isLong =
            visit.time != Time.none && known != Time.none && known > visit.time
            && plan.settings.infersBackgroundLaunch && known - visit.time > plan.settings.backgroundLaunchAfter
        decide(slot, other: visit.wokenInBackground || isLong, inferred: true)
    }

    /// Decides in which state a visit is, and corrects the steps since it began.
    ///
    /// - Parameters:
    ///   - other: whether it is in the other state than the one that it seemed to be in.
    ///   - byScenes: whether it is in the background only as every app is whose scenes are not in the foreground.
    mutating func decide(_ slot: Int32, other: Bool, inferred: Bool, byScenes: Bool = false) {
        let place = Int(slot)
        let (old, new) = (states[place].state, UInt8(states[place].alternatives.trailingZeroBitCount))
        states[place].alternatives = 0
        guard let visit = undecided.removeValue(forKey: slot) else { return }
        if other {
            states[place].state = new
            states[place].openedByInference = inferred
            if new == plan.catalog.background, !byScenes || visit.wokenInBackground {
                runs.states[Int(states[place].run)].everBackground = true
            }
            for (step, key, _) in visit.steps {
                var key = key
                if key.before == old { key.before = new }
                if key.after == old { key.after = new }
                if inferred, key.before != key.after { key.inferred = true }
                rows.correct(step, kind: rows.number(of: key))
            }
        }
        emissions.append(Emission(decided: states[place], slot: slot, from: old))
    }
}
