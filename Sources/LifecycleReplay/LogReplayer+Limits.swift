import LifecycleModel
import TraceRecords

/// Measures times against the limits of the models.
extension LogReplayer {
    /// How many measurements of a run can go on at a time.
    private static let timersKept = 256

    /// Lets an event begin, end or call off measurements.
    mutating func measure(_ judged: Judged) {
        let run = Int(judged.run)
        if !runMemories[run].timers.isEmpty { endMeasurements(judged) }
        if !runs[run].isMeasured, runs[run].launchSeen != 0 {
            runs[run].isMeasured = true
            let start = startOfLaunch(judged)
            for limit in plan.limits.withRun {
                begin(limit, judged, instance: -1, at: start, isFirstCallback: start == judged.time)
            }
        }
        // Nothing begins with a line whose answer of the same time stands before it.
        guard judged.deviation != .reorderedTie else { return }
        for number in plan.limits.beginning[Int(judged.callback)] {
            begin(number, judged, instance: judged.instance, at: judged.time)
        }
    }

    /// The start of the process where a line tells it, unless it was prewarmed long before; else the first callback.
    private func startOfLaunch(_ judged: Judged) -> Int64 {
        let started = runs[Int(judged.run)].processStart
        guard started != Time.none, judged.time != Time.none, judged.time >= started,
            judged.time - started <= plan.settings.prewarmAfter
        else { return judged.time }
        return started
    }

    private mutating func begin(
        _ number: Int, _ judged: Judged, instance: Int32, at start: Int64, isFirstCallback: Bool = false
    ) {
        let isUnanswered = plan.limits.limits[number].isUnanswered
        let run = Int(judged.run)
        guard start != Time.none || isUnanswered else { return }
        if !isUnanswered, !runMemories[run].timers.isEmpty {
            runMemories[run].timers.removeAll { $0.limit == number && $0.instance == instance }
        }
        if instance >= 0, number < 64 { memories[Int(instance)].exceeded &= ~(1 << UInt64(number)) }
        guard runMemories[run].timers.count < Self.timersKept else { return }
        runMemories[run].timers.append(
            LimitTimer(
                limit: number, instance: instance, start: start, line: judged.line, source: source,
                step: step(of: judged.instance, at: judged.line),
                isApproximate: isFirstCallback && plan.limits.limits[number].beginsApproximately))
    }

    private mutating func endMeasurements(_ judged: Judged) {
        let run = Int(judged.run)
        var answered = false
        let hasOpenTask = hasOpenTask(run)
        // From the last to the first: one answer for one question, the last first.
        var place = runMemories[run].timers.count - 1
        while place >= 0 {
            let timer = runMemories[run].timers[place]
            if goesOn(timer, after: judged, hasOpenTask: hasOpenTask, &answered) {
                place -= 1
                continue
            }
            runMemories[run].timers.remove(at: place)
            place -= 1
        }
    }

    /// Ends a measurement if an event does, and says whether it goes on.
    private mutating func goesOn(
        _ timer: LimitTimer, after judged: Judged, hasOpenTask: Bool, _ answered: inout Bool
    ) -> Bool {
        let number = timer.limit
        if plan.limits.limits[number].isUnanswered {
            guard !answered, plan.limits.limits[number].to.contains(judged.callback) else { return true }
            answered = !plan.limits.limits[number].needsOpenTask
            return false
        }
        let isHere = timer.instance < 0 || timer.instance == judged.instance || plan.limits.limits[number].beginsWithRun
        if isHere, plan.limits.limits[number].to.contains(judged.callback) {
            tell(timer, judged.run, until: judged.time, line: judged.line)
            return false
        }
        if plan.limits.limits[number].cancelledBy.contains(judged.callback) { return false }
        if plan.limits.limits[number].toReturn.contains(judged.callback), judged.time != Time.none,
            judged.time - timer.start > plan.limits.limits[number].promptWithin
        {
            return false
        }
        guard plan.limits.limits[number].endsAtNextEvent else { return true }
        // A background task works on when the method has returned; the next event then says nothing about the method.
        let saysNothing =
            plan.limits.limits[number].isContinuous
            && (hasOpenTask || runs[Int(judged.run)].lastSilenceEnd > timer.start)
        if !saysNothing { tell(timer, judged.run, until: judged.time, line: judged.line, isCertain: false) }
        return false
    }

    /// A line says that a callback's method returns.
    mutating func measureReturn(_ judged: Judged) {
        let run = Int(judged.run)
        runMemories[run].returning.insert(judged.callback)
        var kept: [LimitTimer] = []
        for var timer in runMemories[run].timers {
            let limit = plan.limits.limits[timer.limit]
            let isHere = timer.instance < 0 || timer.instance == judged.instance
            guard isHere || limit.to.isEmpty, limit.toReturn.contains(judged.callback) else {
                kept.append(timer)
                continue
            }
            if limit.isUnanswered { continue }
            if limit.to.isEmpty {
                tell(timer, judged.run, until: judged.time, line: judged.line)
                if timer.instance >= 0, timer.limit < 64 {
                    memories[Int(timer.instance)].exceeded |= 1 << UInt64(timer.limit)
                }
            } else {
                (timer.returned, timer.returnedAt) = (judged.time, judged.line)
                kept.append(timer)
            }
        }
        runMemories[run].timers = kept
        // What another event ended before its time: the method ran on.
        let memory = memories[Int(judged.instance)]
        guard memory.previousTime != Time.none else { return }
        for number in plan.limits.ofReturns[Int(judged.callback)]
        where number < 64 && memory.exceeded & 1 << UInt64(number) == 0 {
            let timer = LimitTimer(
                limit: number, instance: judged.instance, start: memory.previousTime, line: judged.line,
                source: source, step: step(of: judged.instance, at: judged.line))
            tell(timer, judged.run, until: judged.time, line: judged.line)
        }
    }

    /// A silence ends what counts only without one.
    mutating func endContinuous(_ run: Int32, at lastSign: Int64) {
        guard !runMemories[Int(run)].timers.isEmpty else { return }
        var kept: [LimitTimer] = []
        for timer in runMemories[Int(run)].timers {
            let limit = plan.limits.limits[timer.limit]
            if limit.endsAtLastActivity, limit.isContinuous {
                tell(timer, run, until: lastSign, line: timer.line, isCertain: false)
            } else {
                kept.append(timer)
            }
        }
        runMemories[Int(run)].timers = kept
    }

    /// Whether a run has begun a background task that it has not ended yet.
    private func hasOpenTask(_ run: Int) -> Bool {
        runMemories[run].timers.contains {
            plan.limits.limits[$0.limit].isUnanswered && plan.limits.limits[$0.limit].answersBeforeSuspension
        }
    }

    /// The end of a run, or a suspension that a line shows, ends what waits for it.
    mutating func endTimers(_ run: Int32, bySuspension: Bool) {
        let isOver = runs[Int(run)].superseded || runs[Int(run)].endReason != nil
        let timers = runMemories[Int(run)].timers
        let hasOpenTask = hasOpenTask(Int(run))
        var kept: [LimitTimer] = []
        for timer in timers {
            let limit = plan.limits.limits[timer.limit]
            if limit.isUnanswered, bySuspension ? limit.answersBeforeSuspension : isOver {
                let isShown = runMemories[Int(run)].returning.intersects(limit.toReturn)
                if !limit.needsOpenTask || hasOpenTask || isShown {
                    tell(timer, run, until: timer.start, line: timer.line)
                }
            } else if timer.returned != Time.none, !bySuspension {
                tell(timer, run, until: timer.returned, line: timer.returnedAt)
            } else if !limit.isUnanswered, limit.endsAtLastActivity, !bySuspension {
                tell(timer, run, until: runs[Int(run)].lastSign, line: timer.line, isCertain: false)
            } else {
                kept.append(timer)
            }
        }
        runMemories[Int(run)].timers = kept
    }

    /// A visit that has ended, checked against the limits of visits.
    mutating func measureVisit(_ slot: Int32, state: UInt8, dwell: Int64, line: Int64, step: Int64) {
        let instance = instances[Int(slot)]
        for number in plan.limits.stays {
            let limit = plan.limits.limits[number]
            guard limit.states[Int(instance.model)] & 1 << UInt64(state) != 0 else { continue }
            let timer = LimitTimer(
                limit: number, instance: slot, start: instance.entered, line: line, source: source, step: step)
            tell(timer, instance.run, until: instance.entered + dwell, line: line)
        }
    }

    /// Makes a finding of a measurement if it exceeds its limit.
    ///
    /// - Parameter isCertain: whether the log shows the end, so that nothing only stands in for it.
    private mutating func tell(
        _ timer: LimitTimer, _ run: Int32, until time: Int64, line: Int64, isCertain: Bool = true
    ) {
        let isUnanswered = plan.limits.limits[timer.limit].isUnanswered
        guard isUnanswered || time != Time.none && time >= timer.start else { return }
        let length = isUnanswered ? 1 : time - timer.start
        guard length > plan.limits.limits[timer.limit].least else { return }
        let limit = plan.limits.limits[timer.limit]
        guard length <= limit.plausibleUntil,
            let threshold = limit.exceeded(by: length, withScenes: runs[Int(run)].usesScenes)
        else { return }
        if timer.instance >= 0, timer.limit < 64 {
            memories[Int(timer.instance)].exceeded |= 1 << UInt64(timer.limit)
        }
        var message = limit.message.text { placeholder in
            switch placeholder {
            case .seconds: Self.seconds(length)
            case .limit: Self.seconds(threshold.nanoseconds)
            default: ""
            }
        }
        if timer.isApproximate || !isCertain && limit.endsApproximately { message += " (approximately)" }
        let instance = timer.instance >= 0 ? timer.instance : runs[Int(run)].app
        out.findings.append(
            Finding(
                run: runs[Int(run)].id, instance: instance >= 0 ? instances[Int(instance)].id : nil,
                layer: instance >= 0 ? plan.catalog.models[Int(instances[Int(instance)].model)].layer : limit.layer,
                rule: limit.id, deviation: .limitOverrun, severity: threshold.severity,
                time: Time.optional(time), message: message,
                source: line == timer.line ? timer.source : source, line: line,
                step: line == timer.line ? timer.step : instance >= 0 ? step(of: instance, at: line) : nil,
                limit: isUnanswered ? nil : threshold.nanoseconds, taken: isUnanswered ? nil : length))
    }
}
