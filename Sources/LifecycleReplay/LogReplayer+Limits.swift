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
            for limit in limits.withRun {
                begin(limit, judged, instance: -1, at: start)
            }
        }
        guard limits.concerned.contains(judged.callback) else { return }
        for (number, limit) in limits.limits.enumerated() where limit.from.contains(judged.callback) {
            begin(number, judged, instance: judged.instance, at: judged.time)
        }
    }

    /// The start of the process where a line tells it, unless it was prewarmed long before; else the first callback.
    private func startOfLaunch(_ judged: Judged) -> Int64 {
        let started = runs[Int(judged.run)].processStart
        guard started != Time.none, judged.time != Time.none, judged.time >= started,
            judged.time - started <= settings.prewarmAfter
        else { return judged.time }
        return started
    }

    private mutating func begin(_ number: Int, _ judged: Judged, instance: Int32, at start: Int64) {
        let limit = limits.limits[number]
        let run = Int(judged.run)
        guard start != Time.none || limit.kind == .unanswered else { return }
        if limit.kind == .duration {
            runMemories[run].timers.removeAll { $0.limit == number && $0.instance == instance }
        }
        guard runMemories[run].timers.count < Self.timersKept else { return }
        runMemories[run].timers.append(
            LimitTimer(limit: number, instance: instance, start: start, line: judged.line, source: source))
    }

    private mutating func endMeasurements(_ judged: Judged) {
        let run = Int(judged.run)
        var kept: [LimitTimer] = []
        var answered = false
        for timer in runMemories[run].timers.reversed() {
            let limit = limits.limits[timer.limit]
            let isHere = timer.instance < 0 || timer.instance == judged.instance
            if limit.kind == .unanswered {
                // One answer for one question, the last first.
                if !answered, limit.to.contains(judged.callback) {
                    answered = !limit.needsOpenTask
                } else {
                    kept.append(timer)
                }
                continue
            }
            if limit.to.contains(judged.callback), isHere || limit.beginsWithRun {
                tell(timer, judged.run, until: judged.time, line: judged.line)
            } else if limit.cancelledBy.contains(judged.callback) {
                continue
            } else if limit.endsAtNextEvent {
                let silent = limit.isContinuous && runs[run].lastSilenceEnd > timer.start
                if !silent { tell(timer, judged.run, until: judged.time, line: judged.line) }
            } else {
                kept.append(timer)
            }
        }
        runMemories[run].timers = kept.reversed()
    }

    /// A silence ends what counts only without one.
    mutating func endContinuous(_ run: Int32, at lastSign: Int64) {
        guard !runMemories[Int(run)].timers.isEmpty else { return }
        var kept: [LimitTimer] = []
        for timer in runMemories[Int(run)].timers {
            let limit = limits.limits[timer.limit]
            if limit.endsAtLastActivity, limit.isContinuous {
                tell(timer, run, until: lastSign, line: timer.line)
            } else {
                kept.append(timer)
            }
        }
        runMemories[Int(run)].timers = kept
    }

    /// The end of a run, or a suspension that a line shows, ends what waits for it.
    mutating func endTimers(_ run: Int32, bySuspension: Bool) {
        let isOver = runs[Int(run)].superseded || runs[Int(run)].endReason != nil
        let timers = runMemories[Int(run)].timers
        let openTask = timers.contains {
            limits.limits[$0.limit].kind == .unanswered && limits.limits[$0.limit].answersBeforeSuspension
        }
        var kept: [LimitTimer] = []
        for timer in timers {
            let limit = limits.limits[timer.limit]
            switch limit.kind {
            case .unanswered:
                guard bySuspension ? limit.answersBeforeSuspension : isOver else {
                    kept.append(timer)
                    continue
                }
                if !limit.needsOpenTask || openTask { tell(timer, run, until: timer.start, line: timer.line) }
            case .duration where limit.endsAtLastActivity && !bySuspension:
                tell(timer, run, until: runs[Int(run)].lastSign, line: timer.line)
            default:
                kept.append(timer)
            }
        }
        runMemories[Int(run)].timers = kept
    }

    /// A stay that has ended, held against the limits of stays.
    mutating func measureStay(_ slot: Int32, state: UInt8, stay: Int64, line: Int64) {
        let instance = instances[Int(slot)]
        for number in limits.stays {
            let limit = limits.limits[number]
            guard limit.states[Int(instance.model)] & 1 << UInt64(state) != 0 else { continue }
            let timer = LimitTimer(
                limit: number, instance: slot, start: instance.entered, line: line, source: source)
            tell(timer, instance.run, until: instance.entered + stay, line: line)
        }
    }

    private mutating func tell(_ timer: LimitTimer, _ run: Int32, until time: Int64, line: Int64) {
        let limit = limits.limits[timer.limit]
        let isUnanswered = limit.kind == .unanswered
        guard isUnanswered || time != Time.none && time >= timer.start else { return }
        let length = isUnanswered ? 1 : time - timer.start
        guard length <= limit.plausibleUntil,
            let threshold = limit.exceeded(by: length, withScenes: runs[Int(run)].usesScenes)
        else { return }
        var message = limit.message
        message.fill("{seconds}", Self.seconds(length))
        message.fill("{limit}", Self.seconds(threshold.nanoseconds))
        let instance = timer.instance >= 0 ? timer.instance : runs[Int(run)].app
        out.findings.append(
            Finding(
                run: runs[Int(run)].id, instance: instance >= 0 ? instances[Int(instance)].id : nil,
                layer: instance >= 0 ? catalog.models[Int(instances[Int(instance)].model)].layer : limit.layer,
                rule: limit.id, deviation: "limit-overrun", severity: threshold.severity,
                time: Time.optional(time), message: message,
                source: line == timer.line ? timer.source : source, line: line))
    }
}
