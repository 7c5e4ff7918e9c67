/// The truth while it is being counted, by number instead of by name.
struct Tally: Sendable {
    private struct StateCount: Sendable {
        var visits = 0
        var completed = 0
        var dwell: Int64 = 0
    }

    var lines = 0
    var callbacks = 0
    private(set) var runs = 0
    private var endReasons: [String: Int] = [:]
    private var states: [StateCount]
    private var moves: [Int]
    private var suspensions: SuspensionTruth

    init(script: Script, grace: Int64) {
        states = Array(repeating: StateCount(), count: script.states.count)
        moves = Array(repeating: 0, count: script.moveCount)
        suspensions = SuspensionTruth(grace: grace)
    }

    mutating func moved(_ number: Int) { moves[number] += 1 }

    mutating func ended(_ reason: String) {
        runs += 1
        endReasons[reason, default: 0] += 1
    }

    /// Counts a visit; `dwell` in microseconds, `nil` when the visit was cut.
    mutating func visited(_ state: Int, dwell: Int?) {
        states[state].visits += 1
        if let dwell {
            states[state].completed += 1
            states[state].dwell += Int64(dwell) * 1_000
        }
    }

    /// Counts a silence in the background, in microseconds.
    mutating func silent(_ length: Int) {
        let beyond = Int64(length) * 1_000 - suspensions.grace
        if beyond > 0 {
            suspensions.count += 1
            suspensions.suspended += beyond
        }
    }

    /// Adds what was counted in another file.
    mutating func add(_ other: Tally) {
        lines += other.lines
        callbacks += other.callbacks
        runs += other.runs
        endReasons.merge(other.endReasons, uniquingKeysWith: +)
        for index in states.indices {
            states[index].visits += other.states[index].visits
            states[index].completed += other.states[index].completed
            states[index].dwell += other.states[index].dwell
        }
        for index in moves.indices { moves[index] += other.moves[index] }
        suspensions.count += other.suspensions.count
        suspensions.suspended += other.suspensions.suspended
    }

    /// The counts under their names.
    func truth(script: Script, files: [String]) -> Truth {
        var truth = Truth(
            files: files, lines: lines, callbacks: callbacks, runs: runs, endReasons: endReasons,
            suspensions: suspensions)
        for (state, count) in zip(script.states, states) where count.visits > 0 {
            truth.visits.append(
                VisitTruth(
                    layer: script.layer, state: state, visits: count.visits, completed: count.completed,
                    censored: count.visits - count.completed, dwellNanoseconds: count.dwell))
        }
        for situation in script.situations {
            for move in situation.moves where move.changesState && moves[move.number] > 0 {
                add(
                    TransitionTruth(
                        layer: script.layer, from: script.states[situation.state],
                        to: script.states[script.situations[move.next].state],
                        callback: move.callback.map { script.callbacks[$0] },
                        evidence: move.callback == nil ? "inferred" : "observed", count: moves[move.number]),
                    to: &truth.transitions)
            }
        }
        return truth
    }

    /// Several situations share a state, so that several moves are one transition.
    private func add(_ transition: TransitionTruth, to transitions: inout [TransitionTruth]) {
        let index = transitions.firstIndex {
            $0.from == transition.from && $0.to == transition.to && $0.callback == transition.callback
        }
        if let index {
            transitions[index].count += transition.count
        } else {
            transitions.append(transition)
        }
    }
}
