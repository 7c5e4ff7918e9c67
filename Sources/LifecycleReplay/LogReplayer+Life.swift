import TraceRecords

/// Signs of life: what they say of a process, and what the silence between them says.
extension LogReplayer {
    /// How many silences are kept of a process whose state is not known yet.
    private static let silencesKept = 256

    mutating func replay(_ interval: ActivityInterval, of speaker: ResolvedSpeaker) {
        let from = Time.plain(interval.from)
        let until = Time.plain(interval.until)
        if until > latest { latest = until }
        let slot = runOf(speaker)
        sign(slot, at: from, line: interval.lastLine)
        extend(slot, to: until)
        let place = Int(slot)
        // An interval comes when it is over, perhaps after the first event of the next run: its place in the log counts.
        runs[place].dirty = true
        if runs[place].superseded {
            runs[place].successors.removeAll { $0.source != source || $0.line < interval.lastLine }
            runs[place].superseded = !runs[place].successors.isEmpty
            goesOn(slot)
        }
        runs[place].lastLine = interval.lastLine
        runs[place].lastSource = source
        if runs[place].id != 0 { wake(slot, at: from, line: interval.firstLine) }
    }

    /// A line of a run that seemed to have ended: it goes on.
    @inline(__always)
    mutating func revive(_ slot: Int32) {
        runs[Int(slot)].dirty = true
        if runs[Int(slot)].superseded {
            runs[Int(slot)].superseded = false
            runs[Int(slot)].successors = []
            goesOn(slot)
        }
    }

    /// The process wrote something: whatever silence there was is over.
    @inline(__always)
    mutating func sign(_ slot: Int32, at time: Int64, line: Int64) {
        sleeper = nil
        mention(slot, line: line)
        guard time != Time.none else { return }
        let place = Int(slot)
        let last = runs[place].lastSign
        if let grace = options.suspendGrace, last != Time.none, time > last, time - last > grace {
            silence(slot, from: last, until: time, grace: grace)
        }
        runs[place].silenceBefore = last != Time.none && time > last ? time - last : 0
        runs[place].lastSign = Self.later(time, than: last)
        seen(slot, at: time)
    }

    /// The process wrote lines up to a time, without a silence since its last sign.
    private mutating func extend(_ slot: Int32, to time: Int64) {
        guard time != Time.none else { return }
        runs[Int(slot)].silenceBefore = 0
        runs[Int(slot)].lastSign = Self.later(time, than: runs[Int(slot)].lastSign)
        seen(slot, at: time)
    }

    /// The time of a line, or that of the one before where threads have written the two in the wrong order: a stretch of
    /// life then goes on as well, and it may be cut anywhere.
    private static func later(_ time: Int64, than last: Int64) -> Int64 {
        guard last != Time.none, time < last else { return time }
        let (gap, overflow) = last.subtractingReportingOverflow(time)
        return overflow || gap > ActivityInterval.resolution ? time : last
    }

    /// The process existed, whoever says so.
    @inline(__always)
    mutating func seen(_ slot: Int32, at time: Int64) {
        guard time != Time.none else { return }
        let place = Int(slot)
        if runs[place].firstSeen == Time.none { runs[place].firstSeen = time }
        if time > runs[place].lastSeen { runs[place].lastSeen = time }
        runs[place].lastHeard = Self.later(time, than: runs[place].lastHeard)
    }

    private mutating func silence(_ slot: Int32, from: Int64, until: Int64, grace: Int64) {
        runs[Int(slot)].lastSilenceEnd = until
        endContinuous(slot, at: from)
        let place = Int(slot)
        let app = runs[place].app
        if app >= 0, instances[Int(app)].alternatives != 0 {
            undecided[app]?.silences.append(Silence(from: from, until: until))
        } else if app < 0 || instances[Int(app)].state == CompiledModel.unknown {
            if runs[place].silences.count < Self.silencesKept {
                runs[place].silences.append(Silence(from: from, until: until))
            }
        } else {
            suspend(app, from: from, until: until, grace: grace)
        }
    }

    /// Notes an estimated suspension if the app is in a state in which silence means one.
    mutating func suspend(_ slot: Int32, from: Int64, until: Int64?, grace: Int64) {
        let app = instances[Int(slot)]
        let model = plan.catalog.models[Int(app.model)]
        guard app.state != CompiledModel.unknown, model.suspendable & 1 << UInt64(app.state) != 0 else { return }
        let begin = (app.entered == Time.none ? from : max(from, app.entered)) + grace
        if let until, begin >= until { return }
        sleeper = out.suspensions.count
        out.suspensions.append(
            Suspension(
                id: 0, run: runs[Int(app.run)].id, instance: app.id, opener: app.opener == 0 ? nil : app.opener,
                from: begin,
                until: until, leadsTo: until == nil ? nil : model.states[Int(app.state)], evidence: .inferred,
                basis: basisOfEstimate))
    }

    /// The line that ended a silence takes the instance into another state: that is what the suspension led to.
    @inline(__always)
    mutating func noteWaking(of instance: Int64, leavingTo after: UInt8, _ model: CompiledModel, at time: Int64) {
        guard let sleeper, out.suspensions.indices.contains(sleeper), out.suspensions[sleeper].instance == instance,
            out.suspensions[sleeper].until == Time.optional(time), after != CompiledModel.unknown
        else { return }
        out.suspensions[sleeper].leadsTo = model.states[Int(after)]
    }

    /// A stay that a line shows to have been a suspension is one in the table of suspensions too.
    mutating func closeObservedSuspension(_ app: Int32, _ model: CompiledModel, leavingTo after: UInt8, at time: Int64)
    {
        let instance = instances[Int(app)]
        guard instance.state != CompiledModel.unknown, instance.state == model.suspended, after != instance.state,
            instance.entered != Time.none
        else { return }
        // Across a step back of the clock nothing has a length.
        guard time == Time.none || time >= instance.entered else { return }
        out.suspensions.append(
            Suspension(
                id: 0, run: runs[Int(instance.run)].id, instance: instance.id,
                opener: instance.opener == 0 ? nil : instance.opener, from: instance.entered,
                until: Time.optional(time),
                leadsTo: time == Time.none || after == CompiledModel.unknown ? nil : model.states[Int(after)],
                evidence: .observed, basis: "a line says that the process is suspended"))
    }

    /// Nanoseconds as seconds without needless digits.
    static func seconds(_ nanoseconds: Int64) -> String {
        let whole = nanoseconds / 1_000_000_000
        let rest = nanoseconds % 1_000_000_000
        guard rest != 0 else { return "\(whole)" }
        var digits = String(1_000_000_000 + rest).dropFirst()
        while digits.hasSuffix("0") { digits = digits.dropLast() }
        return "\(whole).\(digits)"
    }

    /// A suspended process that writes something runs again.
    mutating func wake(_ slot: Int32, at time: Int64, line: Int64) {
        let app = runs[Int(slot)].app
        guard app >= 0 else { return }
        let model = plan.catalog.models[Int(instances[Int(app)].model)]
        guard model.suspended != CompiledModel.unknown, instances[Int(app)].state == model.suspended,
            let awake = model.awake
        else { return }
        record(
            app, role: .derived, subject: CompiledModel.noCallback, origin: origins.life, before: model.suspended,
            after: awake, isLegal: true, time: time, line: line, inferred: true)
    }
}
