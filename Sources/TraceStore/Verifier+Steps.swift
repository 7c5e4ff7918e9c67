extension Verifier {
    mutating func readInstances() throws {
        var tracks: [InstanceTrack] = []
        var places: [Int64: Int] = [:]
        let sql = """
            SELECT i.instance_id, r.run_key, i.layer, i.label, i.model
            FROM raw_instances AS i LEFT JOIN raw_runs AS r ON r.run_id = i.run
            """
        try each(sql) { result, row in
            var hash = RowHash("instance")
            for column in 1...4 { hash.add(row.text(column)) }
            result.digest.add(hash)
            let id = row.integer(0) ?? 0
            places[id] = tracks.count
            tracks.append(InstanceTrack(id: id, hash: hash, model: row.text(4) ?? ""))
        }
        instances = tracks
        self.places = places
    }

    /// Walks through the steps in order: sums them up, and checks that every visit begins where the one before ended.
    mutating func readSteps() throws {
        var tracks = instances
        let (kinds, places, lines) = (kinds, places, lines)
        var follows: [FollowedCallback: Int64] = [:]
        var tallies: [Int64: KindTally] = [:]
        let sql = """
            SELECT step_id, kind, stay, time, instance, opener, source, line FROM raw_steps WHERE step_id > 0
            ORDER BY step_id
            """
        try each(sql) { result, row in
            let step = row.integer(0) ?? 0
            guard let number = row.integer(1), let kind = kinds[number], let place = places[row.integer(4) ?? 0]
            else {
                return result.report("references", "step \(step) has no kind or no instance")
            }
            let line = row.integer(7) ?? 0
            if line < 1 || line > lines[row.integer(6) ?? 0] ?? 0 {
                result.report("lines", "step \(step) stands on line \(line), which its source does not have")
            }
            if kind.isFolded { return }
            let stay = row.integer(2)
            tallies[number, default: KindTally()].add(stay)
            let time = row.integer(3)
            let opener = row.integer(5)
            var hash = RowHash("step")
            hash.add(tracks[place].hash)
            hash.add(kind.hash)
            hash.add(tracks[place].ordinal)
            hash.add(time)
            hash.add(stay)
            result.digest.add(hash)
            tracks[place].ordinal += 1
            tracks[place].pass(step: step, at: time)
            if let callback = kind.callback {
                follows[FollowedCallback(previous: tracks[place].callback, next: callback), default: 0] += 1
                tracks[place].callback = callback
            }
            if kind.isVisit {
                tracks[place].check(
                    step: step, kind: kind, stay: stay, until: time, opener: opener, kinds: kinds, &result)
            }
            let reveals = kind.stateBefore == nil && kind.stateAfter != nil
            if kind.isVisit || kind.isTransition || reveals {
                tracks[place].mayBeCut = reveals
                tracks[place].opener = step
                tracks[place].time = time
                tracks[place].kind = number
                tracks[place].isBroken = false
            }
        }
        instances = tracks
        self.follows = follows
        self.tallies = tallies
    }

    /// The visits that are still open, and the instances that should have one.
    mutating func readTails() throws {
        var tracks = instances
        let (kinds, places) = (kinds, places)
        var tallies = tallies
        let sql = "SELECT kind, stay, instance, opener FROM raw_steps WHERE step_id <= 0 ORDER BY step_id"
        try each(sql) { result, row in
            let instance = row.integer(2) ?? 0
            guard let number = row.integer(0), let kind = kinds[number], let place = places[instance] else {
                return result.report("references", "an open visit has no kind or no instance")
            }
            tallies[number, default: KindTally()].addOpen(row.integer(1))
            var hash = RowHash("tail")
            hash.add(tracks[place].hash)
            hash.add(kind.hash)
            hash.add(row.integer(1))
            result.digest.add(hash)
            tracks[place].check(
                step: 0 &- instance, kind: kind, stay: row.integer(1), until: nil, opener: row.integer(3), kinds: kinds,
                &result)
            if kind.isTransition, !kind.isInferred {
                result.report("marking", "the silent end of instance \(instance) is not marked as inferred")
            }
            tracks[place].hasTail = true
        }
        self.tallies = tallies
        var finals: Set<[String]> = []
        var models: Set<String> = []
        try each("SELECT model, state, final FROM raw_documented_states") { _, row in
            let model = row.text(0) ?? ""
            models.insert(model)
            if row.integer(2) == 1 { finals.insert([model, row.text(1) ?? ""]) }
        }
        for track in tracks where !track.hasTail && models.contains(track.model) {
            guard let number = track.kind, let state = kinds[number]?.stateAfter, state != "not_running",
                state != "unknown", !finals.contains([track.model, state])
            else { continue }
            result.report("tiling", "instance \(track.id) is left in \(state), but has no visit to it")
        }
    }
}

extension InstanceTrack {
    fileprivate mutating func pass(step: Int64, at time: Int64?) {
        if first == nil {
            first = step
            firstTime = time
        }
        guard let time else { return }
        if let lastTime, time < lastTime { isBroken = true }
        lastTime = time
    }

    /// Checks the visit that a step ends against what came before.
    fileprivate func check(
        step: Int64, kind visit: KindFacts, stay: Int64?, until: Int64?, opener: Int64?, kinds: [Int64: KindFacts],
        _ result: inout Verification
    ) {
        let before = kind.flatMap { kinds[$0] }
        let begin = mayBeCut && opener == nil ? nil : self.opener ?? (opener == first ? first : nil)
        if opener != begin, opener != nil || before?.stateAfter != nil {
            result.report(
                "tiling",
                "the visit that \(step) ends begins with \(opener.map(String.init) ?? "nothing"), "
                    + "not with \(begin.map(String.init) ?? "nothing")")
        }
        if let state = before?.stateAfter, state != visit.stateBefore {
            result.report(
                "borders", "the visit that \(step) ends is in \(visit.stateBefore ?? "no state"), not in \(state)")
        }
        let isCutLeft = visit.censoring == "left" || visit.censoring == "both"
        if opener == nil, !isCutLeft {
            result.report("marking", "the visit that \(step) ends is marked as \(visit.censoring), but it is not so")
        }
        if visit.censoring.isEmpty, let until, let time = self.opener == nil ? firstTime : time {
            let expected: Int64? = isBroken ? nil : until &- time
            if stay != expected {
                result.report(
                    "tiling",
                    "the visit that \(step) ends lasts \(stay.map(String.init) ?? "NULL") ns, not "
                        + "\(expected.map(String.init) ?? "NULL")")
            }
        }
        if visit.isInferred && step > 0 || before?.isInferred == true, !visit.closesInferred {
            result.report("marking", "the visit that \(step) ends rests on inference, but is marked as observed")
        }
    }
}
