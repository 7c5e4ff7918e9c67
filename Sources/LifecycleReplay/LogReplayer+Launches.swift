import LifecycleModel
import TraceRecords

/// A launch does not say whether it is one into the foreground or the background; what follows does.
extension LogReplayer {
    /// Decides an open choice if a callback allows it.
    mutating func narrow(_ slot: Int32, by callback: UInt16, at time: Int64) {
        guard let launch = undecided[slot] else {
            instances[Int(slot)].alternatives = 0
            return
        }
        let instance = instances[Int(slot)]
        let model = plan.catalog.models[Int(instance.model)]
        if launch.steps.count >= UndecidedLaunch.stepsKept {
            settle(slot, logEnds: false)
            return
        }
        if model.traits[Int(callback)].contains(.beginsRun) { return }
        if model.traits[Int(callback)].contains(.isSupplementary) {
            if model.traits[Int(callback)].contains(.wakesInBackground) { undecided[slot]?.wokenInBackground = true }
            return
        }
        let other = UInt8(instance.alternatives.trailingZeroBitCount)
        let here = model.action(of: callback, in: instance.state)
        let there = model.action(of: callback, in: other)
        let isLate =
            launch.wokenInBackground || time == Time.none || launch.time == Time.none
            || plan.settings.infersBackgroundLaunch && time - launch.time > plan.settings.backgroundLaunchAfter
        let background =
            if there.isLegal, there.after == other {
                true
            } else if there.isLegal {
                isLate && !(here.isLegal && time == Time.none && !launch.wokenInBackground)
            } else {
                false
            }
        decide(slot, background: background, inferred: false)
    }

    /// Decides an open choice at the end of what is known of the run.
    mutating func settle(_ slot: Int32, logEnds: Bool) {
        guard instances[Int(slot)].alternatives != 0, let launch = undecided[slot] else { return }
        let run = runs[Int(instances[Int(slot)].run)]
        let goesOn = logEnds && !run.superseded && run.endReason == nil && !run.hasGoneBack
        let known = goesOn ? max(run.lastHeard, latest) : run.lastHeard
        let isLong =
            launch.time != Time.none && known != Time.none && known > launch.time
            && plan.settings.infersBackgroundLaunch && known - launch.time > plan.settings.backgroundLaunchAfter
        decide(slot, background: launch.wokenInBackground || isLong, inferred: true)
    }

    /// Settles where a launch led and corrects the steps since then.
    ///
    /// - Parameter byScenes: whether it is in the background only as every app is whose scenes are not in the foreground.
    mutating func decide(_ slot: Int32, background: Bool, inferred: Bool, byScenes: Bool = false) {
        let instance = instances[Int(slot)]
        let launch = undecided.removeValue(forKey: slot)
        instances[Int(slot)].alternatives = 0
        guard let launch else { return }
        if background {
            let old = instance.state
            let new = UInt8(instance.alternatives.trailingZeroBitCount)
            instances[Int(slot)].state = new
            instances[Int(slot)].openedByInference = inferred
            for place in memories[Int(slot)].cells.indices { memories[Int(slot)].cells[place].isSet = false }
            if new == plan.catalog.background, !byScenes || launch.wokenInBackground {
                runs[Int(instance.run)].everBackground = true
            }
            for (step, recorded) in launch.steps.map({ ($0.step, $0.key) }) {
                var key = recorded
                if key.before == old { key.before = new }
                if key.after == old { key.after = new }
                if inferred, key.before != key.after { key.inferred = true }
                correct(step, key)
            }
        }
        if let grace = options.suspendGrace {
            for silence in launch.silences { suspend(slot, from: silence.from, until: silence.until, grace: grace) }
        }
    }

    /// The place of a step that has not been handed over; ids grow, but not always by one.
    private func placeInBatch(of step: Int64) -> Int? {
        var (low, high) = (0, out.steps.count)
        while low < high {
            let middle = (low + high) / 2
            if out.steps[middle].id < step { low = middle + 1 } else { high = middle }
        }
        return low < out.steps.count && out.steps[low].id == step ? low : nil
    }

    /// Gives a step another kind: in place, or as a revision when the store has it already.
    private mutating func correct(_ step: Step, _ key: KindKey) {
        let kind = number(of: key)
        if let first = out.steps.first, step.id >= first.id, let place = placeInBatch(of: step.id) {
            out.steps[place].kind = kind
        } else {
            var revised = step
            revised.kind = kind
            out.revisedSteps.append(revised)
        }
    }
}
