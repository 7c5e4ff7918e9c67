import Foundation

/// The ground truth of simulated logs, counted while they are written, from the times as printed.
package struct Truth: Sendable, Hashable, Codable {
    /// Names of the log files, in order.
    package var files: [String] = []
    package var lines = 0
    package var callbacks = 0
    package var runs = 0
    /// Number of runs by end reason (`terminated`, `killed_in_background` …).
    package var endReasons: [String: Int] = [:]
    /// By layer and state, in the order of the model.
    package var visits: [VisitTruth] = []
    /// By layer, states and callback, in the order of the model's states.
    package var transitions: [TransitionTruth] = []
    package var suspensions = SuspensionTruth()

    enum CodingKeys: String, CodingKey {
        case files, lines, callbacks, runs, visits, transitions, suspensions
        case endReasons = "end_reasons"
    }

    /// A truth as JSON with sorted keys, ending in a line break.
    package static func json(_ truth: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(truth), as: UTF8.self) + "\n"
    }
}

/// The visits of one state.
package struct VisitTruth: Sendable, Hashable, Codable {
    package var layer: String
    package var state: String
    /// All visits, including censored ones.
    package var visits: Int
    /// Visits whose start and end were both logged.
    package var completed: Int
    /// Visits cut by the beginning or end of the log, or by a silent end of the run.
    package var censored: Int
    /// Sum of the dwell of the completed visits, in nanoseconds.
    package var dwellNanoseconds: Int64

    enum CodingKeys: String, CodingKey {
        case layer, state, visits, completed, censored
        case dwellNanoseconds = "dwell_ns"
    }
}

/// The transitions between two states on one callback.
package struct TransitionTruth: Sendable, Hashable, Codable {
    package var layer: String
    package var from: String
    package var to: String
    /// Canonical id, `nil` for a silent end.
    package var callback: String?
    /// `observed`, or `inferred` for a silent end.
    package var evidence: String
    package var count: Int
}

/// The silences in background visits that exceed the grace time and end before the log or the run does.
package struct SuspensionTruth: Sendable, Hashable, Codable {
    /// Grace time in nanoseconds.
    package var grace: Int64 = 0
    package var count = 0
    /// Sum of the time beyond the grace, in nanoseconds.
    package var suspended: Int64 = 0

    enum CodingKeys: String, CodingKey {
        case count
        case grace = "grace_ns"
        case suspended = "suspended_ns"
    }
}

/// The truth while it is being counted, by number instead of by name.
struct TruthCounter: Sendable {
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

    /// Counts a visit; `dwell` in microseconds, `nil` when it is censored.
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
    mutating func add(_ other: TruthCounter) {
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
