package import LifecycleModel

/// The cheapest way to make a trace conform: an exact shortest path through trace and model.
package struct Alignment: Sendable, Hashable {
    /// One deviation.
    package enum Move: Sendable, Hashable {
        /// A line that the model has no place for: leave it out. The position counts from 0.
        case log(position: Int, callback: String)
        /// A callback that the model asks for before the line at the position: put it in.
        case model(position: Int, callback: String)
    }

    /// Number of deviations.
    package let cost: Int
    /// The deviations, in order: the smallest change that makes the trace conform.
    package let moves: [Move]

    /// Aligns one trace. A trace may end in any state.
    package init(_ variant: TraceVariant, on model: LifecycleModel) {
        self.init(variant, machine: ConformanceMachine(model))
    }

    init(_ variant: TraceVariant, machine: ConformanceMachine) {
        let count = machine.states.count
        let trace = variant.callbacks.map { machine.numbers[$0] }
        var costs = Array(repeating: Int.max, count: count)
        for state in machine.beginning(variant) { costs[state] = 0 }
        var back: [[(state: Int, callback: Int, kind: Kind)?]] = []
        var inserted: [[(state: Int, callback: Int)?]] = []
        for position in 0...trace.count {
            inserted.append(Self.insert(&costs, machine))
            guard position < trace.count else { break }
            var next = Array(repeating: Int.max, count: count)
            var steps = [(state: Int, callback: Int, kind: Kind)?](repeating: nil, count: count)
            for state in 0..<count where costs[state] != Int.max {
                if let callback = trace[position] {
                    for target in machine.after(callback, from: [state]).sorted() where costs[state] < next[target] {
                        next[target] = costs[state]
                        steps[target] = (state, callback, .both)
                    }
                }
            }
            for state in 0..<count where costs[state] != Int.max && costs[state] + 1 < next[state] {
                next[state] = costs[state] + 1
                steps[state] = (state, trace[position] ?? -1, .log)
            }
            costs = next
            back.append(steps)
        }
        let best = (0..<count).min { costs[$0] < costs[$1] } ?? 0
        cost = costs[best] == Int.max ? 0 : costs[best]
        moves = Self.path(to: best, variant, machine, back, inserted)
    }

    private enum Kind { case both, log }

    /// Lets the model move alone wherever that is cheaper, and notes how.
    private static func insert(_ costs: inout [Int], _ machine: ConformanceMachine) -> [(state: Int, callback: Int)?] {
        var steps = [(state: Int, callback: Int)?](repeating: nil, count: costs.count)
        var queue = costs.indices.filter { costs[$0] != Int.max }.sorted { costs[$0] < costs[$1] }
        var head = 0
        while head < queue.count {
            let state = queue[head]
            head += 1
            for callback in machine.callbacks.indices where !machine.supplementary[callback] {
                for target in machine.closure(Set(machine.moves[state][callback])).sorted()
                where costs[state] + 1 < costs[target] {
                    costs[target] = costs[state] + 1
                    steps[target] = (state, callback)
                    queue.append(target)
                }
            }
        }
        return steps
    }

    private static func path(
        to last: Int, _ variant: TraceVariant, _ machine: ConformanceMachine,
        _ back: [[(state: Int, callback: Int, kind: Kind)?]], _ inserted: [[(state: Int, callback: Int)?]]
    ) -> [Move] {
        var moves: [Move] = []
        var state = last
        for position in stride(from: variant.callbacks.count, through: 0, by: -1) {
            while let step = inserted[position][state] {
                moves.append(.model(position: position, callback: machine.callbacks[step.callback]))
                state = step.state
            }
            guard position > 0, let step = back[position - 1][state] else { continue }
            if step.kind == .log {
                moves.append(.log(position: position - 1, callback: variant.callbacks[position - 1]))
            }
            state = step.state
        }
        return moves.reversed()
    }
}

/// Alignment fitness of a log: `1 - cost / (cost of the traces alone + shortest model paths)`.
///
/// The shortest path through the model is empty, because a trace may end in any state.
package struct AlignmentFitness: Sendable, Hashable {
    /// Deviations of all traces, and their callbacks.
    package let cost: Int
    package let worst: Int

    /// The fitness, from 0 to 1; `nil` for a log without callbacks.
    package var fitness: Double? { worst > 0 ? 1 - Double(cost) / Double(worst) : nil }

    /// Aligns variants, each weighted by its count.
    package init(_ variants: some Sequence<TraceVariant>, on model: LifecycleModel) {
        let machine = ConformanceMachine(model)
        var cost = 0
        var worst = 0
        for variant in variants {
            cost += variant.count * Alignment(variant, machine: machine).cost
            worst += variant.count * variant.callbacks.count
        }
        self.cost = cost
        self.worst = worst
    }
}
