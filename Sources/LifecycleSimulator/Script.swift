import DataFiles
import LifecycleModel

/// Habits prepared for playing: names replaced by numbers, weights by thresholds, moves checked against the model.
struct Script: Sendable {
    struct Move: Sendable {
        /// Number of the move in the script, under which it is counted.
        var number: Int
        /// Index into ``Script/callbacks``; `nil` for a silent end of the process.
        var callback: Int?
        /// Index into ``Script/situations``.
        var next: Int
        /// Sum of the weights up to and with this move.
        var threshold: Int
        var after: DurationDistribution
        var endsRun: Bool
        var changesState: Bool
    }

    struct Situation: Sendable {
        var name: String
        /// Index into ``Script/states``.
        var state: Int
        var moves: [Move]
        var totalWeight: Int
    }

    let layer: String
    let states: [String]
    let callbacks: [String]
    let situations: [Situation]
    /// Where a complete run begins.
    let notRunning: Int
    /// Where a log may begin in the middle of a run, always with the first move of the situation.
    let midLife: [Int]
    /// State in which a silent process may be suspended, as an index; `nil` when the model has none.
    let background: Int?
    let moveCount: Int
    private let model: LifecycleModel

    /// The habits of app users, played on a model of the app layer.
    ///
    /// - Throws: ``SimulationError/undocumentedMove(from:callback:to:model:)`` when the model lacks one of the moves.
    init(app model: LifecycleModel) throws(SimulationError) {
        try self.init(habits: Habit.app, midLife: Habit.midLife, model: model)
    }

    init(habits: [Habit], midLife: [String], model: LifecycleModel) throws(SimulationError) {
        var documented: Set<[String]> = []
        for edge in model.edges { documented.insert([edge.from, edge.callback, edge.to]) }
        let states = model.states.map(\.id)
        var callbacks: [String] = []
        var situations: [Situation] = []
        var number = 0
        for habit in habits {
            var moves: [Move] = []
            var total = 0
            for move in habit.moves {
                guard let next = habits.firstIndex(where: { $0.situation == move.next }) else { continue }
                let to = habits[next].state
                if let callback = move.callback {
                    if habit.state != to, !documented.contains([habit.state, callback, to]) {
                        throw .undocumentedMove(from: habit.state, callback: callback, to: to, model: model.id)
                    }
                    if !callbacks.contains(callback) { callbacks.append(callback) }
                }
                total += move.weight
                moves.append(
                    Move(
                        number: number, callback: move.callback.flatMap { callbacks.firstIndex(of: $0) }, next: next,
                        threshold: total, after: move.after, endsRun: move.next == Habit.notRunning,
                        changesState: habit.state != to))
                number += 1
            }
            situations.append(
                Situation(
                    name: habit.situation, state: states.firstIndex(of: habit.state) ?? 0, moves: moves,
                    totalWeight: total))
        }
        self.model = model
        layer = model.layer
        self.states = states
        self.callbacks = callbacks
        self.situations = situations
        notRunning = situations.firstIndex { $0.name == Habit.notRunning } ?? 0
        self.midLife = situations.indices.filter { midLife.contains(situations[$0].name) }
        background = states.firstIndex(of: "background")
        moveCount = number
    }

    /// Other habits on the same model.
    init(habits: [Habit], like script: Script) throws(SimulationError) {
        try self.init(habits: habits, midLife: Habit.midLife, model: script.model)
    }

    /// The states that an app has while it runs.
    var playedStates: [String] {
        let played = Set(situations.indices.filter { $0 != notRunning }.map { situations[$0].state })
        return states.indices.filter(played.contains).map { states[$0] }
    }

    /// Whether the habits have the state or transition of a change.
    func has(_ change: SimulatedCohorts.Change) -> Bool {
        guard playedStates.contains(change.state) else { return false }
        guard let next = change.next else { return true }
        return situations.contains { situation in
            states[situation.state] == change.state && situation.moves.count > 1
                && situation.moves.contains { states[situations[$0.next].state] == next }
        }
    }
}

/// What users and the system do with an app in one situation: the next moves and how often each happens.
struct Habit: Sendable {
    /// Something that may happen next.
    struct Move: Sendable {
        /// The callback; `nil` for a silent end of the process.
        var callback: String?
        /// Situation after it.
        var next: String
        /// How often, relative to the other moves.
        var weight: Int
        /// How long the situation lasts before it.
        var after: DurationDistribution
    }

    /// Name of the situation: a state, distinguished by how the app entered it.
    var situation: String
    /// State of the model that the app is in.
    var state: String
    var moves: [Move]
}

extension Habit {
    /// Situation of an app that is not running.
    static let notRunning = "not running"

    /// Situations in which a log may begin: any next callback reveals the state of the app.
    static let midLife = ["in use", "coming back"]

    /// How an app without scenes is used (`data/habits.yaml`).
    static let app: [Habit] =
        SimulatorData.read { file throws(DataFileError) in
            var durations: [String: DurationDistribution] = [:]
            for entry in try file["durations"]?.entries() ?? [] {
                durations[entry.key] = DurationDistribution(try entry.texts().compactMap { Int($0) })
            }
            return try file["situations"]?.entries().map { situation throws(DataFileError) in
                let moves = try situation["moves"]?.elements().compactMap { move -> Move? in
                    guard let next = move["next"]?.text, let weight = move["weight"]?.text.flatMap({ Int($0) }),
                        let after = move["after"]?.text.flatMap({ durations[$0] })
                    else { return nil }
                    return Move(callback: move["callback"]?.text, next: next, weight: weight, after: after)
                }
                return Habit(situation: situation.key, state: situation["state"]?.text ?? "", moves: moves ?? [])
            }
        } ?? []
}

/// The data of the simulator (`data/habits.yaml`).
enum SimulatorData {
    private static let file = Result { () throws(DataFileError) in
        try Field.document(String(decoding: PackageResources.habits_yaml, as: UTF8.self), file: "habits.yaml")
    }

    /// A part of the data; `nil` where it is damaged, which the tests rule out.
    static func read<Value>(_ part: (Field) throws(DataFileError) -> Value?) -> Value? {
        (try? file.get()).flatMap { try? part($0) }
    }
}

/// The random numbers of a simulation: SplitMix64, the same on every platform.
struct RandomSource: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    init(seed: UInt64, part: Int) {
        var mixer = RandomSource(seed: seed)
        state = mixer.next() ^ (UInt64(truncatingIfNeeded: part) &* 0x9E37_79B9_7F4A_7C15)
        _ = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, but not including, the limit, which must be over 0 and under 2^32.
    mutating func below(_ limit: Int) -> Int {
        Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(truncatingIfNeeded: limit)) >> 32)
    }

    /// A nearly normal number: the sum of twelve uniform ones, which all platforms round alike.
    mutating func normal() -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + Double(next() >> 11) * 0x1p-53 }
    }
}

/// How long something lasts, as quantiles: real durations are heavy-tailed.
///
/// It uses whole numbers only, so that every platform draws the same durations.
struct DurationDistribution: Sendable {
    /// One quantile: `rank` of ten thousand durations are at most this long.
    private struct Knot: Sendable {
        var rank: Int
        var microseconds: Int
    }

    private static let ranks = [0, 2_500, 5_000, 7_500, 9_000, 9_900, 10_000]
    private let knots: [Knot]

    /// The quantiles in milliseconds: the shortest, 25%, 50%, 75%, 90%, 99%, and the longest.
    init(_ quantiles: [Int]) {
        knots = zip(Self.ranks, quantiles).map { Knot(rank: $0, microseconds: $1 * 1_000) }
    }

    /// In microseconds.
    var shortest: Int { knots[0].microseconds }

    func draw(from random: inout RandomSource) -> Int {
        let rank = random.below(10_000)
        var upper = 1
        while knots[upper].rank <= rank { upper += 1 }
        let low = knots[upper - 1].microseconds
        let width = knots[upper].microseconds - low
        // Uniform between two quantiles, to the microsecond; `below` takes 32 bits, which is over an hour.
        return low + (width < 1 << 31 ? random.below(width + 1) : random.below(width >> 10) << 10)
    }
}
