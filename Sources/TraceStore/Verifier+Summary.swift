/// Checks what is kept for quick answers against the steps.
extension Verifier {
    mutating func checkSummaries() throws {
        try check(follows: follows)
        var isCurrent = false
        try each("SELECT is_current FROM raw_summary_state") { _, row in isCurrent = row.integer(0) == 1 }
        guard isCurrent else { return }
        var states: [[String?]: SummaryTally] = [:]
        var transitions: [[String?]: Int64] = [:]
        for (id, tally) in tallies {
            guard let kind = kinds[id], tally.steps > 0 else { continue }
            if kind.isVisit { states[[kind.layer, kind.stateBefore], default: SummaryTally()].add(tally, of: kind) }
            if kind.isTransition { transitions[kind.transition, default: 0] += tally.steps }
        }
        try checkDwells(states)
        try checkParts(states)
        try checkSurvival(states)
        try checkTransitions(transitions)
    }

    /// Checks the counts that every ingest keeps against those of the steps.
    private mutating func check(follows: [FollowedCallback: Int64]) throws {
        try check(
            follows, keptIn: "SELECT previous, next, count FROM raw_follows ORDER BY previous, next", column: 2,
            key: { FollowedCallback(previous: $0.integer(0) ?? 0, next: $0.integer(1) ?? 0) },
            differing: { "callback \($0.next) follows \($0.previous) \($1) times, but \($2) are kept" },
            missing: "pairs of callbacks are not counted in the summary")
    }

    /// Checks counts that rows of a query keep in a column against those of the steps.
    ///
    /// - Parameters:
    ///   - differing: says what differs of a key, with the count of the steps and the one that is kept.
    ///   - missing: says what keys are that have no row.
    private mutating func check<Key: Hashable>(
        _ counts: [Key: Int64], keptIn sql: String, column: Int, key: (ResultRow) -> Key,
        differing: (Key, Int64, Int64) -> String, missing: String
    ) throws {
        var rest = counts
        try each(sql) { result, row in
            let key = key(row)
            let found = rest.removeValue(forKey: key) ?? 0
            let kept = row.integer(column)
            if kept != found { result.report("summary", differing(key, found, kept ?? 0)) }
        }
        let count = rest.count
        if count > 0 { result.report("summary", "\(count) \(missing)") }
    }

    private mutating func checkDwells(_ states: [[String?]: SummaryTally]) throws {
        var rest = states
        let sql = "SELECT layer, state, visits, complete, censored, total_ns, min_ns, max_ns FROM raw_dwell_summary"
        try each(sql) { result, row in
            let name = "\(row.text(0) ?? "") \(row.text(1) ?? "")"
            guard let found = rest.removeValue(forKey: [row.text(0), row.text(1)]) else {
                return result.report("summary", "dwells in \(name) are kept, but no step ends such a visit")
            }
            for (place, what, count) in [
                (2, "visits", found.visits), (3, "complete visits", found.complete),
                (4, "censored visits", found.censored),
            ] where row.integer(place) != count {
                result.report("summary", "\(count) \(what) of \(name), but \(row.integer(place) ?? 0) are kept")
            }
            let dwells = found.dwells
            for (place, what, time) in [
                (5, "sum", dwells.count > 0 ? Double(dwells.total) : nil),
                (6, "shortest", dwells.shortest.map(Double.init)), (7, "longest", dwells.longest.map(Double.init)),
            ] where row.real(place) != time {
                result.report(
                    "summary",
                    "the \(what) of the dwells in \(name) is \(time.map { "\($0)" } ?? "NULL") ns, but "
                        + "\(row.real(place).map { "\($0)" } ?? "NULL") is kept")
            }
        }
        let count = rest.count
        if count > 0 { result.report("summary", "the dwells of \(count) states are not in the summary") }
    }

    /// A part with very many names has no rows.
    private mutating func checkParts(_ states: [[String?]: SummaryTally]) throws {
        var parts: [String: [[String?]: Int64]] = [:]
        try each("SELECT part, layer, state, visits FROM raw_dwell_part_summary") { _, row in
            parts[row.text(0) ?? "", default: [:]][[row.text(1), row.text(2)], default: 0] &+= row.integer(3) ?? 0
        }
        let visits = states.mapValues(\.visits)
        for (part, kept) in parts.sorted(by: { $0.key < $1.key }) where kept != visits {
            result.report("summary", "the visits by \(part) are not as many as there are")
        }
    }

    private mutating func checkSurvival(_ states: [[String?]: SummaryTally]) throws {
        var rest = states.filter { $0.value.ended + $0.value.cut > 0 }
        try each("SELECT layer, state, ended, cut FROM raw_survival_summary") { result, row in
            let found = rest.removeValue(forKey: [row.text(0), row.text(1)]) ?? SummaryTally()
            if row.integer(2) != found.ended || row.integer(3) != found.cut {
                result.report(
                    "summary",
                    "\(found.ended) visits of \(row.text(0) ?? "") \(row.text(1) ?? "") ended and \(found.cut) are cut, "
                        + "but \(row.integer(2) ?? 0) and \(row.integer(3) ?? 0) are kept")
            }
        }
        let count = rest.count
        if count > 0 { result.report("summary", "\(count) states are not in the summary of the estimate") }
    }

    private mutating func checkTransitions(_ transitions: [[String?]: Int64]) throws {
        let sql = "SELECT layer, from_state, to_state, callback, verdict, evidence, count FROM raw_transition_summary"
        try check(
            transitions, keptIn: sql, column: 6, key: { row in (0..<6).map { row.text($0) } },
            differing: {
                "\($1) transitions of \($0[0] ?? "") from \($0[1] ?? "nothing") to \($0[2] ?? "nothing"), but "
                    + "\($2) are kept"
            },
            missing: "transitions are not in the summary")
    }
}
