import TraceRecords

/// Where one instance is in its model: a flat value without references, so that touching it counts none.
struct InstanceState: BitwiseCopyable {
    /// Row id.
    var id: Int64
    /// Slot of the run.
    var run: Int32
    /// Number of the model.
    var model: UInt8
    /// Present state; ``CompiledModel/unknown`` before the first callback that shows it.
    var state: UInt8
    /// The state in which the end of the process found it.
    var stateBeforeExit = CompiledModel.unknown
    /// Further states that the instance may be in instead (a visit that is not decided yet), one bit each.
    var alternatives: UInt64 = 0
    /// Time at which the open visit began, or since when a line shows it; ``Time/none`` when unknown.
    var entered = Time.none
    /// Step that began the open visit, or the first that shows it; 0 when no line does.
    var opener: Int64 = 0
    /// Whether the beginning of the open visit is inferred, or lines are lost inside it.
    var openedByInference = false
    /// Whether the open visit may have begun before the log.
    var cutLeft = false
    /// States in which it may be instead, because the log begins with lines of one time whose order is unknown; one bit
    /// each.
    var doubtful: UInt64 = 0
    /// Whether the clock went back or lines are lost inside the open visit, so that its length is unknown.
    var broken = false
    /// Whether the log says that lines are lost since the last callback that shows a state.
    var followsLoss = false
    /// Whether it came into being after the log began.
    var isNew = false
    /// Whether any event has occurred; whether one that can change the state has.
    var begun = false
    var hasMoved = false
    /// Whether words show the present state, and no callback yet; and the states of a scene that its phases have shown.
    var isToldByWords = false
    var told: UInt64 = 0
    /// Whether the callback has occurred that occurs once in the life of an object.
    var sawBeginning = false
    /// Whether the line of the last callback says that its method returns, so that no later line can.
    var hasReturned = false
    /// The last step.
    var lastStep: Int64 = 0

    /// The last evidence, by origin and proof; and the hash of the text of the last evidence or callback.
    var lastEvidence: UInt32 = 0
    var lastText: UInt16 = 0
    /// The last callback, by its number in the model; ``CompiledModel/noCallback`` after evidence.
    var lastCallback = CompiledModel.noCallback
    /// Number of the kind of the last callback, whatever evidence came after it; -1 before the first.
    var lastCallbackKind: Int32 = -1
    /// Time of the first line of the last callback's execution.
    var executionTime = Time.none
    /// Time, source and line of the last event.
    var lastTime = Time.none
    var lastSource: Int32 = 0
    var lastLine: Int64 = 0

    /// The last callback that was not supplementary, by its number in the vocabulary; its time, and the state before it.
    var previous = CompiledModel.noCallback
    var previousTime = Time.none
    var previousBefore = CompiledModel.unknown

    /// Whether it lived at the same time as another object with its label: its lines may be of either.
    var sharesName = false
    /// Hash of the label without regard to case; 0 for none.
    var label: UInt64
    /// How many instances of the run have borne the label before, plus 1.
    var ordinal: Int32 = 1

    /// Lines of one callback of an instance at most this far apart are one execution, in nanoseconds.
    static let foldingWindow: Int64 = 100_000_000

    /// Whether a callback is one more line of the execution that the instance saw last.
    @inline(__always)
    func isRepeated(_ callback: UInt16, at time: Int64) -> Bool {
        lastCallback == callback && isSameExecution(at: time)
    }

    @inline(__always)
    func isSameExecution(at time: Int64) -> Bool {
        time != Time.none && executionTime != Time.none && abs(time - executionTime) <= Self.foldingWindow
    }

    /// Whether a callback is the last one in other words, so soon after it as a method may take after which its notification
    /// is posted.
    func isInOtherWords(_ event: CallbackEvent) -> Bool {
        previous == event.callback && lastText != event.textHash && event.time != Time.none
            && executionTime != Time.none && abs(event.time - executionTime) <= Time.second
    }

    /// The step at a line of a source, if that is the last one; 0 when it is not.
    @inline(__always)
    func step(at line: Int64, of source: Int32) -> Int64 {
        lastLine == line && lastSource == source ? lastStep : 0
    }

    /// Notes the state in which the process ends, of which the first line counts.
    mutating func noteExit(in state: UInt8) {
        if stateBeforeExit == CompiledModel.unknown { stateBeforeExit = state }
    }

    /// Moves the instance as a step says; returns whether a visit began.
    @inline(__always)
    mutating func move(_ change: Change, step: Int64, of source: Int32, mayBeCut: Bool) -> Bool {
        let begins =
            change.before != change.after || !begun && change.after == state && change.after != CompiledModel.unknown
        if begins {
            cutLeft = mayBeCut
            entered = change.time
            opener = step
            openedByInference = change.inferred
            (broken, followsLoss) = (false, false)
            isToldByWords = false
        } else if state == CompiledModel.unknown, change.after != CompiledModel.unknown {
            cut()
        }
        state = change.after
        begun = true
        if change.time != Time.none { lastTime = change.time }
        lastLine = change.line
        lastSource = source
        lastCallback = CompiledModel.noCallback
        lastStep = step
        return begins
    }

    /// The open visit began before anything was logged of it.
    mutating func cut() {
        entered = Time.none
        opener = 0
        cutLeft = true
        openedByInference = false
        broken = false
    }

    /// Lines are lost: the open visit may have ended and begun again since, and the next callback follows from none before.
    mutating func loseLines() {
        (broken, openedByInference, followsLoss) = (begun, begun, begun)
        (previous, lastCallback) = (CompiledModel.noCallback, CompiledModel.noCallback)
    }

    /// Takes what is known of the beginning of the open visit for no more than a bound: the lines so far may have been of
    /// another process, or may not count.
    mutating func doubt() {
        if begun, state != CompiledModel.unknown { cutLeft = true }
    }
}

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
            // The system's words may come before the callback that leads to the other state.
            let isOther = there.isLegal || model.proof(of: event.local) == other
            decide(slot, other: isOther && !here.isLegal, inferred: true)
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

    /// Whether the app is where words of the system have taken it, and no callback of its run has come that could.
    func isPlacedBySystem(_ slot: Int32) -> Bool {
        let run = runs.states[Int(slot)]
        guard !run.toldBeyondLaunch, isSomewhere(run.app) else { return false }
        let app = states[Int(run.app)]
        return !app.hasMoved && rows.origins.isSystem[Int(app.lastEvidence >> 16)]
    }

    /// Takes back where the system's words have taken an app, as its launch comes: they precede the first callback of every
    /// launch, and tell where it leads.
    mutating func takeBack(_ slot: Int32) {
        let (place, run) = (Int(slot), Int(states[Int(slot)].run))
        runs.states[run].launchesIntoForeground = states[place].state == plan.catalog.active
        runs.states[run].everActive = false
        runs.states[run].everBackground = states[place].state == plan.catalog.background
        let steps = undecided.removeValue(forKey: slot)?.steps ?? []
        for (step, key, _) in steps where steps.first?.key.before == CompiledModel.unknown {
            var key = key
            (key.before, key.after, key.inferred) = (CompiledModel.unknown, CompiledModel.unknown, false)
            rows.correct(step, kind: rows.number(of: key))
        }
        (states[place].state, states[place].alternatives, states[place].begun) = (CompiledModel.unknown, 0, false)
        states[place].cut()
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
        let new = UInt8(states[place].alternatives.trailingZeroBitCount)
        states[place].alternatives = 0
        guard let visit = undecided.removeValue(forKey: slot) else { return }
        // The end of the process may have come since.
        let isOver = states[place].stateBeforeExit != CompiledModel.unknown
        let old = isOver ? states[place].stateBeforeExit : states[place].state
        let isShown = visit.isLaunch && runs.states[Int(states[place].run)].launchesIntoForeground
        if other, byScenes || !isShown {
            if isOver {
                states[place].stateBeforeExit = new
            } else {
                (states[place].state, states[place].openedByInference) = (new, inferred)
            }
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
