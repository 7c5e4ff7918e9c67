package import LifecycleModel

/// The cheapest way to make a trace conform: an exact shortest path through trace and model.
struct Alignment: Sendable, Hashable {
    /// One deviation.
    enum Move: Sendable, Hashable {
        /// A line that the model has no place for: leave it out. The position counts from 0.
        case log(position: Int, callback: String)
        /// A callback that the model asks for before the line at the position: put it in.
        case model(position: Int, callback: String)
    }

    /// Number of deviations.
    let cost: Int
    /// The deviations, in order: the smallest change that makes the trace conform. Of equally small ones, that which
    /// leaves out the fewest lines.
    let moves: [Move]

    /// One callback put in, and the hair by which leaving one out is dearer.
    private static let insertion = 1 << 32
    private static let removal = insertion + 1

    /// Aligns one trace. A trace may end in any state.
    init(_ variant: TraceVariant, machine: ConformanceMachine) {
        let count = machine.states.count
        let length = variant.callbacks.count
        let trace = variant.callbacks.map { machine.numbers[$0] }
        let far = Int.max >> 1
        var costs = Array(repeating: far, count: count)
        for state in ConformanceMachine.members(machine.beginning(variant)) { costs[state] = 0 }
        // Where each state was reached from: by the model alone before a line, and by the line itself.
        var inserted = Array(repeating: UInt8(0), count: (length + 1) * count)
        var stepped = Array(repeating: Step.none, count: length * count)
        for position in 0...length {
            costs = Self.insert(costs, machine, far, &inserted, at: position * count)
            guard position < length else { break }
            var next = Array(repeating: far, count: count)
            for state in 0..<count where costs[state] < far {
                if let callback = trace[position] {
                    for target in ConformanceMachine.members(machine.after(callback, in: state))
                    where costs[state] < next[target] {
                        next[target] = costs[state]
                        stepped[position * count + target] = Step(state: UInt8(state), isRemoval: false)
                    }
                }
            }
            for state in 0..<count where costs[state] < far && costs[state] + Self.removal < next[state] {
                next[state] = costs[state] + Self.removal
                stepped[position * count + state] = Step(state: UInt8(state), isRemoval: true)
            }
            costs = next
        }
        let best = (0..<count).min { costs[$0] < costs[$1] } ?? 0
        cost = count == 0 || costs[best] == far ? 0 : costs[best] / Self.insertion
        var moves: [Move] = []
        var state = best
        for position in stride(from: length, through: 0, by: -1) where count > 0 {
            let origin = Int(inserted[position * count + state])
            moves += machine.way(origin, state).reversed().map {
                .model(position: position, callback: machine.callbacks[$0])
            }
            state = origin
            guard position > 0 else { break }
            let step = stepped[(position - 1) * count + state]
            if step.isRemoval { moves.append(.log(position: position - 1, callback: variant.callbacks[position - 1])) }
            state = Int(step.state)
        }
        self.moves = moves.reversed()
    }

    private struct Step {
        var state: UInt8
        var isRemoval: Bool
        static let none = Step(state: 0, isRemoval: false)
    }

    /// Lets the model move alone wherever that is cheaper, and notes from where.
    private static func insert(
        _ costs: [Int], _ machine: ConformanceMachine, _ far: Int, _ origins: inout [UInt8], at place: Int
    ) -> [Int] {
        var after = costs
        for to in costs.indices { origins[place + to] = UInt8(to) }
        for from in costs.indices where costs[from] < far {
            for to in costs.indices where from != to {
                let steps = machine.distance(from, to)
                guard steps < ConformanceMachine.unreachable, costs[from] + steps * insertion < after[to] else {
                    continue
                }
                after[to] = costs[from] + steps * insertion
                origins[place + to] = UInt8(from)
            }
        }
        return after
    }
}

/// Alignment fitness of a log: `1 - cost / (callbacks + shortest model paths)`.
///
/// The shortest path through the model is empty, because a trace may end in any state.
package struct AlignmentFitness: Sendable, Hashable {
    /// A change that a log needs in order to conform.
    package struct Repair: Sendable, Hashable {
        /// Whether a callback is to be put in; otherwise it is to be left out.
        package var isInsertion: Bool
        package var callback: String
        /// The line that it comes before when it is put in, or after when it is left out; `nil` at an end of the trace.
        package var neighbour: String?
    }

    /// Deviations of all traces, and their callbacks.
    package private(set) var cost = 0
    package private(set) var worst = 0
    /// How often each repair is needed.
    package private(set) var repairs: [Repair: Int] = [:]

    /// The fitness, from 0 to 1; `nil` for a log without callbacks.
    package var fitness: Double? { worst > 0 ? 1 - Double(cost) / Double(worst) : nil }

    /// Aligns variants, each weighted by its count.
    package init(_ variants: some Sequence<TraceVariant>, on model: LifecycleModel) {
        let machine = ConformanceMachine(model)
        for variant in variants {
            worst += variant.count * variant.callbacks.count
            if TokenReplay.deviations(of: variant, on: machine) == 0 { continue }
            let alignment = Alignment(variant, machine: machine)
            cost += variant.count * alignment.cost
            for move in alignment.moves { repairs[Self.repair(move, variant), default: 0] += variant.count }
        }
    }

    private static func repair(_ move: Alignment.Move, _ variant: TraceVariant) -> Repair {
        switch move {
        case .model(let position, let callback):
            let following = position < variant.callbacks.count ? variant.callbacks[position] : nil
            return Repair(isInsertion: true, callback: callback, neighbour: following)
        case .log(let position, let callback):
            let before = position > 0 ? variant.callbacks[position - 1] : nil
            return Repair(isInsertion: false, callback: callback, neighbour: before)
        }
    }
}
